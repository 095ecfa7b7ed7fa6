/* kernel_facts.c - what the driver says about a kernel, or the copy of it that the cache kept with its program. */
#include "kernel/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- limits ---- */

/* The least memory that the reported size can mean: rusticl counts it twice, NVIDIA adds up to 4 bytes. */
static cl_ulong declared_local_memory(const device *on, cl_ulong reported) {
    if (on->rusticl) return reported / 2;
    if (on->nvidia) return reported > NVIDIA_OWN_LOCAL ? reported - NVIDIA_OWN_LOCAL : 0;
    return reported;
}

static int32_t learn_limits_on(kernel_limits *limits, const kernel *k, const device *on) {
    cl_ulong local = 0;
    int32_t code = CL_CALL(clGetKernelWorkGroupInfo, k->kernel, on->id, CL_KERNEL_WORK_GROUP_SIZE,
                           sizeof limits->sure_group, &limits->sure_group, NULL);
    if (code) return code;
    if (clGetKernelWorkGroupInfo(k->kernel, on->id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL) ==
        CL_SUCCESS)
        limits->local_memory = (int64_t)declared_local_memory(on, local);
    if (clGetKernelWorkGroupInfo(k->kernel, on->id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                 sizeof limits->required_group, limits->required_group, NULL) != CL_SUCCESS)
        memset(limits->required_group, 0, sizeof limits->required_group);
    return 0;
}

int32_t kernel_learn_limits(kernel *k) {
    const context *in = k->program->context;
    int32_t code = 0;
    k->limits = calloc(in->device_count, sizeof *k->limits);
    if (!k->limits) return error_out_of_memory("clCreateKernel");
    for (cl_uint i = 0; i < in->device_count && code == 0; i++)
        code = learn_limits_on(&k->limits[i], k, in->devices[i]);
    return code;
}

const kernel_limits *kernel_limits_on(const kernel *k, const device *on) {
    return &k->limits[context_index(k->program->context, on)];
}

/* ---- arguments and attributes ---- */

cl_int kernel_argument_info(const kernel *of, cl_uint index, cl_kernel_arg_info property, size_t size, void *value,
                            size_t *size_out) {
    const char *kept = of->program->arguments;
    if (kept) return kept_argument_info(kept, of->name, index, property, size, value, size_out);
    return clGetKernelArgInfo(of->kernel, index, property, size, value, size_out);
}

int32_t kernel_kept_attributes(int64_t *size_out, const kernel *of, char *value, int64_t capacity) {
    size_t length = 0;
    const char *kept = kept_attributes(&length, of->program->arguments, of->name);
    const int32_t code = value ? error_check_answer(capacity, (int64_t)length + 1, "clGetKernelInfo") : 0;
    if (code) return code;
    if (value) memcpy(value, kept, length);
    if (value) value[length] = '\0';
    *size_out = (int64_t)length + 1;
    return 0;
}
