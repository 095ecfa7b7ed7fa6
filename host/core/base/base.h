/* base.h - what all folders of host/core are built on: the record of the last failure, the objects behind handles,
 * and what is known of running commands. Used by sys, device, queue, memory, program, kernel, graph, capture.
 *
 * Objects count their references. A handle holds one until it is freed. Every object holds the one from which it
 * was made (a kernel its program, a program its context), and a kernel holds the buffers that are its arguments. */
#ifndef CLUE_BASE_H
#define CLUE_BASE_H

#include "clue.h"
#include "trace/trace.h"

/* ---- error.c ---- */

/* Records a failure and returns its code. call is the name of OpenCL's (or the system's) function, and must be a
 * literal. */
__attribute__((format(printf, 4, 5))) int32_t error_record(int32_t code, int32_t cause, const char *call,
                                                           const char *format, ...);
/* Replaces the detail of the failure just recorded. */
__attribute__((format(printf, 1, 2))) void error_explain(const char *format, ...);
/* The same for a source that does not compile: its first error. file: "" if nothing names it, see
 * clue_error_source(). */
void error_explain_line(const char *file, int32_t line, const char *reason);
/* The same; the reason ends with another line of the file, which is `above` lines above. */
void error_explain_lines(const char *file, int32_t line, const char *reason, int32_t above);
/* Says that part of what failed was done, so that nobody does all of it again. */
void error_mark_partly(void);
/* Keeps a build log with the failure, and frees it with the record. */
void error_attach_log(char *log);
int32_t error_check(cl_int status, const char *call);
int32_t error_out_of_memory(const char *call);
/* Fails in a process that was forked after OpenCL was used, where no call reaches a driver any more; else 0. */
int32_t error_forked(const char *call);
/* Some of OpenCL's codes have causes that only higher folders know. queue/fault.c and memory/buffer.c each add a
 * function before main(). It is called after such a code was recorded, and may replace the detail by
 * error_explain(). */
typedef void error_explainer(int32_t code);
void error_add_explainer(error_explainer *one);
/* Check the number of bytes that a caller has for an answer; the second one, that they are enough. */
int32_t error_check_capacity(int64_t capacity, const char *call);
int32_t error_check_answer(int64_t capacity, int64_t size, const char *call);
const char *error_hint(int32_t code); /* "" if the list has none */

/* OpenCL calls go through one of these two macros, which record the name and the code of a call that fails. Do not
 * use them if a refusal is an answer, or to release something: the record must keep the reason of the first
 * failure. */
