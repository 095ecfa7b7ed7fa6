/* execution.c - running commands: what is known of each, who holds it, and lists of them. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum { USUAL_TEXT = 40 };
static block_list usual = {.size = sizeof(execution) + USUAL_TEXT};

execution *execution_new(const char *what, const char *call) {
    const size_t length = strlen(what) + 1;
    const bool has_block = length <= USUAL_TEXT;
    execution *self = has_block ? block_new(&usual) : malloc(sizeof *self + length);
    if (!self) {
        (void)error_out_of_memory(call);
        return NULL;
    }
    *self = (execution){.references = 1, .enqueued = clue_clock_now(), .has_block = has_block};
    memcpy(self->what, what, length);
    return self;
}

execution *execution_retain(execution *self) {
    self->references++;
    return self;
}

void execution_release(execution *self) {
    if (!self || --self->references > 0) return;
    if (self->event) (void)clReleaseEvent(self->event);
    if (self->began) (void)clReleaseEvent(self->began);
    if (self->echo) (void)clReleaseEvent(self->echo);
    if (self->gates.room) executions_clear(&self->gates);
    if (self->after.room) executions_clear(&self->after);
    execution_release(self->behind);
    if (self->has_block)
        block_free(&usual, self);
    else
        free(self);
}

/* ---- lists ---- */

int32_t executions_reserve(execution_list *self, int32_t more, const char *call) {
    const int32_t needed = self->count + more;
    const bool inside = self->list == &self->one;
    int32_t room = self->room ? self->room : 1;
    execution **list = &self->one;
    while (room < needed)
        room = room == 1 ? 8 : 2 * room;
    if (room == self->room) return 0;
    if (room > 1 && !(list = realloc(inside ? NULL : self->list, (size_t)room * sizeof *list)))
        return error_out_of_memory(call);
    if (inside) list[0] = self->one;
    self->list = list;
    self->room = room;
    return 0;
}

void executions_add(execution_list *self, execution *one) {
    self->list[self->count++] = execution_retain(one);
}

void executions_clear(execution_list *self) {
    for (int32_t i = 0; i < self->count; i++)
        execution_release(self->list[i]);
    if (self->list != &self->one) free(self->list);
    *self = (execution_list){0};
}

bool executions_hold(const execution_list *self, const execution *one) {
    for (int32_t i = 0; i < self->count; i++)
        if (self->list[i] == one) return true;
    return false;
}

/* ---- how it ended ---- */

static bool failure_seen;

void execution_set_status(execution *self, cl_int status) {
    self->status = status;
    if (status < 0) failure_seen = true;
}

bool executions_may_have_failed(void) {
    return failure_seen;
}

cl_int execution_ask(execution *self) {
    cl_int status = self->status;
    const cl_int code =
        clGetEventInfo(self->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    execution_set_status(self, status);
    return code;
}

bool execution_ended(execution *self) {
    if (self->finished == 0 && !self->user && execution_ask(self) == CL_SUCCESS && self->status <= CL_COMPLETE)
        self->finished = clue_clock_now();
    return self->finished > 0;
}

bool execution_is_unset(const execution *self) {
    return self->user && self->finished == 0;
}

const execution *execution_gate(const execution *self) {
    if (execution_is_unset(self)) return self;
    for (int32_t i = 0; i < self->gates.count; i++)
        if (execution_is_unset(self->gates.list[i])) return self->gates.list[i];
    return NULL;
}

const execution *execution_failed_gate(const execution *self) {
    for (int32_t i = 0; i < self->gates.count; i++)
        if (self->gates.list[i]->finished > 0 && self->gates.list[i]->status < 0) return self->gates.list[i];
    return NULL;
}

bool execution_failed(const execution *self) {
    return self->status < 0 || self->behind || execution_failed_gate(self);
}
