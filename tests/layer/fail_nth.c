/* fail_nth.c - an OpenCL layer for fault injection: the n-th OpenCL call fails, and at exit it tells what is left.
 *
 * The ICD loader puts it between the host and the driver: OPENCL_LAYERS=<this library>. What it does stands in the
 * environment:
 *   CLUE_FAIL_CLASS   act: calls that create, build, set, enqueue or wait (the default); ask: calls that only query
 *   CLUE_FAIL_NTH     which of them fails, from 1; 0 or nothing: none
 *   CLUE_FAIL_REPORT  the file that it writes at exit, one "name value" on each line: how many calls of the class
 *                     there were, which one failed ("-": none), and per kind of object how many are unreleased
 * The loader is silent about a layer that it cannot load: who uses this one must look for the report. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_layer.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum call_class { ACT, ASK };
enum kind { CONTEXT, QUEUE, PROGRAM, KERNEL, MEMORY, EVENT, DEVICE, SAMPLER, SVM, KINDS };

static const char *const kind_names[KINDS] = {"context", "queue",  "program", "kernel", "memory",
                                              "event",   "device", "sampler", "svm"};
static const cl_icd_dispatch *next; /* the next layer's table, or the loader's own */
static cl_icd_dispatch table;       /* ours */
static enum call_class chosen_class;
static long chosen, calls, live[KINDS];
static const char *failed = "-";

static bool fails(enum call_class class, const char *function) {
    if (class != chosen_class) return false;
    calls += 1;
    if (calls != chosen) return false;
    failed = function;
    return true;
}

/* ---- what a replaced call looks like, by what it does to the counts ---- */

#define CREATES(kind, type, function, parameters, arguments)                                                       \
    static type CL_API_CALL fail_##function parameters {                                                           \
        if (fails(ACT, #function)) {                                                                               \
            if (error_out != NULL) *error_out = CL_OUT_OF_HOST_MEMORY;                                             \
            return NULL;                                                                                           \
        }                                                                                                          \
        type made = next->function arguments;                                                                      \
        if (made != NULL) live[kind] += 1;                                                                         \
        return made;                                                                                               \
    }

#define ENQUEUES(function, parameters, arguments)                                                                  \
    static cl_int CL_API_CALL fail_##function parameters {                                                         \
        if (fails(ACT, #function)) return CL_OUT_OF_RESOURCES;                                                     \
        cl_int code = next->function arguments;                                                                    \
        if (code == CL_SUCCESS && event_out != NULL) live[EVENT] += 1;                                             \
        return code;                                                                                               \
    }

#define CALLS(class, code, function, parameters, arguments)                                                        \
    static cl_int CL_API_CALL fail_##function parameters {                                                         \
        return fails(class, #function) ? (code) : next->function arguments;                                        \
    }

#define COUNTS(kind, change, function, type)                                                                       \
    static cl_int CL_API_CALL count_##function(type object) {                                                      \
        cl_int code = next->function(object);                                                                      \
        if (code == CL_SUCCESS) live[kind] += (change);                                                            \
        return code;                                                                                               \
    }

/* ---- calls that act ---- */

typedef void(CL_CALLBACK *context_notify)(const char *, const void *, size_t, void *);
typedef void(CL_CALLBACK *program_notify)(cl_program, void *);

CREATES(CONTEXT, cl_context, clCreateContext,
        (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices, context_notify notify,
         void *data, cl_int *error_out),
        (properties, count, devices, notify, data, error_out))
CREATES(QUEUE, cl_command_queue, clCreateCommandQueue,
        (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *error_out),
        (context, device, properties, error_out))
CREATES(QUEUE, cl_command_queue, clCreateCommandQueueWithProperties,
        (cl_context context, cl_device_id device, const cl_queue_properties *properties, cl_int *error_out),
        (context, device, properties, error_out))
CREATES(PROGRAM, cl_program, clCreateProgramWithSource,
        (cl_context context, cl_uint count, const char **strings, const size_t *lengths, cl_int *error_out),
        (context, count, strings, lengths, error_out))
CREATES(PROGRAM, cl_program, clCreateProgramWithBinary,
        (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,
         const unsigned char **binaries, cl_int *statuses, cl_int *error_out),
        (context, count, devices, lengths, binaries, statuses, error_out))
