/* stub.h - lets a test take the place of an OpenCL function. The heads of these functions are made from calls.def,
 * whose names their bodies use for the parameters; NEXT() calls the loader's own function with them:
 *
 *   STUB(clFlush) {
 *       flushes++;
 *       return refusal ? refusal : NEXT(clFlush);
 *   } */
#ifndef CLUE_TEST_STUB_H
#define CLUE_TEST_STUB_H

#include "stub_made.h"
#include "support.h"
#include "trace/calls.h"

#pragma GCC diagnostic ignored "-Wshadow" /* parameters are called buffer and queue, as the core's types are */

#define STUB(name) STUB_RESULT_##name name(STUB_PARAMETERS_##name)
#define NEXT(name) ((__typeof__(&name))loaders_function(#name))(STUB_ARGUMENTS_##name)

/* Answers a query, as all functions do that ask for facts. */
static inline cl_int answer(size_t size, void *value, size_t *size_out, const void *from, size_t bytes) {
    if (value) memcpy(value, from, size < bytes ? size : bytes);
    if (size_out) *size_out = bytes;
    return CL_SUCCESS;
}

#endif
