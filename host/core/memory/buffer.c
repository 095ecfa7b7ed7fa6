/* buffer.c - device memory: creates, writes and reads it.
 *
 * Ranges are checked here, because drivers crash with some wrong ones and accept others. Transfers without an event
 * return when they are done, so the caller may then change or free the host's memory. */
#include "memory/internal.h"

static block_list memory = {.size = sizeof(buffer)};

buffer *buffer_new(void) {
    buffer *made = block_new(&memory);
    if (made) *made = (buffer){.size = 0};
    return made;
}

void buffer_end(buffer *b) {
    if (!pool_keep(b) && b->memory) (void)clReleaseMemObject(b->memory);
    memory_let_go(b->held);
    backing_end(b);
    if (b->parent) object_release(&b->parent->base);
    object_release(&b->context->base);
}

void buffer_destroy(object *self) {
    buffer_end((buffer *)self);
    block_free(&memory, self);
}

object *buffer_parent(const object *self) {
    const buffer *b = (const buffer *)self;
    return b->parent ? &b->parent->base : &b->context->base;
}

void *buffer_pointer(const object *self) {
    return ((const buffer *)self)->memory;
}

const object_class buffer_class = {CLUE_BUFFER, buffer_destroy, buffer_parent, buffer_pointer};

/* At most one flag of a row may be set. */
static const struct {
    int64_t flag;
    const char *name;
} exclusive[][3] = {{{CL_MEM_READ_WRITE, "CL_MEM_READ_WRITE"},
                     {CL_MEM_WRITE_ONLY, "CL_MEM_WRITE_ONLY"},
                     {CL_MEM_READ_ONLY, "CL_MEM_READ_ONLY"}},
                    {{CL_MEM_HOST_WRITE_ONLY, "CL_MEM_HOST_WRITE_ONLY"},
                     {CL_MEM_HOST_READ_ONLY, "CL_MEM_HOST_READ_ONLY"},
                     {CL_MEM_HOST_NO_ACCESS, "CL_MEM_HOST_NO_ACCESS"}}};

int32_t memory_check_exclusive(int64_t flags, const char *call) {
    for (size_t row = 0; row < sizeof exclusive / sizeof exclusive[0]; row++) {
        const char *first = NULL;
        for (size_t i = 0; i < sizeof exclusive[row] / sizeof exclusive[row][0]; i++) {
            if (!(flags & exclusive[row][i].flag)) continue;
            if (first)
                return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                                    "%s and %s exclude each other: give one of them", first,
                                    exclusive[row][i].name);
            first = exclusive[row][i].name;
        }
    }
    return 0;
}

int32_t buffer_check_flags(int64_t flags, const char *call) {
    const int64_t known = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY |
                          CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_ALLOC_HOST_PTR;
    if (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR))
        return error_record(
            CL_INVALID_HOST_PTR, CLUE_CAUSE_PARAMETER, call,
            "CL_MEM_USE_HOST_PTR and CL_MEM_COPY_HOST_PTR need memory of the host, which this call cannot take");
    if (flags & ~known)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                            "0x%llx is no flag of a buffer: use CL_MEM_READ_WRITE, CL_MEM_READ_ONLY or "
                            "CL_MEM_WRITE_ONLY, with or without CL_MEM_ALLOC_HOST_PTR",
                            (unsigned long long)(flags & ~known));
    return memory_check_exclusive(flags, call);
}

static int32_t check_size_on(const device *on, int64_t size) {
    if (size <= 0)
        return error_record(CL_INVALID_BUFFER_SIZE, CLUE_CAUSE_SIZE, "clCreateBuffer",
                            "a buffer of %lld bytes: it needs at least 1", (long long)size);
    if ((cl_ulong)size > on->max_allocation)
        return error_record(CL_INVALID_BUFFER_SIZE, CLUE_CAUSE_LIMIT, "clCreateBuffer",
                            "a buffer of %lld bytes: the maximum on %s is %llu; use several buffers",
                            (long long)size, on->name, (unsigned long long)on->max_allocation);
    return 0;
}

