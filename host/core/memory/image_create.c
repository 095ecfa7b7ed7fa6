/* image_create.c - creates images in 1, 2 or 3 dimensions, arrays of them, and images in a buffer's memory.
 *
 * The limits of OpenCL and of the device are checked first: drivers refuse with a bare code, or accept an image and
 * crash later. */
#include "memory/internal.h"

#include <stdlib.h>

static const char create_call[] = "clCreateImage";

/* ---- kinds and sizes ---- */

enum { WIDTH, HEIGHT, DEPTH, LAYERS, SIZES };

static const char *const size_names[SIZES] = {"a width", "a height", "a depth", "an array size"};

/* The image to make. */
struct wish {
    const image_kind *kind;
    cl_mem_flags flags;
    cl_image_format format;
    int64_t sizes[SIZES];
    int64_t row_pitch; /* bytes; 0: rows lie side by side */
    int32_t pixel;     /* bytes */
    buffer *buffer;    /* the buffer that holds the pixels; NULL: the image has its own memory */
    void *host;        /* memory from which the pixels are copied, or in which they are, by the flags; NULL: none */
};

static int32_t check_size(const device *on, const struct wish *w, int index) {
    const cl_device_info limit = w->kind->limits[index];
    const char *name = size_names[index];
    const long long size = (long long)w->sizes[index];
    size_t most = 0;
    if (!limit && size == 0) return 0;
    if (!limit)
        return error_record(CL_INVALID_IMAGE_DESCRIPTOR, CLUE_CAUSE_SIZE, create_call,
                            "%s of %lld: a %s image does not have one", name, size, w->kind->name);
    if (size < 1)
        return error_record(CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_SIZE, create_call,
                            "%s of %lld %s: it must be at least 1", name, size,
                            index == LAYERS ? "layers" : "pixels");
    if (clGetDeviceInfo(on->id, limit, sizeof most, &most, NULL) != CL_SUCCESS || (size_t)size <= most) return 0;
    return error_record(CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_LIMIT, create_call,
                        "%s of %lld %s: the maximum on %s is %zu", name, size,
                        index == LAYERS ? "layers" : "pixels", on->name, most);
}

static int64_t or_one(int64_t size) {
    return size ? size : 1;
}

/* Sizes are below 2^31, so a double holds the product well enough to compare. */
static int32_t check_bytes(const struct wish *w, const device *on) {
    double bytes = w->pixel;
    for (int i = 0; i < SIZES; i++)
        bytes *= (double)or_one(w->sizes[i]);
    if (w->buffer || bytes <= (double)on->max_allocation) return 0;
    return error_record(CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_LIMIT, create_call,
                        "an image of %.0f bytes: the maximum on %s is %llu", bytes, on->name,
                        (unsigned long long)on->max_allocation);
}

static int32_t check_sizes(const struct wish *w, const device *on) {
    int32_t code = 0;
    for (int i = 0; i < SIZES && code == 0; i++)
        code = check_size(on, w, i);
    return code ? code : check_bytes(w, on);
}

/* ---- images in a buffer ---- */

/* 2-D images in buffers are an option (cl_khr_image2d_from_buffer); a device without it has no alignment for
 * them. */
static int32_t check_pitch(struct wish *w, const device *on) {
    const int64_t row = w->sizes[WIDTH] * w->pixel;
    cl_uint pixels = 0;
    int64_t step;
    if (clGetDeviceInfo(on->id, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof pixels, &pixels, NULL) != CL_SUCCESS)
        pixels = 0;
    if (pixels == 0)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, create_call,
                            "%s has no 2-D images in buffers (no cl_khr_image2d_from_buffer): make an image with "
                            "its own memory and copy the buffer there",
                            on->name);
    step = (int64_t)pixels * w->pixel;
    if (w->row_pitch == 0) w->row_pitch = row;
    if (w->row_pitch >= row && step > 0 && w->row_pitch % step == 0) return 0;
    return error_record(
        CL_INVALID_IMAGE_DESCRIPTOR, CLUE_CAUSE_SIZE, create_call,
        "a row pitch of %lld bytes: on %s it must be a multiple of %lld, and at least the %lld of a row of pixels",
        (long long)w->row_pitch, on->name, (long long)step, (long long)row);
}

/* In double, because a pitch may be so large that the product overflows. */
static int32_t check_room(const struct wish *w) {
    const bool plane = w->kind->type == CL_MEM_OBJECT_IMAGE2D;
    const double rows = plane ? (double)w->sizes[HEIGHT] : 1;
    const double row = plane ? (double)w->row_pitch : (double)w->sizes[WIDTH] * w->pixel;
    if (rows * row <= (double)w->buffer->size) return 0;
    return error_record(CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_SIZE, create_call,
                        "the image has %.0f bytes, but its buffer has %lld", rows * row,
                        (long long)w->buffer->size);
}

