/* misbehave.c - an OpenCL layer that makes a good driver behave like a bad one.
 *
 *   CLUE_MISBEHAVE=crash   mapping a buffer ends the process by SIGSEGV
 *   CLUE_MISBEHAVE=hang    mapping a buffer never returns
 *   CLUE_MISBEHAVE=half    only half of the work-items run, of kernels with more than 16 of them
 *   CLUE_MISBEHAVE=flip    the last byte of every read of more than 64 bytes is wrong
 *   CLUE_MISBEHAVE=fault   a kernel whose name begins with out_of_bounds breaks its context, as on NVIDIA's driver
 *   CLUE_MISBEHAVE=full    only 64 KiB of buffers can be allocated
 *   CLUE_MISBEHAVE=few     work-groups of more than 8 work-items need more registers than there are
 *   CLUE_MISBEHAVE=still   the device's timer, which profiling reads, stands still
 *   CLUE_MISBEHAVE=back    it runs backwards
 *
 * After a fault, the kernel and the commands after it fail at the next wait, and from then on nearly every call
 * does. Any other value ends the process, so that no test passes because of a typing mistake. */
#define LAYER "clue misbehaving layer"
#include "layer.h"

#include <signal.h>
#include <unistd.h>

typedef void(CL_CALLBACK *context_notify)(const char *, const void *, size_t, void *);

static void *CL_API_CALL crash(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                               size_t offset, size_t size, cl_uint count, const cl_event *events,
                               cl_event *event_out, cl_int *error_out) {
    (void)signal(SIGSEGV, SIG_DFL); /* drivers contain LLVM, whose handler would let the process go on */
    (void)raise(SIGSEGV);
    return next->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, count, events, event_out,
                                    error_out);
}

static void *CL_API_CALL hang(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                              size_t offset, size_t size, cl_uint count, const cl_event *events,
                              cl_event *event_out, cl_int *error_out) {
    for (int minutes = 0; minutes < 60; minutes++)
        (void)sleep(60);
    return crash(queue, buffer, blocking, flags, offset, size, count, events, event_out, error_out);
}

static cl_int CL_API_CALL half(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                               const size_t *global, const size_t *local, cl_uint count, const cl_event *events,
                               cl_event *event_out) {
    const size_t groups = local ? global[0] / local[0] : 1;
    size_t less[3] = {global[0], dimensions > 1 ? global[1] : 1, dimensions > 2 ? global[2] : 1};
    if (global[0] > 16 && groups > 1) less[0] = (groups + 1) / 2 * local[0];
    return next->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, less, local, count, events, event_out);
}

static cl_int CL_API_CALL flip(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
                               void *data, cl_uint count, const cl_event *events, cl_event *event_out) {
    cl_int code = next->clEnqueueReadBuffer(queue, buffer, blocking, offset, size, data, count, events, event_out);
    if (code == CL_SUCCESS && size > 64) ((unsigned char *)data)[size - 1] ^= 1;
    return code;
}

/* ---- fault: the answers of driver 580 on an H200 ---- */

enum { ILLEGAL_ACCESS = -9999, MOST_FAILED = 64 };
static cl_event failed[MOST_FAILED]; /* the events of the kernel and of those after it */
static int failed_count;
static bool broken; /* the caller has waited since the fault */

static bool is_out_of_bounds(cl_kernel kernel) {
    static const char name[] = "out_of_bounds";
    char text[64] = "";
    (void)next->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof text - 1, text, NULL);
    return strncmp(text, name, sizeof name - 1) == 0;
}

static cl_int CL_API_CALL fault_range(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                      const size_t *offset, const size_t *global, const size_t *local,
                                      cl_uint count, const cl_event *events, cl_event *event_out) {
    cl_int code =
        next->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, events, event_out);
    if (event_out && failed_count < MOST_FAILED && (failed_count || is_out_of_bounds(kernel)))
        failed[failed_count++] = *event_out;
    return code;
}

static cl_int CL_API_CALL fault_wait(cl_uint count, const cl_event *events) {
    cl_int code = next->clWaitForEvents(count, events);
    broken = failed_count > 0;
    for (int i = 0; i < failed_count; i++)
        if (failed[i] == events[0]) return ILLEGAL_ACCESS;
    return code;
}