CREATES(PROGRAM, cl_program, clCreateProgramWithIL,
        (cl_context context, const void *il, size_t length, cl_int *error_out), (context, il, length, error_out))
CREATES(PROGRAM, cl_program, clLinkProgram,
        (cl_context context, cl_uint device_count, const cl_device_id *devices, const char *options, cl_uint count,
         const cl_program *programs, program_notify notify, void *data, cl_int *error_out),
        (context, device_count, devices, options, count, programs, notify, data, error_out))
CREATES(KERNEL, cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *error_out),
        (program, name, error_out))
CREATES(MEMORY, cl_mem, clCreateBuffer,
        (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error_out),
        (context, flags, size, host, error_out))

CREATES(MEMORY, cl_mem, clCreateImage,
        (cl_context context, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *shape,
         void *host, cl_int *error_out),
        (context, flags, format, shape, host, error_out))

CREATES(MEMORY, cl_mem, clCreateSubBuffer,
        (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *region, cl_int *error_out),
        (buffer, flags, type, region, error_out))
CREATES(SAMPLER, cl_sampler, clCreateSampler,
        (cl_context context, cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter,
         cl_int *error_out),
        (context, normalized, addressing, filter, error_out))

CREATES(EVENT, cl_event, clCreateUserEvent, (cl_context context, cl_int *error_out), (context, error_out))

CALLS(ACT, CL_OUT_OF_RESOURCES, clSetUserEventStatus, (cl_event event, cl_int status), (event, status))
CALLS(ACT, CL_OUT_OF_HOST_MEMORY, clBuildProgram,
      (cl_program program, cl_uint count, const cl_device_id *devices, const char *options, program_notify notify,
       void *data),
      (program, count, devices, options, notify, data))
CALLS(ACT, CL_OUT_OF_HOST_MEMORY, clCompileProgram,
      (cl_program program, cl_uint count, const cl_device_id *devices, const char *options, cl_uint header_count,
       const cl_program *headers, const char **names, program_notify notify, void *data),
      (program, count, devices, options, header_count, headers, names, notify, data))
CALLS(ACT, CL_OUT_OF_HOST_MEMORY, clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value),
      (kernel, index, size, value))
CALLS(ACT, CL_OUT_OF_HOST_MEMORY, clSetMemObjectDestructorCallback,
      (cl_mem memory, void(CL_CALLBACK *notify)(cl_mem, void *), void *data), (memory, notify, data))
CALLS(ACT, CL_OUT_OF_RESOURCES, clFlush, (cl_command_queue queue), (queue))
CALLS(ACT, CL_OUT_OF_RESOURCES, clFinish, (cl_command_queue queue), (queue))
CALLS(ACT, CL_OUT_OF_RESOURCES, clWaitForEvents, (cl_uint count, const cl_event *events), (count, events))

ENQUEUES(clEnqueueNDRangeKernel,
         (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
          const size_t *local, cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, kernel, dimensions, offset, global, local, count, events, event_out))
ENQUEUES(clEnqueueReadBuffer,
         (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *data,
          cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, buffer, blocking, offset, size, data, count, events, event_out))
ENQUEUES(clEnqueueWriteBuffer,
         (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, const void *data,
          cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, buffer, blocking, offset, size, data, count, events, event_out))

/* Asked for their number first, which makes none. */
static cl_int CL_API_CALL fail_clCreateSubDevices(cl_device_id device,
                                                  const cl_device_partition_property *properties, cl_uint size,
                                                  cl_device_id *devices, cl_uint *count_out) {
    if (fails(ACT, "clCreateSubDevices")) return CL_OUT_OF_HOST_MEMORY;
    cl_int code = next->clCreateSubDevices(device, properties, size, devices, count_out);
    if (code == CL_SUCCESS && devices != NULL) live[DEVICE] += size;
    return code;
}

ENQUEUES(clEnqueueCopyBuffer,
         (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size,
          cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, from, to, from_offset, to_offset, size, count, events, event_out))
ENQUEUES(clEnqueueFillBuffer,
         (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset,
          size_t size, cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, buffer, pattern, pattern_size, offset, size, count, events, event_out))
ENQUEUES(clEnqueueUnmapMemObject,
         (cl_command_queue queue, cl_mem buffer, void *data, cl_uint count, const cl_event *events,
          cl_event *event_out),
         (queue, buffer, data, count, events, event_out))

