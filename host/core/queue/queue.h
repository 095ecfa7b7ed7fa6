/* queue.h - contexts, their queues, and commands from the enqueueing to the end. Used by memory, program, kernel,
 * graph, capture. */
#ifndef CLUE_QUEUE_H
#define CLUE_QUEUE_H

#include "base/base.h"
#include "device/device.h"

typedef struct context context;
struct prepared;

/* ---- queue.c, aside.c ---- */

/* The events that a command waits for, as the driver takes them; NULL if there are none. */
typedef struct wait_list {
    cl_uint count;
    cl_event *events;
    execution **of; /* held; count of them */
} wait_list;

typedef struct queue {
    object base;      /* zeros in a context's own queue, which has no handle and is a part of the context */
    context *context; /* held, except by the context's own queue */
    cl_command_queue queue;
    bool timed; /* it profiles and the device has a timer */
    const device *device;
    bool out_of_order; /* its commands wait only for their wait lists and for barriers */
    execution *last;   /* the newest command that is not waited for at once; out of order, the newest barrier; NULL
                          before the first */
    execution_list pending; /* out of order: all that are not known to have ended; in order: those with gates */
    wait_list waits;        /* for the command that is being enqueued: every call that enqueues passes it on */
    wait_list next_waits;   /* for the next command */
    cl_command_queue aside; /* see queue_aside() */
    struct queue *next;     /* the context's next queue, with a handle or freed */
    int32_t (*record)(struct queue *self, const struct prepared *command); /* see record.c; NULL: commands run */
} queue;

/* The queue behind this handle, for a command. The list of clue_queue_wait_for() becomes the list of this command,
 * even if it is never enqueued. NULL and a recorded failure if it is not a queue. */
queue *queue_find(int32_t handle, const char *call);
/* The same for a context's own queue. */
queue *queue_own(context *of);
/* Refuses `what` ("kernel 'f'") if its context is not the queue's. */
int32_t queue_check_context(const queue *self, const context *other, const char *what, const char *call);
/* Waits for the commands, except for those that wait for an unset user event; records no failure. */
void queue_await(queue *self);
/* For queues that are a part of another object: their classes, and their end. */
object *queue_parent(const object *self);
void *queue_pointer(const object *self);
void queue_drop_waits(queue *self);
/* True if a command enqueued now would wait for a user event that is not set. */
bool queue_is_gated(const queue *self);
/* The core's own queue on the same device, out of order if possible; NULL and error_status after a failure. */
cl_command_queue queue_aside(queue *self);

/* ---- record.c: queues whose commands are recorded in a graph ---- */

/* A command that was checked: what the driver gets now, or at each replay of a graph. */
enum { A_KERNEL, A_COPY, A_FILL, A_WRITE, A_READ };
typedef struct prepared {
    int32_t kind;
    const char *what, *call;       /* "a copy between buffers", "clEnqueueCopyBuffer" */
    object *object;                /* the kernel, or the memory */
    object *target;                /* of a copy: the memory that is written */
    const struct range *range;     /* of a kernel */
    int64_t offset, target_offset; /* in the memory */
    int64_t size;
    void *data; /* of a write or read: the host's memory; of a fill: the pattern */
    int64_t pattern_size;
    bool blocking;
} prepared;

/* Records the command, if the queue is one that records. event_out: gets the handle of an event that refuses all
 * questions; NULL: none is made. */
int32_t queue_record(int32_t *event_out, queue *self, const prepared *command);

/* ---- command.c ---- */

/* A command goes through three steps: command_begin(); the caller enqueues it, if that succeeded, with `blocking`,
 * the queue's waits and event_at; command_end() gets the code of the enqueueing. */
enum { NO_EVENT, WITH_EVENT, BLOCKING }; /* BLOCKING: the host waits at once, and nothing is kept of the command */
struct command {
    cl_bool blocking;
    cl_event *event_at; /* NULL if the driver waits for it */
    cl_event own;       /* used if command_end() waits for it */
    execution *made;    /* NULL for a blocking command */
    int32_t event;      /* its handle; 0: none */
    const char *what, *call;
};
int32_t command_begin(struct command *self, queue *on, const char *what, const char *call, int32_t way);
/* Called before a transfer is enqueued: if it does not block, it uses this memory of the host until it is
 * complete. */