static cl_int CL_API_CALL fault_info(cl_event event, cl_event_info name, size_t room, void *value,
                                     size_t *size_out) {
    return broken ? ILLEGAL_ACCESS : next->clGetEventInfo(event, name, room, value, size_out);
}

static cl_int CL_API_CALL fault_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                     size_t size, void *data, cl_uint count, const cl_event *events,
                                     cl_event *event_out) {
    broken = failed_count > 0;
    if (broken) return CL_OUT_OF_RESOURCES;
    return next->clEnqueueReadBuffer(queue, buffer, blocking, offset, size, data, count, events, event_out);
}

static cl_int CL_API_CALL fault_flush(cl_command_queue queue) {
    return broken ? ILLEGAL_ACCESS : next->clFlush(queue);
}

static cl_context CL_API_CALL fault_context(const cl_context_properties *properties, cl_uint count,
                                            const cl_device_id *devices, context_notify notify, void *data,
                                            cl_int *error_out) {
    if (!broken) return next->clCreateContext(properties, count, devices, notify, data, error_out);
    if (error_out) *error_out = ILLEGAL_ACCESS;
    return NULL;
}

static void replace_for_fault(void) {
    table.clEnqueueNDRangeKernel = fault_range;
    table.clWaitForEvents = fault_wait;
    table.clGetEventInfo = fault_info;
    table.clEnqueueReadBuffer = fault_read;
    table.clFlush = fault_flush;
    table.clCreateContext = fault_context;
}

/* ---- full, few ---- */

static cl_mem CL_API_CALL full(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error_out) {
    static size_t used;
    if (used + size <= 65536) {
        used += size;
        return next->clCreateBuffer(context, flags, size, host, error_out);
    }
    if (error_out) *error_out = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

static cl_int CL_API_CALL few(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint count, const cl_event *events,
                              cl_event *event_out) {
    if (local && local[0] > 8) return CL_OUT_OF_RESOURCES;
    return next->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, events, event_out);
}

static cl_int CL_API_CALL few_sure(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name,
                                   size_t room, void *value, size_t *size_out) {
    const size_t sure = 8;
    cl_int code = next->clGetKernelWorkGroupInfo(kernel, device, name, room, value, size_out);
    if (code == CL_SUCCESS && name == CL_KERNEL_WORK_GROUP_SIZE && value) memcpy(value, &sure, sizeof sure);
    return code;
}

/* ---- still, back ---- */

static bool backwards;

static cl_int CL_API_CALL wrong_timer(cl_event event, cl_profiling_info name, size_t room, void *value,
                                      size_t *size_out) {
    const cl_int code = next->clGetEventProfilingInfo(event, name, room, value, size_out);
    cl_ulong time;
    if (code != CL_SUCCESS || !value) return code;
    memcpy(&time, value, sizeof time);
    time = backwards ? ((cl_ulong)1 << 62) - time : 12345;
    memcpy(value, &time, sizeof time);
    return code;
}

/* ---- the layer ---- */

static void begin(void) {
    const char *fault = getenv("CLUE_MISBEHAVE");
    if (!fault) fault = "";
    if (strcmp(fault, "crash") == 0)
        table.clEnqueueMapBuffer = crash;
    else if (strcmp(fault, "hang") == 0)
        table.clEnqueueMapBuffer = hang;
    else if (strcmp(fault, "half") == 0)
        table.clEnqueueNDRangeKernel = half;
    else if (strcmp(fault, "flip") == 0)
        table.clEnqueueReadBuffer = flip;
    else if (strcmp(fault, "fault") == 0)
        replace_for_fault();
    else if (strcmp(fault, "full") == 0)
        table.clCreateBuffer = full;
    else if (strcmp(fault, "few") == 0) {
        table.clEnqueueNDRangeKernel = few;
        table.clGetKernelWorkGroupInfo = few_sure;
    } else if (strcmp(fault, "still") == 0 || strcmp(fault, "back") == 0) {
        backwards = *fault == 'b';
        table.clGetEventProfilingInfo = wrong_timer;
    } else {
        (void)fprintf(stderr, "CLUE_MISBEHAVE=%s: crash, hang, half, flip, fault, full, few, still or back\n",
                      fault);
        exit(70);
    }
}
