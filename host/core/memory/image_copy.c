/* image_copy.c - commands that a device executes on images by itself: copies between images, to buffers and from
 * buffers, and fills.
 *
 * None of them waits. */
#include "memory/internal.h"

#include <string.h>

/* ---- between images ---- */

static const char copy_call[] = "clEnqueueCopyImage";

static bool overlap(const struct image_place *one, const size_t *origin) {
    for (int i = 0; i < 3; i++)
        if (one->origin[i] >= origin[i] + one->region[i] || origin[i] >= one->origin[i] + one->region[i])
            return false;
    return true;
}

static int32_t check_copy(struct image_place *from_out, struct image_place *to_out, const image *from,
                          const image *to, const int64_t *const *given) {
    int32_t code = image_read_place(from_out, from, given[0], given[2], copy_call);
    int64_t region[3];
    if (code) return code;
    for (int i = 0; i < 3; i++)
        region[i] = (int64_t)from_out->region[i];
    if ((code = image_read_place(to_out, to, given[1], region, copy_call))) return code;
    if (memcmp(&from->format, &to->format, sizeof from->format) != 0)
        return error_record(CL_IMAGE_FORMAT_MISMATCH, CLUE_CAUSE_PARAMETER, copy_call,
                            "images %d and %d have pixels of different formats: a kernel can convert them",
                            (int)from->memory.base.handle, (int)to->memory.base.handle);
    if (from == to && overlap(from_out, to_out->origin))
        return error_record(CL_MEM_COPY_OVERLAP, CLUE_CAUSE_PARAMETER, copy_call,
                            "the two parts of image %d overlap: copy by way of another image",
                            (int)from->memory.base.handle);
    return 0;
}

int32_t clue_queue_copy_image(int32_t *event_out, int32_t queue_handle, int32_t from_handle, int32_t to_handle,
                              const int64_t *from_origin, const int64_t *to_origin, const int64_t *region) {
    const int64_t *const given[] = {from_origin, to_origin, region};
    queue *q = queue_find(queue_handle, copy_call);
    const image *from = image_find(q, from_handle, false, copy_call);
    const image *to = from ? image_find(q, to_handle, true, copy_call) : NULL;
    struct image_place source, target;
    struct command c;
    int32_t code;
    if (!to) return clue_error_code();
    if ((code = check_copy(&source, &target, from, to, given)) ||
        (code = command_begin(&c, q, "a copy between images", copy_call, event_out ? WITH_EVENT : NO_EVENT)))
        return code;
    code = CL_CALL(clEnqueueCopyImage, q->queue, from->memory.memory, to->memory.memory, source.origin,
                   target.origin, source.region, q->waits.count, q->waits.events, c.event_at);
    return command_end(&c, event_out, q, code);
}

/* ---- between an image and a buffer ---- */

struct exchange {
    const image *image;
    const buffer *buffer;
    struct image_place place;
    int64_t offset;
};

/* NVIDIA's driver refuses more than one layer of a 1-D image array (-30), and does not say why. */
static int32_t check_layers(const struct exchange *e, const queue *q, const char *call) {
    const bool refused = q->device->nvidia && e->image->kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    if (!refused || e->place.region[1] <= 1) return 0;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_LIMIT, call,
                        "%zu layers of a 1-D image array: NVIDIA's driver copies only one at a time to or from a "
                        "buffer: copy them one by one, with origin {x, layer} and region {width, 1}",
                        e->place.region[1]);
}

/* In the buffer, the pixels lie side by side. to_image: the image is written. */
static int32_t check_exchange(struct exchange *e, const queue *q, const int64_t *origin, const int64_t *region,
                              bool to_image, const char *call) {
    int32_t code = image_read_place(&e->place, e->image, origin, region, call);
    if (code == 0) code = check_layers(e, q, call);
    if (code == 0) code = buffer_check_range(e->buffer, e->offset, image_place_bytes(e->image, &e->place), call);
    return code ? code : buffer_check_mappings(e->buffer, !to_image, call);
}

