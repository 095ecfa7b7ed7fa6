/* event_handle.c - events: a script's handles of commands that it enqueued.
 *
 * An event outlives its queue and the objects of its command; it holds the context. A user event is complete when
 * the script says so. If it is freed before that, it fails, because then nobody can set it. */
#include "queue/internal.h"

#include <stdio.h>

enum { USER_EVENT_ROOM = sizeof "user event 2147483647" };

typedef struct event {
    object base;
    context *context;
    execution *execution;
} event;

static block_list memory = {.size = sizeof(event)};

/* Sets the driver's event, which does not exist if its creation failed. */
static int32_t set(const event *self, cl_int status) {
    execution *user = self->execution;
    int32_t code;
    if (status < 0) gates_before_failure(self->context, user);
    code = CL_CALL(clSetUserEventStatus, user->event, status);
    if (code) return code;
    execution_set_status(user, status);
    user->finished = clue_clock_now();
    queues_sweep(self->context);
    return 0;
}

static bool is_unset(const execution *self) {
    return execution_is_unset(self) && self->event;
}

static void event_destroy(object *self) {
    event *e = (event *)self;
    if (is_unset(e->execution)) (void)set(e, CL_INVALID_EVENT);
    execution_release(e->execution);
    object_release(&e->context->base);
    block_free(&memory, e);
}

static object *parent_of(const object *self) {
    return &((const event *)self)->context->base;
}

static void *pointer_of(const object *self) {
    return ((const event *)self)->execution->event;
}

static const object_class event_class = {CLUE_EVENT, event_destroy, parent_of, pointer_of};

int32_t event_open(int32_t *event_out, execution *of, context *in) {
    static const char call[] = "clCreateUserEvent";
    event *e = block_new(&memory);
    int32_t code;
    if (!e) return error_out_of_memory(call);
    code = handle_open(event_out, &e->base, &event_class, call);
    if (code) {
        block_free(&memory, e);
        return code;
    }
    object_retain(&in->base);
    e->context = in;
    e->execution = execution_retain(of);
    return 0;
}

static event *find(int32_t handle, const char *call) {
    return (event *)handle_find(handle, CLUE_EVENT, call);
}

/* The same for a command whose state is asked for. A recorded command has none. */
static event *find_run(int32_t handle, const char *call) {
    event *e = find(handle, call);
    if (!e || !e->execution->recorded) return e;
    (void)error_record(CL_INVALID_EVENT, CLUE_CAUSE_PARAMETER, call,
                       "%s was recorded in a graph and not enqueued: only a replay of the graph has an event",
                       e->execution->what);
    return NULL;
}

execution *event_find(int32_t handle, const context *in, const char *call) {
    const event *e = find_run(handle, call);
    if (!e) return NULL;
    if (e->context == in) return e->execution;
    (void)error_record(CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER, call,
                       "event %d (%s) belongs to another context than the command that is to wait for it",
                       (int)handle, e->execution->what);
    return NULL;
}

/* ---- user events ---- */

static const char make_call[] = "clCreateUserEvent";
static const char set_call[] = "clSetUserEventStatus";

static int32_t open_user_event(int32_t *event_out, context *in, execution *user) {
    int32_t code = event_open(event_out, user, in);
    if (code) return code;
    (void)snprintf(user->what, USER_EVENT_ROOM, "user event %d", (int)*event_out);
    user->status = CL_SUBMITTED;
    code = CL_MAKE(&user->event, clCreateUserEvent, in->context);
    if (code) (void)clue_handle_free(*event_out, CLUE_EVENT);
    return code;
}

int32_t clue_user_event_create(int32_t *event_out, int32_t handle) {
    static const char room[USER_EVENT_ROOM] = "user event 2147483647"; /* the longest text */
    context *in = (context *)handle_find(handle, CLUE_CONTEXT, make_call);
    execution *user = in ? execution_new(room, make_call) : NULL;
    int32_t made = 0, code;
    if (!user) return clue_error_code();
    user->user = true;
    code = open_user_event(&made, in, user);
    execution_release(user); /* the event holds it */
    if (code == 0) *event_out = made;
    return code;
}

