/* base.h - what every folder of host/core stands on: the record of the last failure, the objects behind handles,
 * and what is known of commands under way. Used by sys, device, queue, memory, program, kernel, capture.
 *
 * Objects are counted: the handle holds one reference until it is freed, every object holds what it is made from
 * (a kernel its program, a program its context) and a kernel holds the buffers that are its arguments. */
#ifndef CLUE_BASE_H
#define CLUE_BASE_H

#include "clue.h"
#include "trace/trace.h"

/* ---- error.c ---- */

/* Records a failure and gives its code back. call is OpenCL's (or the system's) function and must be a literal. */
__attribute__((format(printf, 4, 5))) int32_t error_record(int32_t code, int32_t cause, const char *call,
                                                           const char *format, ...);
/* Replaces the detail of the failure just recorded. */
__attribute__((format(printf, 1, 2))) void error_explain(const char *format, ...);
/* Keeps a build log with the failure; takes the memory over. */
void error_attach_log(char *log);
int32_t error_check(cl_int status, const char *call);
int32_t error_out_of_memory(const char *call);
/* Folders above this one know what may be behind a driver's bare code. Each of the two that do (queue/fault.c and
 * memory/buffer.c) adds itself before main(), and is asked when such a code has been recorded: it replaces the
 * detail by error_explain(), or leaves it. */
typedef void error_explainer(int32_t code);
void error_add_explainer(error_explainer *one);
/* Of the bytes that a caller has for an answer. */
int32_t error_check_capacity(int64_t capacity, const char *call);
const char *error_hint(int32_t code); /* "" where the list has none */

/* OpenCL calls go through one of these two: they record its name and code when it fails. Not so where a refusal is
 * no failure, and where things are released: that must not replace the record of why. */
#define CL_CALL(function, ...) error_check(function(__VA_ARGS__), #function)
#define CL_MAKE(object_out, function, ...)                                                                         \
    (*(object_out) = function(__VA_ARGS__, &error_status), error_check(error_status, #function))
extern cl_int error_status; /* where CL_MAKE has the driver put its code */

/* ---- handle.c ---- */

typedef struct object object;

/* What all objects of one kind have in common; what a kind does not have is NULL. */
typedef struct object_class {
    int32_t kind;                      /* CLUE_BUFFER and its kin */
    void (*destroy)(object *self);     /* with its last reference */
    object *(*parent)(const object *); /* what it was made from, and holds: the way up to its context */
    void *(*pointer)(const object *);  /* OpenCL's own object */
} object_class;

struct object {
    const object_class *class;
    int32_t kind;   /* the class's */
    int32_t handle; /* 0 once freed */
    int32_t references;
};

/* Gives the object its handle and its first reference. */
int32_t handle_open(int32_t *handle_out, object *self, const object_class *class, const char *call);
/* The object of that kind (CLUE_NONE: any), or NULL and the failure recorded for this call. */
object *handle_find(int32_t handle, int32_t kind, const char *call);
/* What it is, or was until it was freed; CLUE_NONE for what never was a handle. */
int32_t handle_kind(int32_t handle);
const char *handle_kind_name(int32_t kind); /* "buffer" */
int32_t handle_missing_code(int32_t kind);  /* CL_INVALID_MEM_OBJECT for a buffer that is none */
/* Of numbers that callers give as kinds. */
int32_t handle_check_kind(int32_t kind, const char *call);
/* What it was made from; NULL where it has no context. */
object *object_parent(const object *self);
void object_retain(object *self);
void object_release(object *self);

/* ---- execution.c: commands under way, kernel executions above all ---- */

typedef struct execution execution;

/* Executions, held. */
typedef struct execution_list {
    execution **list;
    int32_t count, room;
} execution_list;

struct execution {
    int32_t references;
    cl_event event;
    cl_command_queue queue;      /* for comparing only */
    cl_int status;               /* OpenCL's, as of the last look: below 0 for a failed execution */
    const struct device *device; /* valid as long as the context is */
    bool timed;                  /* by the device, too */
    bool in_order;               /* its queue is: what came before it has ended when it has */
    bool user;                   /* a user event, which ends when the script says so */
    bool told;                   /* its queue has told that it failed */
    double enqueued, finished;   /* host clock; finished is 0 until somebody saw the end */
    execution_list gates;        /* user events that were not set when it was enqueued, and that it waits for */
    execution_list after;        /* of one with gates: all that it waits for itself, until it is over */
    cl_event echo;               /* of nothing that waits for it alone, where that was needed (queue/gate.c) */
    execution *behind;           /* held: the one that had failed in its queue when it was enqueued */
    char what[];                 /* "kernel 'f'" */
};

/* Of a command about to be enqueued, by a caller who fills in the rest; NULL and the failure recorded: no memory.
 * what: "kernel 'f'", is copied. */
execution *execution_new(const char *what, const char *call);
execution *execution_retain(execution *self);
void execution_release(execution *self);
/* Whether its end is known, or can be seen now; records nothing. */
bool execution_ended(execution *self);
/* Whether it is known to have failed: by itself, for a user event, or as one of those behind such a one in order.
 */
bool execution_failed(const execution *self);
bool execution_is_unset(const execution *self); /* a user event that is not set */
/* The user event that is not set and keeps it from beginning, itself where it is one; NULL for none. */
const execution *execution_gate(const execution *self);
/* The user event that failed, so that it never began; NULL for none. */
const execution *execution_failed_gate(const execution *self);

/* 0 where there is room for so many more, or the failure. */
int32_t executions_reserve(execution_list *self, int32_t more, const char *call);
/* Into room that was reserved; retains. */
void executions_add(execution_list *self, execution *one);
void executions_clear(execution_list *self);
bool executions_hold(const execution_list *self, const execution *one);

/* ---- waiting.c: around every call that may not return for long ---- */

/* what must live until waiting_is_over(): signal handlers read it */
void waiting_for(const char *what);
void waiting_is_over(void);

/* ---- text.c ---- */

char *text_copy(const char *text); /* malloced; NULL: no memory */
bool text_begins_with(const char *text, const char *with);
bool text_lists(const char *names, const char *name); /* whether "first;second" has it */

/* ---- stack.c: around what makes drivers start their threads ---- */

void stack_enlarge(void);
void stack_restore(void);

/* ---- handlers.c: around what has drivers start and compile ---- */

void handlers_keep(void);
void handlers_put_back(void);

#endif