int32_t clue_queue_copy_image_to_buffer(int32_t *event_out, int32_t queue_handle, int32_t image_handle,
                                        int32_t buffer_handle, const int64_t *origin, const int64_t *region,
                                        int64_t offset) {
    static const char call[] = "clEnqueueCopyImageToBuffer";
    queue *q = queue_find(queue_handle, call);
    struct exchange e = {.image = image_find(q, image_handle, false, call), .offset = offset};
    struct command c;
    int32_t code;
    if (!e.image || !(e.buffer = buffer_find(q, buffer_handle, call))) return clue_error_code();
    if ((code = check_exchange(&e, q, origin, region, false, call)) ||
        (code = command_begin(&c, q, "a copy of an image to a buffer", call, event_out ? WITH_EVENT : NO_EVENT)))
        return code;
    code = CL_CALL(clEnqueueCopyImageToBuffer, q->queue, e.image->memory.memory, e.buffer->memory, e.place.origin,
                   e.place.region, (size_t)offset, q->waits.count, q->waits.events, c.event_at);
    return command_end(&c, event_out, q, code);
}

int32_t clue_queue_copy_buffer_to_image(int32_t *event_out, int32_t queue_handle, int32_t buffer_handle,
                                        int32_t image_handle, int64_t offset, const int64_t *origin,
                                        const int64_t *region) {
    static const char call[] = "clEnqueueCopyBufferToImage";
    queue *q = queue_find(queue_handle, call);
    struct exchange e = {.buffer = buffer_find(q, buffer_handle, call), .offset = offset};
    struct command c;
    int32_t code;
    if (!e.buffer || !(e.image = image_find(q, image_handle, true, call))) return clue_error_code();
    if ((code = check_exchange(&e, q, origin, region, true, call)) ||
        (code = command_begin(&c, q, "a copy of a buffer to an image", call, event_out ? WITH_EVENT : NO_EVENT)))
        return code;
    code = CL_CALL(clEnqueueCopyBufferToImage, q->queue, e.buffer->memory, e.image->memory.memory, (size_t)offset,
                   e.place.origin, e.place.region, q->waits.count, q->waits.events, c.event_at);
    return command_end(&c, event_out, q, code);
}

/* ---- filling ---- */

static const char fill_call[] = "clEnqueueFillImage";

/* The type of the four components in which drivers take a colour. */
static int32_t colour_type(cl_channel_type channel) {
    if (channel >= CL_SIGNED_INT8 && channel <= CL_SIGNED_INT32) return CLUE_INT;
    if (channel >= CL_UNSIGNED_INT8 && channel <= CL_UNSIGNED_INT32) return CLUE_UINT;
    return CLUE_FLOAT;
}

/* Converts four components, each of 4 bytes whatever its type. */
static int32_t read_colour(uint32_t *colour_out, const image *self, const double *colour) {
    const int32_t type = colour_type(self->format.image_channel_data_type);
    for (int i = 0; i < 4; i++)
        if (!clue_element_store(&colour_out[i], type, colour[i]))
            return error_record(
                CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, fill_call,
                "a colour of %.15g, %.15g, %.15g, %.15g: the channels of this image need values of type %s",
                colour[0], colour[1], colour[2], colour[3], clue_type_name(type));
    return 0;
}

int32_t clue_queue_fill_image(int32_t *event_out, int32_t queue_handle, int32_t handle, const double *colour,
                              const int64_t *origin, const int64_t *region) {
    queue *q = queue_find(queue_handle, fill_call);
    const image *self = image_find(q, handle, true, fill_call);
    uint32_t components[4];
    struct image_place place;
    struct command c;
    int32_t code;
    if (!self) return clue_error_code();
    if ((code = read_colour(components, self, colour)) ||
        (code = image_read_place(&place, self, origin, region, fill_call)) ||
        (code = command_begin(&c, q, "a fill of an image", fill_call, event_out ? WITH_EVENT : NO_EVENT)))
        return code;
    code = CL_CALL(clEnqueueFillImage, q->queue, self->memory.memory, components, place.origin, place.region,
                   q->waits.count, q->waits.events, c.event_at);
    return command_end(&c, event_out, q, code);
}
