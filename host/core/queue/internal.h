/* internal.h - what the files of this folder share; queue.h is for the other folders. */
#ifndef CLUE_QUEUE_INTERNAL_H
#define CLUE_QUEUE_INTERNAL_H

#include "queue/queue.h"

/* ---- queue.c ---- */

/* The execution of a command that is about to be enqueued here; NULL and a recorded failure if there is no
 * memory. */
execution *queue_execution(const queue *self, const char *what, const char *call);
/* Makes the driver's queue. properties: CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE (ignored
 * if the device cannot profile), or 0. */
int32_t queue_open(queue *self, cl_command_queue_properties properties);
/* Waits until its commands have ended, records no failure, and releases everything but the driver's queue. */
void queue_retire(queue *self);
/* Releases a retired queue; false if the driver's threads may still use it. */
bool queue_release(queue *self);
int32_t queue_finish(queue *self);
/* Releases the context's freed queues whose commands have ended. */
void queues_sweep(context *in);
/* Makes room for one more in `pending`, and forgets the commands that have ended. */
int32_t queue_reserve(queue *self, const char *call);
/* The first command that failed and was not reported; NULL for none. all: in a queue out of order, look also at
 * commands that are independent of others. */
execution *queue_failure(const queue *self, bool all);
/* Records the failure of this command, or of `what`, which is behind it. This one then counts as reported, and so
 * do all others before `what`. */
int32_t queue_report_failure(queue *self, const execution *failed, const char *what, const char *call);
void wait_list_clear(wait_list *self);

/* ---- aside.c ---- */

/* Enqueues a command without work that waits only for its list, as a marker does; but in PoCL's queues out of
 * order, a marker waits for the whole queue. `on` is q's queue or its queue aside. No trace shows the command. */
int32_t enqueue_nothing(const queue *q, cl_command_queue on, cl_uint count, const cl_event *events,
                        cl_event *event_out);

/* ---- origin.c ---- */

/* The device of an ordinal or of any handle; NULL and a recorded failure if there is none. */
device *device_of_id(int32_t id, const char *call);

/* ---- gate.c: user events that are not set ---- */

/* Finds the unset user events for which a command enqueued now would wait, directly or through others. The
 * execution holds them from then on. With NULL for the execution, waiting for any of them is a failure, because the
 * wait would never end. */
int32_t queue_gate(const queue *self, execution *made, const char *what, const char *call);
/* The same for a marker or barrier that waits for the whole of a queue out of order. */
int32_t queue_gate_all(const queue *self, execution *made, const char *call);
/* Called just before the command is enqueued. all: it waits for everything. */
int32_t queue_note_waits(queue *self, execution *made, bool all, const char *call);
/* True if it has ended and the driver no longer uses it: before that, its event must not be released. */
bool execution_is_over(execution *self);
/* Waits for that, unless it would take for ever. */
void execution_settle(execution *self);
/* Called before a user event of this context fails. */
void gates_before_failure(const context *in, const execution *user);

/* ---- flight.c ---- */

/* Notes the memory of a transfer that is about to be enqueued and is not waited for. */
int32_t flight_add(execution *of, const void *data, int64_t size, const char *call);
/* The driver has refused the transfer. */
void flight_drop(const execution *of);
void flights_forget_landed(void);

/* ---- event.c ---- */

/* Records that `what` failed because it is behind this one, which failed. */
int32_t execution_refuse_behind(const execution *self, const char *what, const char *call);
/* Records that it failed. */
int32_t execution_report_failure(const execution *self, const char *call);

/* ---- event_handle.c: a script's handles of executions ---- */

/* Gives an execution a handle. Called before it is enqueued, so that nothing can fail after that. */
int32_t event_open(int32_t *event_out, execution *of, context *in);
/* The execution behind an event's handle; NULL and a recorded failure if there is none. */
execution *event_find(int32_t handle, const context *in, const char *call);
/* Fails the user events that nobody will set any more, so that the commands that wait for them end. */
void user_events_give_up(void);

/* ---- fault.c, rerun.c ---- */

enum { NVIDIA_ILLEGAL_ACCESS = -9999 }; /* the driver's own code, which no header has */
/* Forgets the kernels of a queue, before the queue is released. */
void fault_forget(cl_command_queue of);
/* The oldest kernel of this queue that is known to have failed by itself and was not reported; NULL for none. */
execution *fault_unreported(cl_command_queue of);
/* Records that an execution failed. status: that of its event, or the code of the wait for it. */
int32_t fault_record(const execution *self, int32_t status, const char *call);
/* Writes the shell command that runs this process again on Oclgrind. */
void rerun_command(char *out, size_t room);

#endif
