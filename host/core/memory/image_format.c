/* image_format.c - the kinds of images, and their pixels: orders and types of channels, and which of them a device
 * has.
 *
 * The device is asked for its formats before an image is made, because drivers answer an unknown one with a bare
 * code. */
#include "memory/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char create_call[] = "clCreateImage";
static const char list_call[] = "clGetSupportedImageFormats";

struct word {
    cl_uint code;
    int32_t count; /* for an order: the number of channels; for a type: bytes of a channel, or if below 0, bytes of
                      the whole pixel */
    const char *name;
};

/* CL_DEPTH_STENCIL and CL_UNORM_INT24: since OpenCL 3.1, headers have them beside OpenGL. */
enum { DEPTH_STENCIL = 0x10BE, UNORM_INT24 = 0x10DF };

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
    {CL_Rx, 2, "rx"},
    {CL_RGx, 3, "rgx"},
    {CL_RGBx, 4, "rgbx"},
    {CL_DEPTH, 1, "depth"},
    {DEPTH_STENCIL, 2, "depth_stencil"},
    {CL_sRGB, 3, "srgb"},
    {CL_sRGBx, 4, "srgbx"},
    {CL_sRGBA, 4, "srgba"},
    {CL_sBGRA, 4, "sbgra"},
};

static const struct word channels[] = {
    {CL_SNORM_INT8, 1, "snorm_int8"},
    {CL_SNORM_INT16, 2, "snorm_int16"},
    {CL_UNORM_INT8, 1, "unorm_int8"},
    {CL_UNORM_INT16, 2, "unorm_int16"},
    {UNORM_INT24, 4, "unorm_int24"},
    {CL_UNORM_SHORT_565, -2, "unorm_short_565"},
    {CL_UNORM_SHORT_555, -2, "unorm_short_555"},
    {CL_UNORM_INT_101010, -4, "unorm_int_101010"},
    {CL_UNORM_INT_101010_2, -4, "unorm_int_101010_2"},
    {CL_SIGNED_INT8, 1, "signed_int8"},
    {CL_SIGNED_INT16, 2, "signed_int16"},
    {CL_SIGNED_INT32, 4, "signed_int32"},
    {CL_UNSIGNED_INT8, 1, "unsigned_int8"},
    {CL_UNSIGNED_INT16, 2, "unsigned_int16"},
    {CL_UNSIGNED_INT32, 4, "unsigned_int32"},
    {CL_HALF_FLOAT, 2, "half_float"},
    {CL_FLOAT, 4, "float"},
};

static const struct word *find_word(const struct word *words, size_t count, cl_uint code) {
    for (size_t i = 0; i < count; i++)
        if (words[i].code == code) return &words[i];
    return NULL;
}

#define FIND(words, code) find_word(words, sizeof(words) / sizeof(words)[0], code)

int32_t image_pixel_bytes(int32_t *bytes_out, const cl_image_format *format) {
    const struct word *order = FIND(orders, format->image_channel_order);
    const struct word *channel = FIND(channels, format->image_channel_data_type);
    if (!order)
        return error_record(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CLUE_CAUSE_PARAMETER, create_call,
                            "0x%x is not an order of channels", format->image_channel_order);
    if (!channel)
        return error_record(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CLUE_CAUSE_PARAMETER, create_call,
                            "0x%x is not a type of channels", format->image_channel_data_type);
    *bytes_out = channel->count < 0 ? -channel->count : channel->count * order->count;
    return 0;
}

/* ---- kinds of images ---- */

