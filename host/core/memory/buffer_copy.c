/* buffer_copy.c - commands that a device executes on buffers by itself: copies, migrations and fills.
 *
 * None of them waits. Drivers react to wrong sizes with an error code, with a wrong result, or with the end of the
 * process. */
#include "memory/internal.h"

#include <stdlib.h>

/* ---- copying ---- */

static const char copy_call[] = "clEnqueueCopyBuffer";

/* A sub-buffer is a part of its parent's memory. */
const buffer *buffer_memory(const buffer *b) {
    while (b->parent)
        b = b->parent;
    return b;
}

struct copy {
    buffer *from, *to;
    int64_t from_offset, to_offset, size;
};

static int32_t check_copy(const struct copy *c) {
    int32_t code = buffer_check_range(c->from, c->from_offset, c->size, copy_call);
    int64_t apart;
    if (code == 0) code = buffer_check_range(c->to, c->to_offset, c->size, copy_call);
    if (code == 0) code = buffer_check_mappings(c->from, false, copy_call);
    if (code == 0) code = buffer_check_mappings(c->to, true, copy_call);
    if (code || buffer_memory(c->from) != buffer_memory(c->to)) return code;
    apart = c->from->offset + c->from_offset - c->to->offset - c->to_offset;
    if (apart >= c->size || -apart >= c->size) return 0;
    return error_record(CL_MEM_COPY_OVERLAP, CLUE_CAUSE_PARAMETER, copy_call,
                        "%s from offset %lld overlap those at %lld of the same %s: copy by way of another buffer",
                        text_count(c->size, "byte"), (long long)c->from_offset, (long long)c->to_offset,
                        c->from == c->to ? "buffer" : "memory");
}

int32_t buffer_copy(int32_t *event_out, int32_t queue_handle, int32_t from, int64_t from_offset, int32_t to,
                    int64_t to_offset, int64_t size) {
    queue *q = queue_find(queue_handle, copy_call);
    struct copy c = {.from_offset = from_offset, .to_offset = to_offset, .size = size};
    prepared command = {.kind = A_COPY,
                        .what = "a copy between buffers",
                        .call = copy_call,
                        .offset = from_offset,
                        .target_offset = to_offset,
                        .size = size};
    int32_t code;
    if (!(c.from = buffer_find(q, from, copy_call)) || !(c.to = buffer_find(q, to, copy_call)))
        return clue_error_code();
    if ((code = check_copy(&c))) return code;
    if (size == 0) return buffer_refuse_nothing(copy_call);
    command.object = &c.from->base;
    command.target = &c.to->base;
    return memory_command(event_out, q, &command);
}

/* ---- migrating ---- */

static const char migrate_call[] = "clEnqueueMigrateMemObjects";

int32_t buffer_check_migration(int32_t count, const int32_t *objects, int64_t flags, const char *call) {
    const int64_t known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    if (count < 1 || !objects) {
        (void)error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                           "%d objects were given: there is nothing to do", (int)count);
        return CL_INVALID_VALUE; /* never reached; analysers cannot see that */
    }
    if (flags < 0 || flags & ~known)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                            "0x%llx are not migration flags: use CL_MIGRATE_MEM_OBJECT_HOST and "
                            "CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED",
                            (unsigned long long)flags);
    return 0;
}

static int32_t read_memories(cl_mem *memories_out, const queue *q, const int32_t *objects, int32_t count) {
    int32_t code = 0;
    for (int32_t i = 0; i < count && code == 0; i++) {
        const bool is_image = clue_handle_kind(objects[i]) == CLUE_IMAGE;
        const buffer *b = (buffer *)handle_find(objects[i], is_image ? CLUE_IMAGE : CLUE_BUFFER, migrate_call);
        if (!b) return clue_error_code();
        code = queue_check_context(q, b->context, is_image ? "the image" : "the buffer", migrate_call);
        if (code == 0) code = buffer_check_mappings(b, true, migrate_call);
        if (code == 0) memories_out[i] = b->memory;
    }
    return code;
}

