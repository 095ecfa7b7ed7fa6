/* kernel_information.c - what the driver says about a kernel and its arguments, for callers only. */
#include "kernel/internal.h"

#include <string.h>

/* True if the driver answers; otherwise the value stays as it was. */
static bool ask(const kernel *of, int32_t index, cl_kernel_arg_info property, void *value_out, size_t size) {
    return kernel_argument_info(of, (cl_uint)index, property, size, value_out, NULL) == CL_SUCCESS;
}

int32_t clue_kernel_argument_qualifiers(int32_t *address_out, int32_t *access_out, int32_t *type_out,
                                        int32_t handle, int32_t index) {
    const char *name, *type_name;
    cl_kernel_arg_address_qualifier address = 0;
    cl_kernel_arg_access_qualifier access = 0;
    cl_kernel_arg_type_qualifier type = 0;
    const int32_t code = clue_kernel_argument(&name, &type_name, handle, index); /* is there one? */
    const kernel *k = code ? NULL : (kernel *)handle_find(handle, CLUE_KERNEL, "clGetKernelArgInfo");
    if (!k) return clue_error_code();
    if (!ask(k, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, &address, sizeof address) ||
        !ask(k, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, &access, sizeof access) ||
        !ask(k, index, CL_KERNEL_ARG_TYPE_QUALIFIER, &type, sizeof type))
        address = access = 0, type = 0;
    *address_out = (int32_t)address;
    *access_out = (int32_t)access;
    *type_out = (int32_t)type;
    return 0;
}

int32_t clue_kernel_info(int64_t *size_out, int32_t handle, uint32_t property, void *value, int64_t capacity) {
    static const char call[] = "clGetKernelInfo";
    const kernel *k = (kernel *)handle_find(handle, CLUE_KERNEL, call);
    size_t size = 0;
    int32_t code;
    if (!k) return clue_error_code();
    if ((code = error_check_capacity(capacity, call))) return code;
    if (property == CL_KERNEL_ATTRIBUTES && k->program->arguments)
        return kernel_kept_attributes(size_out, k, value, capacity);
    if (property == CL_KERNEL_ATTRIBUTES && k->program->context->device->oclgrind) {
        *size_out = 0; /* rusticl returns bytes of memory that it has freed */
        return 0;
    }
    code = CL_CALL(clGetKernelInfo, k->kernel, property, value ? (size_t)capacity : 0, value, &size);
    if (code == 0) *size_out = (int64_t)size;
    return code;
}