#define CL_CALL(function, ...) error_check(function(__VA_ARGS__), #function)
#define CL_MAKE(object_out, function, ...)                                                                         \
    (*(object_out) = function(__VA_ARGS__, &error_status), error_check(error_status, #function))
extern cl_int error_status; /* where the driver writes the code of a CL_MAKE */

/* ---- block.c ---- */

/* Objects of one size: a static variable, {.size = sizeof(...)}. */
typedef struct block block;
typedef struct block_list {
    size_t size;
    block *first; /* that are kept for the next objects */
    int32_t count;
} block_list;
void *block_new(block_list *of); /* not cleared; NULL: no memory */
void block_free(block_list *of, void *freed);

/* ---- handle.c ---- */

typedef struct object object;

/* What all objects of one kind have in common; NULL for what the kind does not have. */
typedef struct object_class {
    int32_t kind;                      /* CLUE_BUFFER and so on */
    void (*destroy)(object *self);     /* called when nobody refers to it any more */
    object *(*parent)(const object *); /* the object that it was made from and holds: the way up to its context */
    void *(*pointer)(const object *);  /* OpenCL's own object */
} object_class;

struct object {
    const object_class *class;
    int32_t kind;   /* the class's */
    int32_t handle; /* 0 after it was freed */
    int32_t references;
};

/* Gives the object its handle and its first reference. */
int32_t handle_open(int32_t *handle_out, object *self, const object_class *class, const char *call);
/* The object of that kind (CLUE_NONE: any kind); NULL after a failure, which is recorded for this call. */
object *handle_find(int32_t handle, int32_t kind, const char *call);
/* The kind of a handle, even of a freed one; CLUE_NONE for a number that never was a handle. */
int32_t handle_kind(int32_t handle);
const char *handle_kind_name(int32_t kind); /* "buffer" */
int32_t handle_missing_code(int32_t kind);  /* the code for a wrong handle: CL_INVALID_MEM_OBJECT for a buffer */
/* Checks a kind that a caller has given. */
int32_t handle_check_kind(int32_t kind, const char *call);
/* The object that this one was made from; NULL if it has no context. */
object *object_parent(const object *self);
void object_retain(object *self);
void object_release(object *self);

/* ---- state.c: the memory of arrays and devices, for clue_memory_crowded() ---- */

/* Count bytes that were allocated, and bytes that were freed. Any thread may call them. So many may always be made
 * before the next collection. */
enum { LEAST_MORE = 64 << 20 };
void memory_hold(int64_t bytes);
void memory_let_go(int64_t bytes);

/* ---- execution.c: running commands, above all executions of kernels ---- */

typedef struct execution execution;

/* A list that holds executions. A list of one needs no memory of its own, so a list may not be moved. */
typedef struct execution_list {
    execution **list, *one;
    int32_t count, room;
} execution_list;

struct execution {
    int32_t references;
    cl_event event;
    cl_event began;              /* of a graph's replay: the event of its first command; NULL: event is that, too */
    cl_command_queue queue;      /* for comparing only */
    cl_int status;               /* OpenCL's, at the last look; below 0 after a failure */
    const struct device *device; /* valid as long as the context is */
    bool timed;                  /* the device measures its time, too */
    bool in_order;               /* its queue is in order: when it has ended, so have all commands before it */
    bool user;                   /* a user event, which ends when the script says so */
    bool recorded;               /* in a graph: it never runs, and has no event */
    bool reported;               /* its queue has reported that it failed */
    bool has_block;              /* its text is short enough for a block of memory that is used again */
    double enqueued, finished;   /* host clock; finished is 0 until the end was seen */
    execution_list gates;        /* the user events that it waits for and that were not set when it was enqueued */
    execution_list after;        /* for a command with gates: all that it waits for itself, until it is over */
    cl_event echo;               /* a marker that waits for this command alone, if that was needed (queue/gate.c) */
    execution *behind;           /* held: the command that had failed in its queue when this one was enqueued */
    char what[];                 /* "kernel 'f'" */
};

/* The execution of a command that is about to be enqueued; the caller fills in the rest. `what` ("kernel 'f'") is
 * copied. NULL and a recorded failure if there is no memory. */
execution *execution_new(const char *what, const char *call);
execution *execution_retain(execution *self);
void execution_release(execution *self);
/* Asks the driver for the status. Returns OpenCL's code, and records nothing. */
cl_int execution_ask(execution *self);
void execution_set_status(execution *self, cl_int status);
/* False as long as no execution has failed, which saves looking for one. */
bool executions_may_have_failed(void);
/* True if its end is known or can be seen now; records no failure. */
bool execution_ended(execution *self);
/* True if it is known to have failed: by itself, because of a user event, or because a command before it in its
 * queue did. */
bool execution_failed(const execution *self);
bool execution_is_unset(const execution *self); /* a user event that is not set */
/* The unset user event that keeps it from starting: itself if it is one; NULL if there is none. */
const execution *execution_gate(const execution *self);
/* The failed user event because of which it never started; NULL if there is none. */
const execution *execution_failed_gate(const execution *self);

/* Makes room for so many more; 0 or the failure. */
int32_t executions_reserve(execution_list *self, int32_t more, const char *call);
/* Adds one to the reserved room, and retains it. */
void executions_add(execution_list *self, execution *one);
void executions_clear(execution_list *self);
bool executions_hold(const execution_list *self, const execution *one);

/* ---- state.c: around every call that may not return for a long time ---- */

/* The text is copied, because signal handlers print it after a kernel on a CPU may have overwritten the heap. */
void waiting_for(const char *what);
void waiting_is_over(void);

/* ---- text.c ---- */

/* "1 group", "2 groups"; valid for the next seven calls, so that a message can hold several */
const char *text_count(int64_t count, const char *noun);
char *text_copy(const char *text); /* on the heap; NULL: no memory */
char *text_copy_part(const char *text, size_t length);
void text_cut(char *to, size_t room, const char *text); /* as much of it as there is room for */
bool text_begins_with(const char *text, const char *with);
bool text_lists(const char *names, const char *name); /* true if "first;second" contains the name */

/* ---- process.c: around calls that make drivers start ---- */

void process_prepare(void);
void process_restore(void);
/* Whether a thread for each processor, and one more, can be started now; drivers that cannot end the process. */
int32_t process_check_threads(const char *call);

#endif
