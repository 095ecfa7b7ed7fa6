/* graph_driver.c - a graph as one command buffer of the driver: cl_khr_command_buffer.
 *
 * The extension is provisional. From its version 0.9.5 on, copies and fills have one more parameter, and newer
 * headers show it only on request. So this file declares it by itself, and uses no version but 0.9. A command
 * buffer only saves time: if the driver refuses to make one, clue replays the commands itself, and no failure is
 * recorded.
 *
 * Values are copied into the command buffer. PoCL 3.1 instead reads those of the kernel at each replay, and graphs
 * do not notice, because each of their commands has a kernel of its own. */
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

static const char extension[] = "cl_khr_command_buffer";

enum {
    BUFFER_FLAGS = 0x1293,           /* CL_COMMAND_BUFFER_FLAGS_KHR */
    SIMULTANEOUS_USE = 1 << 0,       /* CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR */
    CAPABILITIES = 0x12A9,           /* CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR */
    CAN_BE_SIMULTANEOUS = 1 << 2,    /* CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR */
    REQUIRED_OF_QUEUES = 0x12AA,     /* CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR */
    WITH_PROPERTIES = 5,             /* the 0.9.x in which copies and fills got their properties */
    EXTENSIONS_WITH_VERSION = 0x1060 /* CL_DEVICE_EXTENSIONS_WITH_VERSION */
};

typedef struct driver_buffer *handle; /* cl_command_buffer_khr */

#define SYNCHRONIZED cl_uint, const cl_uint *, cl_uint *, void **
typedef handle(CL_API_CALL *create_function)(cl_uint, const cl_command_queue *, const cl_ulong *, cl_int *);
typedef cl_int(CL_API_CALL *buffer_function)(handle);
typedef cl_int(CL_API_CALL *enqueue_function)(cl_uint, cl_command_queue *, handle, cl_uint, const cl_event *,
                                              cl_event *);
typedef cl_int(CL_API_CALL *kernel_function)(handle, cl_command_queue, const cl_ulong *, cl_kernel, cl_uint,
                                             const size_t *, const size_t *, const size_t *, SYNCHRONIZED);
typedef cl_int(CL_API_CALL *copy_function)(handle, cl_command_queue, const cl_ulong *, cl_mem, cl_mem, size_t,
                                           size_t, size_t, SYNCHRONIZED);
typedef cl_int(CL_API_CALL *fill_function)(handle, cl_command_queue, const cl_ulong *, cl_mem, const void *, size_t,
                                           size_t, size_t, SYNCHRONIZED);
/* Before 0.9.5. */
typedef cl_int(CL_API_CALL *old_copy_function)(handle, cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t,
                                               SYNCHRONIZED);
typedef cl_int(CL_API_CALL *old_fill_function)(handle, cl_command_queue, cl_mem, const void *, size_t, size_t,
                                               size_t, SYNCHRONIZED);

struct command_buffer {
    handle buffer;
    bool simultaneous; /* it can be enqueued again before it has ended */
    bool with_properties;
    create_function create;
    buffer_function finalize, release;
    enqueue_function enqueue;
    kernel_function kernel;
    copy_function copy;
    old_copy_function old_copy;
    fill_function fill;
    old_fill_function old_fill;
};

/* ---- what the device has ---- */

/* The x of version 0.9.x; -1 if the device lacks the extension or does not give such a version. */
static int32_t minor_version(const device *on) {
    size_t size = 0;
    cl_name_version *all = NULL;
    int32_t found = -1;
    if (clGetDeviceInfo(on->id, EXTENSIONS_WITH_VERSION, 0, NULL, &size) == CL_SUCCESS) all = calloc(1, size + 1);
    if (all && clGetDeviceInfo(on->id, EXTENSIONS_WITH_VERSION, size, all, NULL) != CL_SUCCESS) size = 0;
    for (size_t i = 0; all && i < size / sizeof *all; i++)
        if (strcmp(all[i].name, extension) == 0 && CL_VERSION_MAJOR(all[i].version) == 0 &&
            CL_VERSION_MINOR(all[i].version) == 9)
            found = (int32_t)CL_VERSION_PATCH(all[i].version);
    free(all);
    return found;
}

static bool queue_suffices(const queue *q) {
    cl_command_queue_properties required = 0, has = 0;
    return clGetDeviceInfo(q->device->id, REQUIRED_OF_QUEUES, sizeof required, &required, NULL) == CL_SUCCESS &&
           clGetCommandQueueInfo(q->queue, CL_QUEUE_PROPERTIES, sizeof has, &has, NULL) == CL_SUCCESS &&
           (required & ~has) == 0;
}

/* Writes the address of a function to a pointer to it; returns false if the driver does not have the function. */
static bool find(void *function_out, const device *on, const char *name) {
    void *address = clGetExtensionFunctionAddressForPlatform(on->platform, name);
    memcpy(function_out, &address, sizeof address);
    return address != NULL;
}

static bool find_all(struct command_buffer *self, const device *on) {
    const bool new = self->with_properties;
    return find(&self->create, on, "clCreateCommandBufferKHR") &&
           find(&self->finalize, on, "clFinalizeCommandBufferKHR") &&
           find(&self->release, on, "clReleaseCommandBufferKHR") &&
           find(&self->enqueue, on, "clEnqueueCommandBufferKHR") &&
           find(&self->kernel, on, "clCommandNDRangeKernelKHR") &&
           find(new ? (void *)&self->copy : (void *)&self->old_copy, on, "clCommandCopyBufferKHR") &&
           find(new ? (void *)&self->fill : (void *)&self->old_fill, on, "clCommandFillBufferKHR");
}

