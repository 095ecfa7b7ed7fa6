/* graph.c - graphs: from the beginning of a recording to the end of the graph, and what can be asked. */
#include "graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char create_call[] = "clue_graph_create", ask_call[] = "clue_graph_command";

/* ---- the recording ---- */

/* The graph has the queue for its recording as a part. */
static graph *graph_of(queue *recorder) {
    return (graph *)((char *)recorder - offsetof(graph, recorder));
}

static int32_t record(queue *self, const prepared *command) {
    return graph_add(graph_of(self), command);
}

static void keep_recorder(object *self) {
    (void)self;
}

static const object_class recorder_class = {CLUE_QUEUE, keep_recorder, queue_parent, queue_pointer};

static void open_recorder(graph *self) {
    const queue *q = self->queue;
    self->recorder =
        (queue){.context = q->context, .queue = q->queue, .timed = q->timed, .device = q->device, .record = record};
}

static void close_recorder(graph *self) {
    if (self->recorder.base.handle) (void)clue_handle_free(self->recorder.base.handle, CLUE_QUEUE);
    queue_drop_waits(&self->recorder);
}

/* ---- graphs ---- */

static void graph_destroy(object *self) {
    graph *g = (graph *)self;
    graph_close_driver(g);
    close_recorder(g);
    for (int32_t i = 0; i < g->count; i++) {
        const kernel *k = step_kernel(g->steps[i]);
        if (k && k->base.handle) (void)clue_handle_free(k->base.handle, CLUE_KERNEL);
        step_free(g->steps[i]);
    }
    free((void *)g->steps);
    free(g->what);
    object_release(&g->queue->base);
    object_release(&g->context->base);
    free(g);
}

static object *parent_of(const object *self) {
    return &((const graph *)self)->context->base;
}

static const object_class graph_class = {.kind = CLUE_GRAPH, .destroy = graph_destroy, .parent = parent_of};

static int32_t check_queue(const queue *q) {
    if (q->record)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, create_call,
                            "queue %d is recording a graph, and graphs cannot be nested", (int)q->base.handle);
    if (!q->out_of_order) return 0;
    return error_record(CL_INVALID_QUEUE_PROPERTIES, CLUE_CAUSE_PARAMETER, create_call,
                        "queue %d is out of order, but the commands of a graph run in their order: use a queue in "
                        "order",
                        (int)q->base.handle);
}

int32_t clue_graph_create(int32_t *graph_out, int32_t *commands_out, int32_t queue_handle) {
    queue *q = (queue *)handle_find(queue_handle, CLUE_QUEUE, create_call);
    graph *g;
    int32_t code;
    if (!q) return clue_error_code();
    if ((code = check_queue(q))) return code;
    g = calloc(1, sizeof *g);
    if (!g) return error_out_of_memory(create_call);
    object_retain(&q->base);
    object_retain(&q->context->base);
    g->queue = q;
    g->context = q->context;
    open_recorder(g);
    code = handle_open(commands_out, &g->recorder.base, &recorder_class, create_call);
    if (code == 0) code = handle_open(graph_out, &g->base, &graph_class, create_call);
    if (code) graph_destroy(&g->base);
    return code;
}

static graph *find(int32_t handle, const char *call) {
    return (graph *)handle_find(handle, CLUE_GRAPH, call);
}

/* "graph of kernel 'f', a copy between buffers, ..." */
static char *describe(const graph *self) {
    enum { NAMED = 3, ROOM = 400 };
    char text[ROOM];
    int used = snprintf(text, ROOM, "graph of");
    for (int32_t i = 0; i < self->count && i <= NAMED && used < ROOM; i++)
        used += snprintf(text + used, (size_t)(ROOM - used), i ? ", %s" : " %s",
                         i == NAMED ? "..." : self->steps[i]->command.what);
    return text_copy(text);
}

int32_t clue_graph_end(int32_t handle, int32_t command_buffer) {
    graph *g = find(handle, create_call);
    if (!g) return clue_error_code();
    if (g->what)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, create_call,
                            "the recording of graph %d is over already", (int)handle);
    if (g->count == 0)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, create_call,
                            "nothing was recorded: give the queue of the recording to kernels and other commands");
    g->what = describe(g);
    if (!g->what) return error_out_of_memory(create_call);
    close_recorder(g);
    if (command_buffer) graph_open_driver(g);
    return 0;
}

/* ---- asking ---- */

int32_t clue_graph_count(int32_t *count_out, int32_t handle) {
    const graph *g = find(handle, ask_call);
    if (!g) return clue_error_code();
    *count_out = g->count;
    return 0;
}

int32_t clue_graph_driver(int32_t *driver_out, int32_t handle) {
    const graph *g = find(handle, ask_call);
    if (!g) return clue_error_code();
    *driver_out = g->driver != NULL;
    return 0;
}

/* The command with this number, which counts from 1; NULL and a recorded failure if there is none. */
static step *step_at(int32_t handle, int32_t number) {
    const graph *g = find(handle, ask_call);
    if (!g) return NULL;
    if (number >= 1 && number <= g->count) return g->steps[number - 1];
    (void)error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, ask_call,
                       "the graph has no command %d: its commands are 1 to %d", (int)number, (int)g->count);
    return NULL;
}

int32_t clue_graph_command(const char **what_out, int32_t handle, int32_t number) {
    const step *s = step_at(handle, number);
    if (!s) return clue_error_code();
    *what_out = s->command.what;
    return 0;
}

int32_t clue_graph_kernel(int32_t *kernel_out, int32_t handle, int32_t number) {
    const step *s = step_at(handle, number);
    if (!s) return clue_error_code();
    if (step_kernel(s)) return kernel_lend(kernel_out, step_kernel(s));
    return error_record(CL_INVALID_KERNEL, CLUE_CAUSE_PARAMETER, ask_call,
                        "command %d of the graph is %s: only kernels have arguments", (int)number, s->command.what);
}

/* Writes the handles of the memory and the other objects that a command uses. Returns their number. */
static int32_t list_objects(int32_t *handles_out, const step *s) {
    const kernel *k = step_kernel(s);
    const object *given[] = {s->command.object, s->command.target};
    int32_t count = 0;
    for (int32_t i = 0; i < (k ? 0 : 2); i++)
        if (given[i]) handles_out[count++] = given[i]->handle;
    for (int32_t i = 0; k && i < k->count; i++)
        if (k->arguments[i].object) handles_out[count++] = k->arguments[i].object->handle;
    for (int32_t i = 0; k && i < k->reached_count; i++)
        handles_out[count++] = k->reached[i]->memory.base.handle;
    return count;
}

int32_t clue_graph_objects(int64_t *size_out, int32_t handle, int32_t number, void *value, int64_t capacity) {
    const step *s = step_at(handle, number);
    const kernel *k = s ? step_kernel(s) : NULL;
    int32_t *handles, count, code;
    int64_t size;
    if (!s) return clue_error_code();
    handles = calloc(k ? (size_t)(k->count + k->reached_count) + 1 : 2, sizeof *handles);
    if (!handles) return error_out_of_memory(ask_call);
    count = list_objects(handles, s);
    size = count * (int64_t)sizeof *handles;
    code = value ? error_check_answer(capacity, size, ask_call) : error_check_capacity(capacity, ask_call);
    if (code == 0 && value) memcpy(value, handles, (size_t)size);
    if (code == 0) *size_out = size;
    free(handles);
    return code;
}
