/* svm_copy.c - commands on shared virtual memory: copies to and from the host's other memory and within it, fills
 * and migrations.
 *
 * Drivers see only addresses. So this file checks first that all bytes are in live memory of the queue's
 * context. */
#include "memory/internal.h"

#include <stdlib.h>

static const char copy_call[] = "clEnqueueSVMMemcpy";
static const char fill_call[] = "clEnqueueSVMMemFill";
static const char migrate_call[] = "clEnqueueSVMMigrateMem";

static int32_t check_part(const svm *self, int64_t offset, int64_t size, bool writes, const char *call) {
    int32_t code = buffer_check_range(&self->memory, offset, size, call);
    return code ? code : buffer_check_mappings(&self->memory, writes, call);
}

/* ---- copying ---- */

struct copy {
    char *to;
    const char *from;
    int64_t size;
    svm *users[2]; /* the memory that is written and read; NULL: the host's */
    const char *what;
};

static int32_t check_overlap(const struct copy *c) {
    if (c->to >= c->from + c->size || c->from >= c->to + c->size) return 0;
    return error_record(CL_MEM_COPY_OVERLAP, CLUE_CAUSE_PARAMETER, copy_call,
                        "the ranges of %lld bytes overlap: copy by way of another place", (long long)c->size);
}

static int32_t reserve(const struct copy *c) {
    int32_t code = 0;
    for (int i = 0; i < 2 && code == 0; i++)
        if (c->users[i]) code = svm_reserve(c->users[i], copy_call);
    return code;
}

/* Adds the users; a blocking copy has already ended. */
static void use(const struct copy *c, const struct command *by) {
    for (int i = 0; i < 2 && by->made; i++)
        if (c->users[i]) svm_use(c->users[i], by->made);
}

/* host: the host's memory or NULL; the driver uses it until a copy that is not waited for has ended. */
static int32_t enqueue(int32_t *event_out, queue *q, const struct copy *c, const void *host, int32_t way) {
    struct command by;
    int32_t code = check_overlap(c);
    if (code == 0) code = reserve(c);
    if (code == 0) code = command_begin(&by, q, c->what, copy_call, way);
    if (code) return code;
    if (host) code = command_flies(&by, host, c->size, copy_call);
    if (code == 0)
        code = CL_CALL(clEnqueueSVMMemcpy, q->queue, by.blocking, c->to, c->from, (size_t)c->size, q->waits.count,
                       q->waits.events, by.event_at);
    if (code == 0) use(c, &by);
    return command_end(&by, event_out, q, code);
}

static int32_t transfer(int32_t *event_out, queue *q, svm *of, int64_t offset, const void *from, void *to,
                        int64_t size) {
    const void *host = from ? from : to;
    struct copy c = {.size = size, .users = {of}};
    int32_t code = buffer_check_transfer(&of->memory, offset, host, size, from != NULL, copy_call);
    if (code) return code;
    if (size == 0) return event_out ? buffer_refuse_nothing(copy_call) : 0;
    c.to = from ? (char *)of->data + offset : to;
    c.from = from ? from : (const char *)of->data + offset;
    c.what = from ? "a write to shared virtual memory" : "a read from shared virtual memory";
    return enqueue(event_out, q, &c, host, event_out ? WITH_EVENT : BLOCKING);
}

int32_t clue_svm_create_from(int32_t *svm_out, int32_t handle, const void *data, int64_t size, int64_t flags) {
    int32_t made = 0, code = clue_svm_create(&made, handle, size, flags);
    svm *self = code ? NULL : (svm *)handle_find(made, CLUE_SVM, copy_call);
    if (!self) return code;
    code = transfer(NULL, queue_own(self->memory.context), self, 0, data, NULL, size);
    if (code)
        (void)clue_handle_free(made, CLUE_SVM);
    else
        *svm_out = made;
    return code;
}

int32_t svm_write(int32_t *event_out, int32_t queue_handle, int32_t handle, int64_t offset, const void *data,
                  int64_t size) {
    queue *q = queue_find(queue_handle, copy_call);
    svm *to = svm_find(q, handle, copy_call);
    return to ? transfer(event_out, q, to, offset, data, NULL, size) : clue_error_code();
}

int32_t svm_read(int32_t *event_out, void *data_out, int32_t queue_handle, int32_t handle, int64_t offset,
                 int64_t size) {
    queue *q = queue_find(queue_handle, copy_call);
    svm *from = svm_find(q, handle, copy_call);
    return from ? transfer(event_out, q, from, offset, NULL, data_out, size) : clue_error_code();
}

