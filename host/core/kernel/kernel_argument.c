/* kernel_argument.c - what a kernel's arguments are, whether they are ready, and how one is passed to the driver.
 *
 * kernel_value.c sets the arguments that are values, kernel_memory.c the others. */
#include "kernel/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char set[] = "clSetKernelArg";
static const char enqueue[] = "clEnqueueNDRangeKernel";

/* ---- asking the driver ---- */

/* NULL: no memory; "": the driver does not know. */
static char *ask_text(const kernel *of, cl_uint index, cl_kernel_arg_info property) {
    size_t size = 0;
    char *text;
    if (kernel_argument_info(of, index, property, 0, NULL, &size) != CL_SUCCESS) size = 0;
    text = calloc(1, size + 1);
    if (text && size && kernel_argument_info(of, index, property, size, text, NULL) != CL_SUCCESS) text[0] = '\0';
    return text;
}

/* "float4" becomes CLUE_FLOAT and 4, and so does a typedef for it; an enum is an int. A type that is not one of
 * OpenCL's numbers keeps CLUE_AUTO as its element; then the width means nothing. */
static void learn_type(argument *a, const program *p) {
    struct plain_type type;
    if (plain_type_read(&type, a->type) || typedef_find(&type, p, a->type)) {
        a->element = type.element;
        a->width = type.width;
        a->object_type = type.object;
    } else if (strncmp(a->type, "enum ", 5) == 0 && !strchr(a->type, '*')) {
        a->element = CLUE_INT;
        a->width = 1;
    }
}

/* What the driver says of an argument, besides its names; zeros if it does not know. */
struct qualifiers {
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_type_qualifier type;
};

static struct qualifiers ask_qualifiers(const kernel *of, cl_uint index) {
    struct qualifiers q = {0, 0, 0};
    (void)kernel_argument_info(of, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof q.address, &q.address, NULL);
    (void)kernel_argument_info(of, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof q.access, &q.access, NULL);
    (void)kernel_argument_info(of, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof q.type, &q.type, NULL);
    return q;
}

/* Only images and pipes have an access qualifier. It shows an image whose typedef is not known. */
static bool is_image(const argument *a, const struct qualifiers *q) {
    if (a->object_type) return !argument_is_sampler(a);
    return q->access && q->access != CL_KERNEL_ARG_ACCESS_NONE && !(q->type & CL_KERNEL_ARG_TYPE_PIPE) &&
           !strchr(a->type, '*');
}

/* An image has a __global address, as a buffer has; drivers crash if they get a buffer for it. */
static void learn_use(argument *a, const struct qualifiers *q) {
    a->constant = q->address == CL_KERNEL_ARG_ADDRESS_CONSTANT;
    a->access = q->access;
    if (q->address == CL_KERNEL_ARG_ADDRESS_LOCAL)
        a->takes = TAKES_LOCAL;
    else if (q->address == CL_KERNEL_ARG_ADDRESS_GLOBAL || a->constant)
        a->takes = is_image(a, q) ? TAKES_OBJECT : TAKES_BUFFER;
    else if (q->address == CL_KERNEL_ARG_ADDRESS_PRIVATE)
        a->takes = argument_is_sampler(a) ? TAKES_OBJECT : TAKES_VALUE;
}

/* PoCL does not say what the arguments of a binary's kernels are, and takes eight bytes of a value for a pointer as
 * the address of a memory object, which ends the process. It refuses NULL for whatever is no pointer. */
static int32_t learn_pointer(argument *a, const kernel *of, cl_uint index) {
    cl_int code;
    if (a->takes != TAKES_ANYTHING || !of->program->context->device->pocl) return 0;
    code = clSetKernelArg(of->kernel, index, sizeof(cl_mem), NULL);
    if (code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY) return error_check(code, set);
    if (code == CL_SUCCESS) a->takes = TAKES_POINTER;
    return 0;
}

static int32_t learn(argument *a, const kernel *of, cl_uint index) {
    struct qualifiers qualifiers;
    a->name = ask_text(of, index, CL_KERNEL_ARG_NAME);
    a->type = ask_text(of, index, CL_KERNEL_ARG_TYPE_NAME);
    if (!a->name || !a->type) return error_out_of_memory("clGetKernelArgInfo");
    advice_as_written(a->name, of->program);
    qualifiers = ask_qualifiers(of, index);
    learn_type(a, of->program);
    learn_use(a, &qualifiers);
    return learn_pointer(a, of, index);
}

