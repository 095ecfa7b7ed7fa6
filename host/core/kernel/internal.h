/* internal.h - what the files of this folder share; kernel.h is for the other folders. */
#ifndef CLUE_KERNEL_INTERNAL_H
#define CLUE_KERNEL_INTERNAL_H

#include "device/device.h"
#include "kernel/kernel.h"

/* ---- kernel.c ---- */

/* A kernel without a handle; the caller has its only reference. NULL and a recorded failure if that fails. */
kernel *kernel_make(program *of, const char *name);

/* ---- kernel_facts.c ---- */

typedef struct kernel_limits {
    size_t sure_group;        /* CL_KERNEL_WORK_GROUP_SIZE, which some drivers exceed */
    size_t required_group[3]; /* reqd_work_group_size; zeros without it */
    int64_t local_memory;     /* what the kernel itself declares, without __local arguments */
} kernel_limits;

enum { NVIDIA_OWN_LOCAL = 4 }; /* bytes that the driver may add to a kernel's local memory */

int32_t kernel_learn_limits(kernel *self);
const kernel_limits *kernel_limits_on(const kernel *self, const device *on);
/* The answer of clGetKernelArgInfo(), or the copy of it that the cache kept. */
cl_int kernel_argument_info(const kernel *of, cl_uint index, cl_kernel_arg_info property, size_t size, void *value,
                            size_t *size_out);
/* The copy of CL_KERNEL_ATTRIBUTES that the cache kept, for a kernel whose program came from there. */
int32_t kernel_kept_attributes(int64_t *size_out, const kernel *of, char *value, int64_t capacity);

/* ---- kernel_argument.c ---- */

int32_t arguments_learn(kernel *self);
/* The kernel, if it has such an argument; NULL and a recorded failure if not. */
kernel *argument_find(int32_t handle, int32_t index, const char *call);
bool argument_is_sampler(const argument *a);
bool argument_accepts(const argument *a, int32_t what);
/* Records a failure that says what the argument takes. */
int32_t argument_refuse(const kernel *self, int32_t index, const char *call);
/* Gives the argument to the driver, and releases the previous object. */
int32_t argument_pass(kernel *self, int32_t index, const void *value, size_t size);
/* Called after the driver has taken the argument. */
void argument_passed(kernel *self, int32_t index);
/* Refuses an object of another context than the kernel's. */
int32_t kernel_check_context(const kernel *self, object *given, const char *call);
/* Sets an object, which lives as long as it is the argument. */
void argument_hold(argument *a, object *given);
void arguments_release(kernel *self);
/* Fails if an argument is not set, or its object was freed. */
int32_t arguments_ready(const kernel *self);
/* Finds memory for the arguments that no command has used yet. */
int32_t arguments_back(const kernel *self);
/* The index of a __constant argument whose buffer is larger than the device allows; -1 for none. */
int32_t arguments_over_constant(const kernel *self, const device *on);
int64_t arguments_local_memory(const kernel *self);

/* ---- kernel_svm.c ---- */

/* clue_kernel_set_object() of shared virtual memory, of the kernel's context. */
int32_t kernel_set_svm(kernel *self, int32_t index, svm *given, int64_t offset);
/* Fails if memory that the kernel reaches through pointers was freed, or belongs to the host now. */
int32_t kernel_svm_ready(const kernel *self);
/* After kernel_svm_reserve(): the execution uses all shared virtual memory of the kernel. */
void kernel_svm_use(const kernel *self, execution *made);
int32_t kernel_svm_copy(kernel *to, const kernel *from);
void kernel_svm_release(kernel *self);

/* ---- kernel_range.c ---- */

/* Copies a range into r, which already has its device and its dimensions. */
int32_t range_read(range *r, const int64_t *offset, const int64_t *global, const int64_t *local);
/* The largest local size, at most `most`, that divides the global size. */
size_t range_divisor(size_t global, size_t most);

#endif
