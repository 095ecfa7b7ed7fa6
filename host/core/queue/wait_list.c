/* wait_list.c - what commands wait for: the list of a script, markers and barriers. */
#include "queue/internal.h"

#include <stdlib.h>

static const char wait_call[] = "clWaitForEvents";

/* ---- the list of a script ---- */

/* If one of two PoCL devices runs commands in the calling thread, they wait for each other for ever. So the host
 * first waits itself for a command on another device. */
static int32_t wait_between_devices(const queue *q, execution *of) {
    if (of->user || of->device == q->device || !(of->device->synchronous || q->device->synchronous)) return 0;
    return execution_wait(of);
}

/* An event that has already failed is reported here: PoCL and Oclgrind would wait for it for ever. */
static int32_t fill(wait_list *list, const queue *q, const int32_t *events, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        execution *of = event_find(events[i], q->context, wait_call);
        int32_t code;
        if (!of) return clue_error_code();
        if ((code = execution_look(of)) || (code = wait_between_devices(q, of))) return code;
        list->of[i] = execution_retain(of);
        list->events[i] = of->event;
        list->count++;
    }
    return 0;
}

int32_t clue_queue_wait_for(int32_t handle, const int32_t *events, int32_t count) {
    queue *q = (queue *)handle_find(handle, CLUE_QUEUE, wait_call);
    wait_list list = {0};
    int32_t code = 0;
    if (!q) return clue_error_code();
    wait_list_clear(&q->next_waits);
    if (count < 0 || (count > 0 && !events))
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, wait_call, "a list of %d events", (int)count);
    if (count == 0) return 0;
    list.events = calloc((size_t)count + 1, sizeof(cl_event)); /* one more for add_last() */
    list.of = calloc((size_t)count + 1, sizeof(execution *));
    code = list.events && list.of ? fill(&list, q, events, count) : error_out_of_memory(wait_call);
    if (code)
        wait_list_clear(&list);
    else
        q->next_waits = list;
    return code;
}

/* ---- markers and barriers: without a list, they wait for everything enqueued before ---- */

/* True for a queue out of order; in a queue in order, every command waits for all before it. */
static bool waits_for_all(const queue *q) {
    return q->out_of_order && q->waits.count == 0;
}

static int32_t come_behind_all(queue *q, execution *made, const char *call) {
    execution *failed = queue_failure(q, true);
    const int32_t code = queue_gate_all(q, made, call);
    if (failed && !made->behind) made->behind = execution_retain(failed);
    return code ? code : queue_note_waits(q, made, true, call);
}

static int32_t enqueue_marker(const queue *q, cl_event *event_at) {
    if (q->device->pocl && q->out_of_order && q->waits.count)
        return enqueue_nothing(q, q->queue, q->waits.count, q->waits.events, event_at);
    return CL_CALL(clEnqueueMarkerWithWaitList, q->queue, q->waits.count, q->waits.events, event_at);
}

/* A barrier with a list must also wait for the barrier before it, which PoCL forgets. */
static void add_last(queue *q) {
    wait_list *to = &q->waits;
    if (!q->out_of_order || to->count == 0 || !q->last || execution_ended(q->last)) return;
    to->of[to->count] = execution_retain(q->last);
    to->events[to->count++] = q->last->event;
}

static void keep_barrier(queue *q, execution *made) {
    if (!q->out_of_order) return; /* there, every command is a barrier */
    execution_release(q->last);
    q->last = execution_retain(made);
}

int32_t clue_queue_marker(int32_t *event_out, int32_t handle) {
    static const char call[] = "clEnqueueMarkerWithWaitList";
    queue *q = queue_find(handle, call);
    struct command c;
    int32_t code;
    if (!q) return clue_error_code();
    if ((code = command_begin(&c, q, "a marker", call, event_out ? WITH_EVENT : NO_EVENT))) return code;
    if (waits_for_all(q)) code = come_behind_all(q, c.made, call);
    if (code == 0) code = enqueue_marker(q, c.event_at);
    return command_end(&c, event_out, q, code);
}

int32_t clue_queue_barrier(int32_t *event_out, int32_t handle) {
    static const char call[] = "clEnqueueBarrierWithWaitList";
    queue *q = queue_find(handle, call);
    struct command c;
    int32_t code;
    if (!q) return clue_error_code();
    if ((code = command_begin(&c, q, "a barrier", call, event_out ? WITH_EVENT : NO_EVENT))) return code;
    if (waits_for_all(q)) code = come_behind_all(q, c.made, call);
    add_last(q);
    if (code == 0)
        code = CL_CALL(clEnqueueBarrierWithWaitList, q->queue, q->waits.count, q->waits.events, c.event_at);
    if (code == 0) keep_barrier(q, c.made);
    return command_end(&c, event_out, q, code);
}