int32_t clue_user_event_set(int32_t handle, int32_t status) {
    const event *e = find(handle, set_call);
    if (!e) return clue_error_code();
    if (!e->execution->user)
        return error_record(CL_INVALID_EVENT, CLUE_CAUSE_PARAMETER, set_call,
                            "event %d is of %s: only user events can be set, the driver completes all others",
                            (int)handle, e->execution->what);
    if (status > CL_COMPLETE)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, set_call,
                            "%d is not a status to set: 0 means complete, a number below 0 means failed",
                            (int)status);
    if (e->execution->finished > 0)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, set_call,
                            "%s was already set (status %d): that is possible only once", e->execution->what,
                            (int)e->execution->status);
    return set(e, status);
}

void user_events_give_up(void) {
    for (int32_t handle = clue_handle_next(0); handle; handle = clue_handle_next(handle)) {
        const event *e = clue_handle_kind(handle) == CLUE_EVENT ? find(handle, set_call) : NULL;
        if (e && is_unset(e->execution)) (void)set(e, CL_INVALID_EVENT);
    }
}

int32_t clue_event_what(const char **what_out, int32_t handle) {
    const event *e = find(handle, "clue_event_what");
    if (!e) return clue_error_code();
    *what_out = e->execution->what;
    return 0;
}

/* ---- the state of a command ---- */

int32_t clue_event_status(int32_t *status_out, int32_t handle) {
    const event *e = find_run(handle, "clGetEventInfo");
    int32_t code;
    if (!e) return clue_error_code();
    code = execution_look(e->execution);
    if (code == 0) *status_out = e->execution->status;
    return code;
}

int32_t clue_event_wait(int32_t handle) {
    const event *e = find_run(handle, "clWaitForEvents");
    return e ? execution_wait(e->execution) : clue_error_code();
}

int32_t clue_event_time(double *seconds_out, int32_t *clock_out, int32_t handle) {
    const event *e = find_run(handle, "clGetEventProfilingInfo");
    int32_t code;
    if (!e) return clue_error_code();
    code = execution_wait(e->execution);
    if (code == 0) execution_time(seconds_out, clock_out, e->execution);
    return code;
}

/* Timers start anywhere, and count nanoseconds. As seconds, no double can hold such a number exactly. */
static double seconds_of(const device *of, cl_ulong moment) {
    device *on = device_at(of->ordinal, "clGetEventProfilingInfo"); /* parts use the timer of the whole device */
    const cl_ulong step = UINT64_C(1000000000000); /* so that earlier events do not become negative */
    if (!on->epoch_known) on->epoch = moment - moment % step;
    on->epoch_known = true;
    return moment >= on->epoch ? (double)(moment - on->epoch) * 1e-9 : (double)(on->epoch - moment) * -1e-9;
}

/* A timer that runs backwards is none. */
static bool ends_before_start(const execution *self) {
    const cl_event first = self->began ? self->began : self->event;
    cl_ulong start = 0, end = 0;
    return clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) == CL_SUCCESS &&
           clGetEventProfilingInfo(self->event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) == CL_SUCCESS &&
           end < start;
}

int32_t clue_event_moment(double *seconds_out, int32_t handle, int32_t moment) {
    static const char call[] = "clGetEventProfilingInfo";
    const event *e = find_run(handle, call);
    cl_ulong nanoseconds = 0;
    cl_event of;
    int32_t code;
    if (!e) return clue_error_code();
    if (moment < CLUE_QUEUED || moment > CLUE_ENDED)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "%d is not a moment of an event",
                            (int)moment);
    if ((code = execution_wait(e->execution))) return code;
    if (!e->execution->timed || ends_before_start(e->execution))
        return error_record(CL_PROFILING_INFO_NOT_AVAILABLE, CLUE_CAUSE_PARAMETER, call,
                            "%s has no timer that can be trusted, or the queue was made without profiling",
                            e->execution->device ? e->execution->device->name : e->execution->what);
    of = e->execution->began && moment != CLUE_ENDED ? e->execution->began : e->execution->event;
    code = CL_CALL(clGetEventProfilingInfo, of, CL_PROFILING_COMMAND_QUEUED + (cl_profiling_info)moment,
                   sizeof nanoseconds, &nanoseconds, NULL);
    if (code == 0) *seconds_out = seconds_of(e->execution->device, nanoseconds);
    return code;
}