ENQUEUES(clEnqueueMarkerWithWaitList,
         (cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, count, events, event_out))
ENQUEUES(clEnqueueBarrierWithWaitList,
         (cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, count, events, event_out))
ENQUEUES(clEnqueueNativeKernel,
         (cl_command_queue queue, void(CL_CALLBACK *run)(void *), void *arguments, size_t size,
          cl_uint object_count, const cl_mem *objects, const void **places, cl_uint count, const cl_event *events,
          cl_event *event_out),
         (queue, run, arguments, size, object_count, objects, places, count, events, event_out))
ENQUEUES(clEnqueueMigrateMemObjects,
         (cl_command_queue queue, cl_uint size, const cl_mem *objects, cl_mem_migration_flags flags, cl_uint count,
          const cl_event *events, cl_event *event_out),
         (queue, size, objects, flags, count, events, event_out))

ENQUEUES(clEnqueueReadImage,
         (cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin, const size_t *region,
          size_t row, size_t slice, void *data, cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, image, blocking, origin, region, row, slice, data, count, events, event_out))
ENQUEUES(clEnqueueWriteImage,
         (cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin, const size_t *region,
          size_t row, size_t slice, const void *data, cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, image, blocking, origin, region, row, slice, data, count, events, event_out))

ENQUEUES(clEnqueueReadBufferRect,
         (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *buffer_origin,
          const size_t *host_origin, const size_t *region, size_t buffer_row, size_t buffer_slice, size_t host_row,
          size_t host_slice, void *data, cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, buffer, blocking, buffer_origin, host_origin, region, buffer_row, buffer_slice, host_row,
          host_slice, data, count, events, event_out))
ENQUEUES(clEnqueueWriteBufferRect,
         (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *buffer_origin,
          const size_t *host_origin, const size_t *region, size_t buffer_row, size_t buffer_slice, size_t host_row,
          size_t host_slice, const void *data, cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, buffer, blocking, buffer_origin, host_origin, region, buffer_row, buffer_slice, host_row,
          host_slice, data, count, events, event_out))
ENQUEUES(clEnqueueCopyBufferRect,
         (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin, const size_t *to_origin,
          const size_t *region, size_t from_row, size_t from_slice, size_t to_row, size_t to_slice, cl_uint count,
          const cl_event *events, cl_event *event_out),
         (queue, from, to, from_origin, to_origin, region, from_row, from_slice, to_row, to_slice, count, events,
          event_out))
ENQUEUES(clEnqueueCopyImage,
         (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin, const size_t *to_origin,
          const size_t *region, cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, from, to, from_origin, to_origin, region, count, events, event_out))
ENQUEUES(clEnqueueCopyImageToBuffer,
         (cl_command_queue queue, cl_mem image, cl_mem buffer, const size_t *origin, const size_t *region,
          size_t offset, cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, image, buffer, origin, region, offset, count, events, event_out))
ENQUEUES(clEnqueueCopyBufferToImage,
         (cl_command_queue queue, cl_mem buffer, cl_mem image, size_t offset, const size_t *origin,
          const size_t *region, cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, buffer, image, offset, origin, region, count, events, event_out))
ENQUEUES(clEnqueueFillImage,
         (cl_command_queue queue, cl_mem image, const void *colour, const size_t *origin, const size_t *region,
          cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, image, colour, origin, region, count, events, event_out))

static void *CL_API_CALL fail_clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                                cl_map_flags flags, const size_t *origin, const size_t *region,
                                                size_t *row_out, size_t *slice_out, cl_uint count,
                                                const cl_event *events, cl_event *event_out, cl_int *error_out) {
    if (fails(ACT, "clEnqueueMapImage")) {
        if (error_out != NULL) *error_out = CL_OUT_OF_RESOURCES;
        return NULL;
    }
    void *data = next->clEnqueueMapImage(queue, image, blocking, flags, origin, region, row_out, slice_out, count,
                                         events, event_out, error_out);
    if (data != NULL && event_out != NULL) live[EVENT] += 1;
    return data;
}