int32_t command_flies(const struct command *self, const void *data, int64_t size, const char *call);
/* event_out: where to write the handle, if there is one. */
int32_t command_end(struct command *self, int32_t *event_out, queue *on, int32_t code);

/* ---- context.c, origin.c ---- */

/* An object that was freed while something used it. Its context keeps it until it can end. */
typedef struct remains {
    /* Frees the object if nothing uses it any more, and returns true then. waits: waits until nothing does. */
    bool (*end)(struct remains *self, const context *in, bool waits);
    struct remains *next;
} remains;

struct context {
    object base;
    device *device;       /* the first of them */
    device **devices;     /* all devices: of one platform, none twice */
    cl_device_id *ids;    /* the same, as OpenCL takes them */
    cl_uint device_count; /* at least 1 */
    cl_context context;
    queue own;      /* the queue that MQL5's functions use */
    queue *queues;  /* those that scripts made in it */
    queue *closing; /* freed, but still in use */
    remains *remains;
    bool lent;     /* a caller has the raw handle of a queue, or of an event, which leads to its queue */
    bool borrowed; /* a caller has the raw handle of anything in it */
    context *next;
};

void context_keep(context *self, remains *one);
/* Frees the remains that can be freed; waits: all of them. */
void context_sweep(context *self, bool waits);
/* Waits for all queues, except for commands that wait for an unset user event; records no failure. */
void contexts_await(void);
/* Lets clue_finish() call a function at its end. Only one folder above this one adds one, before main(). */
void finish_then(void (*one)(void));
/* The device with an ordinal or behind the handle of a part, if it belongs to the context; NULL and a recorded
 * failure if not. of: the handle that the caller's question is about, which stands for the first device. */
const device *context_device(const context *self, int32_t id, int32_t of, const char *call);
/* The place of the device in the context's list. */
cl_uint context_index(const context *self, const device *on);
/* The context in which an object was made, or the context itself; NULL if it has none. */
context *context_of(object *any);

/* ---- event.c: waiting for executions, and how long they took ---- */

/* Look at an execution, or wait for it; if it has failed, that is recorded. */
int32_t execution_look(execution *self);
int32_t execution_wait(execution *self);
/* Waits without recording a failure, and not if that would take for ever. For clean-up, which must keep the record
 * of an earlier failure. */
void execution_await(const execution *self);
/* The duration of an execution whose end was seen. */
void execution_time(double *seconds_out, int32_t *clock_out, execution *self);
bool profile_is_running(void);
/* Make room for one more execution, and remember it, if a profile is running. */
int32_t profile_reserve(void);
void profile_add(execution *self);

/* ---- flight.c: host memory that drivers may still use ---- */

/* True if a driver may still use this memory. waits: waits until none does, except for transfers that wait for a
 * user event. */
bool in_flight(const void *data, int64_t size, bool waits);
/* Waits for the transfers that use this memory. before: a queue of the command that ends this use, which leaves out
 * those that run before it anyway; NULL: none does. Fails if a transfer waits for a user event. */
int32_t flights_settle(const void *data, int64_t size, const queue *before);

/* Memory that the host may use for a time only: a mapping. */
typedef struct lease {
    const char *data;
    int64_t size, number; /* in the order in which leases and claims begin */
    struct lease *next;
} lease;
void lease_begin(lease *self, const void *data, int64_t size);
void lease_end(lease *self);

/* The host's memory of a recorded transfer. Several leases may have given it, such as two views of shared virtual
 * memory: then the last of them ends it. Without any, it is an array's own. */
typedef struct claim {
    void *data; /* becomes NULL when the memory is freed or moved, or was unmapped */
    int64_t size, number;
    int32_t leases; /* of those that it began with: how many have not ended */
    struct claim *next;
} claim;
void claim_add(claim *self);
void claim_drop(claim *self);

/* ---- fault.c: kernels that fail after they were enqueued ---- */

/* The range over which a kernel is executed. */
typedef struct range {
    const device *on;
    cl_uint dimensions;
    size_t offset[3], global[3], local[3];
    bool has_local;
} range;

/* Notes a kernel that is about to be enqueued: it may be the reason why a later call fails. For a graph, the range
 * has no dimensions. */
void fault_watch(execution *made, const context *in, const range *r);
/* Forgets the kernel just noted, which the driver refused. */
void fault_unwatch(const execution *refused);
/* True if a kernel is known to have failed, which may have broken the context. */
bool fault_known(const context *in);

#endif
