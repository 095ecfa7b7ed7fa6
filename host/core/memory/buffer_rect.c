/* buffer_rect.c - copies boxes of bytes between the host and a buffer, and between buffers.
 *
 * A box consists of slices, and a slice of rows. Each of the two places has its own origin, and its own gaps
 * between rows. Drivers crash with boxes that leave their buffer, so all is computed before they see it. */
#include "memory/internal.h"

static const char copy_call[] = "clEnqueueCopyBufferRect";

/* One of the two places: that which is read or that which is written. */
struct side {
    size_t origin[3];
    int64_t row, slice; /* bytes from one to the next */
    int64_t start, end; /* bytes */
};

struct rect {
    size_t region[3];
    struct side from, to;
};

/* ---- checking ---- */

static int32_t check_pitches(const struct side *s, const int64_t *region, const char *name, const char *call) {
    if (s->row < region[0])
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                            "%s: a row pitch of %lld bytes is less than the %lld of a row", name, (long long)s->row,
                            (long long)region[0]);
    if (s->slice / s->row >= region[1] && s->slice % s->row == 0) return 0;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                        "%s: a slice pitch of %lld bytes, with %lld rows by a pitch of %lld: it must be a multiple "
                        "of the row pitch and hold all rows",
                        name, (long long)s->slice, (long long)region[1], (long long)s->row);
}

/* Computed as a double first, which cannot overflow. */
static int32_t check_end(struct side *s, const int64_t *origin, const int64_t *region, int64_t size,
                         const char *name, const char *call) {
    const double rows = (double)origin[1] + (double)region[1] - 1,
                 slices = (double)origin[2] + (double)region[2] - 1;
    const double end = (double)origin[0] + (double)region[0] + rows * (double)s->row + slices * (double)s->slice;
    if (end > (double)size)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                            "%s: a box of %lld bytes x %lld rows x %lld slices at (%lld, %lld, %lld) ends at byte "
                            "%.0f, but the size is %lld",
                            name, (long long)region[0], (long long)region[1], (long long)region[2],
                            (long long)origin[0], (long long)origin[1], (long long)origin[2], end, (long long)size);
    s->start = origin[0] + origin[1] * s->row + origin[2] * s->slice;
    s->end = s->start + region[0] + (region[1] - 1) * s->row + (region[2] - 1) * s->slice;
    for (int i = 0; i < 3; i++)
        s->origin[i] = (size_t)origin[i];
    return 0;
}

static int32_t check_numbers(const clue_rect *r, const char *call) {
    for (int i = 0; i < 3; i++) {
        if (r->region[i] < 1)
            return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                                "a region of %lld x %lld x %lld: each must be at least 1", (long long)r->region[0],
                                (long long)r->region[1], (long long)r->region[2]);
        if (r->from_origin[i] < 0 || r->to_origin[i] < 0)
            return error_record(CL_INVALID_VALUE, CLUE_CAUSE_OFFSET, call,
                                "an origin of %lld: it must be at least 0",
                                (long long)(r->from_origin[i] < 0 ? r->from_origin[i] : r->to_origin[i]));
    }
    if (r->from_row_pitch >= 0 && r->from_slice_pitch >= 0 && r->to_row_pitch >= 0 && r->to_slice_pitch >= 0)
        return 0;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                        "a pitch below 0: the next row or slice must come after the one before");
}

/* Finds where rows and slices are; without pitches they lie side by side. The last row may end before its pitch. */
static int32_t read_side(struct side *out, const int64_t *origin, const int64_t *region, int64_t size,
                         const char *name, const char *call) {
    int32_t code;
    if (out->row == 0) out->row = region[0];
    if (out->slice == 0 && region[1] > 1 && out->row > size / (region[1] - 1))
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                            "%s: %lld rows by a pitch of %lld bytes are more than its %lld bytes", name,
                            (long long)region[1], (long long)out->row, (long long)size);
    if (out->slice == 0) out->slice = out->row * region[1];
    code = check_pitches(out, region, name, call);
    return code ? code : check_end(out, origin, region, size, name, call);
}

