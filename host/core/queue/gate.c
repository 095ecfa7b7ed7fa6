/* gate.c - user events that are not set, and the commands that wait for them.
 *
 * A user event is set by the script, which is single-threaded: while the host waits, nobody can set one. So every
 * command knows the user events (its gates) that were not set when it was enqueued and that it waits for, directly
 * or through what it waits for, and a wait that could not end is refused. One of them fails: then the command does,
 * too, whatever the driver makes of it.
 *
 * PoCL 3.1 has a user event fail by failing all that waits for it, in the calling thread, and three things end the
 * process then. A command whose event nobody but PoCL holds is freed on the way: so its queue holds every command
 * with gates (queue.c). A failed command stays in the lists of whatever else it waited for, which is told of it
 * later: so it is held until all that has ended. And a worker thread that completes something else which the
 * command waits for may start the command at the moment in which it fails: so all such workers are waited for
 * first. That a worker is done with a command's list cannot be asked, but it goes through the list from the newest
 * to the oldest: a marker (the echo) that waits for the one command alone, enqueued before others come to wait for
 * it, ends last. */
#include "queue/internal.h"

/* ---- which gates a command has ---- */

static int32_t add_once(execution_list *list, execution *one, const char *call) {
    int32_t code;
    if (executions_hold(list, one)) return 0;
    code = executions_reserve(list, 1, call);
    if (code == 0) executions_add(list, one);
    return code;
}

/* Whether commands of a queue out of order wait for each other all the same. */
static bool keeps_order(const queue *q) {
    return q->out_of_order && q->device->keeps_order;
}

static int32_t refuse_wait(const queue *q, const execution *gate, const char *what, const char *call) {
    return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, call,
                        "%s waits for %s, which nobody can complete while the host waits: complete it before%s",
                        what, gate->what,
                        keeps_order(q) ? "; queues of this device keep their order, those out of order too" : "");
}

static int32_t refuse_synchronous(const device *on, const execution *gate, const char *call) {
    return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, call,
                        "%s runs commands in the calling thread, and would wait there for %s for ever: complete "
                        "it before",
                        on->name, gate->what);
}

/* Passes the gates of what is waited for on. */
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

/* One that failed since the list was made, in a script without a turn for that: C's. */
static int32_t check_waits(const queue *q, const char *call) {
    for (cl_uint i = 0; i < q->waits.count; i++)
        if (execution_failed(q->waits.of[i])) return execution_tell(q->waits.of[i], call);
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

int32_t queue_gate_all(const queue *q, execution *made, const char *call) {
    int32_t code = 0;
    for (int32_t i = 0; i < q->pending.count && code == 0; i++)
        code = pass_on(q, q->pending.list[i], made, made->what, call);
    return code;
}

/* ---- what such a command waits for ---- */

static int32_t add_wait(execution *made, execution *one, const char *call) {
    return execution_ended(one) ? 0 : add_once(&made->after, one, call);
}

static int32_t open_echo(queue *q, execution *of, const char *call) {
    cl_command_queue on;
    if (of->user || of->echo) return 0;
    if (!(on = queue_aside(q))) return error_check(error_status, call);
    return enqueue_nothing(q, on, 1, &of->event, &of->echo);
}

/* What waits for one thing alone ends with it: no two threads meet there. */
static int32_t open_echoes(queue *q, const execution *made, const char *call) {
    int32_t code = 0;
    if (!q->device->pocl || made->after.count < 2) return 0;
    for (int32_t i = 0; i < made->after.count && code == 0; i++)
        code = open_echo(q, made->after.list[i], call);
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
    return code ? code : open_echoes(q, made, call);
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
