/* event.c - waits for executions of kernels and other commands, and finds how long they took.
 *
 * The device's profiling timer is used only if it can be right: a kernel cannot run longer than the host saw it
 * run, and on average none ends within a few nanoseconds. Otherwise the host's clock is used, from the enqueueing
 * until a wait or a look first sees the end, and the time is marked as the host's. */
#include "queue/internal.h"

#include <stdlib.h>

/* ---- failures ---- */

static int32_t report_user_event(const execution *self, const char *call) {
    const bool known = self->status != -1 && clue_error_name(self->status);
    return error_record(known ? self->status : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CLUE_CAUSE_PARAMETER,
                        call, "%s failed (status %d)", self->what, (int)self->status);
}

int32_t execution_refuse_behind(const execution *self, const char *what, const char *call) {
    const execution *gate = execution_failed_gate(self);
    if (gate)
        return error_record(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CLUE_CAUSE_PARAMETER, call,
                            "%s is behind %s, which was not executed: it waited for %s, which failed (status %d)",
                            what, self->what, gate->what, (int)gate->status);
    return error_record(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CLUE_CAUSE_DRIVER, call,
                        "%s is behind %s, which failed on the device (status %d)", what, self->what,
                        (int)self->status);
}

int32_t execution_report_failure(const execution *self, const char *call) {
    const execution *gate = execution_failed_gate(self);
    if (self->user) return report_user_event(self, call); /* the script chose the number, which may be any */
    if (gate)
        return error_record(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CLUE_CAUSE_PARAMETER, call,
                            "%s was not executed: it waited for %s, which failed (status %d)", self->what,
                            gate->what, (int)gate->status);
    if (self->behind) return execution_refuse_behind(self->behind, self->what, call);
    return fault_record(self, self->status, call);
}

/* ---- looking and waiting ---- */

int32_t execution_look(execution *self) {
    int32_t code = 0;
    if (self->finished == 0 && !self->user) code = error_check(execution_ask(self), "clGetEventInfo");
    if (code == 0 && self->finished == 0 && self->status <= CL_COMPLETE) self->finished = clue_clock_now();
    return code == 0 && execution_failed(self) ? execution_report_failure(self, "clGetEventInfo") : code;
}

static int32_t wait_for_end(execution *self) {
    int32_t code;
    double now;
    waiting_for(self->what);
    code = clWaitForEvents(1, &self->event);
    now = clue_clock_now();
    waiting_is_over();
    self->status = CL_COMPLETE;
    (void)execution_ask(self);
    if (code && !execution_failed(self)) return fault_record(self, code, "clWaitForEvents");
    if (self->status > CL_COMPLETE) self->status = CL_COMPLETE; /* some drivers report it late */
    self->finished = now;
    return 0;
}

void execution_await(const execution *self) {
    if (self->finished > 0 || execution_gate(self)) return;
    waiting_for(self->what);
    (void)clWaitForEvents(1, &self->event);
    waiting_is_over();
}

static int32_t refuse_wait(const execution *self, const execution *gate) {
    if (self == gate)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "clWaitForEvents",
                            "%s is not set, and the script cannot set it while it waits", self->what);
    return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "clWaitForEvents",
                        "%s waits for %s, which the script cannot set while it waits: set it before", self->what,
                        gate->what);
}

int32_t execution_wait(execution *self) {
    const execution *gate = self->finished == 0 ? execution_gate(self) : NULL;
    int32_t code;
    if (gate && !execution_failed(self)) return refuse_wait(self, gate);
    code = self->finished == 0 && !gate ? wait_for_end(self) : 0;
    return code == 0 && execution_failed(self) ? execution_report_failure(self, "clWaitForEvents") : code;
}

/* Seconds by the device's timer; below 0 if it has none, or if it counts more than the host saw. */
static double device_seconds(const execution *self) {
    const double host = self->finished - self->enqueued;
    const cl_event first = self->began ? self->began : self->event;
    cl_ulong start = 0, end = 0;
    double seconds;
    if (!self->timed ||
        clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) != CL_SUCCESS ||
        clGetEventProfilingInfo(self->event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) != CL_SUCCESS ||
        end < start)
        return -1;
    seconds = (double)(end - start) * 1e-9;
    return seconds <= host * 1.01 + 1e-6 ? seconds : -1;
}

