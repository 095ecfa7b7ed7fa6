/* null_object.c - the null driver's contexts, queues, buffers and events.
 *
 * There is one event, complete since ever; everything enqueued gives it. Each execution took a microsecond by it.
 */
#include "null.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct null_queue {
    null_object base;
    cl_context context;
    cl_device_id device;
    cl_command_queue_properties properties;
} null_queue;

typedef struct null_buffer {
    null_object base;
    cl_context context;
    cl_mem_flags flags;
    size_t size;
    void *mapped;                           /* what the host sees of it, made at the first mapping */
    void(CL_CALLBACK *end)(cl_mem, void *); /* one is enough for clue */
    void *end_data;
} null_buffer;

enum { BEGUN = 1000000, TOOK = 1000 }; /* nanoseconds; no more than any host clock sees */

static null_object event = {.table = &null_table, .number = 1, .references = 1};

/* ---- objects ---- */

void *null_make(size_t size, cl_uint *count, cl_int *error_out) {
    null_object *made = calloc(1, size);
    if (error_out) *error_out = made ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (!made) return NULL;
    *made = (null_object){.table = &null_table, .number = ++*count, .references = 1};
    return made;
}

void null_retain(void *object) {
    ((null_object *)object)->references++;
}

bool null_release(void *object) {
    return --((null_object *)object)->references == 0;
}

cl_uint null_number(const void *object) {
    return object ? ((const null_object *)object)->number : 0;
}

