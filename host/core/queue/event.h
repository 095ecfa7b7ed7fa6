/* event.h - commands under way, and those that failed late. A part of core.h, which alone includes it. */
#ifndef CLUE_CORE_EVENT_H
#define CLUE_CORE_EVENT_H

/* ---- event.c: commands under way, kernel executions above all; event_handle.c: what scripts hold of them ---- */

struct execution {
    int32_t references;
    cl_event event;
    cl_command_queue queue;    /* for comparing only */
    cl_int status;             /* OpenCL's, as of the last look: below 0 for a failed execution */
    const device *device;      /* valid as long as the context is */
    bool timed;                /* by the device, too */
    bool in_order;             /* its queue is: what came before it has ended when it has */
    bool user;                 /* a user event, which ends when the script says so */
    bool told;                 /* its queue has told that it failed */
    double enqueued, finished; /* host clock; finished is 0 until somebody saw the end */
    execution_list gates;      /* user events that were not set when it was enqueued, and that it waits for */
    execution_list after;      /* of one with gates: all that it waits for itself, until it is over */
    cl_event echo;             /* of nothing that waits for it alone, where that was needed (gate.c) */
    execution *behind;         /* held: the one that had failed in its queue when it was enqueued */
    char what[];               /* "kernel 'f'" */
};

/* Of a command about to be enqueued, by a caller who fills in the rest; NULL and the failure recorded: no memory.
 * what: "kernel 'f'", is copied. */
execution *execution_new(const char *what, const char *call);
execution *execution_retain(execution *self);
void execution_release(execution *self);
/* Whether its end is known, or can be seen now; records nothing. */
bool execution_ended(execution *self);
/* Both record a failed execution as a failure. */
int32_t execution_look(execution *self);
int32_t execution_wait(execution *self);
/* Waits without a word: for clean-up, which must not replace the record of what led to it. Not where that would
 * take for ever. */
void execution_await(const execution *self);
/* Whether it is known to have failed: by itself, for a user event, or as one of those behind such a one in order.
 */
bool execution_failed(const execution *self);
/* Records that `what` failed since it comes behind this one, which did. */
int32_t execution_refuse_behind(const execution *self, const char *what, const char *call);
/* Records that it failed. */
int32_t execution_tell(const execution *self, const char *call);

/* ---- gate.c: user events that are not set ---- */

bool execution_is_unset(const execution *self); /* a user event that is not */
/* The user event that is not set and keeps it from beginning, itself where it is one; NULL for none. */
const execution *execution_gate(const execution *self);
/* The user event that failed, so that it never began; NULL for none. */
const execution *execution_failed_gate(const execution *self);
/* Whether it has ended and the driver is done with it: before, no driver may lose its event. */
bool execution_is_over(execution *self);
/* Waits for that; not where it would take for ever. */
void execution_settle(execution *self);
/* A user event of this context is about to fail. */
void gates_before_failure(const context *in, const execution *user);

/* ---- lists ---- */

/* 0 where there is room for so many more, or the failure. */
int32_t executions_reserve(execution_list *self, int32_t more, const char *call);
/* Into room that was reserved; retains. */
void executions_add(execution_list *self, execution *one);
void executions_clear(execution_list *self);
bool executions_hold(const execution_list *self, const execution *one);

/* ---- event_handle.c ---- */

/* Gives it a handle. Before it is enqueued, so that nothing fails once the driver has it. */
int32_t event_open(int32_t *event_out, execution *of, context *in);
/* The execution of an event's handle; NULL and the failure recorded. */
execution *event_find(int32_t handle, const context *in, const char *call);
/* User events that nobody will set any more fail, so that what waits for them ends. */
void user_events_give_up(void);

/* ---- event.c: times ---- */

/* Of an execution whose end was seen. */
void execution_time(double *seconds_out, int32_t *clock_out, execution *self);
/* Makes room for one more execution and remembers it, if a profile is running. */
int32_t profile_reserve(void);
void profile_add(execution *self);

/* ---- fault.c: kernels that fail after they were enqueued; rerun.c ---- */

/* A kernel is about to be enqueued: one that may turn out to be why a later call fails. */
void fault_watch(execution *made, const context *in, const range *r);
/* The one just watched was refused. */
void fault_unwatch(const execution *refused);
/* Before a queue goes: its kernels are let go. */
void fault_forget(cl_command_queue of);
/* Whether a kernel is known to have failed, and with it perhaps the context. */
bool fault_known(const context *in);
/* The oldest kernel of this queue that is known to have failed by itself, and was not told of; NULL for none. */
execution *fault_untold(cl_command_queue of);
/* Records that an execution failed, by the status of its event or the code of the wait for it. */
int32_t fault_record(const execution *self, int32_t status, const char *call);
enum { NVIDIA_ILLEGAL_ACCESS = -9999 }; /* that driver's own code, in no header */
/* The shell's command that runs this process again on Oclgrind. */
void rerun_command(char *out, size_t room);

#endif