int32_t buffer_check_size(const context *c, int64_t size) {
    int32_t code = 0;
    for (cl_uint i = 0; i < c->device_count && code == 0; i++)
        code = check_size_on(c->devices[i], size);
    return code;
}

static int32_t make_memory(buffer *b, void *host) {
    return CL_MAKE(&b->memory, clCreateBuffer, b->context->context, b->flags, (size_t)b->size, host);
}

/* The driver is asked once more if its lack of memory emptied the pools. */
static int32_t find_memory(buffer *b, void *host) {
    const int64_t pooled = pools_bytes();
    int32_t code;
    if (!host && (b->memory = pool_take(b->context, b->size, b->flags))) return 0;
    code = make_memory(b, host);
    return code && pools_bytes() < pooled ? make_memory(b, host) : code;
}

static int32_t open_buffer(int32_t *buffer_out, buffer *b, void *host) {
    const int32_t code = find_memory(b, host);
    if (code) return code;
    backing_begin(b);
    return handle_open(buffer_out, &b->base, &buffer_class, "clCreateBuffer");
}

int32_t buffer_make(int32_t *buffer_out, context *in, int64_t size, int64_t flags, void *host) {
    buffer *b = buffer_new();
    int32_t code;
    if (!b) return error_out_of_memory("clCreateBuffer");
    object_retain(&in->base);
    b->context = in;
    b->size = size;
    b->flags = (cl_mem_flags)flags;
    code = open_buffer(buffer_out, b, host);
    if (code) buffer_destroy(&b->base);
    return code;
}

int32_t clue_buffer_create(int32_t *buffer_out, int32_t handle, int64_t size, int64_t flags) {
    context *c = (context *)handle_find(handle, CLUE_CONTEXT, "clCreateBuffer");
    int32_t code;
    if (!c) return clue_error_code();
    if ((code = buffer_check_flags(flags, "clCreateBuffer")) || (code = buffer_check_size(c, size))) return code;
    return buffer_make(buffer_out, c, size, flags, NULL);
}

int32_t clue_buffer_offset(int64_t *offset_out, int32_t handle) {
    const buffer *b = (buffer *)handle_find(handle, CLUE_BUFFER, "clGetMemObjectInfo");
    if (!b) return clue_error_code();
    *offset_out = b->offset;
    return 0;
}

int32_t buffer_check_range(const buffer *b, int64_t offset, int64_t size, const char *call) {
    if (offset < 0 || offset > b->size || (offset == b->size && size > 0))
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_OFFSET, call, "offset %lld is outside the %s of %s",
                            (long long)offset, handle_kind_name(b->base.kind), text_count(b->size, "byte"));
    if (size < 0 || size > b->size - offset)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                            "%s from offset %lld is too much for the %s of %s: only %lld left there",
                            text_count(size, "byte"), (long long)offset, handle_kind_name(b->base.kind),
                            text_count(b->size, "byte"), (long long)(b->size - offset));
    return 0;
}

/* True if the host has mapped the buffer, a part of it, or the buffer that it is a part of. */
bool buffer_is_mapped(const buffer *b, bool for_writing) {
    int32_t count = for_writing ? b->part_write_mappings : b->part_read_mappings;
    for (; b; b = b->parent)
        count += for_writing ? b->write_mappings : b->read_mappings;
    return count > 0;
}

int32_t buffer_check_mappings(const buffer *b, bool writes, const char *call) {
    const bool written = buffer_is_mapped(b, true);
    if (!written && (!writes || !buffer_is_mapped(b, false))) return 0;
    return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, call,
                        "the %s is mapped for %s by the host: unmap it first", handle_kind_name(b->base.kind),
                        written ? "writing" : "reading");
}

int32_t buffer_refuse_nothing(const char *call) {
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call, "0 bytes: there is nothing to do");
}

int32_t buffer_check_transfer(const buffer *b, int64_t offset, const void *data, int64_t size, bool writes,
                              const char *call) {
    int32_t code = buffer_check_range(b, offset, size, call);
    if (code) return code;
    if (!data && size > 0)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "there is no memory to copy");
    return buffer_check_mappings(b, writes, call);
}

