/* graph_replay.c - replays graphs.
 *
 * A replay checks all commands before the first one is enqueued. There are three ways:
 *   through the driver    one command buffer
 *   at once               the driver gets each command, but only the first and the last have an event
 *   one by one            as if each command were enqueued by itself, if somebody looks at the single commands: a
 *                         capture, a profile; and behind a user event that is not set, where PoCL needs their
 * events
 */
#include "graph/graph.h"

static const char graph_call[] = "clue_graph_replay";

/* A command was refused, after so many were enqueued. */
static int32_t stop(int32_t enqueued, int32_t code) {
    if (code && enqueued > 0) error_mark_partly();
    return code;
}

/* ---- at once ---- */

/* Commands that were enqueued without an event: nobody else would wait for them. */
static void await_strays(const queue *q, int32_t count) {
    if (count > 0) (void)clFinish(q->queue);
}

static int32_t give(const step *s, const queue *q, const wait_list *waits, cl_event *event_at) {
    const kernel *k = step_kernel(s);
    int32_t code;
    if (!k) return memory_enqueue(&s->command, q, waits, CL_FALSE, event_at);
    code = kernel_enqueue(k, q, &s->range, waits, event_at);
    if (code) range_explain(&s->range, k, code);
    return code;
}

static int32_t give_all(const graph *self, queue *q, const struct command *c) {
    static const wait_list none;
    int32_t i = 0, code = 0;
    for (; i < self->count && code == 0; i++) {
        cl_event *event_at = i + 1 == self->count ? c->event_at : i == 0 && q->timed ? &c->made->began : NULL;
        code = give(self->steps[i], q, i ? &none : &q->waits, event_at);
    }
    if (code == 0) return 0;
    await_strays(q, i - 1);
    return stop(i - 1, graph_blame(self, i - 1, code));
}

/* ---- what a replay uses ---- */

static int32_t reserve(const graph *self, const struct command *c) {
    int32_t code = 0;
    for (int32_t i = 0; i < self->count && code == 0; i++) {
        const step *s = self->steps[i];
        if (step_kernel(s)) code = kernel_svm_reserve(step_kernel(s));
        if (s->host.size) code = command_flies(c, s->host.data, s->host.size, s->command.call);
    }
    return code;
}

static void use(const graph *self, execution *made) {
    for (int32_t i = 0; i < self->count; i++)
        if (step_kernel(self->steps[i])) kernel_replayed(step_kernel(self->steps[i]), made);
}

/* ---- through the driver ---- */

/* The event of PoCL's command buffers begins and ends when its last command has ended, so a marker is timed for the
 * beginning. */
static int32_t enqueue_buffer(graph *self, queue *q, const struct command *c) {
    static const wait_list none;
    const bool marked = q->timed && q->device->pocl;
    int32_t code = 0;
    if (marked)
        code = CL_CALL(clEnqueueMarkerWithWaitList, q->queue, q->waits.count, q->waits.events, &c->made->began);
    if (code == 0) code = graph_driver_enqueue(self, marked ? &none : &q->waits, c->event_at);
    if (code && marked) await_strays(q, 1);
    if (code) return code;
    execution_release(self->last);
    self->last = execution_retain(c->made);
    return 0;
}

static int32_t replay_together(int32_t *event_out, graph *self, queue *q, bool by_driver) {
    static const range several; /* no dimensions: each kernel has its own */
    struct command c;
    int32_t code = command_begin(&c, q, self->what, graph_call, event_out ? WITH_EVENT : NO_EVENT);
    if (code) return code;
    code = reserve(self, &c);
    fault_watch(c.made, self->context, &several);
    if (code == 0) code = by_driver ? enqueue_buffer(self, q, &c) : give_all(self, q, &c);
    if (code)
        fault_unwatch(c.made);
    else
        use(self, c.made);
    return command_end(&c, event_out, q, code);
}

/* ---- one by one ---- */