int32_t arguments_learn(kernel *self) {
    cl_uint count = 0;
    int32_t code = CL_CALL(clGetKernelInfo, self->kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    if (code || count == 0) return code;
    self->arguments = calloc(count, sizeof *self->arguments);
    if (!self->arguments) return error_out_of_memory("clGetKernelArgInfo");
    self->count = (int32_t)count;
    for (cl_uint i = 0; i < count && code == 0; i++)
        code = learn(&self->arguments[i], self, i);
    return code;
}

void arguments_release(kernel *self) {
    for (int32_t i = 0; i < self->count; i++) {
        argument *a = &self->arguments[i];
        object_release(a->object);
        free(a->bytes);
        free(a->name);
        free(a->type);
    }
    free(self->arguments);
}

/* "2 'rows'", or "2" if the name is not known. Two buffers take turns, so that a message may use two. */
const char *argument_name(const kernel *self, int32_t index) {
    static char texts[2][160];
    static int turn;
    char *text = texts[turn ^= 1];
    const char *name = self->arguments[index].name;
    snprintf(text, sizeof texts[0], *name ? "%d '%s'" : "%d", (int)index, name);
    return text;
}

/* "a buffer (float*)" */
static const char *taken(const argument *a) {
    static const char *const kinds[] = {"a value, a buffer or a size of local memory",
                                        "a value",
                                        "a buffer",
                                        "a size of local memory in bytes",
                                        "an image",
                                        "a buffer or a size of local memory"};
    static char text[120];
    const char *kind = argument_is_sampler(a) ? "a sampler" : kinds[a->takes];
    snprintf(text, sizeof text, *a->type ? "%s (%s)" : "%s", kind, a->type);
    return text;
}

static int32_t argument_ready(const kernel *self, int32_t index) {
    const argument *a = &self->arguments[index];
    if (!a->set)
        return error_record(CL_INVALID_KERNEL_ARGS, CLUE_CAUSE_PARAMETER, enqueue,
                            "argument %s of kernel '%s' was never set: it takes %s", argument_name(self, index),
                            self->name, taken(a));
    if (a->object && a->object->handle == 0)
        return error_record(
            handle_missing_code(a->object->kind), CLUE_CAUSE_HANDLE, enqueue,
            "argument %s of kernel '%s' is %s %d, which was freed: free it after the kernel's last execution",
            argument_name(self, index), self->name, handle_kind_name(a->object->kind), (int)a->object_handle);
    if (a->object && a->buffer && buffer_is_mapped(a->buffer, true))
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, enqueue,
                            "argument %s of kernel '%s' is %s %d, which is mapped for writing by the host: "
                            "unmap it first",
                            argument_name(self, index), self->name, handle_kind_name(a->object->kind),
                            (int)a->object_handle);
    return 0;
}

int32_t arguments_ready(const kernel *self) {
    int32_t code = 0;
    for (int32_t i = 0; i < self->count && code == 0; i++)
        code = argument_ready(self, i);
    return code;
}

int32_t arguments_back(const kernel *self) {
    struct backing need = {NULL, 0};
    if (backing_complete()) return 0;
    for (int32_t i = 0; i < self->count; i++)
        if (self->arguments[i].buffer) backing_ask(&need, self->arguments[i].buffer);
    return backing_find(&need, enqueue);
}

int32_t arguments_over_constant(const kernel *self, const device *on) {
    const cl_ulong most = on->max_constant;
    for (int32_t i = 0; i < self->count; i++) {
        const argument *a = &self->arguments[i];
        if (a->constant && a->buffer && (cl_ulong)a->buffer->size > most) return i;
    }
    return -1;
}

int64_t arguments_local_memory(const kernel *self) {
    int64_t total = 0;
    for (int32_t i = 0; i < self->count; i++)
        total += self->arguments[i].local_size;
    return total;
}

/* ---- setting ---- */

