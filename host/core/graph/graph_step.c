/* graph_step.c - the commands of a graph: what is kept of each, and whether it can still be replayed. */
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

kernel *step_kernel(const step *self) {
    return self->command.kind == A_KERNEL ? (kernel *)self->command.object : NULL;
}

void step_free(step *self) {
    if (self->host.size) claim_drop(&self->host);
    object_release(self->command.object);
    object_release(self->command.target);
    free(self);
}

/* ---- recording ---- */

static int32_t keep_kernel(step *self, const prepared *command) {
    kernel *copy = kernel_copy((const kernel *)command->object);
    if (!copy) return clue_error_code();
    self->range = *command->range;
    self->command.range = &self->range;
    self->command.object = &copy->base;
    self->command.what = copy->what;
    self->arguments[0] = copy->changes;
    return 0;
}

static void keep_memory(step *self, const prepared *command) {
    object_retain(command->object);
    self->command.object = command->object;
    if (command->target) object_retain(command->target);
    self->command.target = command->target;
    if (command->kind == A_FILL) {
        memcpy(self->pattern, command->data, (size_t)command->pattern_size);
        self->command.data = self->pattern;
    } else if (command->data) {
        self->host = (claim){.data = command->data, .size = command->size};
        claim_add(&self->host);
    }
}

static int32_t make_room(graph *self, const char *call) {
    const int32_t room = self->room ? self->room * 2 : 8;
    step **steps;
    if (self->count < self->room) return 0;
    steps = realloc((void *)self->steps, (size_t)room * sizeof *steps);
    if (!steps) return error_out_of_memory(call);
    self->steps = steps;
    self->room = room;
    return 0;
}

int32_t graph_add(graph *self, const prepared *command) {
    step *made;
    int32_t code = make_room(self, command->call);
    if (code) return code;
    made = calloc(1, sizeof *made);
    if (!made) return error_out_of_memory(command->call);
    made->command = *command;
    made->command.object = made->command.target = NULL;
    if (command->kind == A_KERNEL)
        code = keep_kernel(made, command);
    else
        keep_memory(made, command);
    if (code) {
        step_free(made);
        return code;
    }
    self->steps[self->count++] = made;
    self->blocks = self->blocks || command->blocking;
    return 0;
}

/* ---- before a replay ---- */

int32_t graph_blame(const graph *self, int32_t index, int32_t code) {
    char detail[800];
    if (code == 0) return 0;
    (void)strncpy(detail, clue_error_detail(), sizeof detail - 1);
    detail[sizeof detail - 1] = '\0';
    error_explain("command %d of the graph, %s: %s", (int)index + 1, self->steps[index]->command.what, detail);
    return code;
}

static int32_t kernel_step_ready(graph *of, step *self, kernel *k) {
    int32_t code = kernel_ready(k);
    if (code || self->arguments[0] == k->changes) return code;
    if ((code = range_check(&self->range, k))) return code;
    self->arguments[0] = k->changes;
    of->changed = true;
    return 0;
}

static int32_t check_memory(const step *self, const object *memory, bool writes) {
    const char *call = self->command.call;
    if (!memory) return 0;
    if (memory->handle == 0)
        return error_record(handle_missing_code(memory->kind), CLUE_CAUSE_HANDLE, call,
                            "its %s was freed: free it after the graph's last replay",
                            handle_kind_name(memory->kind));
    return buffer_check_mappings((const buffer *)memory, writes, call);
}

static int32_t memory_step_ready(const step *self) {
    const prepared *c = &self->command;
    int32_t code = check_memory(self, c->object, c->kind == A_FILL || c->kind == A_WRITE);
    if (code == 0) code = check_memory(self, c->target, true);
    if (code || !self->host.size || self->host.data) return code;
    return error_record(CL_INVALID_HOST_PTR, CLUE_CAUSE_PARAMETER, c->call,
                        "its array was freed, moved or unmapped since the recording: keep it as it is, or record "
                        "the graph again");
}

int32_t graph_ready(graph *self) {
    int32_t code = 0;
    self->changed = false;
    for (int32_t i = 0; i < self->count && code == 0; i++) {
        step *one = self->steps[i];
        code = step_kernel(one) ? kernel_step_ready(self, one, step_kernel(one)) : memory_step_ready(one);
        code = graph_blame(self, i, code);
    }
    return code;
}
