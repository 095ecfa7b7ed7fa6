/* host_memory.c - buffers and images in the host's memory, buffers that are copied from it, and the end of arrays.
 *
 * A driver uses the host's memory as long as anything uses the buffer, which can be longer than the buffer's handle
 * lives. So the memory has its own count of users: its handle is one, and each buffer or image in it is another.
 * The last user frees it. Drivers report the end of a buffer from their own threads; those threads touch nothing
 * else here. */
#include "memory/internal.h"

#include <stdatomic.h>
#include <stdlib.h>

static const char create_call[] = "clCreateBuffer";

typedef struct host_memory {
    object base;
    void *data;
    int64_t size;
    _Atomic int32_t users;
} host_memory;

static void drop(host_memory *self) {
    if (atomic_fetch_sub(&self->users, 1) > 1) return;
    clue_array_free(self->data);
    free(self);
}

static void host_memory_destroy(object *base) {
    drop((host_memory *)base);
}

static void CL_CALLBACK end_of_buffer(cl_mem memory, void *data) {
    (void)memory;
    drop(data);
}

int32_t host_memory_check(const void *data, cl_mem_flags flags, const char *what, const char *call) {
    if (!data)
        return error_record(CL_INVALID_HOST_PTR, CLUE_CAUSE_PARAMETER, call, "there is no memory to make %s of",
                            what);
    if (!(flags & CL_MEM_USE_HOST_PTR) || !(flags & CL_MEM_ALLOC_HOST_PTR)) return 0;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                        "CL_MEM_USE_HOST_PTR gives the driver memory, and CL_MEM_ALLOC_HOST_PTR asks it to find "
                        "some: leave one of them out");
}

/* how: CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR */
static int32_t check(const context *in, const void *data, int64_t size, int64_t flags, cl_mem_flags how) {
    int32_t code = buffer_check_flags(flags, create_call);
    if (code == 0) code = buffer_check_size(in, size);
    return code ? code : host_memory_check(data, (cl_mem_flags)flags | how, "a buffer", create_call);
}

/* ---- copies of the host's memory ---- */

int32_t clue_buffer_create_from(int32_t *buffer_out, int32_t handle, const void *data, int64_t size,
                                int64_t flags) {
    context *in = (context *)handle_find(handle, CLUE_CONTEXT, create_call);
    int32_t code;
    if (!in) return clue_error_code();
    if ((code = check(in, data, size, flags, CL_MEM_COPY_HOST_PTR))) return code;
    return buffer_make(buffer_out, in, size, flags | CL_MEM_COPY_HOST_PTR, (void *)data);
}

/* ---- buffers and images in the host's memory ---- */

static const object_class host_memory_class = {.kind = CLUE_HOST_MEMORY, .destroy = host_memory_destroy};

static host_memory *host_memory_new(int32_t *handle_out, void *data, int64_t size, const char *call) {
    host_memory *self = calloc(1, sizeof *self);
    if (!self) {
        (void)error_out_of_memory(call);
        return NULL;
    }
    self->data = data;
    self->size = size;
    atomic_init(&self->users, 1);
    if (handle_open(handle_out, &self->base, &host_memory_class, call) == 0) return self;
    free(self);
    return NULL;
}

/* The memory behind a handle, which must be the same as the caller's. */
static host_memory *host_memory_find(int32_t handle, const void *data, int64_t size, const char *call) {
    host_memory *self = (host_memory *)handle_find(handle, CLUE_HOST_MEMORY, call);
    if (!self || (self->data == data && size <= self->size)) return self;
    (void)error_record(CL_INVALID_HOST_PTR, CLUE_CAUSE_PARAMETER, call,
                       "host memory %d is not the memory that was given", (int)handle);
    return NULL;
}

/* Asks the driver to report the end of the buffer just made; if it refuses, the buffer is freed again. */
static int32_t report_end(int32_t made, host_memory *memory, const char *call) {
    const buffer *b = (buffer *)handle_find(made, CLUE_NONE, call);
    int32_t code;
    atomic_fetch_add(&memory->users, 1);
    code = CL_CALL(clSetMemObjectDestructorCallback, b->memory, end_of_buffer, memory);
    if (code == 0) return 0;
    atomic_fetch_sub(&memory->users, 1);
    (void)clue_handle_free(made, CLUE_NONE);
    return code;
}

/* If nothing was made in the memory, it stays the caller's. */
static void give_back(host_memory *self, int32_t handle) {
    self->data = NULL;
    (void)clue_handle_free(handle, CLUE_HOST_MEMORY);
}

int32_t host_memory_lend(int32_t *made_out, int32_t *memory, context *in, void *data, int64_t size,
                         host_memory_maker *maker, void *wish, const char *call) {
    int32_t given = *memory, made = 0, code;
    host_memory *lies_in;
    lies_in = given ? host_memory_find(given, data, size, call) : host_memory_new(&given, data, size, call);
    if (!lies_in) return clue_error_code();
    code = maker(&made, in, data, wish);
    if (code == 0) code = report_end(made, lies_in, call);
    if (code) {
        if (*memory == 0) give_back(lies_in, given);
        return code;
    }
    *made_out = made;
    *memory = given;
    return 0;
}

struct wish {
    int64_t size, flags;
};

static int32_t make_buffer(int32_t *made_out, context *in, void *data, void *wish) {
    const struct wish *w = wish;
    return buffer_make(made_out, in, w->size, w->flags | CL_MEM_USE_HOST_PTR, data);
}

int32_t clue_buffer_create_in(int32_t *buffer_out, int32_t *memory, int32_t handle, void *data, int64_t size,
                              int64_t flags) {
    context *in = (context *)handle_find(handle, CLUE_CONTEXT, create_call);
    struct wish w = {size, flags};
    int32_t code;
    if (!in) return clue_error_code();
    if ((code = check(in, data, size, flags, CL_MEM_USE_HOST_PTR))) return code;
    return host_memory_lend(buffer_out, memory, in, data, size, make_buffer, &w, create_call);
}

void clue_array_release(void *data, int64_t size, int32_t owner) {
    const int32_t kind = owner ? clue_handle_kind(owner) : CLUE_NONE;
    if (kind != CLUE_MAPPING && clue_array_settle(data, size)) return; /* a mapping does that itself */
    if (!owner)
        clue_array_free(data);
    else if (kind == CLUE_MAPPING || kind == CLUE_HOST_MEMORY)
        (void)clue_handle_free(owner, CLUE_NONE);
}

void clue_array_finalise(void *array) {
    clue_array *self = array;
    const int64_t size = (int64_t)self->count * clue_type_size(self->type);
    if (size > 0) clue_array_release(self->data, size, self->owner);
    self->data = NULL;
}
