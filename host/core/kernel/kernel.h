/* kernel.h - kernels, their arguments, and the watcher of their calls. Used by capture. */
#ifndef CLUE_KERNEL_H
#define CLUE_KERNEL_H

#include "memory/memory.h"
#include "program/program.h"
#include "queue/queue.h"

/* ---- kernel_argument.c ---- */

enum { TAKES_ANYTHING, TAKES_VALUE, TAKES_BUFFER, TAKES_LOCAL, TAKES_OBJECT };

typedef struct argument {
    char *name, *type; /* "" if the driver does not know it */
    int32_t takes;     /* TAKES_ANYTHING if the driver does not say; TAKES_OBJECT for images and samplers */
    int32_t element,
        width;     /* the type's elements: float4 is CLUE_FLOAT, 4; CLUE_AUTO if it is not a type of numbers */
    bool constant; /* a __constant pointer */
    bool set;
    bool shared;    /* it was once shared virtual memory */
    object *object; /* held while it is the argument: a buffer, an image, a sampler, shared virtual memory */
    int32_t object_handle;
    buffer *buffer; /* the same, if it is memory */
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
    execution *last;
    struct kernel_limits *limits; /* for each of the context's devices */
    svm **reached;                /* through pointers in memory; held */
    int32_t reached_count;
} kernel;

const char *argument_name(const kernel *self, int32_t index); /* "2 'rows'"; a message may use two */

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
