/* image.c - writes and reads images or parts of them.
 *
 * An image begins with a buffer (memory.h). */
#include "memory/internal.h"

#include <stdio.h>

/* ---- parts ---- */

/* Refuses an image whose pixels are in a buffer: with its transfers, drivers crash or lose the pixels. */
static int32_t check_transfers(const image *self, const char *call) {
    const bool line = self->kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    if (!line) return 0;
    return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, call,
                        "the pixels of image %d are in buffer %d: transfer, copy or fill the buffer (drivers crash "
                        "here, or work on another copy)",
                        (int)self->memory.base.handle, (int)self->memory.parent->base.handle);
}

image *image_find(const queue *q, int32_t handle, bool writes, const char *call) {
    image *self = q ? (image *)handle_find(handle, CLUE_IMAGE, call) : NULL;
    if (!self || queue_check_context(q, self->memory.context, "the image", call) || check_transfers(self, call) ||
        buffer_check_mappings(&self->memory, writes, call) || backing_of(&self->memory, call))
        return NULL;
    return self;
}

/* Nothing for an origin outside of the image. */
static const char *advice_on_part(char *to, size_t room, const int64_t *origin, const int64_t *region,
                                  const int64_t *rest) {
    for (int i = 0; i < 3; i++)
        if (origin[i] < 0 || rest[i] < 1) return "";
    for (int i = 0; i < 3; i++)
        if (region[i] < 1) return ": each size must be at least 1";
    (void)snprintf(to, room, ": only %lld x %lld x %lld are left there", (long long)rest[0], (long long)rest[1],
                   (long long)rest[2]);
    return to;
}

static int32_t refuse_part(const image *self, const int64_t *origin, const int64_t *region, const int64_t *rest,
                           const char *call) {
    char room[100];
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                        "%lld x %lld x %lld pixels from (%lld, %lld, %lld) on are not inside the image of %zu x "
                        "%zu x %zu%s",
                        (long long)region[0], (long long)region[1], (long long)region[2], (long long)origin[0],
                        (long long)origin[1], (long long)origin[2], self->region[0], self->region[1],
                        self->region[2], advice_on_part(room, sizeof room, origin, region, rest));
}

int32_t image_read_place(struct image_place *out, const image *self, const int64_t *origin, const int64_t *region,
                         const char *call) {
    static const int64_t zeros[3];
    int64_t rest[3];
    if (!origin) origin = zeros;
    for (int i = 0; i < 3; i++)
        rest[i] = (int64_t)self->region[i] - origin[i];
    if (!region) region = rest;
    for (int i = 0; i < 3; i++) {
        const int64_t all = (int64_t)self->region[i];
        if (origin[i] < 0 || origin[i] >= all || region[i] < 1 || region[i] > all - origin[i])
            return refuse_part(self, origin, region, rest, call);
        out->origin[i] = (size_t)origin[i];
        out->region[i] = (size_t)region[i];
    }
    return 0;
}

int64_t image_place_bytes(const image *self, const struct image_place *place) {
    return (int64_t)(place->region[0] * place->region[1] * place->region[2] * self->pixel);
}

/* ---- between the host and an image ---- */

/* A transfer between the host and an image. It is waited for if the caller wants no event. */
struct transfer {
    const image *image;
    int64_t size;
    const void *from; /* for a write */
    void *to;         /* for a read */
    bool writes;
    struct image_place place;
    int64_t row, slice; /* pitches of the host's memory in bytes, 0: side by side */
};

static const char *call_of(bool writes) {
    return writes ? "clEnqueueWriteImage" : "clEnqueueReadImage";
}

static bool has_slices(const image *self) {
    return self->kind->type == CL_MEM_OBJECT_IMAGE3D || self->kind->type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

static bool is_lines(const image *self) {
    return self->kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
}

static int32_t check_pitches(const struct transfer *t, const char *call) {
    const size_t *region = t->place.region;
    const int64_t length = (int64_t)(region[0] * t->image->pixel), row = t->row ? t->row : length;
    if (row < length || row < 1)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                            "a row pitch of %lld bytes is less than the %lld of a row", (long long)row,
                            (long long)length);
    if (t->slice == 0) return 0;
    if (!has_slices(t->image))
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                            "a slice pitch of %lld bytes: a %s image has no slices", (long long)t->slice,
                            t->image->kind->name);
    if (t->slice / row >= (int64_t)region[1] && t->slice % row == 0) return 0;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                        "a slice pitch of %lld bytes, with %zu rows by a pitch of %lld: it must be a multiple of "
                        "the row pitch and hold all rows",
                        (long long)t->slice, region[1], (long long)row);
}

