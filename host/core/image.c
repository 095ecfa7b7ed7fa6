/* image.c - images in two and three dimensions: making them, writing and reading them.
 *
 * An image is a buffer (core.h) with more behind it. Formats are asked of the device before it is made: drivers
 * answer to one that they do not have with a bare code. */
#include "core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char create_call[] = "clCreateImage";

typedef struct image {
    buffer memory;
    size_t region[3];
} image;

/* ---- formats ---- */

struct word {
    cl_uint code;
    int32_t count; /* of an order: channels; of a channel's type: bytes */
    const char *name;
};

static const struct word orders[] = {
    {CL_R, 1, "r"},
    {CL_A, 1, "a"},
    {CL_RG, 2, "rg"},
    {CL_RA, 2, "ra"},
    {CL_RGB, 3, "rgb"},
    {CL_RGBA, 4, "rgba"},
    {CL_BGRA, 4, "bgra"},
    {CL_ARGB, 4, "argb"},
    {CL_ABGR, 4, "abgr"},
    {CL_INTENSITY, 1, "intensity"},
    {CL_LUMINANCE, 1, "luminance"},
    {CL_DEPTH, 1, "depth"},
    {CL_sRGBA, 4, "srgba"},
};

static const struct word channels[] = {
    {CL_SNORM_INT8, 1, "snorm_int8"},         {CL_SNORM_INT16, 2, "snorm_int16"},
    {CL_UNORM_INT8, 1, "unorm_int8"},         {CL_UNORM_INT16, 2, "unorm_int16"},
    {CL_SIGNED_INT8, 1, "signed_int8"},       {CL_SIGNED_INT16, 2, "signed_int16"},
    {CL_SIGNED_INT32, 4, "signed_int32"},     {CL_UNSIGNED_INT8, 1, "unsigned_int8"},
    {CL_UNSIGNED_INT16, 2, "unsigned_int16"}, {CL_UNSIGNED_INT32, 4, "unsigned_int32"},
    {CL_HALF_FLOAT, 2, "half_float"},         {CL_FLOAT, 4, "float"},
};

static const struct word *find_word(const struct word *words, size_t count, cl_uint code) {
    for (size_t i = 0; i < count; i++)
        if (words[i].code == code) return &words[i];
    return NULL;
}

#define FIND(words, code) find_word(words, sizeof(words) / sizeof(words)[0], code)

/* What is wanted. */
struct wish {
    cl_mem_flags flags;
    cl_image_format format;
    cl_image_desc shape;
    const struct word *order, *channel;
};

static int32_t read_format(struct wish *w) {
    w->order = FIND(orders, w->format.image_channel_order);
    w->channel = FIND(channels, w->format.image_channel_data_type);
    if (!w->order)
        return error_record(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CLUE_CAUSE_PARAMETER, create_call,
                            "0x%x is no order of channels", w->format.image_channel_order);
    if (!w->channel)
        return error_record(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CLUE_CAUSE_PARAMETER, create_call,
                            "0x%x is no type of channels", w->format.image_channel_data_type);
    return 0;
}

/* The orders that there are with the wanted type of channels: "r, rgba". */
static int32_t refuse_format(const struct wish *w, const device *on, const cl_image_format *has, cl_uint count) {
    char list[160] = "";
    size_t used = 0;
    for (cl_uint i = 0; i < count; i++) {
        const struct word *order = FIND(orders, has[i].image_channel_order);
        if (order && has[i].image_channel_data_type == w->channel->code && used + 16 < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", order->name);
    }
    return error_record(
        CL_IMAGE_FORMAT_NOT_SUPPORTED, CLUE_CAUSE_LIMIT, create_call,
        "%s has no %d-D images of order %s with channels of type %s for these flags; with that type it "
        "has the orders: %s",
        on->name, w->shape.image_type == CL_MEM_OBJECT_IMAGE3D ? 3 : 2, w->order->name, w->channel->name,
        used ? list : "none");
}

static int32_t search_format(const struct wish *w, const device *on, const cl_image_format *has, cl_uint count) {
    for (cl_uint i = 0; i < count; i++)
        if (memcmp(&has[i], &w->format, sizeof has[i]) == 0) return 0;
    return refuse_format(w, on, has, count);
}

static int32_t check_format(const struct wish *w, const context *in) {
    const cl_mem_flags access = w->flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY);
    const cl_mem_flags flags = access ? access : CL_MEM_READ_WRITE;
    cl_image_format *has;
    cl_uint count = 0;
    int32_t code = CL_CALL(clGetSupportedImageFormats, in->context, flags, w->shape.image_type, 0, NULL, &count);
    if (code) return code;
    has = calloc(count + 1, sizeof *has);
    if (!has) return error_out_of_memory("clGetSupportedImageFormats");
    if (count)
        code = CL_CALL(clGetSupportedImageFormats, in->context, flags, w->shape.image_type, count, has, NULL);
    if (code == 0) code = search_format(w, in->device, has, count);
    free(has);
    return code;
}

