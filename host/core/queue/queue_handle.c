/* queue_handle.c - queues that scripts make in a context: their handles, and functions on them.
 *
 * A queue that is freed lives on in its context until its commands are over. */
#include "queue/internal.h"

#include <stdlib.h>

static void unlink_queue(const queue *self) {
    queue **at = &self->context->queues;
    while (*at && *at != self)
        at = &(*at)->next;
    if (*at) *at = self->next;
}

/* At the latest, the context waits for the commands. */
static void queue_destroy(object *base) {
    queue *self = (queue *)base;
    context *in = self->context;
    unlink_queue(self);
    queue_await(self);
    self->next = in->closing;
    in->closing = self;
    queues_sweep(in);
    object_release(&in->base);
}

static const object_class queue_class = {CLUE_QUEUE, queue_destroy, queue_parent, queue_pointer};

static int32_t check_properties(const device *on, int64_t properties) {
    const int64_t known = CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    if (properties < 0 || properties & ~known)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clCreateCommandQueue",
                            "%lld are not queue properties: use CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE (1) and "
                            "CL_QUEUE_PROFILING_ENABLE (2)",
                            (long long)properties);
    if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE && !on->out_of_order)
        return error_record(CL_INVALID_QUEUE_PROPERTIES, CLUE_CAUSE_LIMIT, "clCreateCommandQueue",
                            "%s has no queues out of order: make several queues for commands that may overlap",
                            on->name);
    return 0;
}

static int32_t open_handle(int32_t *queue_out, queue *self, int64_t properties) {
    int32_t code = queue_open(self, (cl_command_queue_properties)properties);
    if (code == 0) code = handle_open(queue_out, &self->base, &queue_class, "clCreateCommandQueue");
    return code;
}

static int32_t create(int32_t *queue_out, context *c, const device *on, int64_t properties) {
    queue *self;
    int32_t code = check_properties(on, properties);
    if (code) return code;
    self = calloc(1, sizeof *self);
    if (!self) return error_out_of_memory("clCreateCommandQueue");
    object_retain(&c->base);
    self->context = c;
    self->device = on;
    code = open_handle(queue_out, self, properties);
    if (code) {
        queue_destroy(&self->base);
        return code;
    }
    self->next = c->queues;
    c->queues = self;
    return 0;
}

static const char create_call[] = "clCreateCommandQueue";

int32_t clue_queue_create(int32_t *queue_out, int32_t handle, int32_t device_id, int64_t properties) {
    context *c = (context *)handle_find(handle, CLUE_CONTEXT, create_call);
    const device *on = c ? context_device(c, device_id, handle, create_call) : NULL;
    return on ? create(queue_out, c, on, properties) : clue_error_code();
}

int32_t clue_queue_finish(int32_t handle) {
    queue *self = (queue *)handle_find(handle, CLUE_QUEUE, "clFinish");
    int32_t code;
    if (!self) return clue_error_code();
    if (self->record)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "clFinish",
                            "commands that are recorded in a graph do not run: wait for the event of a replay");
    code = queue_finish(self);
    context_sweep(self->context, false);
    queues_sweep(self->context);
    return code;
}

int32_t clue_queue_flush(int32_t handle) {
    const queue *self = (queue *)handle_find(handle, CLUE_QUEUE, "clFlush");
    return self ? CL_CALL(clFlush, self->queue) : clue_error_code();
}
