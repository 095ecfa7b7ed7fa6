/* host_memory.c - buffers made of the host's memory: copied from it, or lying in it.
 *
 * A driver works in memory that it was given for as long as anything uses the buffer, longer than the buffer's
 * handle lives. So the memory is counted apart: its own handle is one user, each buffer that lies in it another,
 * and whoever is last frees it. Drivers tell of a buffer's end from threads of their own; nothing else here is
 * touched by them. */
#include "core.h"

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

static int32_t check(const context *in, const void *data, int64_t size, int64_t flags) {
    int32_t code = buffer_check_flags(flags, create_call);
    if (code == 0) code = buffer_check_size(in, size);
    if (code || data) return code;
    return error_record(CL_INVALID_HOST_PTR, CLUE_CAUSE_PARAMETER, create_call,
                        "there is no memory to make a buffer of");
}

/* ---- copied ---- */

int32_t clue_buffer_create_from(int32_t *buffer_out, int32_t handle, const void *data, int64_t size,
                                int64_t flags) {
    context *in = (context *)handle_find(handle, CLUE_CONTEXT, create_call);
    int32_t code;
    if (!in) return clue_error_code();
    if ((code = check(in, data, size, flags))) return code;
    return buffer_make(buffer_out, in, size, flags | CL_MEM_COPY_HOST_PTR, (void *)data);
}

/* ---- lying in it ---- */

static host_memory *host_memory_new(int32_t *handle_out, void *data, int64_t size) {
    host_memory *self = calloc(1, sizeof *self);
    if (!self) {
        (void)error_out_of_memory(create_call);
        return NULL;
    }
    self->data = data;
    self->size = size;
    atomic_init(&self->users, 1);
    if (handle_open(handle_out, &self->base, CLUE_HOST_MEMORY, host_memory_destroy, create_call) == 0) return self;
    free(self);
    return NULL;
}

/* That of a handle, which must be the same memory. */
static host_memory *host_memory_find(int32_t handle, const void *data, int64_t size) {
    host_memory *self = (host_memory *)handle_find(handle, CLUE_HOST_MEMORY, create_call);
    if (!self || (self->data == data && size <= self->size)) return self;
    (void)error_record(CL_INVALID_HOST_PTR, CLUE_CAUSE_PARAMETER, create_call,
                       "host memory %d is another than what was given", (int)handle);
    return NULL;
}

/* The buffer's end is asked for once it is there; without that it goes again. */
static int32_t make_in(int32_t *buffer_out, context *in, host_memory *memory, int64_t size, int64_t flags) {
    int32_t made = 0, code = buffer_make(&made, in, size, flags | CL_MEM_USE_HOST_PTR, memory->data);
    const buffer *b = code ? NULL : (buffer *)handle_find(made, CLUE_BUFFER, create_call);
    if (!b) return clue_error_code();
    atomic_fetch_add(&memory->users, 1);
    code = CL_CALL(clSetMemObjectDestructorCallback, b->memory, end_of_buffer, memory);
    if (code == 0) {
        *buffer_out = made;
        return 0;
    }
    atomic_fetch_sub(&memory->users, 1);
    (void)clue_handle_free(made, CLUE_BUFFER);
    return code;
}

/* Memory that no buffer came to lie in stays the caller's. */
static void give_back(host_memory *self, int32_t handle) {
    self->data = NULL;
    (void)clue_handle_free(handle, CLUE_HOST_MEMORY);
}

int32_t clue_buffer_create_in(int32_t *buffer_out, int32_t *memory, int32_t handle, void *data, int64_t size,
                              int64_t flags) {
    context *in = (context *)handle_find(handle, CLUE_CONTEXT, create_call);
    int32_t given = *memory, code;
    host_memory *lies_in;
    if (!in) return clue_error_code();
    if ((code = check(in, data, size, flags))) return code;
    lies_in = given ? host_memory_find(given, data, size) : host_memory_new(&given, data, size);
    if (!lies_in) return clue_error_code();
    code = make_in(buffer_out, in, lies_in, size, flags);
    if (code && *memory == 0) give_back(lies_in, given);
    if (code == 0) *memory = given;
    return code;
}