static int32_t run(const step *s, queue *q) {
    struct command c;
    int32_t code;
    if (step_kernel(s)) return kernel_execute(NULL, step_kernel(s), q, &s->range);
    if ((code = command_begin(&c, q, s->command.what, s->command.call, NO_EVENT))) return code;
    if (s->host.size) code = command_flies(&c, s->host.data, s->host.size, s->command.call);
    if (code == 0) code = memory_enqueue(&s->command, q, &q->waits, CL_FALSE, c.event_at);
    return command_end(&c, NULL, q, code);
}

static int32_t mark_end(int32_t *event_out, const graph *self, queue *q, const execution *first) {
    struct command c;
    int32_t code = command_begin(&c, q, self->what, graph_call, event_out ? WITH_EVENT : NO_EVENT);
    if (code) return code;
    if (q->timed && first && clRetainEvent(first->event) == CL_SUCCESS) c.made->began = first->event;
    if (first) c.made->enqueued = first->enqueued; /* in the calling thread, a driver executes before the marker */
    code = CL_CALL(clEnqueueMarkerWithWaitList, q->queue, q->waits.count, q->waits.events, c.event_at);
    return command_end(&c, event_out, q, code);
}

static int32_t replay_singly(int32_t *event_out, const graph *self, queue *q) {
    execution *first = NULL;
    int32_t code = 0;
    for (int32_t i = 0; i < self->count && code == 0; i++) {
        code = stop(i, graph_blame(self, i, run(self->steps[i], q)));
        if (i == 0 && code == 0) first = execution_retain(q->last);
    }
    if (code == 0) code = stop(self->count, mark_end(event_out, self, q, first));
    execution_release(first);
    return code;
}

/* ---- the choice ---- */

static int32_t check_queue(const graph *self, const queue *q) {
    int32_t code = queue_check_context(q, self->context, self->what, graph_call);
    if (code) return code;
    if (q->record)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, graph_call,
                            "a graph cannot be recorded in a graph: record its commands");
    if (q->device != self->queue->device)
        return error_record(CL_INVALID_DEVICE, CLUE_CAUSE_PARAMETER, graph_call,
                            "the graph was recorded for %s, and queue %d is on %s: record one for each device",
                            self->queue->device->name, (int)q->base.handle, q->device->name);
    if (!q->out_of_order) return 0;
    return error_record(CL_INVALID_QUEUE_PROPERTIES, CLUE_CAUSE_PARAMETER, graph_call,
                        "queue %d is out of order, but the commands of a graph run in their order: use a queue in "
                        "order",
                        (int)q->base.handle);
}

static int32_t replay(int32_t *event_out, graph *self, queue *q) {
    bool by_driver;
    if (kernel_watcher || profile_is_running() || queue_is_gated(q)) return replay_singly(event_out, self, q);
    by_driver = graph_driver_serves(self, q);
    if (by_driver) graph_update_driver(self);
    return replay_together(event_out, self, q, by_driver && self->driver);
}

/* A write or read that blocks lets the whole replay do so. */
static int32_t replay_and_wait(int32_t *event_out, graph *self, queue *q) {
    int32_t event = 0, code;
    if (queue_is_gated(q))
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, graph_call,
                            "%s waits for a user event that is not set, and a write or read of the graph blocks: "
                            "set the event before, or record it with blocking = false",
                            self->what);
    if ((code = replay(event_out ? &event : NULL, self, q))) return code;
    code = execution_wait(q->last);
    if (code && event) (void)clue_handle_free(event, CLUE_EVENT);
    if (code == 0 && event) *event_out = event;
    return code;
}

int32_t clue_graph_replay(int32_t *event_out, int32_t handle, int32_t queue_handle) {
    queue *q = queue_find(queue_handle, graph_call);
    graph *g = q ? (graph *)handle_find(handle, CLUE_GRAPH, graph_call) : NULL;
    int32_t code;
    if (!g) return clue_error_code();
    if (!g->what) /* even if the queue of the recording was freed */
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, graph_call,
                            "graph %d is still being recorded", (int)handle);
    if ((code = check_queue(g, q)) || (code = graph_ready(g))) return code;
    return g->blocks ? replay_and_wait(event_out, g, q) : replay(event_out, g, q);
}
