/* queue.h - contexts, their queues, and commands from their enqueueing to their end. Used by memory, program,
 * kernel, capture. */
#ifndef CLUE_QUEUE_H
#define CLUE_QUEUE_H

#include "base/base.h"
#include "device/device.h"

typedef struct context context;

/* ---- queue.c, aside.c ---- */

/* What a command waits for, as the driver takes it; NULL where there is nothing. */
typedef struct wait_list {
    cl_uint count;
    cl_event *events;
    execution **of; /* held; as many */
} wait_list;

typedef struct queue {
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
    struct queue *next;     /* of those with handles, or freed: the context's next one */
} queue;

/* The queue of this handle, for a command: what clue_queue_wait_for() gave becomes its list of waits, whether the
 * command comes to be enqueued or not. NULL and the failure recorded where it is no queue. */
queue *queue_find(int32_t handle, const char *call);
/* The same of a context's own. */
queue *queue_own(context *of);
/* what: "kernel 'f'", or another that belongs to the other context */
int32_t queue_check_context(const queue *self, const context *other, const char *what, const char *call);
/* Waits without a word, but not for what waits for a user event that is not set. */
void queue_await(queue *self);
/* A queue of the core's own on the same device, out of order where it can be; NULL and error_status. */
cl_command_queue queue_aside(queue *self);

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

/* ---- context.c, origin.c ---- */

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
 * recorded, where it is not. of: the handle of what is asked about, which stands for the first device. */
const device *context_device(const context *self, int32_t id, int32_t of, const char *call);
/* Where the device stands among the context's. */
cl_uint context_index(const context *self, const device *on);
/* The context that an object was made in: itself, where it is one; NULL: it has none. */
context *context_of(object *any);

/* ---- event.c: waiting for executions, and how long they took ---- */

/* Both record a failed execution as a failure. */
int32_t execution_look(execution *self);
int32_t execution_wait(execution *self);
/* Waits without a word: for clean-up, which must not replace the record of what led to it. Not where that would
 * take for ever. */
void execution_await(const execution *self);
/* Of an execution whose end was seen. */
void execution_time(double *seconds_out, int32_t *clock_out, execution *self);
/* Makes room for one more execution and remembers it, if a profile is running. */
int32_t profile_reserve(void);
void profile_add(execution *self);

/* ---- flight.c: host memory that drivers may still touch ---- */

/* Whether one still touches this memory; waits: until none does, but for those that wait for a user event. */
bool flight_over(const void *data, int64_t size, bool waits);

/* ---- fault.c: kernels that fail after they were enqueued ---- */

/* What a kernel is executed on. */
typedef struct range {
    const device *on;
    cl_uint dimensions;
    size_t offset[3], global[3], local[3];
    bool has_local;
} range;

/* A kernel is about to be enqueued: one that may turn out to be why a later call fails. */
void fault_watch(execution *made, const context *in, const range *r);
/* The one just watched was refused. */
void fault_unwatch(const execution *refused);
/* Whether a kernel is known to have failed, and with it perhaps the context. */
bool fault_known(const context *in);

#endif
