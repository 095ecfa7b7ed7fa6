/* queue.c - queues: the one that every context has of its own, and those that scripts make beside it.
 *
 * All are in order: when a queue's newest command is done, all before it are, and so the newest one is all that it
 * remembers. (It is waited for by its event: Mesa's rusticl returns from clFinish early.) Queues of one context
 * know nothing of each other. */
#include "core.h"

#include <stdlib.h>

int32_t queue_open(queue *self, cl_command_queue_properties properties) {
    const cl_device_id on = self->context->device->id;
    const cl_context in = self->context->context;
    self->queue = clCreateCommandQueue(in, on, properties, &error_status);
    self->timed = properties && self->context->device->timed && error_status == CL_SUCCESS;
    if (error_status != CL_INVALID_QUEUE_PROPERTIES || !properties)
        return error_check(error_status, "clCreateCommandQueue");
    return CL_MAKE(&self->queue, clCreateCommandQueue, in, on, 0);
}

void queue_close(queue *self) {
    if (self->last) execution_await(self->last);
    execution_release(self->last);
    fault_forget(self->queue);
    if (self->queue) (void)clReleaseCommandQueue(self->queue);
}

int32_t queue_finish(const queue *self) {
    return self->last ? execution_wait(self->last) : 0;
}

int32_t queue_keep(queue *self, execution *made) {
    execution_release(self->last);
    self->last = made;
    return CL_CALL(clFlush, self->queue);
}

int32_t queue_wait_begins(const queue *self, const char *what) {
    const bool pending = self->last && self->last->finished == 0;
    const int32_t code = pending && !self->timed ? execution_wait(self->last) : 0;
    waiting_for(pending && self->timed ? self->last->what : what); /* signal handlers tell it */
    return code;
}

int32_t command_begin(struct command *self, const queue *on, const char *what, const char *call, bool wants_event) {
    self->event = 0;
    self->made = execution_new(on, what, call);
    if (!self->made) return clue_error_code();
    if (wants_event && event_open(&self->event, self->made, on->context)) {
        execution_release(self->made);
        return clue_error_code();
    }
    waiting_for(what); /* some drivers do the work while it is enqueued */
    return 0;
}

int32_t command_end(struct command *self, int32_t *event_out, queue *on, int32_t code) {
    if (code)
        execution_release(self->made);
    else
        code = queue_keep(on, self->made);
    waiting_is_over();
    if (code && self->event) (void)clue_handle_free(self->event, CLUE_EVENT);
    if (code == 0 && event_out) *event_out = self->event;
    return code;
}

queue *queue_find(int32_t handle, const char *call) {
    return (queue *)handle_find(handle, CLUE_QUEUE, call);
}

int32_t queue_check_context(const queue *self, const context *other, const char *what, const char *call) {
    if (self->context == other) return 0;
    return error_record(CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER, call,
                        "%s belongs to another context than queue %d: make both in the same one", what,
                        (int)self->base.handle);
}

/* ---- queues with handles ---- */

static void unlink_queue(const queue *self) {
    queue **at = &self->context->queues;
    while (*at && *at != self)
        at = &(*at)->next;
    if (*at) *at = self->next;
}

static void queue_destroy(object *base) {
    queue *self = (queue *)base;
    unlink_queue(self);
    queue_close(self);
    object_release(&self->context->base);
    free(self);
}

static int32_t check_properties(int64_t properties) {
    if (properties == 0 || properties == CL_QUEUE_PROFILING_ENABLE) return 0;
    if (properties > 0 && properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        return error_record(CL_INVALID_QUEUE_PROPERTIES, CLUE_CAUSE_PARAMETER, "clCreateCommandQueue",
                            "queues are in order here (no CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE): for work that "
                            "may overlap make several queues");
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clCreateCommandQueue",
                        "%lld is no queue property: 0 or CL_QUEUE_PROFILING_ENABLE (2) can be given",
                        (long long)properties);
}

static int32_t open_handle(int32_t *queue_out, queue *self, int64_t properties) {
    int32_t code = queue_open(self, (cl_command_queue_properties)properties);
    if (code == 0) code = handle_open(queue_out, &self->base, CLUE_QUEUE, queue_destroy, "clCreateCommandQueue");
    return code;
}

int32_t clue_queue_create(int32_t *queue_out, int32_t handle, int64_t properties) {
    context *c = (context *)handle_find(handle, CLUE_CONTEXT, "clCreateCommandQueue");
    queue *self;
    int32_t code;
    if (!c) return clue_error_code();
    if ((code = check_properties(properties))) return code;
    self = calloc(1, sizeof *self);
    if (!self) return error_out_of_memory("clCreateCommandQueue");
    object_retain(&c->base);
    self->context = c;
    code = open_handle(queue_out, self, properties);
    if (code) {
        queue_destroy(&self->base);
        return code;
    }
    self->next = c->queues;
    c->queues = self;
    return 0;
}

int32_t clue_queue_finish(int32_t handle) {
    const queue *self = queue_find(handle, "clFinish");
    return self ? queue_finish(self) : clue_error_code();
}

int32_t clue_queue_flush(int32_t handle) {
    const queue *self = queue_find(handle, "clFlush");
    return self ? CL_CALL(clFlush, self->queue) : clue_error_code();
}
