/* misbehave.c - an OpenCL layer that makes a good driver a bad one: OPENCL_LAYERS=<this library>.
 *
 *   CLUE_MISBEHAVE=crash   mapping a buffer ends the process by SIGSEGV
 *   CLUE_MISBEHAVE=hang    mapping a buffer never comes back
 *   CLUE_MISBEHAVE=half    of kernels with more than 16 work-items, only half of the items run
 *   CLUE_MISBEHAVE=flip    the last byte of whatever is read is wrong, if it is more than 64 bytes
 * Anything else ends the process: a test must not pass because of a slip. The loader is silent about a layer that
 * it cannot load, but every one of these shows. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_layer.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cl_icd_dispatch *next;
static cl_icd_dispatch table;

static void *CL_API_CALL crash(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                               size_t offset, size_t size, cl_uint count, const cl_event *events,
                               cl_event *event_out, cl_int *error_out) {
    (void)signal(SIGSEGV, SIG_DFL); /* LLVM, within drivers, has a handler that goes on */
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

static void replace(const char *fault) {
    if (strcmp(fault, "crash") == 0)
        table.clEnqueueMapBuffer = crash;
    else if (strcmp(fault, "hang") == 0)
        table.clEnqueueMapBuffer = hang;
    else if (strcmp(fault, "half") == 0)
        table.clEnqueueNDRangeKernel = half;
    else if (strcmp(fault, "flip") == 0)
        table.clEnqueueReadBuffer = flip;
    else {
        (void)fprintf(stderr, "CLUE_MISBEHAVE=%s: crash, hang, half or flip\n", fault);
        exit(70);
    }
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t room, void *value, size_t *size_out) {
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const char *const own_name = "clue misbehaving layer";
    const void *answer = name == CL_LAYER_API_VERSION ? (const void *)&version : (const void *)own_name;
    const size_t size = name == CL_LAYER_API_VERSION ? sizeof version : strlen(own_name) + 1;
    if (name != CL_LAYER_API_VERSION && name != CL_LAYER_NAME) return CL_INVALID_VALUE;
    if (value != NULL && room < size) return CL_INVALID_VALUE;
    if (value != NULL) memcpy(value, answer, size);
    if (size_out != NULL) *size_out = size;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target, cl_uint *entries_out,
                                            const cl_icd_dispatch **table_out) {
    const char *fault = getenv("CLUE_MISBEHAVE");
    if (entries < sizeof table / sizeof(void *)) return CL_INVALID_VALUE;
    next = target;
    memcpy(&table, target, sizeof table);
    replace(fault ? fault : "");
    *entries_out = sizeof table / sizeof(void *);
    *table_out = &table;
    return CL_SUCCESS;
}
