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
        *size_out = 0; /* Oclgrind returns bytes of memory that it has freed */
        return 0;
    }
    code = CL_CALL(clGetKernelInfo, k->kernel, property, value ? (size_t)capacity : 0, value, &size);
    if (code == 0) *size_out = (int64_t)size;
    return code;
}

/* ---- sub-groups ---- */

static const char sub_group_call[] = "clGetKernelSubGroupInfo";

enum { MOST_GIVEN = 3 };

static int32_t check_sub_groups(const device *on, const int32_t *given, int32_t count) {
    cl_uint most = 0;
    if (!device_has_version(on, 2, 1))
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, sub_group_call,
                            "%s has no such question, which came with OpenCL 2.1", on->name);
    (void)clGetDeviceInfo(on->id, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL);
    if (most == 0)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, sub_group_call,
                            "%s has no sub-groups (CL_DEVICE_MAX_NUM_SUB_GROUPS is 0)", on->name);
    if (count < 0 || count > MOST_GIVEN || (count > 0 && !given))
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, sub_group_call,
                            "a list of %d numbers: a local size has up to 3", (int)count);
    for (int32_t i = 0; i < count; i++)
        if (given[i] < 1)
            return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, sub_group_call, "%d: it must be at least 1",
                                (int)given[i]);
    return 0;
}

int32_t clue_kernel_sub_group_info(int64_t *size_out, int32_t handle, int32_t device_id, uint32_t property,
                                   const int32_t *given, int32_t count, void *value, int64_t capacity) {
    const kernel *k = (kernel *)handle_find(handle, CLUE_KERNEL, sub_group_call);
    const device *on = k ? context_device(k->program->context, device_id, handle, sub_group_call) : NULL;
    size_t sizes[MOST_GIVEN] = {0}, size = 0;
    int32_t code;
    if (!on) return clue_error_code();
    if ((code = error_check_capacity(capacity, sub_group_call)) || (code = check_sub_groups(on, given, count)))
        return code;
    for (int32_t i = 0; i < count; i++)
        sizes[i] = (size_t)given[i];
    code = CL_CALL(clGetKernelSubGroupInfo, k->kernel, on->id, property, (size_t)count * sizeof *sizes,
                   count ? sizes : NULL, value ? (size_t)capacity : 0, value, &size);
    if (code == 0) *size_out = (int64_t)size;
    return code;
}
