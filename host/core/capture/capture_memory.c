/* capture_memory.c - the contents of a captured kernel's buffers and images, as argN.before.npy and argN.after.npy.
 *
 * Memory that arguments share is saved once, so that they share it again in the replay: for an image in a buffer,
 * the buffer; for several sub-buffers of one buffer, the whole buffer. */
#define CLUE_UNTRACED
#include "capture/capture.h"

#include <stdlib.h>

enum { PATH = 4096 };

enum capture_kind capture_kind_of(const argument *a) {
    if (a->object && a->object->kind == CLUE_BUFFER) return IS_BUFFER;
    if (a->object && a->object->kind == CLUE_IMAGE) return IS_IMAGE;
    if (a->object && a->object->kind == CLUE_SAMPLER) return IS_SAMPLER;
    if (a->object) return IS_UNKNOWN;
    if (a->local_size) return IS_LOCAL;
    return a->takes == TAKES_BUFFER || a->takes == TAKES_POINTER ? IS_NULL : IS_VALUE;
}

static const buffer *memory_at(const kernel *k, int32_t index) {
    const enum capture_kind kind = capture_kind_of(&k->arguments[index]);
    return kind == IS_BUFFER || kind == IS_IMAGE ? k->arguments[index].buffer : NULL;
}

const buffer *capture_memory(const kernel *k, int32_t index) {
    const buffer *own = memory_at(k, index), *whole = own ? buffer_memory(own) : NULL;
    if (!own || own == whole || own->base.kind == CLUE_IMAGE) return whole;
    for (int32_t i = 0; i < k->count; i++) {
        const buffer *other = memory_at(k, i);
        if (other && other != own && buffer_memory(other) == whole) return whole;
    }
    return own;
}

int32_t capture_first(const kernel *k, int32_t index) {
    const buffer *of = capture_memory(k, index);
    for (int32_t i = 0; i < index; i++)
        if (capture_memory(k, i) == of) return i;
    return index;
}

/* ---- reading ---- */

static const size_t origin[3] = {0, 0, 0};

static cl_int read_straight(const queue *q, const buffer *b, void *data) {
    const image *i = (const image *)b;
    if (b->base.kind == CLUE_IMAGE)
        return clEnqueueReadImage(q->queue, b->memory, CL_TRUE, origin, i->region, 0, 0, data, 0, NULL, NULL);
    return clEnqueueReadBuffer(q->queue, b->memory, CL_TRUE, 0, (size_t)b->size, data, 0, NULL, NULL);
}

/* NVIDIA's driver copies the layers of a 1-D image array only one at a time. */
static cl_int copy_image(const queue *q, const image *from, cl_mem to) {
    const bool lines = from->kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const size_t steps = lines ? from->region[1] : 1;
    const size_t region[3] = {from->region[0], lines ? 1 : from->region[1], from->region[2]};
    const size_t bytes = region[0] * region[1] * region[2] * from->pixel;
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; i < steps && code == CL_SUCCESS; i++)
        code = clEnqueueCopyImageToBuffer(q->queue, from->memory.memory, to, (const size_t[]){0, i, 0}, region,
                                          i * bytes, 0, NULL, NULL);
    return code;
}

/* Reads memory that the host may not read, through a buffer that it may read. */
static cl_int read_around(const queue *q, const buffer *b, void *data) {
    cl_int code = CL_SUCCESS;
    buffer copy = {.base = {.kind = CLUE_BUFFER}, .size = b->size};
    copy.memory = clCreateBuffer(b->context->context, CL_MEM_READ_WRITE, (size_t)b->size, NULL, &code);
    if (code != CL_SUCCESS) return code;
    if (b->base.kind == CLUE_IMAGE)
        code = copy_image(q, (const image *)b, copy.memory);
    else
        code = clEnqueueCopyBuffer(q->queue, b->memory, copy.memory, 0, 0, (size_t)b->size, 0, NULL, NULL);
    if (code == CL_SUCCESS) code = clFinish(q->queue); /* the queue may be out of order */
    if (code == CL_SUCCESS) code = read_straight(q, &copy, data);
    (void)clReleaseMemObject(copy.memory);
    return code;
}

