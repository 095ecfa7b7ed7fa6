/* kept_context.h - keeps the driver's context while tests make and free clue's, one after the other.
 *
 * PoCL reads its library of built-in functions, which takes it 0.4 s, for each context that compiles something new.
 * So a context of the driver's is not released when clue has released it, but given to clue when it next makes one
 * for the same device. For tests with kernels of their own; tests/core/kernels.h has those that others share. */
#ifndef CLUE_TEST_KEPT_CONTEXT_H
#define CLUE_TEST_KEPT_CONTEXT_H

#include "stub.h"

static cl_context kept_context;
static cl_device_id kept_device;

STUB(clCreateContext) {
    const cl_context kept = kept_context;
    if (kept && count == 1 && devices[0] == kept_device) {
        kept_context = NULL;
        *error_out = CL_SUCCESS;
        return kept;
    }
    if (count == 1 && !kept) kept_device = devices[0];
    return NEXT(clCreateContext);
}

STUB(clReleaseContext) {
    if (kept_context) return NEXT(clReleaseContext);
    kept_context = object;
    return CL_SUCCESS;
}

#endif
