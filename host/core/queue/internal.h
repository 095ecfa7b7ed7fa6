/* internal.h - what the files of this folder share among themselves; queue.h is what the other folders see. */
#ifndef CLUE_QUEUE_INTERNAL_H
#define CLUE_QUEUE_INTERNAL_H

#include "queue/queue.h"

/* ---- queue.c ---- */

/* As of a command that is about to be enqueued here; NULL and the failure recorded: no memory. */
execution *queue_execution(const queue *self, const char *what, const char *call);
/* Makes the driver's queue; properties: CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE (dropped
 * where the device cannot), 0. */
int32_t queue_open(queue *self, cl_command_queue_properties properties);
/* Waits until its work is done, without a word, and lets go of all but the driver's queue. */
void queue_retire(queue *self);
/* Of a retired one; false where the driver's threads may not be done with it yet, and it cannot be released. */
bool queue_release(queue *self);
int32_t queue_finish(queue *self);
/* Releases those of the context's freed queues whose commands are over by now. */
void queues_sweep(context *in);
/* Room for one more that is kept in `pending`; what is over is forgotten. */
int32_t queue_reserve(queue *self, const char *call);
/* The first of its commands that failed, and that it has not told of; all: of a queue out of order, too, where
 * others do not come behind it. NULL for none. */
execution *queue_failure(const queue *self, bool all);
/* Records that failure: of that command, or of `what`, which comes behind it. It counts as told, and with it all
 * others before `what`. */
int32_t queue_tell(queue *self, const execution *failed, const char *what, const char *call);
void wait_list_clear(wait_list *self);

/* For the class of a context's own, too. */
object *queue_parent(const object *self);
void *queue_pointer(const object *self);

/* ---- aside.c ---- */

/* Enqueues a command without work that waits for its list alone: as a marker does, but for PoCL's out of order,
 * which wait for all of the queue. `on` is q's queue or one beside it. No trace shows it. */
int32_t enqueue_nothing(const queue *q, cl_command_queue on, cl_uint count, const cl_event *events,
                        cl_event *event_out);

/* ---- origin.c ---- */

/* The device that an ordinal or any handle means; NULL and the failure recorded. */
device *device_of_id(int32_t id, const char *call);

/* ---- gate.c: user events that are not set ---- */

/* Finds the user events that are not set and that a command enqueued now would wait for, itself or through others;
 * the execution holds them from then on. NULL: nobody may wait for any, since the wait would never end. */
int32_t queue_gate(const queue *self, execution *made, const char *what, const char *call);
/* The same of a marker or barrier that waits for all of a queue out of order. */
int32_t queue_gate_all(const queue *self, execution *made, const char *call);
/* Last before it is enqueued; all: it waits for everything. */
int32_t queue_note_waits(queue *self, execution *made, bool all, const char *call);
/* Whether it has ended and the driver is done with it: before, no driver may lose its event. */
bool execution_is_over(execution *self);
/* Waits for that; not where it would take for ever. */
void execution_settle(execution *self);
/* A user event of this context is about to fail. */
void gates_before_failure(const context *in, const execution *user);

/* ---- flight.c ---- */

/* The memory of a transfer about to be enqueued that is not waited for. */
int32_t flight_add(execution *of, const void *data, int64_t size, const char *call);
/* The driver refused it. */
void flight_drop(const execution *of);
void flights_forget_landed(void);

/* ---- event.c ---- */

/* Records that `what` failed since it comes behind this one, which did. */
int32_t execution_refuse_behind(const execution *self, const char *what, const char *call);
/* Records that it failed. */
int32_t execution_tell(const execution *self, const char *call);

/* ---- event_handle.c: what scripts hold of executions ---- */

/* Gives it a handle. Before it is enqueued, so that nothing fails once the driver has it. */
int32_t event_open(int32_t *event_out, execution *of, context *in);
/* The execution of an event's handle; NULL and the failure recorded. */
execution *event_find(int32_t handle, const context *in, const char *call);
/* User events that nobody will set any more fail, so that what waits for them ends. */
void user_events_give_up(void);

/* ---- fault.c, rerun.c ---- */

enum { NVIDIA_ILLEGAL_ACCESS = -9999 }; /* that driver's own code, in no header */
/* Before a queue goes: its kernels are let go. */
void fault_forget(cl_command_queue of);
/* The oldest kernel of this queue that is known to have failed by itself, and was not told of; NULL for none. */
execution *fault_untold(cl_command_queue of);
/* Records that an execution failed, by the status of its event or the code of the wait for it. */
int32_t fault_record(const execution *self, int32_t status, const char *call);
/* The shell's command that runs this process again on Oclgrind. */
void rerun_command(char *out, size_t room);

#endif
