/* kept_context.h - keeps the driver's context while tests make and free clue's, one after the other.
 *
 * PoCL reads its library of built-in functions, which takes it 0.4 s, for each context that compiles something new.
 * So a context of the driver's is not released when clue has released it, but given to clue when it next makes one
 * for the same device. For tests with kernels of their own; tests/core/kernels.h has those that others share. */
#ifndef CLUE_TEST_KEPT_CONTEXT_H
#define CLUE_TEST_KEPT_CONTEXT_H

#include "support.h"
#include "trace/calls.h"

static cl_context kept_context;
static cl_device_id kept_device;

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                           call_context_notify notify, void *data, cl_int *error_out) {
    __typeof__(&clCreateContext) next;
    const cl_context kept = kept_context;
    find_driver_function(&next, "clCreateContext");
    if (kept && count == 1 && devices[0] == kept_device) {
        kept_context = NULL;
        *error_out = CL_SUCCESS;
        return kept;
    }
    if (count == 1 && !kept) kept_device = devices[0];
    return next(properties, count, devices, notify, data, error_out);
}

cl_int clReleaseContext(cl_context context) {
    __typeof__(&clReleaseContext) next;
    find_driver_function(&next, "clReleaseContext");
    if (kept_context) return next(context);
    kept_context = context;
    return CL_SUCCESS;
}

#endif