/* ---- sizes ---- */

static int32_t check_extent(const device *on, cl_device_info limit, int64_t size, const char *name) {
    size_t most = 0;
    if (clGetDeviceInfo(on->id, limit, sizeof most, &most, NULL) != CL_SUCCESS) most = SIZE_MAX;
    if (size < 1)
        return error_record(CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_SIZE, create_call,
                            "a %s of %lld pixels: 1 is the least", name, (long long)size);
    if ((size_t)size > most)
        return error_record(CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_LIMIT, create_call,
                            "a %s of %lld pixels is more than %s allows: %zu", name, (long long)size, on->name,
                            most);
    return 0;
}

static int32_t check_shape(const device *on, int64_t width, int64_t height, int64_t depth) {
    const bool solid = depth != 0;
    int32_t code =
        check_extent(on, solid ? CL_DEVICE_IMAGE3D_MAX_WIDTH : CL_DEVICE_IMAGE2D_MAX_WIDTH, width, "width");
    if (code == 0)
        code =
            check_extent(on, solid ? CL_DEVICE_IMAGE3D_MAX_HEIGHT : CL_DEVICE_IMAGE2D_MAX_HEIGHT, height, "height");
    if (code == 0 && solid) code = check_extent(on, CL_DEVICE_IMAGE3D_MAX_DEPTH, depth, "depth");
    return code;
}

/* Widths, heights and depths are below 2^31, so a double holds the product well enough to compare. */
static int32_t check_bytes(const struct wish *w, const device *on) {
    const double bytes = (double)w->shape.image_width * (double)w->shape.image_height *
                         (double)w->shape.image_depth * w->order->count * w->channel->count;
    if (bytes <= (double)on->max_allocation) return 0;
    return error_record(CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_LIMIT, create_call,
                        "%.0f bytes are more than one image may have on %s: %llu", bytes, on->name,
                        (unsigned long long)on->max_allocation);
}

/* ---- making ---- */

static int32_t open_image(int32_t *image_out, image *self, const struct wish *w) {
    int32_t code = CL_MAKE(&self->memory.memory, clCreateImage, self->memory.context->context, w->flags, &w->format,
                           &w->shape, NULL);
    if (code == 0) code = handle_open(image_out, &self->memory.base, CLUE_IMAGE, buffer_destroy, create_call);
    return code;
}

static int32_t make(int32_t *image_out, context *in, const struct wish *w) {
    image *self = calloc(1, sizeof *self);
    int32_t code;
    if (!self) return error_out_of_memory(create_call);
    object_retain(&in->base);
    self->memory.context = in;
    self->memory.dimensions = w->shape.image_type == CL_MEM_OBJECT_IMAGE3D ? 3 : 2;
    self->region[0] = w->shape.image_width;
    self->region[1] = w->shape.image_height;
    self->region[2] = w->shape.image_depth;
    self->memory.size =
        (int64_t)(self->region[0] * self->region[1] * self->region[2]) * w->order->count * w->channel->count;
    code = open_image(image_out, self, w);
    if (code) buffer_destroy(&self->memory.base);
    return code;
}

int32_t clue_image_create(int32_t *image_out, int32_t handle, int64_t flags, uint32_t order, uint32_t channel,
                          int64_t width, int64_t height, int64_t depth) {
    context *in = (context *)handle_find(handle, CLUE_CONTEXT, create_call);
    struct wish w = {.flags = (cl_mem_flags)flags, .format = {order, channel}};
    int32_t code;
    if (!in) return clue_error_code();
    if (!in->device->images)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, create_call, "%s has no images",
                            in->device->name);
    if (in->device->part && in->device->pocl)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, create_call,
                            "PoCL aborts at the transfer of an image on a part of a device: use the whole device");
    if ((code = buffer_check_flags(flags, create_call)) || (code = read_format(&w)) ||
        (code = check_shape(in->device, width, height, depth)))
        return code;
    w.shape.image_type = depth ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D;
    w.shape.image_width = (size_t)width;
    w.shape.image_height = (size_t)height;
    w.shape.image_depth = depth ? (size_t)depth : 1;
    if ((code = check_bytes(&w, in->device)) || (code = check_format(&w, in))) return code;
    return make(image_out, in, &w);
}

int32_t clue_image_size(int64_t *size_out, int32_t handle) {
    const buffer *self = (buffer *)handle_find(handle, CLUE_IMAGE, "clGetMemObjectInfo");
    if (!self) return clue_error_code();
    *size_out = self->size;
    return 0;
}

/* ---- transfers ---- */

static const size_t origin[3] = {0, 0, 0};

static int32_t check(const image *self, const queue *q, const void *data, int64_t size, const char *call) {
    int32_t code = queue_check_context(q, self->memory.context, "the image", call);
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
