/* queue.c - queues: the own queue of each context, and those that scripts make.
 *
 * When the newest command of a queue in order has ended, so have all before it. So such a queue remembers only its
 * newest command, and those that wait for user events. A queue out of order remembers all commands that are not
 * known to have ended. A failure is reported once: by the next command behind it for which the host waits, or when
 * the queue is finished. The queues of a context know nothing of each other. */
#include "queue/internal.h"

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

/* ---- what is known of its commands ---- */

execution *queue_execution(const queue *self, const char *what, const char *call) {
    execution *made = execution_new(what, call);
    if (!made) return NULL;
    made->queue = self->queue;
    made->device = self->device;
    made->timed = self->timed;
    made->in_order = !self->out_of_order;
    return made;
}

execution *queue_failure(const queue *self, bool all) {
    execution *last = self->last && self->last->behind ? self->last->behind : self->last;
    if (!executions_may_have_failed()) return NULL;
    for (int32_t i = 0; i < self->pending.count && (all || !self->out_of_order); i++)
        if (execution_failed(self->pending.list[i]) && !self->pending.list[i]->reported)
            return self->pending.list[i];
    return last && execution_failed(last) && !last->reported ? last : NULL;
}

int32_t queue_report_failure(queue *self, const execution *failed, const char *what, const char *call) {
    const int32_t code =
        what ? execution_refuse_behind(failed, what, call) : execution_report_failure(failed, call);
    for (execution *other; (other = queue_failure(self, !what)) || (other = fault_unreported(self->queue));)
        other->reported = true;
    return code;
}

/* Forgets the commands that have ended; keeps failures until they are reported. */
static void forget_over(queue *self) {
    execution_list *all = &self->pending;
    int32_t kept = 0;
    for (int32_t i = 0; i < all->count; i++) {
        execution *one = all->list[i];
        if (execution_is_over(one) && (one->reported || !execution_failed(one)))
            execution_release(one);
        else
            all->list[kept++] = one;
    }
    all->count = kept;
}

int32_t queue_reserve(queue *self, const char *call) {
    if (self->pending.count == self->pending.room) forget_over(self);
    return executions_reserve(&self->pending, 1, call);
}

/* ---- what its commands wait for ---- */

void wait_list_clear(wait_list *self) {
    for (cl_uint i = 0; i < self->count; i++)
        execution_release(self->of[i]);
    free(self->of);
    free(self->events);
    *self = (wait_list){0};
}

/* Moves the list for the next command into `waits`. */
static void take_waits(queue *self) {
    if (self->waits.count) wait_list_clear(&self->waits);
    self->waits = self->next_waits;
    self->next_waits = (wait_list){0};
}

void queue_drop_waits(queue *self) {
    wait_list_clear(&self->waits);
    wait_list_clear(&self->next_waits);
}

/* ---- their end ---- */

void queue_await(queue *self) {
    if (self->last) execution_await(self->last);
    for (int32_t i = 0; i < self->pending.count; i++)
        execution_await(self->pending.list[i]);
}

static const char finish_call[] = "clFinish";

/* Mesa's rusticl returns too early from clFinish, but not from a wait for an event. */
static int32_t await_marker(const queue *self) {
    cl_event last = NULL;
    const cl_int status = clEnqueueMarkerWithWaitList(self->queue, 0, NULL, &last);
    int32_t code = error_check(status, "clEnqueueMarkerWithWaitList");
    if (code == 0) code = CL_CALL(clWaitForEvents, 1, &last);
    if (last) (void)clReleaseEvent(last);
    return code;
}

/* Waits for commands that were enqueued through the raw handle. */
static int32_t finish_lent(const queue *self) {
    int32_t code;
    waiting_for("commands enqueued through the queue's own handle");
    code = self->device->rusticl ? await_marker(self) : CL_CALL(clFinish, self->queue);
    waiting_is_over();
    return code;
}

/* The first failure that is not a command's own, as when a wait would never end: such a failure is reported
 * again. */
static int32_t wait_for(execution *one) {
    const int32_t code = execution_wait(one);
    return execution_failed(one) && !execution_gate(one) ? 0 : code;
}

static int32_t wait_for_all(queue *self) {
    int32_t code = self->last ? wait_for(self->last) : 0;
    for (int32_t i = 0; i < self->pending.count; i++)
        if (code == 0)
            code = wait_for(self->pending.list[i]);
        else
            execution_await(self->pending.list[i]);
    return code;
}

int32_t queue_finish(queue *self) {
    const execution *failed;
    int32_t code = wait_for_all(self);
    if (code == 0 && self->context->lent) code = finish_lent(self);
    if (code == 0 && ((failed = queue_failure(self, true)) || (failed = fault_unreported(self->queue))))
        code = queue_report_failure(self, failed, NULL, finish_call);
    forget_over(self);
    return code;
}

void queue_retire(queue *self) {
    queue_await(self);
    execution_release(self->last);
    self->last = NULL;
    for (int32_t i = 0; i < self->pending.count; i++)
        execution_settle(self->pending.list[i]);
    executions_clear(&self->pending);
    queue_drop_waits(self);
    fault_forget(self->queue);
}

/* True if a driver's thread may still use the queue. Nothing holds PoCL's part of a device, and its worker reads it
 * after a command has ended, until it releases the command's event, which holds the queue. */
static bool is_held(cl_command_queue self) {
    cl_uint holders = 1;
    (void)clGetCommandQueueInfo(self, CL_QUEUE_REFERENCE_COUNT, sizeof holders, &holders, NULL);
    return holders > 1;
}

static bool release(cl_command_queue *self, const device *on) {
    if (!*self) return true;
    if (on->part && on->pocl && is_held(*self)) return false;
    (void)clReleaseCommandQueue(*self);
    *self = NULL;
    return true;
}

bool queue_release(queue *self) {
    return release(&self->aside, self->device) && release(&self->queue, self->device);
}

/* True if the queue was released: commands that wait for user events live on without the handle. */
static bool end_queue(queue *self) {
    if (self->last && !execution_ended(self->last)) return false;
    forget_over(self);
    for (int32_t i = 0; i < self->pending.count; i++)
        if (!execution_is_over(self->pending.list[i])) return false;
    queue_retire(self);
    if (!queue_release(self)) return false;
    free(self);
    return true;
}

void queues_sweep(context *in) {
    for (queue **at = &in->closing; *at;) {
        queue *next = (*at)->next;
        if (end_queue(*at))
            *at = next;
        else
            at = &(*at)->next;
    }
}

/* ---- handles ---- */

queue *queue_find(int32_t handle, const char *call) {
    queue *self = (queue *)handle_find(handle, CLUE_QUEUE, call);
    if (self) take_waits(self);
    return self;
}

queue *queue_own(context *of) {
    take_waits(&of->own);
    return &of->own;
}

int32_t queue_check_context(const queue *self, const context *other, const char *what, const char *call) {
    if (self->context == other) return 0;
    return error_record(CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER, call,
                        "%s belongs to another context than queue %d: make both in the same one", what,
                        (int)self->base.handle);
}

object *queue_parent(const object *self) {
    return &((const queue *)self)->context->base;
}

void *queue_pointer(const object *self) {
    return ((const queue *)self)->queue;
}
