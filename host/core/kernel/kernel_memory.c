/* kernel_memory.c - sets the arguments that are not values: buffers, images, samplers, NULL, local memory.
 *
 * The kernel holds an object while it is an argument. Drivers take any pointer for a memory object, so the object
 * and its context are checked first. */
#include "kernel/internal.h"

#include <string.h>

static const char set[] = "clSetKernelArg";

/* An argument and its new object. */
struct setting {
    kernel *kernel;
    argument *argument;
    object *object;
    int32_t index;
};

/* value: the driver's object. */
static int32_t pass(const struct setting *s, const void *value, size_t size) {
    int32_t code = argument_pass(s->kernel, s->index, value, size);
    if (code) return code;
    argument_hold(s->argument, s->object);
    return 0;
}

static int32_t pass_memory(const struct setting *s) {
    buffer *b = (buffer *)s->object;
    int32_t code = pass(s, &b->memory, sizeof b->memory);
    if (code == 0) s->argument->buffer = b;
    return code;
}

/* ---- buffers, images and samplers ---- */

/* NVIDIA's driver (580) accepts the buffer, but then the kernel fails because of an argument that was not set. */
static int32_t refuse_after_shared(const kernel *self, int32_t index) {
    return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, set,
                        "argument %s of kernel '%s' was shared virtual memory before, and this driver cannot "
                        "execute the kernel with a buffer in its place: make another kernel object for buffers",
                        argument_name(self, index), self->name);
}

static int32_t set_buffer(const struct setting *s) {
    if (!argument_accepts(s->argument, TAKES_BUFFER)) return argument_refuse(s->kernel, s->index, set);
    if (s->argument->shared && s->kernel->program->context->device->nvidia)
        return refuse_after_shared(s->kernel, s->index);
    return pass_memory(s);
}

static bool is_image(const argument *a) {
    return a->takes == TAKES_OBJECT && !argument_is_sampler(a);
}

/* A depth image has a type of its own: image2d_depth_t. */
static const char *argument_type(const image *given) {
    const bool depth = given->format.image_channel_order == CL_DEPTH;
    if (depth && given->kind->type == CL_MEM_OBJECT_IMAGE2D) return "image2d_depth_t";
    if (depth && given->kind->type == CL_MEM_OBJECT_IMAGE2D_ARRAY) return "image2d_array_depth_t";
    return given->kind->argument;
}

/* PoCL knows images and samplers by the names of their types alone. Those of a typedef it passes as something else,
 * so a kernel reads other pixels, or crashes. */
static int32_t check_name(const struct setting *s) {
    const argument *a = s->argument;
    const char *type = a->object_type ? a->object_type : "the image's type";
    if (a->takes == TAKES_ANYTHING || !s->kernel->program->context->device->pocl) return 0;
    if (strcmp(a->type, type) == 0) return 0;
    return error_record(
        CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, set,
        "argument %s of kernel '%s' is %s, and PoCL passes images and samplers wrongly if the kernel "
        "has a typedef for them: write %s, or make %s a macro",
        argument_name(s->kernel, s->index), s->kernel->name, a->type, type, a->type);
}

/* What kernels may do with a memory object: CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, or 0 for both. */
static cl_mem_flags allowed(const buffer *b) {
    const cl_mem_flags ways = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    while (!(b->flags & ways) && b->parent)
        b = b->parent;
    return b->flags & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
}

/* PoCL and rusticl let a kernel do what the image's flags exclude. */
static int32_t check_access(const struct setting *s) {
    const cl_mem_flags way = allowed((buffer *)s->object);
    const cl_kernel_arg_access_qualifier wanted = s->argument->access;
    const char *given = way == CL_MEM_READ_ONLY ? "read_only" : "write_only";
    const char *takes = "read_write";
    if (!way || !wanted || wanted == CL_KERNEL_ARG_ACCESS_NONE) return 0;
    if (wanted == CL_KERNEL_ARG_ACCESS_READ_ONLY) takes = "read_only";
    if (wanted == CL_KERNEL_ARG_ACCESS_WRITE_ONLY) takes = "write_only";
    if (strcmp(given, takes) == 0) return 0;
    return error_record(CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                        "argument %s of kernel '%s' is %s, but image %d was made with the flag %s: make it "
                        "read_write",
                        argument_name(s->kernel, s->index), s->kernel->name, takes, (int)s->object->handle, given);
}

