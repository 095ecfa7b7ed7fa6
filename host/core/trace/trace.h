/* trace.h - OpenCL for host/core: every call leads through the trace. base.h includes it, so no other file includes
 * <CL/cl.h>. Used by base, device, queue, memory, program, kernel, capture.
 *
 * What calls OpenCL need not know of it: the names of OpenCL's functions are linked to functions of trace_calls.c,
 * made from calls.def, which record a call and pass it on. Without a trace, a call costs one look more. A file
 * whose own calls no trace is to show defines CLUE_UNTRACED before it includes anything. */
#ifndef CLUE_TRACE_H
#define CLUE_TRACE_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- trace.c: the file of records ---- */

/* Writes what is known by now of commands that have ended; to be called before the process ends. */
void trace_settle(void);

int64_t trace_now(void); /* nanoseconds of the monotonic clock */
/* Recording took the time from then until now. */
void trace_own(int64_t began);
/* Records from now on, into this file (made), or the one that is written already; its path; NULL and errno: it
 * cannot be written. */
const char *trace_open(bool *made_out, const char *path);
bool trace_well(void); /* all could be written so far */
void trace_close(void);

/* Where a device stands in the machine's list, -1 for a part of one; from device.c, once there is a list. */
extern int32_t (*trace_ordinal)(cl_device_id device);

/* ---- trace_calls.c: clFlush() is linked to its trace_clFlush(), and so on ---- */

#ifndef CLUE_UNTRACED
#define CALL(result, name, ...) extern __typeof__(name) name __asm__("trace_" #name);
#define BRIEF(...)
#include "trace/calls.def"
#endif

#endif
