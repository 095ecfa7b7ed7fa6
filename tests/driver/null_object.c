/* null_object.c - the null driver's objects, and its calls for contexts, queues, buffers and events.
 *
 * There is only one event. It is always complete, every command gives it, and its times are a microsecond apart. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE: NOLINT(clang-diagnostic-reserved-macro-identifier) */
#include "null.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

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
    void *mapped;                           /* the memory that mapping gives, allocated at the first mapping */
    void(CL_CALLBACK *end)(cl_mem, void *); /* clue sets no more than one */
    void *end_data;
} null_buffer;

enum { BEGUN = 1000000, TOOK = 1000 }; /* nanoseconds; no longer than any host clock measures for the call */

static null_object event = {.table = &null_table, .number = 1, .references = NEVER_FREED};

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

void null_release(void *object) {
    null_object *self = object;
    if (--self->references > 0) return;
    if (self->end) self->end(self);
    free(self);
}

cl_uint null_number(const void *object) {
    return object ? ((const null_object *)object)->number : 0;
}

/* ---- contexts and queues ---- */

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

/* ---- buffers ---- */

static cl_uint buffers_made;

static void end_buffer(void *object) {
    null_buffer *buffer = object;
    if (buffer->end) buffer->end((cl_mem)buffer, buffer->end_data);
    if (buffer->mapped) (void)munmap(buffer->mapped, buffer->size);
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                        cl_int *error_out) {
    null_buffer *buffer;
    (void)host;
    WATCH_MAKER(clCreateBuffer, " context %u flags 0x%llx size %zu", null_number(context),
                (unsigned long long)flags, size);
    buffer = null_make(sizeof *buffer, &buffers_made, error_out);
    if (!buffer) return NULL;
    buffer->base.end = end_buffer;
    buffer->context = context;
    buffer->flags = flags;
    buffer->size = size;
    return (cl_mem)buffer;
}

/* A sub-buffer has memory of its own, since nothing is ever written to it or its parent. */
static cl_mem CL_API_CALL create_sub_buffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                                            const void *region, cl_int *error_out) {
    const cl_buffer_region *part = region;
    null_buffer *buffer;
    WATCH_MAKER(clCreateSubBuffer, " buffer %u flags 0x%llx type 0x%x offset %zu size %zu", null_number(parent),
                (unsigned long long)flags, type, part->origin, part->size);
    buffer = null_make(sizeof *buffer, &buffers_made, error_out);
    if (!buffer) return NULL;
    buffer->base.end = end_buffer;
    buffer->context = ((null_buffer *)parent)->context;
    buffer->flags = flags;
    buffer->size = part->size;
    return (cl_mem)buffer;
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

/* ---- commands ---- */

cl_int null_give_event(cl_event *event_out) {
    if (!event_out) return CL_SUCCESS;
    null_retain(&event);
    *event_out = (cl_event)&event;
    return CL_SUCCESS;
}

/* Only what is touched takes memory: tests map buffers that are larger than that of the machine. */
static void *reserve(size_t size) {
    void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return made == MAP_FAILED ? NULL : made;
}

static void *CL_API_CALL enqueue_map(cl_command_queue queue, cl_mem object, cl_bool blocking, cl_map_flags flags,
                                     size_t offset, size_t size, cl_uint count, const cl_event *events,
                                     cl_event *event_out, cl_int *error_out) {
    null_buffer *buffer = (null_buffer *)object;
    (void)events;
    WATCH_MAKER(clEnqueueMapBuffer, " queue %u buffer %u %s flags 0x%llx offset %zu size %zu%s%s",
                null_number(queue), null_number(object), blocking ? "blocking" : "non-blocking",
                (unsigned long long)flags, offset, size, EVENT_WORDS(count, event_out));
    if (!buffer->mapped) buffer->mapped = reserve(buffer->size);
    if (!buffer->mapped) {
        if (error_out) *error_out = CL_MAP_FAILURE;
        return NULL;
    }
    (void)null_give_event(event_out);
    return (char *)buffer->mapped + offset;
}

/* "512x512", or "-" for NULL. */
static const char *sizes_text(char *text, size_t room, cl_uint dimensions, const size_t *sizes) {
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
          null_number(kernel), sizes_text(texts[0], sizeof texts[0], dimensions, offset),
          sizes_text(texts[1], sizeof texts[1], dimensions, global),
          sizes_text(texts[2], sizeof texts[2], dimensions, local), EVENT_WORDS(count, event_out));
    return null_give_event(event_out);
}

/* ---- events ---- */

/* User events are complete from the start, too. */
static cl_event CL_API_CALL create_user_event(cl_context context, cl_int *error_out) {
    cl_event made = NULL;
    WATCH_MAKER(clCreateUserEvent, " context %u", null_number(context));
    (void)null_give_event(&made);
    return made;
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

/* ---- calls that only other programs make, not the core ---- */

#define RETAINS(name, type)                                                                                        \
    static cl_int CL_API_CALL null_##name(type object) {                                                           \
        WATCH(name, " %u", null_number(object));                                                                   \
        null_retain(object);                                                                                       \
        return CL_SUCCESS;                                                                                         \
    }
RETAINS(clRetainContext, cl_context)
RETAINS(clRetainCommandQueue, cl_command_queue)
RETAINS(clRetainMemObject, cl_mem)
RETAINS(clRetainProgram, cl_program)
RETAINS(clRetainKernel, cl_kernel)
RETAINS(clRetainDevice, cl_device_id)

void null_object_calls(void) {
    null_table.clGetContextInfo = get_context_info;
    null_table.clCreateCommandQueue = create_queue;
    null_table.clGetCommandQueueInfo = get_queue_info;
    null_table.clCreateBuffer = create_buffer;
    null_table.clCreateSubBuffer = create_sub_buffer;
    null_table.clGetMemObjectInfo = get_buffer_info;
    null_table.clSetMemObjectDestructorCallback = set_buffer_end;
    null_table.clEnqueueMapBuffer = enqueue_map;
    null_table.clEnqueueNDRangeKernel = enqueue_kernel;
    null_table.clCreateUserEvent = create_user_event;
    null_table.clGetEventInfo = get_event_info;
    null_table.clGetEventProfilingInfo = get_event_time;
    null_table.clRetainContext = null_clRetainContext;
    null_table.clRetainCommandQueue = null_clRetainCommandQueue;
    null_table.clRetainMemObject = null_clRetainMemObject;
    null_table.clRetainProgram = null_clRetainProgram;
    null_table.clRetainKernel = null_clRetainKernel;
    null_table.clRetainDevice = null_clRetainDevice;
}