/* ---- between the host and a buffer ---- */

static const char *call_of(bool writes) {
    return writes ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer";
}

static prepared transfer_of(buffer *b, int64_t offset, void *data, int64_t size, bool writes) {
    return (prepared){.kind = writes ? A_WRITE : A_READ,
                      .what = writes ? "a write to a buffer" : "a read from a buffer",
                      .call = call_of(writes),
                      .object = (object *)b, /* which may be NULL here */
                      .offset = offset,
                      .size = size,
                      .data = data};
}

/* Waits for the transfer if the caller wants no event. */
static int32_t transfer(int32_t *event_out, queue *q, prepared *t) {
    const bool writes = t->kind == A_WRITE;
    int32_t code = buffer_check_transfer((const buffer *)t->object, t->offset, t->data, t->size, writes, t->call);
    t->blocking = !event_out;
    if (code || (t->size == 0 && !event_out)) return code;
    if (t->size == 0) return buffer_refuse_nothing(t->call);
    return memory_command(event_out, q, t);
}

int32_t clue_buffer_write(int32_t handle, int64_t offset, const void *data, int64_t size) {
    buffer *b = (buffer *)handle_find(handle, CLUE_BUFFER, call_of(true));
    prepared t = transfer_of(b, offset, (void *)data, size, true);
    return b && !backing_of(b, call_of(true)) ? transfer(NULL, queue_own(b->context), &t) : clue_error_code();
}

int32_t clue_buffer_read(void *data_out, int32_t handle, int64_t offset, int64_t size) {
    buffer *b = (buffer *)handle_find(handle, CLUE_BUFFER, call_of(false));
    prepared t = transfer_of(b, offset, data_out, size, false);
    return b && !backing_of(b, call_of(false)) ? transfer(NULL, queue_own(b->context), &t) : clue_error_code();
}

buffer *buffer_find(const queue *q, int32_t handle, const char *call) {
    buffer *b = q ? (buffer *)handle_find(handle, CLUE_BUFFER, call) : NULL;
    if (!b || queue_check_context(q, b->context, "the buffer", call) || backing_of(b, call)) return NULL;
    return b;
}

int32_t buffer_write(int32_t *event_out, int32_t queue_handle, int32_t handle, int64_t offset, const void *data,
                     int64_t size) {
    queue *q = queue_find(queue_handle, call_of(true));
    buffer *b = buffer_find(q, handle, call_of(true));
    prepared t = transfer_of(b, offset, (void *)data, size, true);
    return b ? transfer(event_out, q, &t) : clue_error_code();
}

int32_t buffer_read(int32_t *event_out, void *data_out, int32_t queue_handle, int32_t handle, int64_t offset,
                    int64_t size) {
    queue *q = queue_find(queue_handle, call_of(false));
    buffer *b = buffer_find(q, handle, call_of(false));
    prepared t = transfer_of(b, offset, data_out, size, false);
    return b ? transfer(event_out, q, &t) : clue_error_code();
}

/* ---- no memory left on the device ---- */

/* Adds to the recorded lack of device memory the buffers that use it. */
static void explain_shortage(int32_t code) {
    const char *hint = error_hint(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    long long bytes = 0;
    int count = 0;
    if (code != CL_MEM_OBJECT_ALLOCATION_FAILURE) return;
    for (int32_t handle = clue_handle_next(0); handle; handle = clue_handle_next(handle)) {
        const int32_t kind = clue_handle_kind(handle);
        const buffer *b;
        if (kind != CLUE_BUFFER && kind != CLUE_IMAGE) continue;
        b = (buffer *)handle_find(handle, kind, "clGetMemObjectInfo");
        if (b->parent) continue; /* its memory is the parent's */
        bytes += b->size;
        count++;
    }
    error_explain("%s; in use: %s with %lld bytes", hint, text_count(count, "buffer"), bytes);
}

static void on_failure(int32_t code) {
    if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY)
        pools_close();
    explain_shortage(code);
}

__attribute__((constructor)) static void explain_codes(void) {
    error_add_explainer(on_failure);
}
