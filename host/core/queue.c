/* queue.c - queues: the one that every context has of its own, and those that scripts make beside it.
 *
 * When the newest command of a queue in order is done, all before it are, and so the newest one is all that it
 * remembers; a queue out of order remembers all that are not known to have ended. (They are waited for by their
 * events: Mesa's rusticl returns from clFinish early.) Queues of one context know nothing of each other. */
#include "core.h"

#include <stdlib.h>

int32_t queue_open(queue *self, cl_command_queue_properties properties) {
    const cl_device_id on = self->device->id;
    const cl_context in = self->context->context;
    const cl_command_queue_properties order = properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    self->queue = clCreateCommandQueue(in, on, properties, &error_status);
    self->out_of_order = order != 0;
    self->timed = properties != order && self->device->timed && error_status == CL_SUCCESS;
    if (error_status != CL_INVALID_QUEUE_PROPERTIES || properties == order)
        return error_check(error_status, "clCreateCommandQueue");
    return CL_MAKE(&self->queue, clCreateCommandQueue, in, on, order);
}

/* Forgets what is known to have ended. */
static void forget_ended(queue *self, bool failed_too) {
    execution_list *all = &self->pending;
    int32_t kept = 0;
    for (int32_t i = 0; i < all->count; i++) {
        const execution *one = all->list[i];
        if (one->finished > 0 && (failed_too || one->status >= 0))
            execution_release(all->list[i]);
        else
            all->list[kept++] = all->list[i];
    }
    all->count = kept;
}

/* Room for one more; what has ended is looked for when there is none. A failure among it is told by queue_finish().
 */
static int32_t reserve_pending(queue *self, const char *call) {
    if (self->pending.count < self->pending.room) return 0;
    for (int32_t i = 0; i < self->pending.count; i++)
        (void)execution_look(self->pending.list[i]);
    forget_ended(self, false);
    return executions_reserve(&self->pending, 1, call);
}

void queue_close(queue *self) {
    queue_await(self);
    execution_release(self->last);
    executions_clear(&self->pending);
    queue_drop_waits(self);
    fault_forget(self->queue);
    if (self->queue) (void)clReleaseCommandQueue(self->queue);
}

void queue_await(queue *self) {
    if (self->last) execution_await(self->last);
    for (int32_t i = 0; i < self->pending.count; i++)
        execution_await(self->pending.list[i]);
}

/* The first failure is told; what waits for a user event is no failure of the others. */
static int32_t finish_pending(queue *self) {
    int32_t code = 0;
    for (int32_t i = 0; i < self->pending.count; i++) {
        if (code == 0)
            code = execution_wait(self->pending.list[i]);
        else
            execution_await(self->pending.list[i]);
    }
    forget_ended(self, true);
    return code;
}

int32_t queue_finish(queue *self) {
    if (self->out_of_order) return finish_pending(self);
    return self->last ? execution_wait(self->last) : 0;
}

/* ---- commands ---- */

/* Where the host's clock has to time kernels, they are waited for apart, so that their time ends before what is
 * waited for at once. */
static int32_t begin_blocking(queue *on, const char *what, const char *call) {
    const bool pending = on->last && on->last->finished == 0;
    int32_t code = queue_gate(on, NULL, what, call);
    if (code == 0 && pending && !on->timed) code = execution_wait(on->last);
    waiting_for(pending && on->timed ? on->last->what : what); /* signal handlers tell it */
    return code;
}

/* All memory is there before the driver is called, so that nothing runs that the core does not know of. */
static int32_t begin_kept(struct command *self, queue *on, const char *what, const char *call, bool wants_event) {
    int32_t code = on->out_of_order ? reserve_pending(on, call) : 0;
    if (code) return code;
    self->made = execution_new(on, what, call);
    if (!self->made) return clue_error_code();
    code = queue_gate(on, self->made, what, call);
    if (code == 0 && wants_event) code = event_open(&self->event, self->made, on->context);
    if (code) {
        execution_release(self->made);
        return code;
    }
    self->event_at = &self->made->event;
    waiting_for(what); /* some drivers do the work while it is enqueued */
    return 0;
}

int32_t command_begin(struct command *self, queue *on, const char *what, const char *call, int32_t way) {
    *self = (struct command){.blocking = way == BLOCKING ? CL_TRUE : CL_FALSE};
    if (way != BLOCKING) return begin_kept(self, on, what, call, way == WITH_EVENT);
    return begin_blocking(on, what, call);
}

/* The command just enqueued is the queue's; takes the reference over, and flushes. */
static int32_t keep(queue *self, execution *made) {
    if (self->out_of_order) {
        executions_add(&self->pending, made);
        execution_release(made);
    } else {
        execution_release(self->last);
        self->last = made;
    }
    return CL_CALL(clFlush, self->queue);
}

/* The driver has refused it. */
static void abandon(execution *made) {
    flight_drop(made);
    execution_release(made);
}

int32_t command_end(struct command *self, int32_t *event_out, queue *on, int32_t code) {
    if (self->made && code)
        abandon(self->made);
    else if (self->made)
        code = keep(on, self->made);
    waiting_is_over();
    if (code && self->event) (void)clue_handle_free(self->event, CLUE_EVENT);
    if (code == 0 && event_out && self->event) *event_out = self->event;
    return code;
}

int32_t command_flies(const struct command *self, const void *data, int64_t size, const char *call) {
    return self->made ? flight_add(self->made, data, size, call) : 0;
}

queue *queue_find(int32_t handle, const char *call) {
    queue *self = (queue *)handle_find(handle, CLUE_QUEUE, call);
    if (self) queue_take_waits(self);
    return self;
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

static int32_t check_properties(const device *on, int64_t properties) {
    const int64_t known = CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    if (properties < 0 || properties & ~known)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clCreateCommandQueue",
                            "%lld are no queue properties: CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE (1) and "
                            "CL_QUEUE_PROFILING_ENABLE (2) can be given",
                            (long long)properties);
    if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE && !on->out_of_order)
        return error_record(CL_INVALID_QUEUE_PROPERTIES, CLUE_CAUSE_LIMIT, "clCreateCommandQueue",
                            "%s has no queues out of order: for work that may overlap make several queues",
                            on->name);
    return 0;
}

static int32_t open_handle(int32_t *queue_out, queue *self, int64_t properties) {
    int32_t code = queue_open(self, (cl_command_queue_properties)properties);
    if (code == 0) code = handle_open(queue_out, &self->base, CLUE_QUEUE, queue_destroy, "clCreateCommandQueue");
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

int32_t clue_queue_create(int32_t *queue_out, int32_t handle, int64_t properties) {
    context *c = (context *)handle_find(handle, CLUE_CONTEXT, create_call);
    return c ? create(queue_out, c, c->device, properties) : clue_error_code();
}

int32_t clue_queue_create_on(int32_t *queue_out, int32_t handle, int32_t device_id, int64_t properties) {
    context *c = (context *)handle_find(handle, CLUE_CONTEXT, create_call);
    const device *on = c ? context_device(c, device_id, create_call) : NULL;
    return on ? create(queue_out, c, on, properties) : clue_error_code();
}

int32_t clue_queue_finish(int32_t handle) {
    queue *self = (queue *)handle_find(handle, CLUE_QUEUE, "clFinish");
    int32_t code = self ? queue_finish(self) : clue_error_code();
    if (self) svm_sweep(self->context, false);
    return code;
}

int32_t clue_queue_flush(int32_t handle) {
    const queue *self = (queue *)handle_find(handle, CLUE_QUEUE, "clFlush");
    return self ? CL_CALL(clFlush, self->queue) : clue_error_code();
}