static void *CL_API_CALL fail_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                 cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                                 const cl_event *events, cl_event *event_out, cl_int *error_out) {
    if (fails(ACT, "clEnqueueMapBuffer")) {
        if (error_out != NULL) *error_out = CL_OUT_OF_RESOURCES;
        return NULL;
    }
    void *data =
        next->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, count, events, event_out, error_out);
    if (data != NULL && event_out != NULL) live[EVENT] += 1;
    return data;
}

/* ---- calls that only ask ---- */

#define ASKS(function, type, information)                                                                          \
    CALLS(ASK, CL_OUT_OF_HOST_MEMORY, function,                                                                    \
          (type object, information name, size_t size, void *value, size_t *size_out),                             \
          (object, name, size, value, size_out))

CALLS(ASK, CL_OUT_OF_HOST_MEMORY, clGetPlatformIDs, (cl_uint size, cl_platform_id *platforms, cl_uint *count_out),
      (size, platforms, count_out))
CALLS(ASK, CL_OUT_OF_HOST_MEMORY, clGetDeviceIDs,
      (cl_platform_id platform, cl_device_type type, cl_uint size, cl_device_id *devices, cl_uint *count_out),
      (platform, type, size, devices, count_out))
ASKS(clGetPlatformInfo, cl_platform_id, cl_platform_info)
ASKS(clGetDeviceInfo, cl_device_id, cl_device_info)
ASKS(clGetContextInfo, cl_context, cl_context_info)
ASKS(clGetCommandQueueInfo, cl_command_queue, cl_command_queue_info)
ASKS(clGetProgramInfo, cl_program, cl_program_info)
ASKS(clGetKernelInfo, cl_kernel, cl_kernel_info)
ASKS(clGetMemObjectInfo, cl_mem, cl_mem_info)
ASKS(clGetImageInfo, cl_mem, cl_image_info)
ASKS(clGetEventInfo, cl_event, cl_event_info)
ASKS(clGetEventProfilingInfo, cl_event, cl_profiling_info)
CALLS(ASK, CL_OUT_OF_HOST_MEMORY, clGetSupportedImageFormats,
      (cl_context context, cl_mem_flags flags, cl_mem_object_type type, cl_uint size, cl_image_format *formats,
       cl_uint *count_out),
      (context, flags, type, size, formats, count_out))
CALLS(ASK, CL_OUT_OF_HOST_MEMORY, clGetProgramBuildInfo,
      (cl_program program, cl_device_id device, cl_program_build_info name, size_t size, void *value,
       size_t *size_out),
      (program, device, name, size, value, size_out))
CALLS(ASK, CL_OUT_OF_HOST_MEMORY, clGetKernelWorkGroupInfo,
      (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name, size_t size, void *value,
       size_t *size_out),
      (kernel, device, name, size, value, size_out))
CALLS(ASK, CL_OUT_OF_HOST_MEMORY, clGetKernelArgInfo,
      (cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t size, void *value, size_t *size_out),
      (kernel, index, name, size, value, size_out))

static void *CL_API_CALL fail_clGetExtensionFunctionAddress(const char *name) {
    return fails(ASK, "clGetExtensionFunctionAddress") ? NULL : next->clGetExtensionFunctionAddress(name);
}

static void *CL_API_CALL fail_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
    if (fails(ASK, "clGetExtensionFunctionAddressForPlatform")) return NULL;
    return next->clGetExtensionFunctionAddressForPlatform(platform, name);
}

/* ---- shared virtual memory ---- */

/* A refusal has no code. */
static void *CL_API_CALL fail_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                                         cl_uint alignment) {
    if (fails(ACT, "clSVMAlloc")) return NULL;
    void *made = next->clSVMAlloc(context, flags, size, alignment);
    if (made != NULL) live[SVM] += 1;
    return made;
}

static void CL_API_CALL count_clSVMFree(cl_context context, void *data) {
    next->clSVMFree(context, data);
    live[SVM] -= 1;
}

CALLS(ACT, CL_OUT_OF_HOST_MEMORY, clSetKernelArgSVMPointer, (cl_kernel kernel, cl_uint index, const void *value),
      (kernel, index, value))
CALLS(ACT, CL_OUT_OF_HOST_MEMORY, clSetKernelExecInfo,
      (cl_kernel kernel, cl_kernel_exec_info name, size_t size, const void *value), (kernel, name, size, value))