static bool learn(struct command_buffer *self, const queue *q) {
    const int32_t version = minor_version(q->device);
    cl_ulong capabilities = 0;
    if (version < 0 || !queue_suffices(q)) return false;
    self->with_properties = version >= WITH_PROPERTIES;
    (void)clGetDeviceInfo(q->device->id, CAPABILITIES, sizeof capabilities, &capabilities, NULL);
    self->simultaneous = (capabilities & CAN_BE_SIMULTANEOUS) != 0;
    return find_all(self, q->device);
}

/* ---- making the command buffer ---- */

#define ADDED(expression) TRACED("a call of cl_khr_command_buffer", CL_INVALID_OPERATION, expression)

static cl_mem memory_of(const object *of) {
    return ((const buffer *)of)->memory;
}

static cl_int add_copy(const struct command_buffer *to, const prepared *c) {
    const cl_mem from = memory_of(c->object), target = memory_of(c->target);
    const size_t offset = (size_t)c->offset, target_offset = (size_t)c->target_offset, size = (size_t)c->size;
    if (to->with_properties)
        return ADDED(
            to->copy(to->buffer, NULL, NULL, from, target, offset, target_offset, size, 0, NULL, NULL, NULL));
    return ADDED(to->old_copy(to->buffer, NULL, from, target, offset, target_offset, size, 0, NULL, NULL, NULL));
}

static cl_int add_fill(const struct command_buffer *to, const prepared *c) {
    const cl_mem memory = memory_of(c->object);
    const size_t pattern = (size_t)c->pattern_size, offset = (size_t)c->offset, size = (size_t)c->size;
    if (to->with_properties)
        return ADDED(to->fill(to->buffer, NULL, NULL, memory, c->data, pattern, offset, size, 0, NULL, NULL, NULL));
    return ADDED(to->old_fill(to->buffer, NULL, memory, c->data, pattern, offset, size, 0, NULL, NULL, NULL));
}

static cl_int add(const struct command_buffer *to, step *s) {
    const kernel *k = step_kernel(s);
    const range *r = &s->range;
    if (!k) return s->command.kind == A_COPY ? add_copy(to, &s->command) : add_fill(to, &s->command);
    s->arguments[1] = k->changes;
    return ADDED(to->kernel(to->buffer, NULL, NULL, k->kernel, r->dimensions, r->offset, r->global,
                            r->has_local ? r->local : NULL, 0, NULL, NULL, NULL));
}

static bool make(struct command_buffer *self, const graph *from) {
    const cl_ulong properties[] = {BUFFER_FLAGS, SIMULTANEOUS_USE, 0};
    cl_int code = CL_SUCCESS;
    self->buffer = TRACED("clCreateCommandBufferKHR", NULL,
                          self->create(1, &from->queue->queue, self->simultaneous ? properties : NULL, &code));
    if (!self->buffer) return false;
    for (int32_t i = 0; i < from->count && code == CL_SUCCESS; i++)
        code = add(self, from->steps[i]);
    return code == CL_SUCCESS && ADDED(self->finalize(self->buffer)) == CL_SUCCESS;
}

/* Command buffers have neither writes nor reads. */
static bool has_transfer(const graph *self) {
    for (int32_t i = 0; i < self->count; i++)
        if (self->steps[i]->host.size) return true;
    return false;
}

void graph_open_driver(graph *self) {
    if (has_transfer(self)) return;
    self->driver = calloc(1, sizeof *self->driver);
    if (!self->driver || !learn(self->driver, self->queue) || !make(self->driver, self)) graph_close_driver(self);
}

/* ---- using it ---- */

static void release(graph *self) {
    if (self->last) execution_await(self->last);
    execution_release(self->last);
    self->last = NULL;
    if (self->driver->buffer) (void)ADDED(self->driver->release(self->driver->buffer));
    self->driver->buffer = NULL;
}

void graph_close_driver(graph *self) {
    if (!self->driver) return;
    release(self);
    free(self->driver);
    self->driver = NULL;
}

/* A trace shows the single commands, which it could not see in a command buffer. Making the command buffer anew
 * costs more than some replays, and it may be that the arguments change at each. */
bool graph_driver_serves(const graph *self, const queue *on) {
    return self->driver && on == self->queue && !self->changed && !trace_is_on() &&
           (self->driver->simultaneous || !self->last || execution_ended(self->last));
}

void graph_update_driver(graph *self) {
    bool same = true;
    for (int32_t i = 0; i < self->count && same; i++) {
        const kernel *k = step_kernel(self->steps[i]);
        same = !k || k->changes == self->steps[i]->arguments[1];
    }
    if (same) return;
    release(self);
    if (!make(self->driver, self)) graph_close_driver(self);
}

int32_t graph_driver_enqueue(const graph *self, const wait_list *waits, cl_event *event_at) {
    static const char call[] = "clEnqueueCommandBufferKHR";
    return error_check(
        TRACED(call, CL_INVALID_OPERATION,
               self->driver->enqueue(0, NULL, self->driver->buffer, waits->count, waits->events, event_at)),
        call);
}
