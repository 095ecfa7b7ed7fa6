/* queue.h - contexts, their queues, and what commands wait for. A part of core.h, which alone includes it. */
#ifndef CLUE_CORE_QUEUE_H
#define CLUE_CORE_QUEUE_H

/* ---- queue.c ---- */

/* Executions, held. */
typedef struct execution_list {
    execution **list;
    int32_t count, room;
} execution_list;

/* What a command waits for, as the driver takes it; NULL where there is nothing. */
typedef struct wait_list {
    cl_uint count;
    cl_event *events;
    execution **of; /* held; as many */
} wait_list;

struct queue {
    object base;      /* all zeros in a context's own queue, which has no handle and lives in the context */
    context *context; /* held by all but the context's own */
    cl_command_queue queue;
    bool timed; /* it profiles, and the device has a timer */
    const device *device;
    bool out_of_order; /* its commands wait for their wait lists and for barriers only */
    execution *last;   /* the newest that is not waited for at once, out of order: barrier; NULL before the first */
    execution_list pending; /* out of order: all that are not known to have ended; in order: those with gates */
    wait_list waits;        /* of the command that is being enqueued: every enqueueing passes it on */
    wait_list next_waits;   /* of the one to come */
    cl_command_queue aside; /* see queue_aside() */
    queue *next;            /* of those with handles, or freed: the context's next one */
};

/* As of a command that is about to be enqueued here; NULL and the failure recorded: no memory. */
execution *queue_execution(const queue *self, const char *what, const char *call);
/* Makes the driver's queue; properties: CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE (dropped
 * where the device cannot), 0. */
int32_t queue_open(queue *self, cl_command_queue_properties properties);
/* A queue of the core's own on the same device, out of order where it can be; NULL and error_status. */
cl_command_queue queue_aside(queue *self);
/* Waits until its work is done, without a word, and lets go of all but the driver's queue. */
void queue_retire(queue *self);
/* Of a retired one; false where the driver's threads may not be done with it yet, and it cannot be released. */
bool queue_release(queue *self);
int32_t queue_finish(queue *self);
/* Waits without a word, but not for what waits for a user event that is not set. */
void queue_await(queue *self);
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

/* For the class of a context's own, too. */
object *queue_parent(const object *self);
void *queue_pointer(const object *self);

/* ---- command.c ---- */

/* A command: begun, enqueued by the caller if that was possible (with `blocking`, the queue's waits, and event_at),
 * ended with the enqueueing's code. */
enum { NO_EVENT, WITH_EVENT, BLOCKING }; /* BLOCKING: it is waited for at once, and nothing is kept of it */
struct command {
    cl_bool blocking;
    cl_event *event_at; /* NULL for one that the driver waits for */
    cl_event own;       /* of one that command_end() waits for */
    execution *made;    /* NULL for a blocking one */
    int32_t event;      /* its handle, 0 without */
    const char *what, *call;
};
int32_t command_begin(struct command *self, queue *on, const char *what, const char *call, int32_t way);
/* Before it is enqueued: a transfer that is not blocking uses this memory of the host's until it is complete. */
int32_t command_flies(const struct command *self, const void *data, int64_t size, const char *call);
/* event_out: where the handle goes, if there is one. */
int32_t command_end(struct command *self, int32_t *event_out, queue *on, int32_t code);
/* The queue of this handle, for a command: what clue_queue_wait_for() gave becomes its list of waits, whether the
 * command comes to be enqueued or not. NULL and the failure recorded where it is no queue. */
queue *queue_find(int32_t handle, const char *call);
/* The same of a context's own. */
queue *queue_own(context *of);
/* what: "kernel 'f'", or another that belongs to the other context */
int32_t queue_check_context(const queue *self, const context *other, const char *what, const char *call);

/* ---- what commands wait for ---- */

void wait_list_clear(wait_list *self);

/* Takes the list for the coming command over into `waits`. */
void queue_take_waits(queue *self);
void queue_drop_waits(queue *self);

/* Enqueues a command without work that waits for its list alone: as a marker does, but for PoCL's out of order,
 * which wait for all of the queue. `on` is q's queue or one beside it. No trace shows it. */
int32_t enqueue_nothing(const queue *q, cl_command_queue on, cl_uint count, const cl_event *events,
                        cl_event *event_out);

/* ---- gate.c ---- */

/* Finds the user events that are not set and that a command enqueued now would wait for, itself or through others;
 * the execution holds them from then on. NULL: nobody may wait for any, since the wait would never end. */
int32_t queue_gate(const queue *self, execution *made, const char *what, const char *call);
/* The same of a marker or barrier that waits for all of a queue out of order. */
int32_t queue_gate_all(const queue *self, execution *made, const char *call);
/* Last before it is enqueued; all: it waits for everything. */
int32_t queue_note_waits(queue *self, execution *made, bool all, const char *call);

/* ---- flight.c: host memory that drivers may still touch ---- */

/* The memory of a transfer about to be enqueued that is not waited for. */
int32_t flight_add(execution *of, const void *data, int64_t size, const char *call);
/* The driver refused it. */
void flight_drop(const execution *of);
/* Whether one still touches this memory; waits: until none does, but for those that wait for a user event. */
bool flight_over(const void *data, int64_t size, bool waits);
void flights_forget_landed(void);

/* ---- context.c ---- */

/* What was freed by its handle while something used it: its context keeps it until it can end. */
typedef struct remains {
    /* Whether its end has come, and it is freed; waits: waits for that. */
    bool (*end)(struct remains *self, const context *in, bool waits);
    struct remains *next;
} remains;

struct context {
    object base;
    device *device;       /* the first of them */
    device **devices;     /* all of one platform, each once */
    cl_device_id *ids;    /* the same as OpenCL takes them */
    cl_uint device_count; /* 1 at least */
    cl_context context;
    queue own;      /* what MQL5's functions use */
    queue *queues;  /* those that were made in it */
    queue *closing; /* freed, and still in use */
    remains *remains;
    bool lent; /* somebody has the driver's own handle of a queue, or of an event, which tells its queue */
    context *next;
};

void context_keep(context *self, remains *one);
/* Ends what can end; waits: all of it. */
void context_sweep(context *self, bool waits);
/* Waits without a word for all queues, but not for what waits for a user event that is not set. */
void contexts_await(void);
/* The device of an ordinal or of the handle of a part, where it is one of the context's; NULL, and the failure
 * recorded, where it is not. */
const device *context_device(const context *self, int32_t id, const char *call);
/* Where the device stands among the context's. */
cl_uint context_index(const context *self, const device *on);

/* ---- origin.c: what an object was made from ---- */

/* The object itself, where it is a context; NULL: it has none. */
context *context_of(object *any);
/* The device that an ordinal or any handle means; NULL and the failure recorded. */
device *device_of_id(int32_t id, const char *call);

/* ---- waiting.c: around every call that may not return for long ---- */

/* what must live until waiting_is_over(): signal handlers read it */
void waiting_for(const char *what);
void waiting_is_over(void);

#endif
