/* command.c - how a command gets into its queue: what is prepared before the driver sees it, and what is kept
 * afterwards.
 *
 * A command for which the host waits at once is refused if a command before it is known to have failed. Drivers
 * execute it all the same, and it would read old data. */
#include "queue/internal.h"

/* If the host's clock times the kernels, the queue is awaited first, so that the time of the kernels ends before
 * the blocking command. */
static int32_t begin_blocking(queue *on, const char *what, const char *call) {
    const bool pending = on->last && on->last->finished == 0;
    const execution *failed;
    int32_t code = queue_gate(on, NULL, what, call);
    if (code == 0 && pending && !on->timed) {
        code = execution_wait(on->last);
        if (execution_failed(on->last)) code = 0; /* its failure may have been reported already */
    }
    if (code == 0 && (failed = queue_failure(on, false))) code = queue_report_failure(on, failed, what, call);
    if (code == 0) waiting_for(pending && on->timed ? on->last->what : what); /* signal handlers print it */
    return code;
}

/* Finds the commands whose failure makes this one fail, and those for which it waits. */
static int32_t put_in_order(queue *on, execution *made, const char *call) {
    execution *failed = queue_failure(on, false);
    int32_t code = queue_gate(on, made, made->what, call);
    if (failed) made->behind = execution_retain(failed);
    if (code == 0) code = queue_note_waits(on, made, false, call);
    return code;
}

/* Allocates all memory before the driver is called, so that no command runs without the core knowing it. */
static int32_t begin_kept(struct command *self, queue *on, bool wants_event) {
    int32_t code;
    self->made = queue_execution(on, self->what, self->call);
    if (!self->made) return clue_error_code();
    code = put_in_order(on, self->made, self->call);
    if (code == 0 && (on->out_of_order || self->made->gates.count)) code = queue_reserve(on, self->call);
    if (code == 0 && wants_event) code = event_open(&self->event, self->made, on->context);
    if (code) {
        execution_release(self->made);
        return code;
    }
    self->event_at = &self->made->event;
    waiting_for(self->what); /* some drivers do the work while they enqueue it */
    return 0;
}

int32_t command_begin(struct command *self, queue *on, const char *what, const char *call, int32_t way) {
    *self = (struct command){.blocking = CL_FALSE, .what = what, .call = call};
    if (on->record)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, call,
                            "%s cannot be recorded in a graph: kernels can be, and the copies, fills, writes and "
                            "reads of buffers; enqueue it between two replays",
                            what);
    if (way != BLOCKING) return begin_kept(self, on, way == WITH_EVENT);
    self->blocking = on->out_of_order ? CL_FALSE : CL_TRUE;
    if (on->out_of_order) self->event_at = &self->own;
    return begin_blocking(on, what, call);
}

/* Makes the driver start the command. If the driver does so by itself, a flush would cost NVIDIA's a third of what
 * the call of a kernel costs. A command that waits for a user event starts later. */
static int32_t start(const queue *self, bool waits) {
    return self->device->starts && !waits ? 0 : CL_CALL(clFlush, self->queue);
}

/* Keeps the command that was just enqueued, takes over the reference, and starts the command. */
static int32_t keep(queue *self, execution *made) {
    const bool waits = made->gates.count > 0;
    if (self->out_of_order || waits) executions_add(&self->pending, made);
    if (self->out_of_order) {
        execution_release(made);
    } else {
        execution_release(self->last);
        self->last = made;
    }
    return start(self, waits);
}

/* The driver has refused the command. */
static void abandon(execution *made) {
    flight_drop(made);
    execution_release(made);
}

/* For a queue out of order, PoCL would wait for all its commands, and never end if one of them waits for a user
 * event. */
static int32_t await_own(const struct command *self, const queue *on) {
    int32_t code = CL_CALL(clFlush, on->queue);
    if (code == 0) code = CL_CALL(clWaitForEvents, 1, &self->own);
    (void)clReleaseEvent(self->own);
    return code;
}

/* The command succeeded, but drivers also say so for commands behind a kernel that failed. */
static int32_t end_blocking(const struct command *self, queue *on) {
    const execution *failed = NULL;
    if (self->own) return await_own(self, on);
    failed = fault_unreported(on->queue);
    return failed ? queue_report_failure(on, failed, self->what, self->call) : 0;
}

int32_t command_end(struct command *self, int32_t *event_out, queue *on, int32_t code) {
    if (self->made && code)
        abandon(self->made);
    else if (self->made)
        code = keep(on, self->made);
    else if (code == 0)
        code = end_blocking(self, on);
    waiting_is_over();
    if (code && self->event) (void)clue_handle_free(self->event, CLUE_EVENT);
    if (code == 0 && event_out && self->event) *event_out = self->event;
    return code;
}

int32_t command_flies(const struct command *self, const void *data, int64_t size, const char *call) {
    return self->made ? flight_add(self->made, data, size, call) : 0;
}
