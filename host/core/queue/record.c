/* record.c - queues whose commands are recorded in a graph instead of enqueued.
 *
 * A graph (host/core/graph) has such a queue while it is recorded, and `record` of that queue adds a command. The
 * functions that enqueue come here after their checks. Those that do not are refused by command_begin(). */
#include "queue/internal.h"

static int32_t refuse_waits(const queue *self, const prepared *command) {
    if (self->waits.count == 0) return 0;
    return error_record(CL_INVALID_EVENT_WAIT_LIST, CLUE_CAUSE_PARAMETER, command->call,
                        "%s in a graph cannot wait for events: commands of a graph run in their order; let the "
                        "replay wait",
                        command->what);
}

/* The event stands for the command in code that was written for queues; see find_run(). */
static int32_t open_event(int32_t *event_out, const queue *self, const prepared *command) {
    execution *made = execution_new(command->what, command->call);
    int32_t code;
    if (!made) return clue_error_code();
    made->recorded = true;
    made->device = self->device;
    code = event_open(event_out, made, self->context);
    execution_release(made);
    return code;
}

int32_t queue_record(int32_t *event_out, queue *self, const prepared *command) {
    int32_t event = 0, code = refuse_waits(self, command);
    if (code == 0 && event_out) code = open_event(&event, self, command);
    if (code) return code;
    code = self->record(self, command);
    if (code && event) (void)clue_handle_free(event, CLUE_EVENT);
    if (code == 0 && event_out) *event_out = event;
    return code;
}