ENQUEUES(clEnqueueSVMMemcpy,
         (cl_command_queue queue, cl_bool blocking, void *to, const void *from, size_t size, cl_uint count,
          const cl_event *events, cl_event *event_out),
         (queue, blocking, to, from, size, count, events, event_out))
ENQUEUES(clEnqueueSVMMemFill,
         (cl_command_queue queue, void *to, const void *pattern, size_t pattern_size, size_t size, cl_uint count,
          const cl_event *events, cl_event *event_out),
         (queue, to, pattern, pattern_size, size, count, events, event_out))
ENQUEUES(clEnqueueSVMMap,
         (cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *data, size_t size, cl_uint count,
          const cl_event *events, cl_event *event_out),
         (queue, blocking, flags, data, size, count, events, event_out))
ENQUEUES(clEnqueueSVMUnmap,
         (cl_command_queue queue, void *data, cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, data, count, events, event_out))
ENQUEUES(clEnqueueSVMMigrateMem,
         (cl_command_queue queue, cl_uint number, const void **data, const size_t *sizes,
          cl_mem_migration_flags flags, cl_uint count, const cl_event *events, cl_event *event_out),
         (queue, number, data, sizes, flags, count, events, event_out))

/* ---- calls that never fail here, but count ---- */

COUNTS(CONTEXT, 1, clRetainContext, cl_context)
COUNTS(QUEUE, 1, clRetainCommandQueue, cl_command_queue)
COUNTS(PROGRAM, 1, clRetainProgram, cl_program)
COUNTS(KERNEL, 1, clRetainKernel, cl_kernel)
COUNTS(MEMORY, 1, clRetainMemObject, cl_mem)
COUNTS(EVENT, 1, clRetainEvent, cl_event)
COUNTS(DEVICE, 1, clRetainDevice, cl_device_id)
COUNTS(SAMPLER, 1, clRetainSampler, cl_sampler)
COUNTS(CONTEXT, -1, clReleaseContext, cl_context)
COUNTS(QUEUE, -1, clReleaseCommandQueue, cl_command_queue)
COUNTS(PROGRAM, -1, clReleaseProgram, cl_program)
COUNTS(KERNEL, -1, clReleaseKernel, cl_kernel)
COUNTS(MEMORY, -1, clReleaseMemObject, cl_mem)
COUNTS(EVENT, -1, clReleaseEvent, cl_event)
COUNTS(DEVICE, -1, clReleaseDevice, cl_device_id)
COUNTS(SAMPLER, -1, clReleaseSampler, cl_sampler)

/* ---- the layer ---- */

#define FAIL(function) table.function = fail_##function
#define COUNT(function) table.function = count_##function