/* NULL and a recorded failure if there is no such kernel or argument. */
kernel *argument_find(int32_t handle, int32_t index, const char *call) {
    kernel *self = (kernel *)handle_find(handle, CLUE_KERNEL, call);
    if (!self || (index >= 0 && index < self->count)) return self;
    if (self->count == 0)
        error_record(CL_INVALID_ARG_INDEX, CLUE_CAUSE_PARAMETER, call, "kernel '%s' has no arguments", self->name);
    else
        error_record(CL_INVALID_ARG_INDEX, CLUE_CAUSE_PARAMETER, call,
                     "kernel '%s' has no argument %d: its arguments are 0 to %d", self->name, (int)index,
                     (int)self->count - 1);
    return NULL;
}

bool argument_is_sampler(const argument *a) {
    return a->object_type && strcmp(a->object_type, "sampler_t") == 0;
}

/* Says what the argument is and what it takes. */
int32_t argument_refuse(const kernel *self, int32_t index, const char *call) {
    const argument *a = &self->arguments[index];
    const char *is = "", *takes = "";
    switch (a->takes) {
    case TAKES_VALUE:
        takes = "a value (in MQL5, CLSetKernelArg)";
        break;
    case TAKES_BUFFER:
        is = a->constant ? "a __constant pointer, " : "a __global pointer, ";
        takes = "a buffer (in MQL5, CLSetKernelArgMem)";
        break;
    case TAKES_POINTER:
        is = "a pointer";
        takes = "a buffer, or a size of local memory, cl.local_memory(bytes) or CLSetKernelArgMemLocal";
        break;
    case TAKES_LOCAL:
        is = "a __local pointer, ";
        takes = "a size in bytes, cl.local_memory(bytes) or CLSetKernelArgMemLocal";
        break;
    default:
        takes = argument_is_sampler(a) ? "a sampler" : "an image";
    }
    return error_record(CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, call,
                        "argument %s of kernel '%s' is %s%s: it takes %s", argument_name(self, index), self->name,
                        is, a->type, takes);
}

int32_t kernel_check_context(const kernel *self, object *given, const char *call) {
    if (context_of(given) == self->program->context) return 0;
    return error_record(CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER, call,
                        "%s %d belongs to another context than kernel '%s': make both in the same one",
                        handle_kind_name(given->kind), (int)given->handle, self->name);
}

bool argument_accepts(const argument *a, int32_t what) {
    if (a->takes == TAKES_POINTER) return what == TAKES_BUFFER || what == TAKES_LOCAL;
    return a->takes == what || a->takes == TAKES_ANYTHING;
}

/* Releases the previous object. */
void argument_passed(kernel *self, int32_t index) {
    argument *a = &self->arguments[index];
    object_release(a->object);
    a->object = NULL;
    a->buffer = NULL;
    a->local_size = 0;
    a->set = true;
    self->changes++;
}

void argument_hold(argument *a, object *given) {
    object_retain(given);
    a->object = given;
    a->object_handle = given->handle;
}

/* Keeps a value, which OpenCL never gives back, for a captured call. room: memory for more bytes; NULL: the old
 * memory is enough. */
static void keep_value(argument *a, unsigned char *room, const void *value, size_t size) {
    if (room) {
        free(a->bytes);
        a->bytes = room;
        a->size = size;
    }
    memcpy(a->bytes, value, size);
}

int32_t argument_pass(kernel *self, int32_t index, const void *value, size_t size) {
    argument *a = &self->arguments[index];
    const bool grows = value && (!a->bytes || a->size != size);
    unsigned char *room = grows ? malloc(size) : NULL;
    int32_t code;
    if (grows && !room) return error_out_of_memory(set);
    code = CL_CALL(clSetKernelArg, self->kernel, (cl_uint)index, size, value);
    if (code) {
        free(room);
        return code;
    }
    if (value) keep_value(a, room, value, size);
    argument_passed(self, index);
    return 0;
}

int32_t clue_kernel_argument_count(int32_t *count_out, int32_t handle) {
    const kernel *self = (kernel *)handle_find(handle, CLUE_KERNEL, "clGetKernelInfo");
    if (!self) return clue_error_code();
    *count_out = self->count;
    return 0;
}

int32_t clue_kernel_argument(const char **name_out, const char **type_out, int32_t handle, int32_t index) {
    const kernel *self = argument_find(handle, index, "clGetKernelArgInfo");
    if (!self) return clue_error_code();
    *name_out = self->arguments[index].name;
    *type_out = self->arguments[index].type;
    return 0;
}
