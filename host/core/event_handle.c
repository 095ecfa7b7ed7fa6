/* event_handle.c - events: what a script holds of a command that it enqueued.
 *
 * An event outlives its queue and what it was enqueued with; it holds the context. */
#include "core.h"

#include <stdlib.h>

typedef struct event {
    object base;
    context *context;
    execution *execution;
} event;

static void event_destroy(object *self) {
    event *e = (event *)self;
    execution_release(e->execution);
    object_release(&e->context->base);
    free(e);
}

int32_t event_open(int32_t *event_out, execution *of, context *in) {
    static const char call[] = "clCreateUserEvent";
    event *e = calloc(1, sizeof *e);
    int32_t code;
    if (!e) return error_out_of_memory(call);
    code = handle_open(event_out, &e->base, CLUE_EVENT, event_destroy, call);
    if (code) {
        free(e);
        return code;
    }
    object_retain(&in->base);
    e->context = in;
    e->execution = execution_retain(of);
    return 0;
}

context *event_context(object *self) {
    return ((event *)self)->context;
}

execution *event_execution(object *self) {
    return ((event *)self)->execution;
}

static event *find(int32_t handle, const char *call) {
    return (event *)handle_find(handle, CLUE_EVENT, call);
}

int32_t clue_event_status(int32_t *status_out, int32_t handle) {
    const event *e = find(handle, "clGetEventInfo");
    int32_t code;
    if (!e) return clue_error_code();
    code = execution_look(e->execution);
    if (code == 0) *status_out = e->execution->status;
    return code;
}

int32_t clue_event_wait(int32_t handle) {
    const event *e = find(handle, "clWaitForEvents");
    return e ? execution_wait(e->execution) : clue_error_code();
}

int32_t clue_event_time(double *seconds_out, int32_t *clock_out, int32_t handle) {
    const event *e = find(handle, "clGetEventProfilingInfo");
    int32_t code;
    if (!e) return clue_error_code();
    code = execution_wait(e->execution);
    if (code == 0) execution_time(seconds_out, clock_out, e->execution);
    return code;
}

/* Timers count nanoseconds from anywhere, in numbers that no double holds exactly once they are seconds. */
static double seconds_of(const context *in, cl_ulong moment) {
    device *on = device_at(in->device->ordinal, "clGetEventProfilingInfo"); /* parts have the whole one's timer */
    const cl_ulong step = UINT64_C(1000000000000); /* so that earlier events do not come out below 0 */
    if (!on->epoch_known) on->epoch = moment - moment % step;
    on->epoch_known = true;
    return moment >= on->epoch ? (double)(moment - on->epoch) * 1e-9 : (double)(on->epoch - moment) * -1e-9;
}

int32_t clue_event_moment(double *seconds_out, int32_t handle, int32_t moment) {
    static const char call[] = "clGetEventProfilingInfo";
    const event *e = find(handle, call);
    cl_ulong told = 0;
    int32_t code;
    if (!e) return clue_error_code();
    if (moment < CLUE_QUEUED || moment > CLUE_ENDED)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "%d is no moment of an event",
                            (int)moment);
    if ((code = execution_wait(e->execution))) return code;
    if (!e->execution->timed)
        return error_record(CL_PROFILING_INFO_NOT_AVAILABLE, CLUE_CAUSE_PARAMETER, call,
                            "%s has no timer that can be believed, or the queue was made without profiling",
                            e->context->device->name);
    code = CL_CALL(clGetEventProfilingInfo, e->execution->event,
                   CL_PROFILING_COMMAND_QUEUED + (cl_profiling_info)moment, sizeof told, &told, NULL);
    if (code == 0) *seconds_out = seconds_of(e->context, told);
    return code;
}
