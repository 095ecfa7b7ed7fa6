/* kernel.h - kernels, their arguments, and the watcher of their calls. Used by graph, capture. */
#ifndef CLUE_KERNEL_H
#define CLUE_KERNEL_H

#include "memory/memory.h"
#include "program/program.h"
#include "queue/queue.h"

/* ---- kernel_argument.c ---- */

enum { TAKES_ANYTHING, TAKES_VALUE, TAKES_BUFFER, TAKES_LOCAL, TAKES_OBJECT, TAKES_POINTER };

typedef struct argument {
    char *name, *type; /* "" if the driver does not know it */
    int32_t takes;     /* TAKES_ANYTHING if the driver does not say; TAKES_OBJECT for images and samplers;
                          TAKES_POINTER for one whose address space is not known */
    int32_t element,
        width; /* the type's elements: float4 is CLUE_FLOAT, 4; CLUE_AUTO if it is not a type of numbers */
    const char *object_type; /* "image2d_t", "sampler_t"; NULL for others, and for an image of unknown kind */
    cl_kernel_arg_access_qualifier access; /* an image's; 0 if the driver does not say */
    bool constant;                         /* a __constant pointer */
    bool set;
    bool shared;    /* it was once shared virtual memory */
    object *object; /* held while it is the argument: a buffer, an image, a sampler, shared virtual memory */
    int32_t object_handle;
    buffer *buffer; /* the same, if it is memory */
    int64_t offset; /* where in shared virtual memory it begins */
    int64_t local_size;
    unsigned char *bytes; /* for a value: the bytes that the driver got; NULL before */
    size_t size;
} argument;

typedef struct kernel {
    object base;
    program *program;
    cl_kernel kernel;
    char *name, *what; /* "f" and "kernel 'f'" */
    int32_t count;
    argument *arguments;
    int64_t changes; /* how often an argument, or what it reaches, was set */
    execution *last;
    bool replayed;                /* `last` is the replay of a whole graph, of which the kernel is a part */
    struct kernel_limits *limits; /* for each of the context's devices */
    svm **reached;                /* through pointers in memory; held */
    int32_t reached_count;
} kernel;

const char *argument_name(const kernel *self, int32_t index); /* "2 'rows'"; a message may use two */

/* ---- kernel.c, kernel_copy.c, kernel_range.c: for graphs ---- */

/* A kernel with the arguments of another one, and without a handle; the caller has its only reference. NULL and a
 * recorded failure if that fails. */
kernel *kernel_copy(const kernel *of);
/* Gives it a handle, if it has none. */
int32_t kernel_lend(int32_t *kernel_out, kernel *self);
/* Fails if the kernel cannot be enqueued with its arguments; then, if not over this range. */
int32_t kernel_ready(const kernel *k);
int32_t range_check(const range *r, const kernel *k);
/* Gives the kernel to the driver. kernel_execute() also keeps what belongs to an execution; for both, the kernel is
 * ready. */
int32_t kernel_enqueue(const kernel *k, const queue *q, const range *r, const wait_list *waits, cl_event *event_at);
int32_t kernel_execute(int32_t *event_out, kernel *k, queue *q, const range *r);
/* Called after the replay of a graph that has the kernel was enqueued as a whole: it is the kernel's last
 * execution, and uses its shared virtual memory. */
void kernel_replayed(kernel *k, execution *made);
/* Adds the reason to the driver's refusal, which was just recorded, if it can be computed. */
void range_explain(const range *r, const kernel *k, int32_t code);
/* Before a replay is enqueued: make room for one more user of all shared virtual memory of the kernel. */
int32_t kernel_svm_reserve(const kernel *self);

/* ---- kernel.c ---- */

/* One call of a kernel. */
struct kernel_call {
    const kernel *kernel;
    queue *queue;
    const range *range;
    const execution *made; /* which is about to be enqueued */
};

/* A watcher of every call: capture.c, while it waits for one. */
struct kernel_watcher {
    bool (*before)(const struct kernel_call *call); /* before it is enqueued; true: call `after` as well */
    void (*after)(const struct kernel_call *call, cl_int code); /* it was enqueued, or refused with this code */
};

extern const struct kernel_watcher *kernel_watcher; /* NULL: none */

#endif