/* Computed as a double, which cannot overflow. */
static double needed_bytes(const struct transfer *t) {
    const size_t *region = t->place.region;
    const double length = (double)(region[0] * t->image->pixel), row = t->row ? (double)t->row : length;
    const double slice = t->slice ? (double)t->slice : row * (double)region[1];
    return length + row * (double)(region[1] - 1) + slice * (double)(region[2] - 1);
}

/* The host's memory must have as many bytes as the pixels, or at least as many if there are gaps. */
static int32_t check_size(const struct transfer *t, const void *data, const char *call) {
    const size_t *region = t->place.region;
    const double needed = needed_bytes(t), given = data ? (double)t->size : 0;
    const bool gaps = t->row || t->slice;
    if (data && (gaps ? given >= needed : given == needed)) return 0;
    if (image_place_bytes(t->image, &t->place) == t->image->memory.size && !gaps)
        return error_record(
            CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
            "an image of %zu x %zu x %zu pixels of %zu bytes each has %.0f bytes, but %.0f were given", region[0],
            region[1], region[2], (size_t)t->image->pixel, needed, given);
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                        "%zu x %zu x %zu pixels of this image have %.0f bytes%s, but %.0f were given", region[0],
                        region[1], region[2], needed, gaps ? " with these pitches" : "", given);
}

static int32_t check(struct transfer *t, const clue_image_part *part, const void *data, const char *call) {
    int32_t code =
        image_read_place(&t->place, t->image, part ? part->origin : NULL, part ? part->region : NULL, call);
    if (code) return code;
    t->row = part ? part->row_pitch : 0;
    t->slice = part ? part->slice_pitch : 0;
    if ((code = check_pitches(t, call))) return code;
    return check_size(t, data, call);
}

/* For a 1-D image array, drivers take the slice pitch as the distance of the layers. */
static int32_t enqueue(const queue *q, const struct transfer *t, const struct command *c) {
    const cl_mem memory = t->image->memory.memory;
    const size_t row = (size_t)t->row, slice = (size_t)(is_lines(t->image) ? t->row : t->slice);
    if (t->writes)
        return CL_CALL(clEnqueueWriteImage, q->queue, memory, c->blocking, t->place.origin, t->place.region, row,
                       slice, t->from, q->waits.count, q->waits.events, c->event_at);
    return CL_CALL(clEnqueueReadImage, q->queue, memory, c->blocking, t->place.origin, t->place.region, row, slice,
                   t->to, q->waits.count, q->waits.events, c->event_at);
}

static int32_t transfer(int32_t *event_out, int32_t queue_handle, int32_t handle, struct transfer *t,
                        const clue_image_part *part) {
    const char *call = call_of(t->writes);
    const void *data = t->writes ? t->from : t->to;
    queue *q = queue_find(queue_handle, call);
    struct command c;
    int32_t code;
    if (!(t->image = image_find(q, handle, t->writes, call))) return clue_error_code();
    if ((code = check(t, part, data, call)) ||
        (code = command_begin(&c, q, t->writes ? "a write to an image" : "a read from an image", call,
                              event_out ? WITH_EVENT : BLOCKING)))
        return code;
    code = command_flies(&c, data, t->size, call);
    if (code == 0) code = enqueue(q, t, &c);
    return buffer_explain(command_end(&c, event_out, q, code));
}

int32_t clue_queue_write_image(int32_t *event_out, int32_t queue_handle, int32_t handle, const void *data,
                               int64_t size, const clue_image_part *part) {
    struct transfer t = {.size = size, .from = data, .writes = true};
    return transfer(event_out, queue_handle, handle, &t, part);
}

int32_t clue_queue_read_image(int32_t *event_out, void *data_out, int32_t queue_handle, int32_t handle,
                              int64_t size, const clue_image_part *part) {
    struct transfer t = {.size = size, .to = data_out};
    return transfer(event_out, queue_handle, handle, &t, part);
}