/* limits: of width, height, depth and layers; 0 if an image of this kind has none. */
static const image_kind kinds[] = {
    {CL_MEM_OBJECT_IMAGE1D, "1-D", "image1d_t", {CL_DEVICE_IMAGE2D_MAX_WIDTH}},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "1-D buffer", "image1d_buffer_t", {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY,
     "1-D array",
     "image1d_array_t",
     {CL_DEVICE_IMAGE2D_MAX_WIDTH, 0, 0, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE}},
    {CL_MEM_OBJECT_IMAGE2D, "2-D", "image2d_t", {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY,
     "2-D array",
     "image2d_array_t",
     {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT, 0, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE}},
    {CL_MEM_OBJECT_IMAGE3D,
     "3-D",
     "image3d_t",
     {CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_DEVICE_IMAGE3D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_DEPTH}},
};

const image_kind *image_kind_of(cl_mem_object_type type, const char *call) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].type == type) return &kinds[i];
    (void)error_record(CL_INVALID_IMAGE_DESCRIPTOR, CLUE_CAUSE_PARAMETER, call,
                       "0x%x is not a type of images: use CL_MEM_OBJECT_IMAGE1D and so on", type);
    return NULL;
}

/* ---- what a device has ---- */

/* The formats that a device has for images of a type that kernels read or write, depending on the flags. */
struct formats {
    cl_image_format *list;
    cl_uint count;
};

static cl_mem_flags access_of(cl_mem_flags flags) {
    const cl_mem_flags access = flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY);
    return access ? access : CL_MEM_READ_WRITE;
}

static int32_t list_formats(struct formats *out, const context *in, cl_mem_flags flags, cl_mem_object_type type) {
    int32_t code;
    *out = (struct formats){0};
    flags = access_of(flags);
    code = CL_CALL(clGetSupportedImageFormats, in->context, flags, type, 0, NULL, &out->count);
    if (code) return code;
    out->list = calloc(out->count + 1, sizeof *out->list);
    if (!out->list) return error_out_of_memory(list_call);
    if (out->count)
        code = CL_CALL(clGetSupportedImageFormats, in->context, flags, type, out->count, out->list, NULL);
    if (code) free(out->list);
    return code;
}

/* Lists the orders that exist with the wanted type of channels: "r, rgba". */
static int32_t refuse_format(const struct formats *has, const cl_image_format *wanted, const image_kind *kind,
                             const device *on) {
    const struct word *channel = FIND(channels, wanted->image_channel_data_type);
    char list[200] = "";
    size_t used = 0;
    for (cl_uint i = 0; i < has->count; i++) {
        const struct word *order = FIND(orders, has->list[i].image_channel_order);
        if (order && has->list[i].image_channel_data_type == channel->code && used + 16 < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", order->name);
    }
    return error_record(CL_IMAGE_FORMAT_NOT_SUPPORTED, CLUE_CAUSE_LIMIT, create_call,
                        "%s has no %s images of order %s with channels of type %s for these flags; with this type "
                        "it has the orders: %s",
                        on->name, kind->name, FIND(orders, wanted->image_channel_order)->name, channel->name,
                        used ? list : "none");
}

int32_t image_check_format(const cl_image_format *wanted, const image_kind *kind, cl_mem_flags flags,
                           const context *in) {
    struct formats has;
    bool found = false;
    int32_t code = list_formats(&has, in, flags, kind->type);
    if (code) return code;
    for (cl_uint i = 0; i < has.count && !found; i++)
        found = memcmp(&has.list[i], wanted, sizeof *wanted) == 0;
    if (!found) code = refuse_format(&has, wanted, kind, in->device);
    free(has.list);
    return code;
}

int32_t clue_image_formats(int64_t *size_out, int32_t handle, int64_t flags, uint32_t type, void *value,
                           int64_t capacity) {
    const context *in = (context *)handle_find(handle, CLUE_CONTEXT, list_call);
    struct formats has;
    int64_t size;
    int32_t code;
    if (!in) return clue_error_code();
    if ((code = buffer_check_flags(flags, list_call))) return code;
    if (!image_kind_of(type, list_call)) return clue_error_code();
    *size_out = 0;
    if (!in->device->images) return 0;
    if ((code = list_formats(&has, in, (cl_mem_flags)flags, type))) return code;
    size = (int64_t)(has.count * sizeof *has.list);
    if (value) code = error_check_answer(capacity, size, list_call);
    if (value && code == 0) memcpy(value, has.list, (size_t)size);
    free(has.list);
    if (code == 0) *size_out = size;
    return code;
}
