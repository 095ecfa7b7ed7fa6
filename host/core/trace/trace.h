/* trace.h - OpenCL for host/core: every call leads through the trace. base.h includes it, so no other file includes
 * <CL/cl.h>. Used by base, device, queue, memory, program, kernel, capture.
 *
 * The functions' names are macros here, so that what calls OpenCL need not know of it: off, a call costs the test
 * of trace_on. Three kinds: what only takes the host's time (TRACED), what waits for devices (TRACED_WAIT), and
 * commands, whose event the trace needs (functions of trace_calls.c). trace_spec.lua finds a call of the core that
 * is not listed here. The trace's own files and the C tests, which put functions of their own in OpenCL's place,
 * define CLUE_UNTRACED. */
#ifndef CLUE_TRACE_H
#define CLUE_TRACE_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- trace.c: the file of records ---- */

extern bool trace_on; /* calls are recorded */

void trace_begin(const char *call, bool waits);
void trace_end(cl_int code, bool waited);
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

/* waits: for a device, and may be the last thing that the process does. */
static inline void trace_enter(const char *call, bool waits) {
    if (trace_on) trace_begin(call, waits);
}

static inline cl_int trace_leave(cl_int code, bool waited) {
    if (trace_on) trace_end(code, waited);
    return code;
}

static inline void *trace_leave_made(void *made) {
    if (trace_on) trace_end(made ? CL_SUCCESS : 1, false);
    return made;
}

/* Where a device stands in the machine's list, -1 for a part of one; from device.c, once there is a list. */
extern int32_t (*trace_ordinal)(cl_device_id device);

/* ---- trace_calls.c ---- */

cl_command_queue trace_clCreateCommandQueue(cl_context context, cl_device_id device,
                                            cl_command_queue_properties properties, cl_int *error_out);
cl_int trace_clReleaseCommandQueue(cl_command_queue queue);

#define TRACE_WAITS cl_uint count, const cl_event *events, cl_event *event_out
cl_int trace_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                    const size_t *offset, const size_t *global, const size_t *local, TRACE_WAITS);
cl_int trace_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                 size_t size, void *data, TRACE_WAITS);
cl_int trace_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                  size_t size, const void *data, TRACE_WAITS);
cl_int trace_clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *origin,
                                     const size_t *host_origin, const size_t *region, size_t row, size_t slice,
                                     size_t host_row, size_t host_slice, void *data, TRACE_WAITS);
cl_int trace_clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *origin,
                                      const size_t *host_origin, const size_t *region, size_t row, size_t slice,
                                      size_t host_row, size_t host_slice, const void *data, TRACE_WAITS);
cl_int trace_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                 size_t to_offset, size_t size, TRACE_WAITS);
cl_int trace_clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                                     const size_t *to_origin, const size_t *region, size_t from_row,
                                     size_t from_slice, size_t to_row, size_t to_slice, TRACE_WAITS);
cl_int trace_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                                 size_t offset, size_t size, TRACE_WAITS);
cl_int trace_clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
                                const size_t *region, size_t row, size_t slice, void *data, TRACE_WAITS);
cl_int trace_clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
                                 const size_t *region, size_t row, size_t slice, const void *data, TRACE_WAITS);
cl_int trace_clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                                const size_t *to_origin, const size_t *region, TRACE_WAITS);
cl_int trace_clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *colour, const size_t *origin,
                                const size_t *region, TRACE_WAITS);
cl_int trace_clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *origin,
                                        const size_t *region, size_t offset, TRACE_WAITS);
cl_int trace_clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem from, cl_mem to, size_t offset,
                                        const size_t *origin, const size_t *region, TRACE_WAITS);
void *trace_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                               size_t offset, size_t size, TRACE_WAITS, cl_int *error_out);
void *trace_clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
                              const size_t *origin, const size_t *region, size_t *row_out, size_t *slice_out,
                              TRACE_WAITS, cl_int *error_out);
cl_int trace_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void *data, TRACE_WAITS);
cl_int trace_clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint number, const cl_mem *memories,
                                        cl_mem_migration_flags flags, TRACE_WAITS);
cl_int trace_clEnqueueMarkerWithWaitList(cl_command_queue queue, TRACE_WAITS);
cl_int trace_clEnqueueBarrierWithWaitList(cl_command_queue queue, TRACE_WAITS);
cl_int trace_clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *to, const void *from, size_t size,
                                TRACE_WAITS);
cl_int trace_clEnqueueSVMMemFill(cl_command_queue queue, void *to, const void *pattern, size_t pattern_size,
                                 size_t size, TRACE_WAITS);
cl_int trace_clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *data, size_t size,
                             TRACE_WAITS);
cl_int trace_clEnqueueSVMUnmap(cl_command_queue queue, void *data, TRACE_WAITS);

cl_int trace_clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint number, const void **data, const size_t *sizes,
                                    cl_mem_migration_flags flags, TRACE_WAITS);

#ifndef CLUE_UNTRACED
#include "trace/trace_names.h"
#endif

#endif