/* Objects that hold nothing. */
#define COUNTED(retain, release, type, call, kind)                                                                 \
    static cl_int CL_API_CALL retain(type object) {                                                                \
        WATCH(clRetain##call, " " kind " %u", null_number(object));                                                \
        null_retain(object);                                                                                       \
        return CL_SUCCESS;                                                                                         \
    }                                                                                                              \
    static cl_int CL_API_CALL release(type object) {                                                               \
        WATCH(clRelease##call, " " kind " %u", null_number(object));                                               \
        if (null_release(object)) free(object);                                                                    \
        return CL_SUCCESS;                                                                                         \
    }

COUNTED(retain_context, release_context, cl_context, Context, "context")
COUNTED(retain_queue, release_queue, cl_command_queue, CommandQueue, "queue")

/* ---- contexts and queues ---- */

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *data, cl_int *error_out) {
    static cl_uint made;
    (void)properties, (void)notify, (void)data;
    WATCH_MAKER(clCreateContext, " %u devices, the first %u", count, count ? null_number(devices[0]) : 0);
    return null_make(sizeof(null_object), &made, error_out);
}

static cl_int CL_API_CALL get_context_info(cl_context context, cl_context_info name, size_t size, void *value,
                                           size_t *size_out) {
    const cl_device_id device = null_device(0);
    WATCH(clGetContextInfo, " context %u 0x%x", null_number(context), name);
    if (name == CL_CONTEXT_NUM_DEVICES) return null_answer_number(size, value, size_out, sizeof(cl_uint), 1);
    if (name == CL_CONTEXT_DEVICES) return null_answer(size, value, size_out, &device, sizeof(cl_device_id));
    if (name == CL_CONTEXT_PROPERTIES) return null_answer(size, value, size_out, NULL, 0);
    return CL_INVALID_VALUE;
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int *error_out) {
    static cl_uint made;
    null_queue *queue;
    WATCH_MAKER(clCreateCommandQueue, " context %u device %u properties 0x%llx", null_number(context),
                null_number(device), (unsigned long long)properties);
    queue = null_make(sizeof *queue, &made, error_out);
    if (!queue) return NULL;
    queue->context = context;
    queue->device = device;
    queue->properties = properties;
    return (cl_command_queue)queue;
}

static cl_int CL_API_CALL get_queue_info(cl_command_queue object, cl_command_queue_info name, size_t size,
                                         void *value, size_t *size_out) {
    const null_queue *queue = (const null_queue *)object;
    WATCH(clGetCommandQueueInfo, " queue %u 0x%x", null_number(object), name);
    switch (name) {
    case CL_QUEUE_CONTEXT:
        return null_answer(size, value, size_out, &queue->context, sizeof(cl_context));
    case CL_QUEUE_DEVICE:
        return null_answer(size, value, size_out, &queue->device, sizeof(cl_device_id));
    case CL_QUEUE_PROPERTIES:
        return null_answer_number(size, value, size_out, sizeof(cl_ulong), queue->properties);
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_int CL_API_CALL flush(cl_command_queue queue) {
    WATCH(clFlush, " queue %u", null_number(queue));
    return CL_SUCCESS;
}

static cl_int CL_API_CALL finish(cl_command_queue queue) {
    WATCH(clFinish, " queue %u", null_number(queue));
    return CL_SUCCESS;
}

/* ---- buffers ---- */

static cl_uint buffers_made;

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                        cl_int *error_out) {
    null_buffer *buffer;
    (void)host;
    WATCH_MAKER(clCreateBuffer, " context %u flags 0x%llx size %zu", null_number(context),
                (unsigned long long)flags, size);
    buffer = null_make(sizeof *buffer, &buffers_made, error_out);
    if (!buffer) return NULL;
    buffer->context = context;
    buffer->flags = flags;
    buffer->size = size;
    return (cl_mem)buffer;
}

/* It has memory of its own: nothing is ever written to either. */
static cl_mem CL_API_CALL create_sub_buffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                                            const void *region, cl_int *error_out) {
    const cl_buffer_region *part = region;
    null_buffer *buffer;
    WATCH_MAKER(clCreateSubBuffer, " buffer %u flags 0x%llx type 0x%x offset %zu size %zu", null_number(parent),
                (unsigned long long)flags, type, part->origin, part->size);
    buffer = null_make(sizeof *buffer, &buffers_made, error_out);
    if (!buffer) return NULL;
    buffer->context = ((null_buffer *)parent)->context;
    buffer->flags = flags;
    buffer->size = part->size;
    return (cl_mem)buffer;
}

static cl_int CL_API_CALL retain_buffer(cl_mem object) {
    WATCH(clRetainMemObject, " buffer %u", null_number(object));
    null_retain(object);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_buffer(cl_mem object) {
    WATCH(clReleaseMemObject, " buffer %u", null_number(object));
    if (!null_release(object)) return CL_SUCCESS;
    if (((null_buffer *)object)->end) ((null_buffer *)object)->end(object, ((null_buffer *)object)->end_data);
    free(((null_buffer *)object)->mapped);
    free(object);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL set_buffer_end(cl_mem object, void(CL_CALLBACK *notify)(cl_mem, void *), void *data) {
    WATCH(clSetMemObjectDestructorCallback, " buffer %u", null_number(object));
    ((null_buffer *)object)->end = notify;
    ((null_buffer *)object)->end_data = data;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_buffer_info(cl_mem object, cl_mem_info name, size_t size, void *value,
                                          size_t *size_out) {
    const null_buffer *buffer = (const null_buffer *)object;
    WATCH(clGetMemObjectInfo, " buffer %u 0x%x", null_number(object), name);
    switch (name) {
    case CL_MEM_TYPE:
        return null_answer_number(size, value, size_out, sizeof(cl_uint), CL_MEM_OBJECT_BUFFER);
    case CL_MEM_FLAGS:
        return null_answer_number(size, value, size_out, sizeof(cl_ulong), buffer->flags);
    case CL_MEM_SIZE:
        return null_answer_number(size, value, size_out, sizeof(size_t), buffer->size);
    case CL_MEM_CONTEXT:
        return null_answer(size, value, size_out, &buffer->context, sizeof(cl_context));
    default:
        return CL_INVALID_VALUE;
    }
}

/* ---- what is enqueued ---- */

cl_int null_give_event(cl_event *event_out) {
    if (!event_out) return CL_SUCCESS;
    null_retain(&event);
    *event_out = (cl_event)&event;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL enqueue_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                       size_t size, void *data, cl_uint count, const cl_event *events,
                                       cl_event *event_out) {
    (void)data, (void)events;
    WATCH(clEnqueueReadBuffer, " queue %u buffer %u %s offset %zu size %zu%s%s", null_number(queue),
          null_number(buffer), blocking ? "blocking" : "non-blocking", offset, size, TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static cl_int CL_API_CALL enqueue_write(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                        size_t size, const void *data, cl_uint count, const cl_event *events,
                                        cl_event *event_out) {
    (void)data, (void)events;
    WATCH(clEnqueueWriteBuffer, " queue %u buffer %u %s offset %zu size %zu%s%s", null_number(queue),
          null_number(buffer), blocking ? "blocking" : "non-blocking", offset, size, TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static cl_int CL_API_CALL enqueue_copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                       size_t to_offset, size_t size, cl_uint count, const cl_event *events,
                                       cl_event *event_out) {
    (void)events;
    WATCH(clEnqueueCopyBuffer, " queue %u buffer %u offset %zu to buffer %u offset %zu size %zu%s%s",
          null_number(queue), null_number(from), from_offset, null_number(to), to_offset, size,
          TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static cl_int CL_API_CALL enqueue_fill(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                       size_t pattern_size, size_t offset, size_t size, cl_uint count,
                                       const cl_event *events, cl_event *event_out) {
    (void)pattern, (void)events;
    WATCH(clEnqueueFillBuffer, " queue %u buffer %u pattern of %zu offset %zu size %zu%s%s", null_number(queue),
          null_number(buffer), pattern_size, offset, size, TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static cl_int CL_API_CALL enqueue_read_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                            const size_t *buffer_origin, const size_t *host_origin,
                                            const size_t *region, size_t buffer_row, size_t buffer_slice,
                                            size_t host_row, size_t host_slice, void *data, cl_uint count,
                                            const cl_event *events, cl_event *event_out) {
    (void)buffer_origin, (void)host_origin, (void)buffer_row, (void)buffer_slice, (void)host_row, (void)host_slice;
    (void)data, (void)events;
    WATCH(clEnqueueReadBufferRect, " queue %u buffer %u %s region %zu x %zu x %zu%s%s", null_number(queue),
          null_number(buffer), blocking ? "blocking" : "non-blocking", region[0], region[1], region[2],
          TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static cl_int CL_API_CALL enqueue_write_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                             const size_t *buffer_origin, const size_t *host_origin,
                                             const size_t *region, size_t buffer_row, size_t buffer_slice,
                                             size_t host_row, size_t host_slice, const void *data, cl_uint count,
                                             const cl_event *events, cl_event *event_out) {
    (void)buffer_origin, (void)host_origin, (void)buffer_row, (void)buffer_slice, (void)host_row, (void)host_slice;
    (void)data, (void)events;
    WATCH(clEnqueueWriteBufferRect, " queue %u buffer %u %s region %zu x %zu x %zu%s%s", null_number(queue),
          null_number(buffer), blocking ? "blocking" : "non-blocking", region[0], region[1], region[2],
          TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static cl_int CL_API_CALL enqueue_copy_rect(cl_command_queue queue, cl_mem from, cl_mem to,
                                            const size_t *from_origin, const size_t *to_origin,
                                            const size_t *region, size_t from_row, size_t from_slice, size_t to_row,
                                            size_t to_slice, cl_uint count, const cl_event *events,
                                            cl_event *event_out) {
    (void)from_origin, (void)to_origin, (void)from_row, (void)from_slice, (void)to_row, (void)to_slice;
    (void)events;
    WATCH(clEnqueueCopyBufferRect, " queue %u buffer %u to buffer %u region %zu x %zu x %zu%s%s",
          null_number(queue), null_number(from), null_number(to), region[0], region[1], region[2],
          TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static void *CL_API_CALL enqueue_map(cl_command_queue queue, cl_mem object, cl_bool blocking, cl_map_flags flags,
                                     size_t offset, size_t size, cl_uint count, const cl_event *events,
                                     cl_event *event_out, cl_int *error_out) {
    null_buffer *buffer = (null_buffer *)object;
    (void)events;
    WATCH_MAKER(clEnqueueMapBuffer, " queue %u buffer %u %s flags 0x%llx offset %zu size %zu%s%s",
                null_number(queue), null_number(object), blocking ? "blocking" : "non-blocking",
                (unsigned long long)flags, offset, size, TOLD_EVENT(count, event_out));
    if (!buffer->mapped) buffer->mapped = calloc(1, buffer->size);
    if (!buffer->mapped) {
        if (error_out) *error_out = CL_MAP_FAILURE;
        return NULL;
    }
    (void)null_give_event(event_out);
    return (char *)buffer->mapped + offset;
}

static cl_int CL_API_CALL enqueue_unmap(cl_command_queue queue, cl_mem buffer, void *data, cl_uint count,
                                        const cl_event *events, cl_event *event_out) {
    (void)data, (void)events;
    WATCH(clEnqueueUnmapMemObject, " queue %u buffer %u%s%s", null_number(queue), null_number(buffer),
          TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static cl_int CL_API_CALL enqueue_marker(cl_command_queue queue, cl_uint count, const cl_event *events,
                                         cl_event *event_out) {
    (void)events;
    WATCH(clEnqueueMarkerWithWaitList, " queue %u%s%s", null_number(queue), TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static cl_int CL_API_CALL enqueue_native_kernel(cl_command_queue queue, void(CL_CALLBACK *run)(void *),
                                                void *arguments, size_t size, cl_uint object_count,
                                                const cl_mem *objects, const void **places, cl_uint count,
                                                const cl_event *events, cl_event *event_out) {
    (void)run, (void)arguments, (void)size, (void)object_count, (void)objects, (void)places, (void)events;
    WATCH(clEnqueueNativeKernel, " queue %u%s%s", null_number(queue), TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static cl_int CL_API_CALL enqueue_barrier(cl_command_queue queue, cl_uint count, const cl_event *events,
                                          cl_event *event_out) {
    (void)events;
    WATCH(clEnqueueBarrierWithWaitList, " queue %u%s%s", null_number(queue), TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static cl_int CL_API_CALL enqueue_migration(cl_command_queue queue, cl_uint size, const cl_mem *objects,
                                            cl_mem_migration_flags flags, cl_uint count, const cl_event *events,
                                            cl_event *event_out) {
    (void)events;
    WATCH(clEnqueueMigrateMemObjects, " queue %u %u objects, the first %u flags 0x%llx%s%s", null_number(queue),
          size, size ? null_number(objects[0]) : 0, (unsigned long long)flags, TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

/* "-" for what was not given. */
static const char *told_sizes(char *text, size_t room, cl_uint dimensions, const size_t *sizes) {
    size_t used = 0;
    if (!sizes) return "-";
    for (cl_uint i = 0; i < dimensions && i < 3; i++)
        used += (size_t)snprintf(text + used, room - used, i ? "x%zu" : "%zu", sizes[i]);
    return text;
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                         const size_t *offset, const size_t *global, const size_t *local,
                                         cl_uint count, const cl_event *events, cl_event *event_out) {
    char texts[3][80];
    (void)events;
    WATCH(clEnqueueNDRangeKernel, " queue %u kernel %u offset %s global %s local %s%s%s", null_number(queue),
          null_number(kernel), told_sizes(texts[0], sizeof texts[0], dimensions, offset),
          told_sizes(texts[1], sizeof texts[1], dimensions, global),
          told_sizes(texts[2], sizeof texts[2], dimensions, local), TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

/* ---- events ---- */

/* Complete from the start, as all are. */
static cl_event CL_API_CALL create_user_event(cl_context context, cl_int *error_out) {
    cl_event made = NULL;
    WATCH_MAKER(clCreateUserEvent, " context %u", null_number(context));
    (void)null_give_event(&made);
    return made;
}

static cl_int CL_API_CALL set_user_event(cl_event of, cl_int status) {
    (void)of;
    WATCH(clSetUserEventStatus, " %d", status);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event *events) {
    (void)events;
    WATCH(clWaitForEvents, " %u", count);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_event_info(cl_event of, cl_event_info name, size_t size, void *value,
                                         size_t *size_out) {
    (void)of;
    WATCH(clGetEventInfo, " 0x%x", name);
    if (name == CL_EVENT_COMMAND_EXECUTION_STATUS)
        return null_answer_number(size, value, size_out, sizeof(cl_int), CL_COMPLETE);
    if (name == CL_EVENT_COMMAND_TYPE)
        return null_answer_number(size, value, size_out, sizeof(cl_uint), CL_COMMAND_NDRANGE_KERNEL);
    return CL_INVALID_VALUE;
}

static cl_int CL_API_CALL get_event_time(cl_event of, cl_profiling_info name, size_t size, void *value,
                                         size_t *size_out) {
    (void)of;
    WATCH(clGetEventProfilingInfo, " 0x%x", name);
    return null_answer_number(size, value, size_out, sizeof(cl_ulong),
                              name == CL_PROFILING_COMMAND_END ? BEGUN + TOOK : BEGUN);
}

static cl_int CL_API_CALL retain_event(cl_event of) {
    WATCH(clRetainEvent, "%s", "");
    null_retain(of);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_event(cl_event of) {
    WATCH(clReleaseEvent, "%s", "");
    (void)null_release(of);
    return CL_SUCCESS;
}

void null_object_calls(void) {
    null_table.clCreateContext = create_context;
    null_table.clGetContextInfo = get_context_info;
    null_table.clRetainContext = retain_context;
    null_table.clReleaseContext = release_context;
    null_table.clCreateCommandQueue = create_queue;
    null_table.clGetCommandQueueInfo = get_queue_info;
    null_table.clRetainCommandQueue = retain_queue;
    null_table.clReleaseCommandQueue = release_queue;
    null_table.clFlush = flush;
    null_table.clFinish = finish;
    null_table.clCreateBuffer = create_buffer;
    null_table.clCreateSubBuffer = create_sub_buffer;
    null_table.clGetMemObjectInfo = get_buffer_info;
    null_table.clRetainMemObject = retain_buffer;
    null_table.clSetMemObjectDestructorCallback = set_buffer_end;
    null_table.clReleaseMemObject = release_buffer;
    null_table.clEnqueueReadBuffer = enqueue_read;
    null_table.clEnqueueWriteBuffer = enqueue_write;
    null_table.clEnqueueReadBufferRect = enqueue_read_rect;
    null_table.clEnqueueWriteBufferRect = enqueue_write_rect;
    null_table.clEnqueueCopyBufferRect = enqueue_copy_rect;
    null_table.clEnqueueCopyBuffer = enqueue_copy;
    null_table.clEnqueueFillBuffer = enqueue_fill;
    null_table.clEnqueueMapBuffer = enqueue_map;
    null_table.clEnqueueUnmapMemObject = enqueue_unmap;
    null_table.clEnqueueNDRangeKernel = enqueue_kernel;
    null_table.clEnqueueMarkerWithWaitList = enqueue_marker;
    null_table.clEnqueueNativeKernel = enqueue_native_kernel;
    null_table.clEnqueueBarrierWithWaitList = enqueue_barrier;
    null_table.clEnqueueMigrateMemObjects = enqueue_migration;
    null_table.clCreateUserEvent = create_user_event;
    null_table.clSetUserEventStatus = set_user_event;
    null_table.clWaitForEvents = wait_for_events;
    null_table.clGetEventInfo = get_event_info;
    null_table.clGetEventProfilingInfo = get_event_time;
    null_table.clRetainEvent = retain_event;
    null_table.clReleaseEvent = release_event;
}
