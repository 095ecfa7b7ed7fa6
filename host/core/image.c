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

/* Of a whole image, waited for at once where nobody wants an event. */
struct transfer {
    const image *image;
    int64_t size;
    const void *from; /* of a write */
    void *to;         /* of a read */
    bool writes;
};

static const char *call_of(bool writes) {
    return writes ? "clEnqueueWriteImage" : "clEnqueueReadImage";
}

static int32_t enqueue(const queue *q, const struct transfer *t, const struct command *c) {
    const cl_mem memory = t->image->memory.memory;
    if (t->writes)
        return CL_CALL(clEnqueueWriteImage, q->queue, memory, c->blocking, origin, t->image->region, 0, 0, t->from,
                       q->waits.count, q->waits.events, c->event_at);
    return CL_CALL(clEnqueueReadImage, q->queue, memory, c->blocking, origin, t->image->region, 0, 0, t->to,
                   q->waits.count, q->waits.events, c->event_at);
}

static int32_t transfer(int32_t *event_out, int32_t queue_handle, int32_t handle, struct transfer *t) {
    const char *call = call_of(t->writes);
    const void *data = t->writes ? t->from : t->to;
    queue *q = queue_find(queue_handle, call);
    struct command c;
    int32_t code;
    t->image = q ? (image *)handle_find(handle, CLUE_IMAGE, call) : NULL;
    if (!t->image) return clue_error_code();
    if ((code = check(t->image, q, data, t->size, call)) ||
        (code = command_begin(&c, q, t->writes ? "a write to an image" : "a read from an image", call,
                              event_out ? WITH_EVENT : BLOCKING)))
        return code;
    code = command_flies(&c, data, t->size, call);
    if (code == 0) code = enqueue(q, t, &c);
    return buffer_explain(command_end(&c, event_out, q, code));
}

int32_t clue_queue_write_image(int32_t *event_out, int32_t queue_handle, int32_t handle, const void *data,
                               int64_t size) {
    struct transfer t = {.size = size, .from = data, .writes = true};
    return transfer(event_out, queue_handle, handle, &t);
}

int32_t clue_queue_read_image(int32_t *event_out, void *data_out, int32_t queue_handle, int32_t handle,
                              int64_t size) {
    struct transfer t = {.size = size, .to = data_out};
    return transfer(event_out, queue_handle, handle, &t);
}
