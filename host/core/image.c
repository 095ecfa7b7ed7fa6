/* image.c - writing images and reading them.
 *
 * An image is a buffer (core.h) with more behind it. */
#include "core.h"

typedef struct image image;

/* ---- transfers ---- */

static const size_t origin[3] = {0, 0, 0};

int32_t image_check_transfers(const image *self, const char *call) {
    const bool line = self->kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    if (!line) return 0;
    return error_record(
        CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, call,
        "the pixels of image %d lie in buffer %d: transfer, copy or fill that (drivers crash here, or "
        "work on another copy)",
        (int)self->memory.base.handle, (int)self->memory.parent->base.handle);
}

static int32_t check(const image *self, const queue *q, const void *data, int64_t size, const char *call) {
    int32_t code = queue_check_context(q, self->memory.context, "the image", call);
    if (code == 0) code = image_check_transfers(self, call);
    if (code) return code;
    if (!data || size != self->memory.size)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                            "an image of %zu x %zu x %zu pixels has %lld bytes, %lld were given", self->region[0],
                            self->region[1], self->region[2], (long long)self->memory.size,
                            (long long)(data ? size : 0));
    return 0;
}

/* The image, when all is right. */
static const image *begin(const queue *q, int32_t handle, const void *data, int64_t size, const char *call) {
    const image *self = q ? (image *)handle_find(handle, CLUE_IMAGE, call) : NULL;
    if (!self || check(self, q, data, size, call)) return NULL;
    return queue_wait_begins(q, "the transfer of an image") ? NULL : self;
}

static int32_t transferred(int32_t code) {
    waiting_is_over();
    return buffer_explain(code);
}

int32_t clue_queue_write_image(int32_t queue_handle, int32_t handle, const void *data, int64_t size) {
    static const char call[] = "clEnqueueWriteImage";
    const queue *q = queue_find(queue_handle, call);
    const image *self = begin(q, handle, data, size, call);
    if (!self) return clue_error_code();
    return transferred(CL_CALL(clEnqueueWriteImage, q->queue, self->memory.memory, CL_TRUE, origin, self->region, 0,
                               0, data, 0, NULL, NULL));
}

int32_t clue_queue_read_image(void *data_out, int32_t queue_handle, int32_t handle, int64_t size) {
    static const char call[] = "clEnqueueReadImage";
    const queue *q = queue_find(queue_handle, call);
    const image *self = begin(q, handle, data_out, size, call);
    if (!self) return clue_error_code();
    return transferred(CL_CALL(clEnqueueReadImage, q->queue, self->memory.memory, CL_TRUE, origin, self->region, 0,
                               0, data_out, 0, NULL, NULL));
}
