/* gate.c - unset user events, and the commands that wait for them.
 *
 * A user event is set by the script, which is single-threaded: while the host waits, it cannot be set. So every
 * command knows its gates: the user events that were not set when it was enqueued, and for which it waits directly
 * or through other commands. A wait that could not end is refused. If a gate fails, so does the command, whatever
 * the driver does with it.
 *
 * In PoCL 3.1, a failing user event fails all commands that wait for it, in the calling thread. Three things can
 * end the process then. First, a command whose event only PoCL holds is freed during that; so the queue holds every
 * command with gates (queue.c). Second, a failed command stays in the lists of the other commands that it waited
 * for, and is notified later; so it is held until all of those have ended. Third, a worker thread that completes
 * another command in the wait list may start the command while it fails; so all such workers are awaited first. A
 * worker cannot be asked whether it has gone through its list, but it goes from the newest entry to the oldest. So
 * a marker (the echo) that waits for that one command alone, enqueued before any other command waits for it, ends
 * last. */
#include "queue/internal.h"

/* ---- which gates a command has ---- */

static int32_t add_once(execution_list *list, execution *one, const char *call) {
    int32_t code;
    if (executions_hold(list, one)) return 0;
    code = executions_reserve(list, 1, call);
    if (code == 0) executions_add(list, one);
    return code;
}

/* True if commands of a queue out of order nevertheless wait for each other. */
static bool keeps_order(const queue *q) {
    return q->out_of_order && q->device->keeps_order;
}

static int32_t refuse_wait(const queue *q, const execution *gate, const char *what, const char *call) {
    return error_record(
        CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, call,
        "%s waits for %s, which the script cannot set while it waits: set it before%s", what, gate->what,
        keeps_order(q) ? "; all queues of this device keep their order, even those out of order" : "");
}

static int32_t refuse_synchronous(const device *on, const execution *gate, const char *call) {
    return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, call,
                        "%s runs commands in the calling thread, which would wait for %s for ever: set it before",
                        on->name, gate->what);
}

/* Gives a command the gates of the one that it waits for. */
static int32_t pass_on(const queue *q, execution *of, execution *made, const char *what, const char *call) {
    const execution *gate = execution_gate(of);
    int32_t code = 0;
    if (!gate) return 0;
    if (!made) return refuse_wait(q, gate, what, call);
    if (q->device->synchronous) return refuse_synchronous(q->device, gate, call);
    if (of->user) return add_once(&made->gates, of, call);
    for (int32_t i = 0; i < of->gates.count && code == 0; i++)
        if (execution_is_unset(of->gates.list[i])) code = add_once(&made->gates, of->gates.list[i], call);
    return code;
}

/* Refuses the command if an event of its list has failed since clue_queue_wait_for(), which happens only in C
 * programs. */
static int32_t check_waits(const queue *q, const char *call) {
    for (cl_uint i = 0; i < q->waits.count; i++)
        if (execution_failed(q->waits.of[i])) return execution_report_failure(q->waits.of[i], call);
    return 0;
}

int32_t queue_gate(const queue *q, execution *made, const char *what, const char *call) {
    int32_t code = check_waits(q, call);
    if (code == 0 && q->last) code = pass_on(q, q->last, made, what, call);
    for (cl_uint i = 0; i < q->waits.count && code == 0; i++)
        code = pass_on(q, q->waits.of[i], made, what, call);
    for (int32_t i = 0; keeps_order(q) && i < q->pending.count && code == 0; i++)
        code = pass_on(q, q->pending.list[i], made, what, call);
    return code;
}

bool queue_is_gated(const queue *q) {
    bool gated = q->last && execution_gate(q->last);
    for (cl_uint i = 0; i < q->waits.count && !gated; i++)
        gated = execution_gate(q->waits.of[i]);
    return gated;
}

int32_t queue_gate_all(const queue *q, execution *made, const char *call) {
    int32_t code = 0;
    for (int32_t i = 0; i < q->pending.count && code == 0; i++)
        code = pass_on(q, q->pending.list[i], made, made->what, call);
    return code;
}

/* ---- what a command with gates waits for ---- */

static int32_t add_wait(execution *made, execution *one, const char *call) {
    return execution_ended(one) ? 0 : add_once(&made->after, one, call);
}

static int32_t open_echo(queue *q, execution *of) {
    cl_command_queue on;
    if (of->user || of->echo) return 0;
    if (!(on = queue_aside(q))) return error_check(error_status, "clCreateCommandQueue");
    return enqueue_nothing(q, on, 1, &of->event, &of->echo);
}

/* A command that waits for one other command ends with it: no two threads meet there. */
static int32_t open_echoes(queue *q, const execution *made) {
    int32_t code = 0;
    if (!q->device->pocl || made->after.count < 2) return 0;
    for (int32_t i = 0; i < made->after.count && code == 0; i++)
        code = open_echo(q, made->after.list[i]);
    return code;
}

int32_t queue_note_waits(queue *q, execution *made, bool all, const char *call) {
    int32_t code = 0;
    if (made->gates.count == 0) return 0;
    for (cl_uint i = 0; i < q->waits.count && code == 0; i++)
        code = add_wait(made, q->waits.of[i], call);
    if (code == 0 && q->last) code = add_wait(made, q->last, call);
    for (int32_t i = 0; i < q->pending.count && all && code == 0; i++)
        code = add_wait(made, q->pending.list[i], call);
    return code ? code : open_echoes(q, made);
}

/* ---- their end ---- */

static bool echo_is_over(const execution *self) {
    cl_int status = CL_COMPLETE;
    if (!self->echo) return true;
    (void)clGetEventInfo(self->echo, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    return status <= CL_COMPLETE;
}

bool execution_is_over(execution *self) {
    if (!execution_ended(self) || !echo_is_over(self)) return false;
    for (int32_t i = 0; i < self->after.count && self->status < 0; i++)
        if (!execution_ended(self->after.list[i]) || !echo_is_over(self->after.list[i])) return false;
    executions_clear(&self->after);
    return true;
}

static void await_echo(const execution *self) {
    if (self->echo && !execution_gate(self)) (void)clWaitForEvents(1, &self->echo);
}

void execution_settle(execution *self) {
    execution_await(self);
    await_echo(self);
    for (int32_t i = 0; i < self->after.count; i++) {
        execution_await(self->after.list[i]);
        await_echo(self->after.list[i]);
    }
    (void)execution_is_over(self);
}

static void await_workers(const execution_list *all, const execution *user) {
    for (int32_t i = 0; i < all->count; i++) {
        const execution *one = all->list[i];
        for (int32_t j = 0; j < one->after.count && executions_hold(&one->gates, user); j++)
            await_echo(one->after.list[j]);
    }
}

void gates_before_failure(const context *in, const execution *user) {
    if (!in->device->pocl) return;
    await_workers(&in->own.pending, user);
    for (const queue *q = in->queues; q; q = q->next)
        await_workers(&q->pending, user);
    for (const queue *q = in->closing; q; q = q->next)
        await_workers(&q->pending, user);
}
