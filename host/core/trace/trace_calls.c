/* trace_calls.c - queues and commands as the core calls them, recorded where a trace is on.
 *
 * Profiling is switched on for every queue then, and commands get an event where the caller wants none: nothing
 * else differs from the plain calls. */
#define CLUE_UNTRACED
#include "trace/internal.h"

enum { NAME = 256, RANGE = 200 };

/* ---- queues ---- */

cl_command_queue trace_clCreateCommandQueue(cl_context context, cl_device_id device,
                                            cl_command_queue_properties properties, cl_int *error_out) {
    cl_command_queue made;
    trace_enter("clCreateCommandQueue", false);
    made = trace_on && !(properties & CL_QUEUE_PROFILING_ENABLE)
               ? clCreateCommandQueue(context, device, properties | CL_QUEUE_PROFILING_ENABLE, error_out)
               : NULL;
    if (!made) made = clCreateCommandQueue(context, device, properties, error_out);
    return trace_leave_made(made);
}

cl_int trace_clReleaseCommandQueue(cl_command_queue queue) {
    if (trace_on) trace_forget_queue(queue);
    trace_enter("clReleaseCommandQueue", false);
    return trace_leave(clReleaseCommandQueue(queue), false);
}

/* ---- commands ---- */

static int64_t volume(const size_t *region) {
    return (int64_t)(region[0] * region[1] * region[2]);
}

/* Of a part of an image. */
static int64_t pixels(cl_mem image, const size_t *region) {
    size_t size = 0;
    (void)clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof size, &size, NULL);
    return volume(region) * (int64_t)size;
}

static int64_t memory_bytes(const cl_mem *memories, cl_uint number) {
    int64_t bytes = 0;
    for (cl_uint i = 0; i < number; i++) {
        size_t size = 0;
        (void)clGetMemObjectInfo(memories[i], CL_MEM_SIZE, sizeof size, &size, NULL);
        bytes += (int64_t)size;
    }
    return bytes;
}

#define PARAMETERS(...)                                                                                            \
    (cl_command_queue queue, __VA_ARGS__, cl_uint count, const cl_event *events, cl_event *event_out)
#define ARGUMENTS(...) (queue, __VA_ARGS__, count, events, event_out)

/* waits: whether the call returns when the command has ended. */
#define COMMAND(function, bytes, waits, parameters, arguments)                                                     \
    cl_int trace_##function parameters {                                                                           \
        trace_command command;                                                                                     \
        cl_int code;                                                                                               \
        if (!trace_on) return function arguments;                                                                  \
        event_out = trace_command_begin(&command, queue, #function, event_out, NULL, NULL, bytes);                 \
        command.blocking = waits;                                                                                  \
        code = function arguments;                                                                                 \
        trace_command_end(&command, code);                                                                         \
        return code;                                                                                               \
    }

COMMAND(clEnqueueReadBuffer, (int64_t)size, blocking,
        PARAMETERS(cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *data),
        ARGUMENTS(buffer, blocking, offset, size, data))
COMMAND(clEnqueueWriteBuffer, (int64_t)size, blocking,
        PARAMETERS(cl_mem buffer, cl_bool blocking, size_t offset, size_t size, const void *data),
        ARGUMENTS(buffer, blocking, offset, size, data))
COMMAND(clEnqueueReadBufferRect, volume(region), blocking,
        PARAMETERS(cl_mem buffer, cl_bool blocking, const size_t *origin, const size_t *host_origin,
                   const size_t *region, size_t row, size_t slice, size_t host_row, size_t host_slice, void *data),
        ARGUMENTS(buffer, blocking, origin, host_origin, region, row, slice, host_row, host_slice, data))
COMMAND(clEnqueueWriteBufferRect, volume(region), blocking,
        PARAMETERS(cl_mem buffer, cl_bool blocking, const size_t *origin, const size_t *host_origin,
                   const size_t *region, size_t row, size_t slice, size_t host_row, size_t host_slice,
                   const void *data),
        ARGUMENTS(buffer, blocking, origin, host_origin, region, row, slice, host_row, host_slice, data))
COMMAND(clEnqueueCopyBuffer, (int64_t)size, false,
        PARAMETERS(cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size),
        ARGUMENTS(from, to, from_offset, to_offset, size))
COMMAND(clEnqueueCopyBufferRect, volume(region), false,
        PARAMETERS(cl_mem from, cl_mem to, const size_t *from_origin, const size_t *to_origin, const size_t *region,
                   size_t from_row, size_t from_slice, size_t to_row, size_t to_slice),
        ARGUMENTS(from, to, from_origin, to_origin, region, from_row, from_slice, to_row, to_slice))
COMMAND(clEnqueueFillBuffer, (int64_t)size, false,
        PARAMETERS(cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset, size_t size),
        ARGUMENTS(buffer, pattern, pattern_size, offset, size))

COMMAND(clEnqueueReadImage, pixels(image, region), blocking,
        PARAMETERS(cl_mem image, cl_bool blocking, const size_t *origin, const size_t *region, size_t row,
                   size_t slice, void *data),
        ARGUMENTS(image, blocking, origin, region, row, slice, data))
COMMAND(clEnqueueWriteImage, pixels(image, region), blocking,
        PARAMETERS(cl_mem image, cl_bool blocking, const size_t *origin, const size_t *region, size_t row,
                   size_t slice, const void *data),
        ARGUMENTS(image, blocking, origin, region, row, slice, data))
COMMAND(clEnqueueCopyImage, pixels(from, region), false,
        PARAMETERS(cl_mem from, cl_mem to, const size_t *from_origin, const size_t *to_origin,
                   const size_t *region),
        ARGUMENTS(from, to, from_origin, to_origin, region))