/* The sum by the device's timer; below 0 if that cannot be right. */
static double device_sum(execution *const *executions, int32_t count) {
    const double least = 100e-9; /* on average: a single one may be below the step of a coarse timer */
    double sum = 0;
    for (int32_t i = 0; i < count; i++) {
        const double seconds = device_seconds(executions[i]);
        if (seconds < 0) return -1;
        sum += seconds;
    }
    return sum >= count * least ? sum : -1;
}

/* The time during which at least one of them ran; they are in the order of their enqueueing. */
static double host_sum(execution *const *executions, int32_t count) {
    double sum = 0, counted = 0; /* `counted` is the moment up to which the sum counts */
    for (int32_t i = 0; i < count; i++) {
        const execution *self = executions[i];
        const double from = self->enqueued > counted ? self->enqueued : counted;
        if (self->finished <= from) continue;
        sum += self->finished - from;
        counted = self->finished;
    }
    return sum;
}

static void sum_up(double *seconds_out, int32_t *clock_out, execution *const *executions, int32_t count) {
    const double seconds = device_sum(executions, count);
    *seconds_out = seconds >= 0 ? seconds : host_sum(executions, count);
    *clock_out = seconds >= 0 ? CLUE_CLOCK_DEVICE : CLUE_CLOCK_HOST;
}

void execution_time(double *seconds_out, int32_t *clock_out, execution *self) {
    sum_up(seconds_out, clock_out, &self, 1);
}

/* ---- profiles ---- */

static struct {
    bool running;
    execution **executions;
    int32_t count, room;
} profile;

static void profile_clear(void) {
    for (int32_t i = 0; i < profile.count; i++)
        execution_release(profile.executions[i]);
    free(profile.executions);
    profile.executions = NULL;
    profile.count = profile.room = 0;
    profile.running = false;
}

bool profile_is_running(void) {
    return profile.running;
}

int32_t profile_reserve(void) {
    if (profile.running && profile.count == profile.room) {
        int32_t room = profile.room ? profile.room * 2 : 16;
        execution **executions = realloc(profile.executions, (size_t)room * sizeof *executions);
        if (!executions) return error_out_of_memory("clEnqueueNDRangeKernel");
        profile.executions = executions;
        profile.room = room;
    }
    return 0;
}

void profile_add(execution *self) {
    if (profile.running) profile.executions[profile.count++] = execution_retain(self);
}

int32_t clue_profile_start(void) {
    profile_clear();
    profile.running = true;
    return 0;
}

/* The next execution in the same queue; NULL for none. */
static const execution *next_in_queue(int32_t i) {
    const cl_command_queue in = profile.executions[i]->queue;
    if (!profile.executions[i]->in_order) return NULL;
    while (++i < profile.count)
        if (profile.executions[i]->queue == in) return profile.executions[i];
    return NULL;
}

/* If nobody waited for an execution, it had ended when the next one in its queue ended. */
static void order_ends(void) {
    for (int32_t i = profile.count - 2; i >= 0; i--) {
        const execution *later = next_in_queue(i);
        execution *earlier = profile.executions[i];
        if (later && earlier->finished > later->finished) earlier->finished = later->finished;
    }
}

int32_t clue_profile_stop(double *seconds_out, int32_t *clock_out, int32_t *executions_out) {
    int32_t code = 0;
    if (!profile.running)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "clGetEventProfilingInfo",
                            "no profile was started");
    for (int32_t i = 0; i < profile.count && code == 0; i++)
        code = execution_wait(profile.executions[i]);
    if (code == 0) {
        order_ends();
        sum_up(seconds_out, clock_out, profile.executions, profile.count);
        *executions_out = profile.count;
    }
    profile_clear();
    return code;
}
