/* buffer_copy.c - what a device does with buffers by itself: copying between them, and filling them.
 *
 * Neither waits. What drivers do about wrong sizes goes from a code over a wrong result to the end of the process.
 */
#include "core.h"

/* ---- copying ---- */

static const char copy_call[] = "clEnqueueCopyBuffer";

/* Sub-buffers are parts of it. */
const buffer *buffer_memory(const buffer *b) {
    while (b->parent)
        b = b->parent;
    return b;
}

struct copy {
    const buffer *from, *to;
    int64_t from_offset, to_offset, size;
};

static int32_t check_copy(const struct copy *c) {
    int32_t code = buffer_check_range(c->from, c->from_offset, c->size, copy_call);
    const int64_t apart = c->from->offset + c->from_offset - c->to->offset - c->to_offset;
    if (code == 0) code = buffer_check_range(c->to, c->to_offset, c->size, copy_call);
    if (code == 0) code = buffer_check_mappings(c->from, false, copy_call);
    if (code == 0) code = buffer_check_mappings(c->to, true, copy_call);
    if (code || buffer_memory(c->from) != buffer_memory(c->to) || apart >= c->size || -apart >= c->size)
        return code;
    return error_record(CL_MEM_COPY_OVERLAP, CLUE_CAUSE_PARAMETER, copy_call,
                        "%lld bytes from offset %lld to %lld of the same %s overlap: copy by way of another buffer",
                        (long long)c->size, (long long)c->from_offset, (long long)c->to_offset,
                        c->from == c->to ? "buffer" : "memory");
}

static int32_t refuse_nothing(const char *call) {
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call, "0 bytes: there is nothing to do");
}

int32_t clue_queue_copy(int32_t *event_out, int32_t queue_handle, int32_t from, int64_t from_offset, int32_t to,
                        int64_t to_offset, int64_t size) {
    queue *q = queue_find(queue_handle, copy_call);
    struct copy c = {.from_offset = from_offset, .to_offset = to_offset, .size = size};
    struct command command;
    int32_t code;
    if (!(c.from = buffer_find(q, from, copy_call)) || !(c.to = buffer_find(q, to, copy_call)))
        return clue_error_code();
    if ((code = check_copy(&c))) return code;
    if (size == 0) return refuse_nothing(copy_call);
    if ((code = command_begin(&command, q, "a copy between buffers", copy_call, event_out != NULL))) return code;
    code = CL_CALL(clEnqueueCopyBuffer, q->queue, c.from->memory, c.to->memory, (size_t)from_offset,
                   (size_t)to_offset, (size_t)size, 0, NULL, &command.made->event);
    return command_end(&command, event_out, q, code);
}

/* ---- filling ---- */

static const char fill_call[] = "clEnqueueFillBuffer";

static int32_t check_pattern(int64_t offset, int64_t size, const void *pattern, int64_t pattern_size) {
    if (!pattern || pattern_size < 1 || pattern_size > 128 || (pattern_size & (pattern_size - 1)) != 0)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, fill_call,
                            "a pattern of %lld bytes: it may have 1, 2, 4, 8, 16, 32, 64 or 128",
                            (long long)pattern_size);
    if (offset % pattern_size == 0 && size % pattern_size == 0) return 0;
    return error_record(CL_INVALID_VALUE, offset % pattern_size ? CLUE_CAUSE_OFFSET : CLUE_CAUSE_SIZE, fill_call,
                        "%lld bytes from offset %lld: both must be multiples of the pattern's %lld bytes",
                        (long long)size, (long long)offset, (long long)pattern_size);
}

static int32_t check_fill(const buffer *b, int64_t offset, int64_t size, const void *pattern,
                          int64_t pattern_size) {
    int32_t code = buffer_check_range(b, offset, size, fill_call);
    if (code == 0) code = check_pattern(offset, size, pattern, pattern_size);
    if (code == 0) code = buffer_check_mappings(b, true, fill_call);
    return code == 0 && size == 0 ? refuse_nothing(fill_call) : code;
}

int32_t clue_queue_fill(int32_t *event_out, int32_t queue_handle, int32_t handle, int64_t offset, int64_t size,
                        const void *pattern, int64_t pattern_size) {
    queue *q = queue_find(queue_handle, fill_call);
    const buffer *b = buffer_find(q, handle, fill_call);
    struct command command;
    int32_t code;
    if (!b) return clue_error_code();
    if ((code = check_fill(b, offset, size, pattern, pattern_size))) return code;
    if ((code = command_begin(&command, q, "the filling of a buffer", fill_call, event_out != NULL))) return code;
    code = CL_CALL(clEnqueueFillBuffer, q->queue, b->memory, pattern, (size_t)pattern_size, (size_t)offset,
                   (size_t)size, 0, NULL, &command.made->event);
    return command_end(&command, event_out, q, code);
}
