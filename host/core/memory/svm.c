/* svm.c - shared virtual memory: creates it, and frees it when nothing uses it any more.
 *
 * clSVMFree() frees at once, even if a device uses the memory. So each piece of memory knows the commands that use
 * it. For a queue in order, it keeps only the newest, because the others end before that; but it also keeps
 * commands that wait for a user event, because they can fail and end out of order. Memory that is freed before its
 * users have ended passes to its context, and is looked at again when other memory is made or freed, or when
 * something is finished. */
#include "memory/internal.h"

#include <stddef.h>
#include <stdlib.h>

static const char create_call[] = "clSVMAlloc";

/* ---- users ---- */

static void forget_ended(svm *self) {
    execution_list *all = &self->users;
    int32_t kept = 0;
    for (int32_t i = 0; i < all->count; i++)
        if (execution_ended(all->list[i]))
            execution_release(all->list[i]);
        else
            all->list[kept++] = all->list[i];
    all->count = kept;
}

int32_t svm_reserve(svm *self, const char *call) {
    if (self->users.count < self->users.room) return 0;
    forget_ended(self);
    return executions_reserve(&self->users, 1, call);
}

void svm_use(svm *self, execution *user) {
    for (int32_t i = 0; i < self->users.count; i++) {
        execution **at = &self->users.list[i];
        if (*at == user) return;
        if (user->gates.count || !user->in_order || !(*at)->in_order || (*at)->queue != user->queue) continue;
        execution_retain(user);
        execution_release(*at);
        *at = user;
        return;
    }
    executions_add(&self->users, user);
}

/* ---- freeing ---- */

/* in: its context, which it no longer holds. */
static void free_now(svm *self, const context *in) {
    clSVMFree(in->context, self->data);
    memory_let_go(self->memory.held);
    executions_clear(&self->users);
    free(self);
}

/* The memory may also be used through a view, by a transfer of other memory. */
static bool in_use(svm *self) {
    forget_ended(self);
    return self->users.count > 0 || in_flight(self->data, self->memory.size, false);
}

static void await_users(const svm *self) {
    for (int32_t i = 0; i < self->users.count; i++)
        execution_await(self->users.list[i]);
    (void)in_flight(self->data, self->memory.size, true);
}

static bool end(remains *of, const context *in, bool waits) {
    svm *self = (svm *)((char *)of - offsetof(svm, remains));
    if (waits) await_users(self);
    if (!waits && in_use(self)) return false;
    free_now(self, in);
    return true;
}

static void svm_destroy(object *base) {
    svm *self = (svm *)base;
    context *in = self->memory.context;
    if (self->data) {
        self->remains.end = end;
        context_keep(in, &self->remains);
        context_sweep(in, false);
    } else {
        free(self);
    }
    object_release(&in->base);
}

static void *pointer_of(const object *self) {
    return ((const svm *)self)->data;
}

static const object_class svm_class = {CLUE_SVM, svm_destroy, buffer_parent, pointer_of};

/* ---- making ---- */

static int32_t check_flags(int64_t flags) {
    const int64_t access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    const int64_t shared = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
    if (flags & ~(access | shared))
        return error_record(
            CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, create_call,
            "0x%llx are not flags of shared virtual memory: use CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, "
            "CL_MEM_WRITE_ONLY, CL_MEM_SVM_FINE_GRAIN_BUFFER and CL_MEM_SVM_ATOMICS",
            (unsigned long long)flags);
    if ((flags & shared) == CL_MEM_SVM_ATOMICS)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, create_call,
                            "CL_MEM_SVM_ATOMICS also needs CL_MEM_SVM_FINE_GRAIN_BUFFER");
    return memory_check_exclusive(flags, create_call);
}

static int32_t check_device(const device *on, int64_t flags) {
    const struct {
        int64_t flag;
        cl_device_svm_capabilities needed;
        const char *what, *instead;
    } kinds[] = {
        {0, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "shared virtual memory", "use buffers"},
        {CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_DEVICE_SVM_FINE_GRAIN_BUFFER, "fine-grained shared virtual memory",
         "make it without CL_MEM_SVM_FINE_GRAIN_BUFFER, and map it"},
        {CL_MEM_SVM_ATOMICS, CL_DEVICE_SVM_ATOMICS, "atomics in shared virtual memory",
         "make it without CL_MEM_SVM_ATOMICS"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if ((flags & kinds[i].flag) == kinds[i].flag && !(on->svm & kinds[i].needed))
            return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, create_call,
                                "%s has no %s (CL_DEVICE_SVM_CAPABILITIES is 0x%llx): %s", on->name, kinds[i].what,
                                (unsigned long long)on->svm, kinds[i].instead);
    return 0;
}

static int32_t check_size(const device *on, int64_t size) {
    if (size <= 0)
        return error_record(CL_INVALID_BUFFER_SIZE, CLUE_CAUSE_SIZE, create_call,
                            "shared virtual memory of %lld bytes: it needs at least 1", (long long)size);
    if ((cl_ulong)size <= on->max_allocation) return 0;
    return error_record(CL_INVALID_BUFFER_SIZE, CLUE_CAUSE_LIMIT, create_call,
                        "shared virtual memory of %lld bytes: the maximum on %s is %llu; use several pieces",
                        (long long)size, on->name, (unsigned long long)on->max_allocation);
}

static int32_t check(const context *in, int64_t size, int64_t flags) {
    int32_t code = check_flags(flags);
    for (cl_uint i = 0; i < in->device_count && code == 0; i++) {
        code = check_device(in->devices[i], flags);
        if (code == 0) code = check_size(in->devices[i], size);
    }
    return code;
}

static int32_t open_svm(int32_t *svm_out, svm *self) {
    const buffer *b = &self->memory;
    self->data = clSVMAlloc(b->context->context, b->flags, (size_t)b->size, 0);
    if (!self->data) { /* OpenCL gives no code here */
        (void)error_check(CL_MEM_OBJECT_ALLOCATION_FAILURE, create_call);
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    }
    backing_hold(&self->memory);
    return handle_open(svm_out, &self->memory.base, &svm_class, create_call);
}

static int32_t make(int32_t *svm_out, context *in, int64_t size, int64_t flags) {
    svm *self = calloc(1, sizeof *self);
    int32_t code;
    if (!self) return error_out_of_memory(create_call);
    context_sweep(in, false);
    object_retain(&in->base);
    self->memory.context = in;
    self->memory.size = size;
    self->memory.flags = (cl_mem_flags)flags;
    self->fine = (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0;
    code = open_svm(svm_out, self);
    if (code) svm_destroy(&self->memory.base);
    return code;
}

int32_t clue_svm_create(int32_t *svm_out, int32_t handle, int64_t size, int64_t flags) {
    context *in = (context *)handle_find(handle, CLUE_CONTEXT, create_call);
    int32_t code;
    if (!in) return clue_error_code();
    code = check(in, size, flags);
    return code ? code : make(svm_out, in, size, flags);
}

/* ---- size and flags ---- */

svm *svm_find(const queue *q, int32_t handle, const char *call) {
    svm *self = q ? (svm *)handle_find(handle, CLUE_SVM, call) : NULL;
    if (!self || queue_check_context(q, self->memory.context, "the svm", call)) return NULL;
    return self;
}

int32_t clue_svm_flags(int64_t *flags_out, int32_t handle) {
    const svm *self = (svm *)handle_find(handle, CLUE_SVM, create_call);
    if (!self) return clue_error_code();
    *flags_out = (int64_t)self->memory.flags;
    return 0;
}
