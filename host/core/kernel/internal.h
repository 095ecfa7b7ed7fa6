/* internal.h - what the files of this folder share among themselves; kernel.h is what the other folders see. */
#ifndef CLUE_KERNEL_INTERNAL_H
#define CLUE_KERNEL_INTERNAL_H

#include "device/device.h"
#include "kernel/kernel.h"

/* ---- kernel_facts.c ---- */

typedef struct kernel_limits {
    size_t sure_group;        /* CL_KERNEL_WORK_GROUP_SIZE, which some drivers exceed */
    size_t required_group[3]; /* reqd_work_group_size, zeros without */
    int64_t local_memory;     /* what the kernel declares itself, without __local arguments */
} kernel_limits;

enum { NVIDIA_OWN_LOCAL = 4 }; /* bytes that the driver may add to a kernel's local memory */

int32_t kernel_learn_limits(kernel *self);
const kernel_limits *kernel_limits_on(const kernel *self, const device *on);
/* clGetKernelArgInfo(), or what is kept of it. */
cl_int kernel_argument_info(const kernel *of, cl_uint index, cl_kernel_arg_info property, size_t size, void *value,
                            size_t *size_out);
/* What is kept of CL_KERNEL_ATTRIBUTES, of a kernel whose program came from the cache. */
int32_t kernel_kept_attributes(int64_t *size_out, const kernel *of, char *value, int64_t capacity);

/* ---- kernel_argument.c ---- */

int32_t arguments_learn(kernel *self);
/* The kernel, when it has such an argument; NULL and the failure recorded. */
kernel *argument_find(int32_t handle, int32_t index, const char *call);
bool argument_is_sampler(const argument *a);
bool argument_accepts(const argument *a, int32_t what);
/* Records what the argument takes instead. */
int32_t argument_refuse(const kernel *self, int32_t index, const char *call);
/* Hands it to the driver; what was the argument before is released. */
int32_t argument_pass(kernel *self, int32_t index, const void *value, size_t size);
/* The driver has taken it. */
void argument_passed(kernel *self, int32_t index);
/* Refuses an object of another context than the kernel's. */
int32_t kernel_check_context(const kernel *self, object *given, const char *call);
/* It is an object, which lives as long as it is the argument. */
void argument_hold(argument *a, object *given);
void arguments_release(kernel *self);
/* 0, or the failure: an argument not set, or one whose buffer was freed. */
int32_t arguments_ready(const kernel *self);
/* The index of a __constant argument whose buffer is larger than the device allows there, -1 for none. */
int32_t arguments_over_constant(const kernel *self, const device *on);
int64_t arguments_local_memory(const kernel *self);

/* ---- kernel_svm.c ---- */

/* clue_kernel_set_object() of shared virtual memory, of the kernel's context. */
int32_t kernel_set_svm(kernel *self, int32_t index, svm *given, int64_t offset);
/* 0, or the failure: memory reached through pointers that was freed, or is the host's at the moment. */
int32_t kernel_svm_ready(const kernel *self);
/* All shared virtual memory of an execution: room for it as a user before it is enqueued, then the use. */
int32_t kernel_svm_reserve(const kernel *self);
void kernel_svm_use(const kernel *self, execution *made);
void kernel_svm_release(kernel *self);

/* ---- kernel_range.c ---- */

/* Takes a range over into r, which has its device and its dimensions already. */
int32_t range_read(range *r, const int64_t *offset, const int64_t *global, const int64_t *local);
int32_t range_check(const range *r, const kernel *k);
/* The largest local size, up to `most`, that divides the global size. */
size_t range_divisor(size_t global, size_t most);
/* Makes the driver's refusal, just recorded, say more where that can be computed. */
void range_explain(const range *r, const kernel *k, int32_t code);

#endif
