/* kernel.h - kernels, their arguments and the ranges that they run over. A part of core.h, which alone includes it.
 */
#ifndef CLUE_CORE_KERNEL_H
#define CLUE_CORE_KERNEL_H

/* ---- kernel.c, kernel_argument.c, kernel_information.c, kernel_memory.c, kernel_range.c, kernel_svm.c ---- */

enum { TAKES_ANYTHING, TAKES_VALUE, TAKES_BUFFER, TAKES_LOCAL, TAKES_OBJECT };

struct argument {
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
};

typedef struct kernel_limits {
    size_t sure_group;        /* CL_KERNEL_WORK_GROUP_SIZE, which some drivers exceed */
    size_t required_group[3]; /* reqd_work_group_size, zeros without */
    int64_t local_memory;     /* what the kernel declares itself, without __local arguments */
} kernel_limits;

struct kernel {
    object base;
    program *program;
    cl_kernel kernel;
    char *name, *what; /* "f" and "kernel 'f'" */
    int32_t count;
    argument *arguments;
    execution *last;
    kernel_limits *limits; /* of each of the context's devices */
    svm **reached;         /* through pointers in memory, held */
    int32_t reached_count;
};

int32_t kernel_learn_limits(kernel *self);
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

const kernel_limits *kernel_limits_on(const kernel *self, const device *on);

/* clGetKernelArgInfo(), or what is kept of it. */
cl_int kernel_argument_info(const kernel *of, cl_uint index, cl_kernel_arg_info property, size_t size, void *value,
                            size_t *size_out);
/* What is kept of CL_KERNEL_ATTRIBUTES, of a kernel whose program came from the cache. */
int32_t kernel_kept_attributes(int64_t *size_out, const kernel *of, char *value, int64_t capacity);

int32_t arguments_learn(kernel *self);
/* The kernel, when it has such an argument; NULL and the failure recorded. */
kernel *argument_find(int32_t handle, int32_t index, const char *call);
const char *argument_told(const kernel *self, int32_t index); /* "2 'rows'"; two at a time */
bool argument_is_sampler(const argument *a);
bool argument_accepts(const argument *a, int32_t what);
/* Records what the argument takes instead. */
int32_t argument_refuse(const kernel *self, int32_t index, const char *call);
/* Hands it to the driver; what was the argument before is released. */
int32_t argument_pass(kernel *self, int32_t index, const void *value, size_t size);
/* The driver has taken it. */
void argument_passed(kernel *self, int32_t index);
void arguments_release(kernel *self);
/* 0, or the failure: an argument not set, or one whose buffer was freed. */
int32_t arguments_ready(const kernel *self);
/* The index of a __constant argument whose buffer is larger than the device allows there, -1 for none. */
int32_t arguments_over_constant(const kernel *self, const device *on);
int64_t arguments_local_memory(const kernel *self);
/* 0, or the failure: memory reached through pointers that was freed, or is the host's at the moment. */
int32_t kernel_svm_ready(const kernel *self);
/* All shared virtual memory of an execution: room for it as a user before it is enqueued, then the use. */
int32_t kernel_svm_reserve(const kernel *self);
void kernel_svm_use(const kernel *self, execution *made);
void kernel_svm_release(kernel *self);

enum { NVIDIA_OWN_LOCAL = 4 }; /* bytes that the driver may add to a kernel's local memory */

struct range {
    const device *on;
    cl_uint dimensions;
    size_t offset[3], global[3], local[3];
    bool has_local;
};

/* Takes a range over into r, which has its device and its dimensions already. */
int32_t range_read(range *r, const int64_t *offset, const int64_t *global, const int64_t *local);
int32_t range_check(const range *r, const kernel *k);
/* The largest local size, up to `most`, that divides the global size. */
size_t range_divisor(size_t global, size_t most);
/* Makes the driver's refusal, just recorded, say more where that can be computed. */
void range_explain(const range *r, const kernel *k, int32_t code);

#endif