/* ---- files ---- */

/* The elements of pixels: channels; bytes if several channels share a number. */
static struct capture_shape shape_of_pixels(const image *i) {
    static const struct {
        cl_channel_type channel;
        int32_t type;
    } types[] = {{CL_SNORM_INT8, CLUE_CHAR},     {CL_SNORM_INT16, CLUE_SHORT},   {CL_UNORM_INT8, CLUE_UCHAR},
                 {CL_UNORM_INT16, CLUE_USHORT},  {CL_SIGNED_INT8, CLUE_CHAR},    {CL_SIGNED_INT16, CLUE_SHORT},
                 {CL_SIGNED_INT32, CLUE_INT},    {CL_UNSIGNED_INT8, CLUE_UCHAR}, {CL_UNSIGNED_INT16, CLUE_USHORT},
                 {CL_UNSIGNED_INT32, CLUE_UINT}, {CL_HALF_FLOAT, CLUE_HALF},     {CL_FLOAT, CLUE_FLOAT}};
    struct capture_shape shape = {CLUE_UCHAR, 0, i->pixel};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        if (types[k].channel == i->format.image_channel_data_type &&
            i->pixel % (size_t)clue_type_size(types[k].type) == 0)
            shape = (struct capture_shape){types[k].type, 0, i->pixel / (size_t)clue_type_size(types[k].type)};
    shape.elements = (size_t)i->memory.size / i->pixel;
    return shape;
}

static struct capture_shape shape_of(const kernel *k, int32_t index, const buffer *kept) {
    if (kept->base.kind == CLUE_IMAGE) return shape_of_pixels((const image *)kept);
    return capture_shape_of(k->arguments[index].type, (size_t)kept->size);
}

static bool write_one(const char *path, const struct kernel_call *call, int32_t index) {
    const buffer *kept = capture_memory(call->kernel, index);
    void *data = malloc((size_t)kept->size);
    cl_int code;
    bool well;
    if (!data)
        return capture_fail("there is no memory for the %lld bytes of its argument %d", (long long)kept->size,
                            (int)index);
    code = read_straight(call->queue, kept, data);
    if (code == CL_INVALID_OPERATION) code = read_around(call->queue, kept, data);
    well = code == CL_SUCCESS
               ? capture_write_npy(path, shape_of(call->kernel, index, kept), data, (size_t)kept->size)
               : capture_fail("the %s of its argument %d cannot be read: %s", handle_kind_name(kept->base.kind),
                              (int)index, clue_error_name(code) ? clue_error_name(code) : "unknown error");
    free(data);
    return well;
}

bool capture_write_memory(const char *folder, const struct kernel_call *call, const char *moment) {
    const kernel *k = call->kernel;
    if (k->reached_count > 0)
        return capture_fail("it follows pointers into shared virtual memory, which are meaningless in another run");
    for (int32_t i = 0; i < k->count; i++) {
        char path[PATH];
        if (capture_kind_of(&k->arguments[i]) == IS_UNKNOWN)
            return capture_fail(
                "its argument %s is %s: only buffers, images, samplers, values and local memory are "
                "captured",
                argument_name(k, i), handle_kind_name(k->arguments[i].object->kind));
        if (!memory_at(k, i) || capture_first(k, i) != i) continue;
        (void)snprintf(path, sizeof path, "%s/arg%d.after.npy", folder, (int)i);
        (void)remove(path); /* from an earlier capture; this one may stop early */
        (void)snprintf(path, sizeof path, "%s/arg%d.%s.npy", folder, (int)i, moment);
        if (!write_one(path, call, i)) return false;
    }
    return true;
}