COMMAND(clEnqueueFillImage, pixels(image, region), false,
        PARAMETERS(cl_mem image, const void *colour, const size_t *origin, const size_t *region),
        ARGUMENTS(image, colour, origin, region))
COMMAND(clEnqueueCopyImageToBuffer, pixels(from, region), false,
        PARAMETERS(cl_mem from, cl_mem to, const size_t *origin, const size_t *region, size_t offset),
        ARGUMENTS(from, to, origin, region, offset))
COMMAND(clEnqueueCopyBufferToImage, pixels(to, region), false,
        PARAMETERS(cl_mem from, cl_mem to, size_t offset, const size_t *origin, const size_t *region),
        ARGUMENTS(from, to, offset, origin, region))

COMMAND(clEnqueueUnmapMemObject, -1, false, PARAMETERS(cl_mem buffer, void *data), ARGUMENTS(buffer, data))
COMMAND(clEnqueueMigrateMemObjects, memory_bytes(memories, number), false,
        PARAMETERS(cl_uint number, const cl_mem *memories, cl_mem_migration_flags flags),
        ARGUMENTS(number, memories, flags))
COMMAND(clEnqueueMarkerWithWaitList, -1, false,
        (cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *event_out),
        (queue, count, events, event_out))
COMMAND(clEnqueueBarrierWithWaitList, -1, false,
        (cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *event_out),
        (queue, count, events, event_out))

COMMAND(clEnqueueSVMMemcpy, (int64_t)size, blocking,
        PARAMETERS(cl_bool blocking, void *to, const void *from, size_t size), ARGUMENTS(blocking, to, from, size))
COMMAND(clEnqueueSVMMemFill, (int64_t)size, false,
        PARAMETERS(void *to, const void *pattern, size_t pattern_size, size_t size),
        ARGUMENTS(to, pattern, pattern_size, size))
COMMAND(clEnqueueSVMMap, (int64_t)size, blocking,
        PARAMETERS(cl_bool blocking, cl_map_flags flags, void *data, size_t size),
        ARGUMENTS(blocking, flags, data, size))
COMMAND(clEnqueueSVMUnmap, -1, false, PARAMETERS(void *data), ARGUMENTS(data))

static int64_t sum(const size_t *sizes, cl_uint number) {
    int64_t bytes = 0;
    for (cl_uint i = 0; sizes && i < number; i++)
        bytes += (int64_t)sizes[i];
    return bytes;
}

COMMAND(clEnqueueSVMMigrateMem, sum(sizes, number), false,
        PARAMETERS(cl_uint number, const void **data, const size_t *sizes, cl_mem_migration_flags flags),
        ARGUMENTS(number, data, sizes, flags))

/* ---- mappings give a pointer and their code apart ---- */

void *trace_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                               size_t offset, size_t size, TRACE_WAITS, cl_int *error_out) {
    trace_command command;
    void *data;
    if (!trace_on)
        return clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, count, events, event_out,
                                  error_out);
    event_out = trace_command_begin(&command, queue, "clEnqueueMapBuffer", event_out, NULL, NULL, (int64_t)size);
    command.blocking = blocking;
    data = clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, count, events, event_out, error_out);
    trace_command_end(&command, *error_out);
    return data;
}

void *trace_clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
                              const size_t *origin, const size_t *region, size_t *row_out, size_t *slice_out,
                              TRACE_WAITS, cl_int *error_out) {
    trace_command command;
    void *data;
    if (!trace_on)
        return clEnqueueMapImage(queue, image, blocking, flags, origin, region, row_out, slice_out, count, events,
                                 event_out, error_out);
    event_out =
        trace_command_begin(&command, queue, "clEnqueueMapImage", event_out, NULL, NULL, pixels(image, region));
    command.blocking = blocking;
    data = clEnqueueMapImage(queue, image, blocking, flags, origin, region, row_out, slice_out, count, events,
                             event_out, error_out);
    trace_command_end(&command, *error_out);
    return data;
}

/* ---- kernels' execution ---- */

static int tell_sizes(char *text, size_t room, const size_t *sizes, cl_uint dimensions) {
    int used = snprintf(text, room, "%zu", sizes[0]);
    for (cl_uint i = 1; i < dimensions; i++)
        used += snprintf(text + used, room - (size_t)used, "x%zu", sizes[i]);
    return used;
}

/* "1024x1024 by 16x16 from 0x1" */
static void tell_range(char *text, cl_uint dimensions, const size_t *offset, const size_t *global,
                       const size_t *local) {
    int used = tell_sizes(text, RANGE, global, dimensions);
    bool moved = false;
    if (local) {
        used += snprintf(text + used, RANGE - (size_t)used, " by ");
        used += tell_sizes(text + used, RANGE - (size_t)used, local, dimensions);
    }
    for (cl_uint i = 0; offset && i < dimensions; i++)
        moved = moved || offset[i] != 0;
    if (!moved) return;
    used += snprintf(text + used, RANGE - (size_t)used, " from ");
    (void)tell_sizes(text + used, RANGE - (size_t)used, offset, dimensions);
}

cl_int trace_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                    const size_t *offset, const size_t *global, const size_t *local, TRACE_WAITS) {
    trace_command command;
    char name[NAME] = "?", range[RANGE];
    cl_int code;
    if (!trace_on)
        return clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, events, event_out);
    (void)clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
    tell_range(range, dimensions, offset, global, local);
    event_out = trace_command_begin(&command, queue, "clEnqueueNDRangeKernel", event_out, name, range, -1);
    code = clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, events, event_out);
    trace_command_end(&command, code);
    return code;
}