int32_t svm_copy(int32_t *event_out, int32_t queue_handle, int32_t from_handle, int64_t from_offset,
                 int32_t to_handle, int64_t to_offset, int64_t size) {
    queue *q = queue_find(queue_handle, copy_call);
    svm *from = svm_find(q, from_handle, copy_call), *to = from ? svm_find(q, to_handle, copy_call) : NULL;
    struct copy c = {.size = size, .users = {from, to}, .what = "a copy of shared virtual memory"};
    int32_t code;
    if (!to) return clue_error_code();
    if ((code = check_part(from, from_offset, size, false, copy_call)) ||
        (code = check_part(to, to_offset, size, true, copy_call)))
        return code;
    if (size == 0) return buffer_refuse_nothing(copy_call);
    c.to = (char *)to->data + to_offset;
    c.from = (const char *)from->data + from_offset;
    return enqueue(event_out, q, &c, NULL, event_out ? WITH_EVENT : NO_EVENT);
}

/* ---- filling ---- */

int32_t svm_fill(int32_t *event_out, int32_t queue_handle, int32_t handle, int64_t offset, int64_t size,
                 const void *pattern, int64_t pattern_size) {
    queue *q = queue_find(queue_handle, fill_call);
    svm *to = svm_find(q, handle, fill_call);
    struct command by;
    int32_t code;
    if (!to) return clue_error_code();
    if ((code = check_part(to, offset, size, true, fill_call)) ||
        (code = buffer_check_pattern(offset, size, pattern, pattern_size, fill_call)))
        return code;
    if (size == 0) return buffer_refuse_nothing(fill_call);
    if ((code = svm_reserve(to, fill_call)) || (code = command_begin(&by, q, "a fill of shared virtual memory",
                                                                     fill_call, event_out ? WITH_EVENT : NO_EVENT)))
        return code;
    code = CL_CALL(clEnqueueSVMMemFill, q->queue, (char *)to->data + offset, pattern, (size_t)pattern_size,
                   (size_t)size, q->waits.count, q->waits.events, by.event_at);
    if (code == 0) svm_use(to, by.made);
    return command_end(&by, event_out, q, code);
}

/* ---- migrating ---- */

static int32_t check_migration(const queue *q, int32_t count, const int32_t *svms, int64_t flags) {
    int32_t code = buffer_check_migration(count, svms, flags, migrate_call);
    if (code || device_has_version(q->device, 2, 1)) return code;
    return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, migrate_call,
                        "%s has no such command, which came with OpenCL 2.1: leave it out", q->device->name);
}

/* The pieces as the driver takes them: whole. */
struct pieces {
    svm **of;
    const void **data;
    size_t *sizes;
};

static int32_t find_all(const struct pieces *p, const queue *q, const int32_t *svms, int32_t count) {
    int32_t code = 0;
    for (int32_t i = 0; i < count && code == 0; i++) {
        svm *one = svm_find(q, svms[i], migrate_call);
        if (!one) return clue_error_code();
        code = buffer_check_mappings(&one->memory, true, migrate_call);
        if (code == 0) code = svm_reserve(one, migrate_call);
        p->of[i] = one;
        p->data[i] = one->data;
        p->sizes[i] = (size_t)one->memory.size;
    }
    return code;
}

static int32_t enqueue_migration(int32_t *event_out, queue *q, const struct pieces *p, int32_t count,
                                 int64_t flags) {
    struct command by;
    int32_t code = command_begin(&by, q, "a migration", migrate_call, event_out ? WITH_EVENT : NO_EVENT);
    if (code) return code;
    code = CL_CALL(clEnqueueSVMMigrateMem, q->queue, (cl_uint)count, p->data, p->sizes,
                   (cl_mem_migration_flags)flags, q->waits.count, q->waits.events, by.event_at);
    for (int32_t i = 0; i < count && code == 0; i++)
        svm_use(p->of[i], by.made);
    return command_end(&by, event_out, q, code);
}

int32_t svm_migrate(int32_t *event_out, int32_t queue_handle, const int32_t *svms, int32_t count, int64_t flags) {
    queue *q = queue_find(queue_handle, migrate_call);
    struct pieces p;
    int32_t code;
    if (!q) return clue_error_code();
    if ((code = check_migration(q, count, svms, flags))) return code;
    p.of = calloc((size_t)count, sizeof(svm *));
    p.data = calloc((size_t)count, sizeof(void *));
    p.sizes = calloc((size_t)count, sizeof *p.sizes);
    if (!p.of || !p.data || !p.sizes)
        code = error_out_of_memory(migrate_call);
    else if ((code = find_all(&p, q, svms, count)) == 0)
        code = enqueue_migration(event_out, q, &p, count, flags);
    free((void *)p.of);
    free((void *)p.data);
    free(p.sizes);
    return code;
}
