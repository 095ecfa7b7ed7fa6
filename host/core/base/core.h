/* core.h - what the files of host/core share: the error record, the handle table, and the objects behind handles.
 *
 * Objects are counted: the handle holds one reference until it is freed, every object holds what it is made from
 * (a kernel its program, a program its context) and a kernel holds the buffers that are its arguments. What is of
 * one topic stands in a header of its own, at the end. */
#ifndef CLUE_CORE_H
#define CLUE_CORE_H

#include "clue.h"

#include <CL/cl.h>
#include <stdbool.h>

typedef struct object object;
typedef struct device device;
typedef struct context context;
typedef struct execution execution;
typedef struct queue queue;
typedef struct program program;
typedef struct buffer buffer;
typedef struct svm svm;
typedef struct sampler sampler;
typedef struct image_kind image_kind;
typedef struct argument argument;
typedef struct kernel kernel;
typedef struct range range;
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
const char *handle_kind_name(int32_t kind); /* "buffer" */
int32_t handle_missing_code(int32_t kind);  /* CL_INVALID_MEM_OBJECT for a buffer that is none */
/* Of numbers that callers give as kinds. */
int32_t handle_check_kind(int32_t kind, const char *call);
/* What it was made from; NULL where it has no context. */
object *object_parent(const object *self);
void object_retain(object *self);
void object_release(object *self);

/* ---- text.c ---- */

char *text_copy(const char *text); /* malloced; NULL: no memory */

/* ---- stack.c: around what makes drivers start their threads ---- */

void stack_enlarge(void);
void stack_restore(void);

/* ---- handlers.c: around what has drivers start and compile ---- */

void handlers_keep(void);
void handlers_put_back(void);

/* ---- device.c; subdevice.c: parts of devices ---- */

struct device {
    cl_platform_id platform;
    cl_device_id id;
    int32_t platform_index, index, ordinal; /* of a part: those of the whole device */
    object *part;      /* of a part: who uses the device holds this; NULL for what the machine has */
    bool limits_known; /* what follows is asked for when the first context is made */
    cl_ulong local_memory, max_allocation, max_constant;
    cl_device_svm_capabilities svm;
    size_t max_group, max_items[3];
    size_t most_items, last_item; /* of a range, in each dimension: its size, and the number of its last item */
    cl_uint dimensions;
    bool non_uniform_groups, doubles, timed, images;
    bool counts_aloud;                    /* its compiler says "1 error generated." on the process's stderr */
    bool rusticl, nvidia, pocl, oclgrind; /* drivers with ways of their own: whoever asks says which */
    bool synchronous;  /* runs commands in the calling thread: waits there for what they wait for */
    bool out_of_order; /* has queues that are */
    bool keeps_order;  /* takes them, and runs one command after the other all the same */
    bool epoch_known;
    cl_ulong epoch; /* what clue_event_moment() counts from, settled at its first answer */
    char *name;
};

/* A part of a device, behind a handle. */
typedef struct subdevice {
    object base;
    device device;
    object *parent; /* held; NULL where that is a whole device */
} subdevice;

/* Enumerates on first use; NULL and the failure recorded where there is no such device. */
device *device_at(int32_t ordinal, const char *call);
/* The device of an ordinal, or of the handle of a part. */
device *device_find(int32_t id, const char *call);
int32_t device_learn_limits(device *self);
/* Whether it has that version of OpenCL, or a later one. */
bool device_has_version(const device *self, int major, int minor);

/* Each needs those before it, and from trace.h on OpenCL's names are macros. */
/* clang-format off */
#include "queue/queue.h"
#include "queue/event.h"
#include "program/program.h"
#include "memory/memory_objects.h"
#include "kernel/kernel.h"
#include "trace/trace.h"
/* clang-format on */

#endif
