/* kernel.h - kernels and their arguments, and who looks at their calls. Used by capture. */
#ifndef CLUE_KERNEL_H
#define CLUE_KERNEL_H

#include "memory/memory.h"
#include "program/program.h"
#include "queue/queue.h"

/* ---- kernel_argument.c ---- */

enum { TAKES_ANYTHING, TAKES_VALUE, TAKES_BUFFER, TAKES_LOCAL, TAKES_OBJECT };

typedef struct argument {
    char *name, *type; /* "" where the driver does not tell */
    int32_t takes;     /* TAKES_ANYTHING where the driver does not tell, TAKES_OBJECT for images and samplers */
    int32_t element, width; /* the type as numbers: float4 is CLUE_FLOAT, 4; CLUE_AUTO where it is no number type */
    bool constant;          /* a __constant pointer */
    bool set;
    bool shared;    /* it was shared virtual memory once */
    object *object; /* held while it is the argument: a buffer, an image, a sampler, shared virtual memory */
    int32_t object_handle;
    buffer *buffer; /* the same where it is memory */
    int64_t local_size;
    unsigned char *bytes; /* what the driver was given, of a value; NULL before */
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
    struct kernel_limits *limits; /* of each of the context's devices */
    svm **reached;                /* through pointers in memory, held */
    int32_t reached_count;
} kernel;

const char *argument_told(const kernel *self, int32_t index); /* "2 'rows'"; two at a time */

/* ---- kernel.c ---- */

/* One call of a kernel. */
struct kernel_call {
    const kernel *kernel;
    queue *queue;
    const range *range;
    const execution *made; /* about to be enqueued */
};

/* Who looks at every call: capture.c, where it waits for one. */
struct kernel_watcher {
    bool (*before)(const struct kernel_call *call);             /* it is enqueued; whether `after` is to be told */
    void (*after)(const struct kernel_call *call, cl_int code); /* it was enqueued, or refused with that code */
};

extern const struct kernel_watcher *kernel_watcher; /* NULL: nobody */

#endif
