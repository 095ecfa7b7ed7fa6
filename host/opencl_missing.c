/* opencl_missing.c - OpenCL's functions for a system without libOpenCL.so.1, as a library of their own: there are
 * no platforms. Without it, no process with libclue would start, so that nobody could say what to install.
 *
 * libclue needs this library, which is an auxiliary filter of libOpenCL.so.1 (ld --auxiliary): where that is, the
 * system's loader puts it before this one, and all calls are linked to it as ever; a library that was loaded
 * before, such as an interposer, still comes first. */
#include <stddef.h>
#include <stdint.h>

typedef int32_t cl_int;
typedef void *cl_context, *cl_command_queue, *cl_event, *cl_program, *cl_kernel, *cl_mem, *cl_sampler;

enum { NO_PLATFORM = -1001 }; /* CL_PLATFORM_NOT_FOUND_KHR */

/* A function that gives no code gives NULL. */
#define SHOWN __attribute__((visibility("default")))
#define CALL(result, name, ...)                                                                                    \
    SHOWN result name(void);                                                                                       \
    result name(void) {                                                                                            \
        return (result)(intptr_t)(sizeof(result) == sizeof(cl_int) ? NO_PLATFORM : 0);                             \
    }
#define FREES(kind, name, ...)                                                                                     \
    SHOWN void name(void);                                                                                         \
    void name(void) {}
#include "core/trace/calls.def"
