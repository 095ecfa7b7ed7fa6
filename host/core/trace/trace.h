/* trace.h - OpenCL for host/core: every call passes through the trace. base.h includes this file, so no other file
 * includes <CL/cl.h>. Used by base, device, queue, memory, program, kernel, graph, capture.
 *
 * Callers need not know about the trace. The names of OpenCL's functions are linked to functions in trace_calls.c,
 * which are made from calls.def; they record a call and pass it on. Without a trace, a call costs a few
 * instructions more. A file whose own calls must not be recorded defines CLUE_UNTRACED before its first #include.
 */
#ifndef CLUE_TRACE_H
#define CLUE_TRACE_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- trace.c: the file of records ---- */

/* Writes the times of the commands that have ended. Call it before the process ends. */
void trace_settle(void);

int64_t trace_now(void); /* nanoseconds of the monotonic clock */
/* Records that the trace itself took the time from then until now. */
void trace_own(int64_t began);
/* Starts to record in this file. If a file is being written already, continues in that one and sets *made_out to
 * false. Returns the file's path; NULL and errno if it cannot be written. */
const char *trace_open(bool *made_out, const char *path);
bool trace_is_on(void);
bool trace_well(void); /* true if nothing failed to be written so far */
void trace_close(void);

/* The ordinal of a device, -1 for a part of one. device.c sets it when it has made its list. */
extern int32_t (*trace_ordinal)(cl_device_id device);

/* ---- trace_calls.c: a call of clFlush() is linked to trace_clFlush(), and so on ---- */

#ifndef CLUE_UNTRACED
#define CALL(result, name, ...) extern __typeof__(name) name __asm__("trace_" #name);
#include "trace/calls.def"
#endif

/* The call of OpenCL that runs now; NULL: none. For signal handlers, too. */
const char *trace_running(void);
/* Whether this process was forked after OpenCL was used. Then every call fails with CL_INVALID_OPERATION. */
bool trace_forked(void);
/* Around the call of a function that has no row, since it belongs to an extension. */
const char *trace_enter(const char *call);
void trace_leave(const char *before);
#define TRACED(call, refusal, expression)                                                                          \
    (__extension__({                                                                                               \
        __typeof__(expression) answer = refusal;                                                                   \
        if (!trace_forked()) {                                                                                     \
            const char *const before = trace_enter(call);                                                          \
            answer = expression;                                                                                   \
            trace_leave(before);                                                                                   \
        }                                                                                                          \
        answer;                                                                                                    \
    }))

#endif