static int32_t check_own(const struct wish *w) {
    if (w->kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return error_record(CL_INVALID_IMAGE_DESCRIPTOR, CLUE_CAUSE_PARAMETER, create_call,
                            "a 1-D buffer image needs a buffer, and none was given");
    if (w->row_pitch)
        return error_record(CL_INVALID_IMAGE_DESCRIPTOR, CLUE_CAUSE_PARAMETER, create_call,
                            "a row pitch of %lld bytes: only a 2-D image in a buffer can have one",
                            (long long)w->row_pitch);
    return 0;
}

static int32_t check_buffer(struct wish *w, const context *in) {
    const bool line = w->kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    int32_t code;
    if (!w->buffer) return check_own(w);
    if (!line && w->kind->type != CL_MEM_OBJECT_IMAGE2D)
        return error_record(CL_INVALID_IMAGE_DESCRIPTOR, CLUE_CAUSE_PARAMETER, create_call,
                            "a %s image cannot be in a buffer: only 1-D buffer images and 2-D images can",
                            w->kind->name);
    if (line && w->row_pitch)
        return error_record(CL_INVALID_IMAGE_DESCRIPTOR, CLUE_CAUSE_PARAMETER, create_call,
                            "a row pitch of %lld bytes: a 1-D buffer image cannot have one",
                            (long long)w->row_pitch);
    if (w->buffer->context != in)
        return error_record(CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER, create_call,
                            "buffer %d belongs to another context", (int)w->buffer->base.handle);
    if ((code = buffer_check_inherited(w->buffer, (int64_t)w->flags, create_call))) return code;
    for (cl_uint i = 0; !line && i < in->device_count; i++)
        if ((code = check_pitch(w, in->devices[i]))) return code;
    return check_room(w);
}

/* ---- making ---- */

static cl_image_desc described(const struct wish *w) {
    cl_image_desc d = {.image_type = w->kind->type,
                       .image_width = (size_t)w->sizes[WIDTH],
                       .image_height = (size_t)w->sizes[HEIGHT],
                       .image_depth = (size_t)w->sizes[DEPTH],
                       .image_array_size = (size_t)w->sizes[LAYERS],
                       .image_row_pitch = (size_t)w->row_pitch};
    if (w->buffer) d.buffer = w->buffer->memory;
    return d;
}

/* Asks the driver for the size of a pixel, which the transfers need. */
static int32_t measure(image *self) {
    size_t pixel = 0;
    int32_t code = CL_CALL(clGetImageInfo, self->memory.memory, CL_IMAGE_ELEMENT_SIZE, sizeof pixel, &pixel, NULL);
    self->pixel = pixel;
    self->memory.size = (int64_t)(self->region[0] * self->region[1] * self->region[2] * pixel);
    return code;
}

static void destroy(object *self) {
    buffer_end((buffer *)self);
    free(self);
}

static const object_class image_class = {CLUE_IMAGE, destroy, buffer_parent, buffer_pointer};

static int32_t open_image(int32_t *image_out, image *self, const struct wish *w) {
    const cl_image_desc shape = described(w);
    int32_t code = CL_MAKE(&self->memory.memory, clCreateImage, self->memory.context->context, w->flags, &w->format,
                           &shape, w->host);
    if (code || (code = measure(self))) return code;
    backing_begin(&self->memory);
    return handle_open(image_out, &self->memory.base, &image_class, create_call);
}

static int32_t make(int32_t *image_out, context *in, const struct wish *w) {
    image *self = calloc(1, sizeof *self);
    int32_t code;
    if (!self) return error_out_of_memory(create_call);
    object_retain(&in->base);
    self->memory.context = in;
    self->memory.flags = w->flags;
    self->kind = w->kind;
    self->format = w->format;
    self->layers = w->sizes[LAYERS];
    self->region[0] = (size_t)w->sizes[WIDTH];
    self->region[1] =
        (size_t)or_one(w->kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? self->layers : w->sizes[HEIGHT]);
    self->region[2] = (size_t)or_one(w->kind->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? self->layers : w->sizes[DEPTH]);
    if (w->buffer) {
        object_retain(&w->buffer->base);
        self->memory.parent = w->buffer;
        self->row_pitch = w->row_pitch;
    }
    code = open_image(image_out, self, w);
    if (code) destroy(&self->memory.base);
    return code;
}

static int32_t check_device(const device *on) {
    if (!on->images)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, create_call, "%s has no images", on->name);
    if (on->part && on->pocl)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, create_call,
                            "PoCL aborts when an image is transferred on a part of a device: use the whole device");
    return 0;
}