static void replace_failing(void) {
    FAIL(clCreateContext);
    FAIL(clCreateCommandQueue);
    FAIL(clCreateCommandQueueWithProperties);
    FAIL(clCreateProgramWithSource);
    FAIL(clCreateProgramWithBinary);
    FAIL(clCreateProgramWithIL);
    FAIL(clCompileProgram);
    FAIL(clLinkProgram);
    FAIL(clCreateKernel);
    FAIL(clCreateBuffer);
    FAIL(clBuildProgram);
    FAIL(clCreateSubDevices);
    FAIL(clSetKernelArg);
    FAIL(clFlush);
    FAIL(clFinish);
    FAIL(clWaitForEvents);
    FAIL(clEnqueueNDRangeKernel);
    FAIL(clEnqueueReadBuffer);
    FAIL(clEnqueueWriteBuffer);
    FAIL(clCreateImage);
    FAIL(clCreateSampler);
    FAIL(clCreateSubBuffer);
    FAIL(clSetMemObjectDestructorCallback);
    FAIL(clGetImageInfo);
    FAIL(clEnqueueReadImage);
    FAIL(clEnqueueWriteImage);
    FAIL(clGetSupportedImageFormats);
    FAIL(clEnqueueCopyBuffer);
    FAIL(clEnqueueFillBuffer);
    FAIL(clEnqueueMapBuffer);
    FAIL(clEnqueueMapImage);
    FAIL(clEnqueueReadBufferRect);
    FAIL(clEnqueueWriteBufferRect);
    FAIL(clEnqueueCopyBufferRect);
    FAIL(clEnqueueCopyImage);
    FAIL(clEnqueueCopyImageToBuffer);
    FAIL(clEnqueueCopyBufferToImage);
    FAIL(clEnqueueFillImage);
    FAIL(clEnqueueUnmapMemObject);
    FAIL(clEnqueueMarkerWithWaitList);
    FAIL(clEnqueueBarrierWithWaitList);
    FAIL(clEnqueueNativeKernel);
    FAIL(clEnqueueMigrateMemObjects);
    FAIL(clSVMAlloc);
    FAIL(clSetKernelArgSVMPointer);
    FAIL(clSetKernelExecInfo);
    FAIL(clEnqueueSVMMemcpy);
    FAIL(clEnqueueSVMMemFill);
    FAIL(clEnqueueSVMMap);
    FAIL(clEnqueueSVMUnmap);
    FAIL(clEnqueueSVMMigrateMem);
    FAIL(clCreateUserEvent);
    FAIL(clSetUserEventStatus);
    FAIL(clGetPlatformIDs);
    FAIL(clGetDeviceIDs);
    FAIL(clGetPlatformInfo);
    FAIL(clGetDeviceInfo);
    FAIL(clGetContextInfo);
    FAIL(clGetCommandQueueInfo);
    FAIL(clGetProgramInfo);
    FAIL(clGetKernelInfo);
    FAIL(clGetMemObjectInfo);
    FAIL(clGetEventInfo);
    FAIL(clGetEventProfilingInfo);
    FAIL(clGetProgramBuildInfo);
    FAIL(clGetKernelWorkGroupInfo);
    FAIL(clGetKernelArgInfo);
    FAIL(clGetExtensionFunctionAddress);
    FAIL(clGetExtensionFunctionAddressForPlatform);
}

static void replace_counting(void) {
    COUNT(clRetainContext);
    COUNT(clRetainCommandQueue);
    COUNT(clRetainProgram);
    COUNT(clRetainKernel);
    COUNT(clRetainMemObject);
    COUNT(clRetainEvent);
    COUNT(clRetainDevice);
    COUNT(clRetainSampler);
    COUNT(clReleaseContext);
    COUNT(clReleaseCommandQueue);
    COUNT(clReleaseProgram);
    COUNT(clReleaseKernel);
    COUNT(clReleaseMemObject);
    COUNT(clReleaseEvent);
    COUNT(clReleaseDevice);
    COUNT(clReleaseSampler);
    COUNT(clSVMFree);
}

static void report(void) {
    const char *path = getenv("CLUE_FAIL_REPORT");
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file == NULL) return;
    fprintf(file, "calls %ld\nfailed %s\n", calls, failed);
    for (int kind = 0; kind < KINDS; kind++) {
        fprintf(file, "%s %ld\n", kind_names[kind], live[kind]);
    }
    fclose(file);
}

static void read_settings(void) {
    const char *class = getenv("CLUE_FAIL_CLASS"), *nth = getenv("CLUE_FAIL_NTH");
    chosen_class = class != NULL && strcmp(class, "ask") == 0 ? ASK : ACT;
    chosen = nth == NULL ? 0 : strtol(nth, NULL, 10);
}

static cl_int answer(size_t size, void *value, size_t *size_out, const void *source, size_t source_size) {
    if (value != NULL && size < source_size) return CL_INVALID_VALUE;
    if (value != NULL) memcpy(value, source, source_size);
    if (size_out != NULL) *size_out = source_size;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *size_out) {
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char title[] = "clue fault injection";
    if (name == CL_LAYER_API_VERSION) return answer(size, value, size_out, &version, sizeof version);
    if (name == CL_LAYER_NAME) return answer(size, value, size_out, title, sizeof title);
    return CL_INVALID_VALUE;
}

/* A loader with a shorter table than the headers know gives what it has; the rest stays NULL. */
CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target, cl_uint *entries_out,
                                            const cl_icd_dispatch **table_out) {
    const cl_uint known = sizeof table / sizeof(void *);
    if (target == NULL || entries_out == NULL || table_out == NULL) return CL_INVALID_VALUE;
    *entries_out = entries < known ? entries : known;
    *table_out = &table;
    next = target;
    memcpy(&table, target, *entries_out * sizeof(void *));
    replace_failing();
    replace_counting();
    read_settings();
    atexit(report);
    return CL_SUCCESS;
}