/* names: those of the two places, for messages. */
static int32_t read_rect(struct rect *out, const clue_rect *r, int64_t from_size, int64_t to_size,
                         const char *const *names, const char *call) {
    int32_t code = check_numbers(r, call);
    *out = (struct rect){.from = {.row = r->from_row_pitch, .slice = r->from_slice_pitch},
                         .to = {.row = r->to_row_pitch, .slice = r->to_slice_pitch}};
    if (code == 0) code = read_side(&out->from, r->from_origin, r->region, from_size, names[0], call);
    if (code == 0) code = read_side(&out->to, r->to_origin, r->region, to_size, names[1], call);
    for (int i = 0; i < 3; i++)
        out->region[i] = (size_t)r->region[i];
    return code;
}

/* NVIDIA's driver takes the last slice to be as long as its pitch, and does not say so. */
static int32_t explain(const queue *q, int32_t code) {
    if (code == CL_INVALID_VALUE && q->device->nvidia)
        error_explain(
            "the box is inside the buffer, but its last slice would not be if it were as long as the slice "
            "pitch, which NVIDIA's driver demands: give a smaller slice pitch, or a larger buffer, or copy "
            "the last slice by itself");
    return buffer_explain(code);
}

/* ---- between the host and a buffer ---- */

struct transfer {
    const void *from; /* of a write */
    void *to;         /* of a read */
    struct rect rect;
};

static const char *call_of(bool writes) {
    return writes ? "clEnqueueWriteBufferRect" : "clEnqueueReadBufferRect";
}

static int32_t enqueue(const queue *q, const buffer *b, const struct transfer *t, const struct command *c) {
    const struct rect *r = &t->rect;
    if (t->from)
        return CL_CALL(clEnqueueWriteBufferRect, q->queue, b->memory, c->blocking, r->to.origin, r->from.origin,
                       r->region, (size_t)r->to.row, (size_t)r->to.slice, (size_t)r->from.row,
                       (size_t)r->from.slice, t->from, q->waits.count, q->waits.events, c->event_at);
    return CL_CALL(clEnqueueReadBufferRect, q->queue, b->memory, c->blocking, r->from.origin, r->to.origin,
                   r->region, (size_t)r->from.row, (size_t)r->from.slice, (size_t)r->to.row, (size_t)r->to.slice,
                   t->to, q->waits.count, q->waits.events, c->event_at);
}

static int32_t check_transfer(struct transfer *t, const buffer *b, int64_t size, const clue_rect *rect) {
    static const char *const written[] = {"the host's memory", "the buffer"};
    static const char *const read[] = {"the buffer", "the host's memory"};
    const bool writes = t->from != NULL;
    const char *call = call_of(writes);
    int32_t code;
    if (!t->from && !t->to)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "there is no memory to copy");
    code = writes ? read_rect(&t->rect, rect, size, b->size, written, call)
                  : read_rect(&t->rect, rect, b->size, size, read, call);
    return code ? code : buffer_check_mappings(b, writes, call);
}

static int32_t transfer(int32_t *event_out, int32_t queue_handle, int32_t handle, struct transfer *t, int64_t size,
                        const clue_rect *rect) {
    const bool writes = t->from != NULL;
    const char *call = call_of(writes), *what = writes ? "a write to a buffer" : "a read from a buffer";
    queue *q = queue_find(queue_handle, call);
    const buffer *b = buffer_find(q, handle, call);
    struct command c;
    int32_t code;
    if (!b) return clue_error_code();
    if ((code = check_transfer(t, b, size, rect)) ||
        (code = command_begin(&c, q, what, call, event_out ? WITH_EVENT : BLOCKING)))
        return code;
    code = command_flies(&c, writes ? t->from : t->to, size, call);
    if (code == 0) code = enqueue(q, b, t, &c);
    return explain(q, command_end(&c, event_out, q, code));
}

int32_t clue_queue_write_rect(int32_t *event_out, int32_t queue_handle, int32_t handle, const void *data,
                              int64_t size, const clue_rect *rect) {
    struct transfer t = {.from = data};
    return transfer(event_out, queue_handle, handle, &t, size, rect);
}

int32_t clue_queue_read_rect(int32_t *event_out, void *data_out, int32_t queue_handle, int32_t handle, int64_t size,
                             const clue_rect *rect) {
    struct transfer t = {.to = data_out};
    return transfer(event_out, queue_handle, handle, &t, size, rect);
}

/* ---- between buffers ---- */