static int32_t set_image(const struct setting *s) {
    const argument *a = s->argument;
    const char *type = argument_type((image *)s->object);
    int32_t code;
    if (a->takes != TAKES_ANYTHING && !is_image(a)) return argument_refuse(s->kernel, s->index, set);
    if ((code = check_name(s))) return code;
    if (!a->object_type || strcmp(a->object_type, type) == 0)
        return (code = check_access(s)) ? code : pass_memory(s);
    return error_record(
        CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set, "argument %s of kernel '%s' is %s, and image %d is an %s",
        argument_name(s->kernel, s->index), s->kernel->name, a->object_type, (int)s->object->handle, type);
}

static int32_t set_sampler(const struct setting *s) {
    const sampler *given = (sampler *)s->object;
    int32_t code;
    if (s->argument->takes != TAKES_ANYTHING && !argument_is_sampler(s->argument))
        return argument_refuse(s->kernel, s->index, set);
    if ((code = check_name(s))) return code;
    return pass(s, &given->sampler, sizeof(cl_sampler));
}

/* ---- any object: its kind says how it is set ---- */

/* Indexed by the kind of the handle. */
static const struct setter {
    int32_t kind;
    const char *call;
    int32_t (*set)(const struct setting *); /* NULL: shared virtual memory, which also needs the offset */
} setters[] = {
    [CLUE_BUFFER] = {CLUE_BUFFER, set, set_buffer},
    [CLUE_IMAGE] = {CLUE_IMAGE, set, set_image},
    [CLUE_SAMPLER] = {CLUE_SAMPLER, set, set_sampler},
    [CLUE_SVM] = {CLUE_SVM, "clSetKernelArgSVMPointer", NULL},
};

/* For objects that cannot be arguments, the message says that a buffer is needed. */
static const struct setter *setter_of(int32_t handle) {
    const size_t kind = (size_t)handle_kind(handle);
    const bool known = kind < sizeof setters / sizeof setters[0] && setters[kind].call;
    return &setters[known ? kind : CLUE_BUFFER];
}

static int32_t check(const struct setting *s, int64_t offset, const struct setter *by) {
    const int32_t code = kernel_check_context(s->kernel, s->object, by->call);
    if (code || offset == 0 || by->kind == CLUE_SVM) return code;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_OFFSET, by->call,
                        "offset %lld: only shared virtual memory can be given from an offset on, not %s %d",
                        (long long)offset, handle_kind_name(by->kind), (int)s->object->handle);
}

int32_t clue_kernel_set_object(int32_t handle, int32_t index, int32_t object_handle, int64_t offset) {
    const struct setter *by = setter_of(object_handle);
    struct setting s = {.kernel = argument_find(handle, index, by->call), .index = index};
    int32_t code;
    if (!s.kernel || !(s.object = handle_find(object_handle, by->kind, by->call))) return clue_error_code();
    if ((code = check(&s, offset, by))) return code;
    s.argument = &s.kernel->arguments[index];
    return by->set ? by->set(&s) : kernel_set_svm(s.kernel, index, (svm *)s.object, offset);
}

/* ---- NULL ---- */

int32_t clue_kernel_set_null(int32_t handle, int32_t index) {
    kernel *self = argument_find(handle, index, set);
    const cl_mem none = NULL;
    if (!self) return clue_error_code();
    if (!argument_accepts(&self->arguments[index], TAKES_BUFFER)) return argument_refuse(self, index, set);
    return argument_pass(self, index, &none, sizeof none);
}

/* ---- local memory ---- */

/* The device with the most local memory. The check of the range tests whether another device has enough. */
static const device *roomiest(const context *c) {
    const device *on = c->device;
    for (cl_uint i = 1; i < c->device_count; i++)
        if (c->devices[i]->local_memory > on->local_memory) on = c->devices[i];
    return on;
}

int32_t clue_kernel_set_local(int32_t handle, int32_t index, int64_t size) {
    kernel *self = argument_find(handle, index, set);
    const device *on = self ? roomiest(self->program->context) : NULL;
    int32_t code;
    if (!self) return clue_error_code();
    if (!argument_accepts(&self->arguments[index], TAKES_LOCAL)) return argument_refuse(self, index, set);
    if (size <= 0)
        return error_record(CL_INVALID_ARG_SIZE, CLUE_CAUSE_SIZE, set,
                            "%lld bytes of local memory for argument %s of kernel '%s': it needs at least 1",
                            (long long)size, argument_name(self, index), self->name);
    if ((cl_ulong)size > on->local_memory)
        return error_record(
            CL_INVALID_ARG_SIZE, CLUE_CAUSE_LIMIT, set,
            "%lld bytes of local memory for argument %s of kernel '%s' are more than %s has: %llu; keep less there",
            (long long)size, argument_name(self, index), self->name, on->name,
            (unsigned long long)on->local_memory);
    code = argument_pass(self, index, NULL, (size_t)size);
    if (code == 0) self->arguments[index].local_size = size;
    return code;
}
