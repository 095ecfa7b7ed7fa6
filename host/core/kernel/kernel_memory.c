/* kernel_memory.c - setting a kernel's arguments to what is no value: buffers, images, samplers, local memory.
 *
 * An object is held while it is an argument. Drivers take any pointer for a memory object, so that it is one, and
 * one of the kernel's context, is known before they see it. */
#include "kernel/internal.h"

#include <string.h>

static const char set[] = "clSetKernelArg";

/* The kernel and the object, of one context; false and the failure recorded otherwise. */
struct setting {
    kernel *kernel;
    object *object;
    int32_t index;
};

static bool begin(struct setting *s, int32_t kernel_handle, int32_t handle, int32_t kind) {
    s->kernel = argument_find(kernel_handle, s->index, set);
    s->object = s->kernel ? handle_find(handle, kind, set) : NULL;
    if (!s->object) return false;
    if (context_of(s->object) == s->kernel->program->context) return true;
    (void)error_record(CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER, set,
                       "%s %d belongs to another context than kernel '%s': make both in the same one",
                       handle_kind_name(kind), (int)handle, s->kernel->name);
    return false;
}

/* value: the driver's object. */
static int32_t pass_object(const struct setting *s, const void *value, size_t size) {
    argument *a = &s->kernel->arguments[s->index];
    int32_t code = argument_pass(s->kernel, s->index, value, size);
    if (code) return code;
    object_retain(s->object);
    a->object = s->object;
    a->object_handle = s->object->handle;
    return 0;
}

static int32_t pass_memory(const struct setting *s) {
    buffer *b = (buffer *)s->object;
    int32_t code = pass_object(s, &b->memory, sizeof b->memory);
    if (code == 0) s->kernel->arguments[s->index].buffer = b;
    return code;
}

/* NVIDIA's driver (580) takes the buffer, and then has the kernel fail for an argument that was not set. */
static int32_t refuse_after_shared(const kernel *self, int32_t index) {
    return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, set,
                        "argument %s of kernel '%s' was shared virtual memory before, and this driver executes no "
                        "kernel that is given a buffer in its place: take another object of the kernel for buffers",
                        argument_told(self, index), self->name);
}

int32_t clue_kernel_set_buffer(int32_t handle, int32_t index, int32_t buffer_handle) {
    struct setting s = {.index = index};
    const argument *a;
    if (!begin(&s, handle, buffer_handle, CLUE_BUFFER)) return clue_error_code();
    a = &s.kernel->arguments[index];
    if (!argument_accepts(a, TAKES_BUFFER)) return argument_refuse(s.kernel, index, set);
    if (a->shared && s.kernel->program->context->device->nvidia) return refuse_after_shared(s.kernel, index);
    return pass_memory(&s);
}

/* ---- images and samplers ---- */

static bool is_image(const argument *a) {
    return a->takes == TAKES_OBJECT && !argument_is_sampler(a);
}

/* Pixels of a depth image have a type of their own: image2d_depth_t. */
static const char *argument_type(const image *given) {
    const bool depth = given->format.image_channel_order == CL_DEPTH;
    if (depth && given->kind->type == CL_MEM_OBJECT_IMAGE2D) return "image2d_depth_t";
    if (depth && given->kind->type == CL_MEM_OBJECT_IMAGE2D_ARRAY) return "image2d_array_depth_t";
    return given->kind->argument;
}

int32_t clue_kernel_set_image(int32_t handle, int32_t index, int32_t image_handle) {
    struct setting s = {.index = index};
    const argument *a;
    const char *type;
    if (!begin(&s, handle, image_handle, CLUE_IMAGE)) return clue_error_code();
    a = &s.kernel->arguments[index];
    if (a->takes != TAKES_ANYTHING && !is_image(a)) return argument_refuse(s.kernel, index, set);
    type = argument_type((image *)s.object);
    if (a->takes == TAKES_ANYTHING || strcmp(a->type, type) == 0) return pass_memory(&s);
    return error_record(CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                        "argument %s of kernel '%s' is %s, and image %d is an %s", argument_told(s.kernel, index),
                        s.kernel->name, a->type, (int)image_handle, type);
}

int32_t clue_kernel_set_sampler(int32_t handle, int32_t index, int32_t sampler_handle) {
    struct setting s = {.index = index};
    const argument *a;
    const sampler *given;
    if (!begin(&s, handle, sampler_handle, CLUE_SAMPLER)) return clue_error_code();
    a = &s.kernel->arguments[index];
    given = (sampler *)s.object;
    if (a->takes != TAKES_ANYTHING && !argument_is_sampler(a)) return argument_refuse(s.kernel, index, set);
    return pass_object(&s, &given->sampler, sizeof(cl_sampler));
}

/* ---- local memory ---- */

/* The device with the most: whether there is enough on another one, the range's check tells. */
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
                            "%lld bytes of local memory for argument %s of kernel '%s': 1 is the least",
                            (long long)size, argument_told(self, index), self->name);
    if ((cl_ulong)size > on->local_memory)
        return error_record(CL_INVALID_ARG_SIZE, CLUE_CAUSE_LIMIT, set,
                            "%lld bytes of local memory for argument %s of kernel '%s' are more than %s has: %llu; "
                            "make what is kept there smaller",
                            (long long)size, argument_told(self, index), self->name, on->name,
                            (unsigned long long)on->local_memory);
    code = argument_pass(self, index, NULL, (size_t)size);
    if (code == 0) self->arguments[index].local_size = size;
    return code;
}