static int32_t check_devices(const context *in) {
    int32_t code = 0;
    for (cl_uint i = 0; i < in->device_count && code == 0; i++)
        code = check_device(in->devices[i]);
    return code;
}

static int32_t check_sizes_on_all(const struct wish *w, const context *in) {
    int32_t code = 0;
    for (cl_uint i = 0; i < in->device_count && code == 0; i++)
        code = check_sizes(w, in->devices[i]);
    return code;
}

/* The context, if such an image can be made there; NULL and a recorded failure if not. */
static context *begin(struct wish *w, int32_t handle, int64_t flags, const clue_image_shape *shape) {
    context *in = (context *)handle_find(handle, CLUE_CONTEXT, create_call);
    *w = (struct wish){.flags = (cl_mem_flags)flags,
                       .format = {shape->order, shape->channel},
                       .sizes = {shape->width, shape->height, shape->depth, shape->array_size},
                       .row_pitch = shape->row_pitch};
    if (!in || !(w->kind = image_kind_of(shape->type, create_call))) return NULL;
    if (shape->buffer && !(w->buffer = (buffer *)handle_find(shape->buffer, CLUE_BUFFER, create_call))) return NULL;
    if (check_devices(in) || buffer_check_flags(flags, create_call) || image_pixel_bytes(&w->pixel, &w->format) ||
        check_sizes_on_all(w, in) || check_buffer(w, in) || image_check_format(&w->format, w->kind, w->flags, in))
        return NULL;
    return in;
}

int32_t clue_image_create(int32_t *image_out, int32_t handle, int64_t flags, const clue_image_shape *shape) {
    struct wish w;
    context *in = begin(&w, handle, flags, shape);
    return in ? make(image_out, in, &w) : clue_error_code();
}

/* ---- images in the host's memory, or copied from it ---- */

static int32_t check_pixels(const struct wish *w, const void *data, int64_t size) {
    int64_t bytes = w->pixel; /* at most the size of one allocation, which was checked */
    for (int i = 0; i < SIZES; i++)
        bytes *= or_one(w->sizes[i]);
    if (w->buffer)
        return error_record(
            CL_INVALID_IMAGE_DESCRIPTOR, CLUE_CAUSE_PARAMETER, create_call,
            "the pixels are in buffer %d, so memory of the host cannot be given: write it to the buffer",
            (int)w->buffer->base.handle);
    if (size == bytes || !data) return host_memory_check(data, w->flags, "an image", create_call);
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, create_call,
                        "the image has %lld bytes, but the host's memory has %lld: both must be the same",
                        (long long)bytes, (long long)size);
}

int32_t clue_image_create_from(int32_t *image_out, int32_t handle, const void *data, int64_t size, int64_t flags,
                               const clue_image_shape *shape) {
    struct wish w;
    context *in = begin(&w, handle, flags, shape);
    int32_t code;
    if (!in) return clue_error_code();
    w.flags |= CL_MEM_COPY_HOST_PTR;
    w.host = (void *)data;
    code = check_pixels(&w, data, size);
    return code ? code : make(image_out, in, &w);
}

static int32_t make_in(int32_t *made_out, context *in, void *data, void *wish) {
    struct wish *w = wish;
    w->host = data;
    return make(made_out, in, w);
}

int32_t clue_image_create_in(int32_t *image_out, int32_t *memory, int32_t handle, void *data, int64_t size,
                             int64_t flags, const clue_image_shape *shape) {
    struct wish w;
    context *in = begin(&w, handle, flags, shape);
    int32_t code;
    if (!in) return clue_error_code();
    w.flags |= CL_MEM_USE_HOST_PTR;
    if ((code = check_pixels(&w, data, size))) return code;
    return host_memory_lend(image_out, memory, in, data, size, make_in, &w, create_call);
}

/* ---- an image's shape ---- */

int32_t clue_image_shape_of(clue_image_shape *shape_out, int32_t handle) {
    const image *self = (image *)handle_find(handle, CLUE_IMAGE, "clGetImageInfo");
    if (!self) return clue_error_code();
    *shape_out = (clue_image_shape){
        .type = self->kind->type,
        .order = self->format.image_channel_order,
        .channel = self->format.image_channel_data_type,
        .buffer = self->memory.parent ? self->memory.parent->base.handle : 0,
        .width = (int64_t)self->region[0],
        .height = self->kind->limits[HEIGHT] ? (int64_t)self->region[1] : 0,
        .depth = self->kind->limits[DEPTH] ? (int64_t)self->region[2] : 0,
        .array_size = self->layers,
        .row_pitch = self->row_pitch,
    };
    return 0;
}