/* The objects have been checked. */
static int32_t back_all(const int32_t *objects, int32_t count) {
    struct backing need = {NULL, 0};
    for (int32_t i = 0; i < count; i++)
        backing_ask(&need, (buffer *)handle_find(objects[i], CLUE_NONE, migrate_call));
    return backing_find(&need, migrate_call);
}

static int32_t enqueue_migration(int32_t *event_out, queue *q, const cl_mem *memories, int32_t count,
                                 int64_t flags) {
    struct command c;
    int32_t code = command_begin(&c, q, "a migration", migrate_call, event_out ? WITH_EVENT : NO_EVENT);
    if (code) return code;
    code = CL_CALL(clEnqueueMigrateMemObjects, q->queue, (cl_uint)count, memories, (cl_mem_migration_flags)flags,
                   q->waits.count, q->waits.events, c.event_at);
    return command_end(&c, event_out, q, code);
}

int32_t buffer_migrate(int32_t *event_out, int32_t queue_handle, const int32_t *objects, int32_t count,
                       int64_t flags) {
    queue *q = queue_find(queue_handle, migrate_call);
    cl_mem *memories;
    int32_t code;
    if (!q) return clue_error_code();
    if ((code = buffer_check_migration(count, objects, flags, migrate_call))) return code;
    memories = calloc((size_t)count, sizeof(cl_mem));
    if (!memories) return error_out_of_memory(migrate_call);
    code = read_memories(memories, q, objects, count);
    if (code == 0) code = back_all(objects, count);
    if (code == 0) code = enqueue_migration(event_out, q, memories, count, flags);
    free(memories);
    return code;
}

/* ---- filling ---- */

static const char fill_call[] = "clEnqueueFillBuffer";

int32_t buffer_check_pattern(int64_t offset, int64_t size, const void *pattern, int64_t pattern_size,
                             const char *call) {
    if (!pattern || pattern_size < 1 || pattern_size > 128 || (pattern_size & (pattern_size - 1)) != 0)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                            "a pattern of %lld bytes: it must have 1, 2, 4, 8, 16, 32, 64 or 128",
                            (long long)pattern_size);
    if (offset % pattern_size == 0 && size % pattern_size == 0) return 0;
    return error_record(CL_INVALID_VALUE, offset % pattern_size ? CLUE_CAUSE_OFFSET : CLUE_CAUSE_SIZE, call,
                        "size %lld and offset %lld: both must be multiples of the pattern's %lld bytes",
                        (long long)size, (long long)offset, (long long)pattern_size);
}

static int32_t check_fill(const buffer *b, int64_t offset, int64_t size, const void *pattern,
                          int64_t pattern_size) {
    int32_t code = buffer_check_range(b, offset, size, fill_call);
    if (code == 0) code = buffer_check_pattern(offset, size, pattern, pattern_size, fill_call);
    if (code == 0) code = buffer_check_mappings(b, true, fill_call);
    return code == 0 && size == 0 ? buffer_refuse_nothing(fill_call) : code;
}

int32_t buffer_fill(int32_t *event_out, int32_t queue_handle, int32_t handle, int64_t offset, int64_t size,
                    const void *pattern, int64_t pattern_size) {
    queue *q = queue_find(queue_handle, fill_call);
    buffer *b = buffer_find(q, handle, fill_call);
    const prepared command = {.kind = A_FILL,
                              .what = "a fill of a buffer",
                              .call = fill_call,
                              .object = (object *)b, /* which may be NULL here */
                              .offset = offset,
                              .size = size,
                              .data = (void *)pattern,
                              .pattern_size = pattern_size};
    int32_t code;
    if (!b) return clue_error_code();
    if ((code = check_fill(b, offset, size, pattern, pattern_size))) return code;
    return memory_command(event_out, q, &command);
}