/* True if there are i and j with i + row * j == distance, |i| below the length of a row and |j| below the number of
 * rows: then some byte belongs to both places. A row is not longer than its pitch, so only two j are possible. */
static bool rows_meet(const struct rect *r, int64_t row, int64_t distance) {
    const int64_t length = (int64_t)r->region[0], rows = (int64_t)r->region[1];
    int64_t j = distance / row, i = distance % row;
    if (i < 0) { /* rounds down */
        j--;
        i += row;
    }
    if (j > -rows && j < rows && i < length) return true;
    return j + 1 > -rows && j + 1 < rows && row - i < length;
}

/* The same for slices, whose rows together are not longer than their pitch. */
static bool boxes_meet(const struct rect *r) {
    const int64_t row = r->from.row, slice = r->from.slice, slices = (int64_t)r->region[2];
    const int64_t distance = r->to.start - r->from.start;
    const int64_t k = distance / slice;
    for (int64_t near = k - 1; near <= k + 1; near++)
        if (near > -slices && near < slices && rows_meet(r, row, distance - near * slice)) return true;
    return false;
}

/* one: the driver sees both places in one buffer. */
static int32_t check_overlap(const struct rect *r, const buffer *from, const buffer *to, bool one) {
    const bool same_pitches = r->from.row == r->to.row && r->from.slice == r->to.slice;
    bool overlap;
    struct rect at = *r;
    if (buffer_memory(from) != buffer_memory(to)) return 0;
    if (one && !same_pitches)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, copy_call,
                            "within one buffer both places must have the same pitches: %lld and %lld bytes from "
                            "row to row, %lld and %lld from slice to slice were given",
                            (long long)r->from.row, (long long)r->to.row, (long long)r->from.slice,
                            (long long)r->to.slice);
    at.from.start += from->offset, at.from.end += from->offset;
    at.to.start += to->offset, at.to.end += to->offset;
    overlap = same_pitches ? boxes_meet(&at) : at.from.start < at.to.end && at.to.start < at.from.end;
    if (!overlap) return 0;
    return error_record(CL_MEM_COPY_OVERLAP, CLUE_CAUSE_PARAMETER, copy_call,
                        "the boxes overlap in the same %s: copy by way of another buffer",
                        from == to ? "buffer" : "memory");
}

static int32_t check_copy(struct rect *out, const buffer *from, const buffer *to, const clue_rect *rect,
                          const device *on) {
    static const char *const names[] = {"the first buffer", "the second buffer"};
    int32_t code = read_rect(out, rect, from->size, to->size, names, copy_call);
    if (code == 0) code = check_overlap(out, from, to, from == to || on->pocl);
    if (code == 0) code = buffer_check_mappings(from, false, copy_call);
    return code ? code : buffer_check_mappings(to, true, copy_call);
}

/* In a copy of a part of a buffer, PoCL's process dies. So it gets the whole buffer, and the place in there. */
static cl_mem memory_of(struct side *s, const buffer *b, const device *on) {
    if (!on->pocl || !b->parent) return b->memory;
    s->origin[0] += (size_t)b->offset;
    return b->parent->memory;
}

int32_t clue_queue_copy_rect(int32_t *event_out, int32_t queue_handle, int32_t from_handle, int32_t to_handle,
                             const clue_rect *rect) {
    queue *q = queue_find(queue_handle, copy_call);
    const buffer *from = buffer_find(q, from_handle, copy_call);
    const buffer *to = from ? buffer_find(q, to_handle, copy_call) : NULL;
    struct rect r;
    struct command c;
    cl_mem source, target;
    int32_t code;
    if (!to) return clue_error_code();
    if ((code = check_copy(&r, from, to, rect, q->device)) ||
        (code = command_begin(&c, q, "a copy between buffers", copy_call, event_out ? WITH_EVENT : NO_EVENT)))
        return code;
    source = memory_of(&r.from, from, q->device);
    target = memory_of(&r.to, to, q->device);
    code = CL_CALL(clEnqueueCopyBufferRect, q->queue, source, target, r.from.origin, r.to.origin, r.region,
                   (size_t)r.from.row, (size_t)r.from.slice, (size_t)r.to.row, (size_t)r.to.slice, q->waits.count,
                   q->waits.events, c.event_at);
    return explain(q, command_end(&c, event_out, q, code));
}
