/* core.h - what the files of host/core share: the error record, the handle table, and the objects behind handles.
 *
 * Objects are counted: the handle holds one reference until it is freed, every object holds what it is made from
 * (a kernel its program, a program its context) and a kernel holds the buffers that are its arguments. */
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
const char *error_hint(int32_t code); /* "" where the list has none */

/* OpenCL calls go through one of these two: they record its name and code when it fails. Not so where a refusal is
 * no failure, and where things are released: that must not replace the record of why. */
#define CL_CALL(function, ...) error_check(function(__VA_ARGS__), #function)
#define CL_MAKE(object_out, function, ...)                                                                         \
    (*(object_out) = function(__VA_ARGS__, &error_status), error_check(error_status, #function))
extern cl_int error_status; /* where CL_MAKE has the driver put its code */

/* ---- handle.c ---- */

struct object {
    int32_t kind;
    int32_t handle; /* 0 once freed */
    int32_t references;
    void (*destroy)(object *self);
};

/* Gives the object its handle and its first reference. */
int32_t handle_open(int32_t *handle_out, object *self, int32_t kind, void (*destroy)(object *), const char *call);
/* The object of that kind (CLUE_NONE: any), or NULL and the failure recorded for this call. */
object *handle_find(int32_t handle, int32_t kind, const char *call);
const char *handle_kind_name(int32_t kind); /* "buffer" */
int32_t handle_missing_code(int32_t kind);  /* CL_INVALID_MEM_OBJECT for a buffer that is none */
/* Of numbers that callers give as kinds. */
int32_t handle_check_kind(int32_t kind, const char *call);
void object_retain(object *self);
void object_release(object *self);

/* ---- stack.c: around what makes drivers start their threads ---- */

void stack_enlarge(void);
void stack_restore(void);

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
    bool rusticl, nvidia, pocl, oclgrind; /* drivers with ways of their own: whoever asks says which */
    bool synchronous;  /* runs commands in the calling thread: waits there for what they wait for */
    bool out_of_order; /* has queues that are */
    bool epoch_known;
    cl_ulong epoch; /* what clue_event_moment() counts from, settled at its first answer */
    char *name;
};

/* Enumerates on first use; NULL and the failure recorded where there is no such device. */
device *device_at(int32_t ordinal, const char *call);
/* The device of an ordinal, or of the handle of a part. */
device *device_find(int32_t id, const char *call);
/* The device that an ordinal or any handle means. */
device *device_of_id(int32_t id, const char *call);
device *subdevice_device(object *part);
int32_t device_learn_limits(device *self);
/* Whether it has that version of OpenCL, or a later one. */
bool device_has_version(const device *self, int major, int minor);

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
    execution_list pending; /* of a queue out of order: all that are not known to have ended */
    wait_list waits;        /* of the command that is being enqueued: every enqueueing passes it on */
    wait_list next_waits;   /* of the one to come */
    queue *next;            /* of those with handles: the context's next one */
};

/* Makes the driver's queue; properties: CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE (dropped
 * where the device cannot), 0. */
int32_t queue_open(queue *self, cl_command_queue_properties properties);
/* Waits until its work is done, without a word, and releases it. */
void queue_close(queue *self);
int32_t queue_finish(queue *self);
/* Waits without a word, but not for what waits for a user event that is not set. */
void queue_await(queue *self);
/* A command: begun, enqueued by the caller if that was possible (with `blocking`, the queue's waits, and event_at),
 * ended with the enqueueing's code. */
enum { NO_EVENT, WITH_EVENT, BLOCKING }; /* BLOCKING: it is waited for at once, and nothing is kept of it */
struct command {
    cl_bool blocking;
    cl_event *event_at; /* NULL for a blocking one */
    execution *made;    /* NULL for a blocking one */
    int32_t event;      /* its handle, 0 without */
};
int32_t command_begin(struct command *self, queue *on, const char *what, const char *call, int32_t way);
/* Before it is enqueued: a transfer that is not blocking uses this memory of the host's until it is complete. */
int32_t command_flies(const struct command *self, const void *data, int64_t size, const char *call);
/* event_out: where the handle goes, if there is one. */
int32_t command_end(struct command *self, int32_t *event_out, queue *on, int32_t code);
/* The queue of this handle, for a command: what clue_queue_wait_for() gave becomes its list of waits, whether the
 * command comes to be enqueued or not. NULL and the failure recorded where it is no queue. */
queue *queue_find(int32_t handle, const char *call);
/* what: "kernel 'f'", or another that belongs to the other context */
int32_t queue_check_context(const queue *self, const context *other, const char *what, const char *call);

/* ---- wait_list.c: what commands wait for ---- */

/* Takes the list for the coming command over into `waits`. */
void queue_take_waits(queue *self);
void queue_drop_waits(queue *self);
/* Finds the user events that are not set and that a command enqueued now would wait for, itself or through others;
 * the execution holds them from then on. NULL: nobody may wait for any, since the wait would never end. */
int32_t queue_gate(const queue *self, execution *made, const char *what, const char *call);

/* ---- flight.c: host memory that drivers may still touch ---- */

/* The memory of a transfer about to be enqueued that is not waited for. */
int32_t flight_add(execution *of, const void *data, int64_t size, const char *call);
/* The driver refused it. */
void flight_drop(const execution *of);
/* Whether one still touches this memory; waits: until none does, but for those that wait for a user event. */
bool flight_over(const void *data, int64_t size, bool waits);

/* ---- context.c ---- */

struct context {
    object base;
    device *device;       /* the first of them */
    device **devices;     /* all of one platform, each once */
    cl_device_id *ids;    /* the same as OpenCL takes them */
    cl_uint device_count; /* 1 at least */
    cl_context context;
    queue own;     /* what MQL5's functions use */
    queue *queues; /* those that were made in it */
    svm *dying;    /* freed, and still in use */
};

/* Waits without a word for all queues, but not for what waits for a user event that is not set. */
void contexts_await(void);
context *context_of(object *any); /* of the object itself or of what it was made from; NULL: it has none */
/* The device of an ordinal or of the handle of a part, where it is one of the context's; NULL, and the failure
 * recorded, where it is not. */
const device *context_device(const context *self, int32_t id, const char *call);
/* Where the device stands among the context's. */
cl_uint context_index(const context *self, const device *on);

/* ---- waiting.c: around every call that may not return for long ---- */

/* what must live until waiting_is_over(): signal handlers read it */
void waiting_for(const char *what);
void waiting_is_over(void);

/* ---- event.c: commands under way, kernel executions above all; event_handle.c: what scripts hold of them ---- */

struct execution {
    int32_t references;
    cl_event event;
    cl_command_queue queue;    /* for comparing only */
    cl_int status;             /* OpenCL's, as of the last look: below 0 for a failed execution */
    const device *device;      /* valid as long as the context is */
    bool timed;                /* by the device, too */
    bool in_order;             /* its queue is: what came before it has ended when it has */
    bool user;                 /* a user event, which ends when the script says so */
    double enqueued, finished; /* host clock; finished is 0 until somebody saw the end */
    execution_list gates;      /* user events that were not set when it was enqueued, and that it waits for */
    char what[];               /* "kernel 'f'" */
};

/* Of a command about to be enqueued, by a caller who fills in the event; NULL and the failure recorded: no memory.
 * what: "kernel 'f'", is copied. in: NULL for a user event. */
execution *execution_new(const queue *in, const char *what, const char *call);
execution *execution_retain(execution *self);
void execution_release(execution *self);
/* Whether its end is known, or can be seen now; records nothing. */
bool execution_ended(execution *self);
/* Both record a failed execution as a failure. */
int32_t execution_look(execution *self);
int32_t execution_wait(execution *self);
/* Waits without a word: for clean-up, which must not replace the record of what led to it. Not where that would
 * take for ever. */
void execution_await(const execution *self);
/* The user event that is not set and keeps it from beginning, itself where it is one; NULL for none. */
const execution *execution_gate(const execution *self);
/* The user event that failed, so that it never began; NULL for none. */
const execution *execution_failed_gate(const execution *self);
/* 0 where there is room for so many more, or the failure. */
int32_t executions_reserve(execution_list *self, int32_t more, const char *call);
/* Into room that was reserved; retains. */
void executions_add(execution_list *self, execution *one);
void executions_clear(execution_list *self);
/* Gives it a handle. Before it is enqueued, so that nothing fails once the driver has it. */
int32_t event_open(int32_t *event_out, execution *of, context *in);
context *event_context(object *event);
execution *event_execution(object *event);
/* The execution of an event's handle; NULL and the failure recorded. */
execution *event_find(int32_t handle, const context *in, const char *call);
/* User events that nobody will set any more fail, so that what waits for them ends. */
void user_events_give_up(void);
/* Of an execution whose end was seen. */
void execution_time(double *seconds_out, int32_t *clock_out, execution *self);
/* Makes room for one more execution and remembers it, if a profile is running. */
int32_t profile_reserve(void);
void profile_add(execution *self);

/* ---- fault.c: kernels that fail after they were enqueued; rerun.c ---- */

/* A kernel is about to be enqueued: one that may turn out to be why a later call fails. */
void fault_watch(execution *made, const context *in, const range *r);
/* The one just watched was refused. */
void fault_unwatch(const execution *refused);
/* Before a queue goes: its kernels are let go. */
void fault_forget(cl_command_queue of);
/* Adds to a driver's bare code, just recorded, which kernel it may come from. */
void fault_explain(int32_t code);
/* Whether a kernel is known to have failed, and with it perhaps the context. */
bool fault_known(const context *in);
/* Records that an execution failed, by the status of its event or the code of the wait for it. */
int32_t fault_record(const execution *self, int32_t status, const char *call);
enum { NVIDIA_ILLEGAL_ACCESS = -9999 }; /* that driver's own code, in no header */
/* The shell's command that runs this process again on Oclgrind. */
void rerun_command(char *out, size_t room);

/* ---- advice.c, build_advice.c: what can be done about a failure ---- */

/* The largest local size, up to `most`, that divides the global size. */
size_t advice_divisor(size_t global, size_t most);
/* Adds to the record of a lack of device memory what takes it. */
void advice_memory(void);
/* "use float, or a device that has it: 0, 2" */
void advice_doubles(char *out, size_t room);
/* "; is 'scale' meant?", or "" */
void advice_kernel(char *out, size_t room, const struct program *p, const char *name);
/* The record of a failed build, by its log, where that has a form which is known. */
struct build_text;
void build_advise(const char *log, const struct build_text *of);

/* ---- program.c, program_binary.c, program_link.c, program_source.c, buildlog.c ---- */

/* A text that was compiled, with all that it was compiled with. */
struct source {
    int32_t references; /* of programs */
    char *text, *options;
    int32_t header_count;
    char **headers; /* name, text, name, text, ... of those that are no files */
};

struct program {
    object base;
    context *context;
    cl_program program;
    char *log, *kernels;     /* kernels: "first;second" */
    char *arguments;         /* of one from the cache: what its kernels' arguments are; else NULL */
    struct source **sources; /* what it was made from: several of a linked one, none of a binary */
    int32_t source_count;
    char *link_options; /* of one that was linked; else NULL */
    bool compiled;      /* it waits for being linked, and has no kernels until then */
    char *told_log;     /* what clue_program_log_on() gave last */
};

/* Of no source or binary yet, holding the context; NULL and the failure recorded: no memory. */
program *program_new(context *c, const char *call);
void program_destroy(object *self);
/* Builds what was made from a binary or an intermediate language. */
int32_t program_build_made(program *p, const char *options);

/* What a program was built from, for its log. */
struct build_text {
    const char *source;
    const char *const *headers; /* name, text, name, text, ... */
    int32_t header_count;
    bool counts_all_lines; /* by a driver that does not obey #line */
};

/* "-cl-kernel-arg-info OPTIONS CLUE_BUILD_OPTIONS", malloced; NULL: no memory. */
char *program_options(const device *on, const char *options);
int32_t program_check_options(const device *on, const char *options, const char *call);
int32_t program_check_source(const char *source, int64_t length);
char *program_copy_source(const char *source, int64_t length); /* malloced, ended by a zero; NULL: no memory */
/* Drivers without a log answer "" or refuse: both are "". NULL: no memory. */
char *program_read_log(const program *p);
int32_t program_read_kernels(program *p);
/* Remembers what it is made from; false: no memory. */
bool program_add_source(program *p, const struct build_text *of, const char *options);
bool program_add_sources_of(program *p, const program *linked);
void program_drop_sources(program *p);
/* Makes the record of a failed build whole: the annotated log, and the cause where it can be told. */
void program_explain(const program *p, struct build_text of, int32_t code);

/* The log with the source's line and a caret under every message that names a place; malloced, NULL: no memory. */
char *buildlog_annotate(const char *log, const struct build_text *of);

/* ---- linemap.c ---- */

typedef struct span { /* a part of a text */
    const char *start;
    size_t length;
} span;

span span_line(const char *start); /* up to its end, without that */
const char *span_after(span line); /* where the next one begins */
bool span_ends_with(span whole, span ending);

struct text_line {
    span text;
    span name;     /* that #line gave, empty for the driver's own */
    span written;  /* what a template made the text of, empty where it is as it was written */
    long number;   /* as #line has it */
    long physical; /* as it stands in the text */
    int count;     /* how many lines were made of the same one */
};

/* The line that stands there in the text, from 1; false where there is none. */
bool linemap_physical(struct text_line *line_out, const char *source, long number);
/* The line that has this number by #line, in the file that a log names. */
bool linemap_find(struct text_line *line_out, const char *source, span file, long number);
/* The name that a #line of the source or a header has, of what a log names as a file; else empty. */
span linemap_name(const struct build_text *of, span file);
/* The text of the header that a log names as a file, NULL where it is none. */
const char *linemap_header(const struct build_text *of, span file);

/* ---- program_cache.c, cache_key.c, cache_file.c: built programs, kept in files ----
 * Nothing here records a failure: what cannot be kept or found is built from its source. */

/* What decides what the build gives, malloced; NULL where the program is not to be kept. */
char *cache_key(const device *on, const char *source, const char *options);
/* Makes the program from what is kept under the key; false where there is nothing. */
bool program_from_cache(program *p, const char *key);
/* Keeps what was built in so many seconds, where that pays. */
void program_to_cache(const program *p, const char *key, double seconds);
/* clGetKernelArgInfo(), or what is kept of it. */
cl_int kernel_argument_info(const kernel *of, cl_uint index, cl_kernel_arg_info property, size_t size, void *value,
                            size_t *size_out);
/* What is kept of CL_KERNEL_ATTRIBUTES, of a kernel whose program came from the cache. */
int32_t kernel_kept_attributes(int64_t *size_out, const kernel *of, char *value, int64_t capacity);

#define CACHE_CHECKSUM UINT64_C(0xcbf29ce484222325)
uint64_t cache_checksum(uint64_t from, const void *bytes, size_t size); /* from: CACHE_CHECKSUM, or a sum so far */
/* All of a key's file, malloced, with a zero behind it; NULL: there is none. */
char *cache_read(size_t *size_out, const char *key, const char *ending);
bool cache_has(const char *key, const char *ending);
void cache_write(const char *key, const char *ending, const char *bytes, size_t size);
void cache_remove(const char *key, const char *ending);

/* ---- buffer.c, buffer_copy.c, host_memory.c, sub_buffer.c, mapping.c ---- */

/* An image is a buffer with more behind it, by another kind of handle (struct image). */
struct buffer {
    object base;
    context *context;
    cl_mem memory;
    int64_t size;
    cl_mem_flags flags;
    buffer *parent; /* of a sub-buffer or an image in a buffer: in whose memory it lies, held */
    int64_t offset; /* there */
    /* how many there are; one for both counts as one for writing; of a sub-buffer's its parent knows */
    int32_t read_mappings, write_mappings, part_read_mappings, part_write_mappings;
};

void buffer_destroy(object *self);
/* Flags and size are checked before; host: of the flags that need it, else NULL. */
int32_t buffer_make(int32_t *buffer_out, context *in, int64_t size, int64_t flags, void *host);
int32_t buffer_check_size(const context *c, int64_t size);
/* call: "clCreateBuffer" */
int32_t buffer_check_flags(int64_t flags, const char *call);
/* What is made from a buffer may do no more than the buffer itself. */
int32_t buffer_check_inherited(const buffer *parent, int64_t flags, const char *call);
/* The buffer of this handle, where it belongs to the queue's context; NULL and the failure recorded. q may be NULL:
 * the failure is recorded then. */
buffer *buffer_find(const queue *q, int32_t handle, const char *call);
int32_t buffer_check_range(const buffer *b, int64_t offset, int64_t size, const char *call);
/* The buffer whose memory it lies in: itself, but for sub-buffers. */
const buffer *buffer_memory(const buffer *b);
bool buffer_is_mapped(const buffer *b, bool for_writing);
/* Whether its mappings allow this. */
int32_t buffer_check_mappings(const buffer *b, bool writes, const char *call);
/* Of a filling, and of a list that is migrated. */
int32_t buffer_check_pattern(int64_t offset, int64_t size, const void *pattern, int64_t pattern_size,
                             const char *call);
int32_t buffer_check_migration(int32_t count, const int32_t *objects, int64_t flags, const char *call);
/* Passes the code on, and tells what the driver's bare one means. */
int32_t buffer_explain(int32_t code);
buffer *mapping_buffer(object *mapping);
/* Makes what is to lie in the host's memory, with CL_MEM_USE_HOST_PTR; wish: the maker's own. */
typedef int32_t host_memory_maker(int32_t *made_out, context *in, void *data, void *wish);
/* memory: as clue_buffer_create_in() has it. */
int32_t host_memory_lend(int32_t *made_out, int32_t *memory, context *in, void *data, int64_t size,
                         host_memory_maker *maker, void *wish, const char *call);
/* That there is memory, and that the flags do not contradict it. what: "a buffer" */
int32_t host_memory_check(const void *data, cl_mem_flags flags, const char *what, const char *call);

/* ---- svm.c, svm_copy.c: shared virtual memory ---- */

/* For ranges and mappings it is a buffer, without a memory object. */
struct svm {
    buffer memory;
    void *data;
    bool fine;            /* CL_MEM_SVM_FINE_GRAIN_BUFFER */
    execution_list users; /* that are not known to have ended */
    svm *next;            /* of the context's dying ones */
};

/* The memory of this handle, where it belongs to the queue's context; NULL and the failure recorded. q may be NULL:
 * the failure is recorded then. */
svm *svm_find(const queue *q, int32_t handle, const char *call);
/* Room for one more user, before it is enqueued; then the user itself: the memory is not freed before its end. */
int32_t svm_reserve(svm *self, const char *call);
void svm_use(svm *self, execution *user);
/* Frees what was freed by its handle and is not in use any more; all: waits for the rest. */
void svm_sweep(context *in, bool all);
/* Between the host and it, waited for where nobody wants an event. */
int32_t svm_transfer(int32_t *event_out, queue *q, svm *of, int64_t offset, const void *from, void *to,
                     int64_t size);

/* ---- image.c, image_copy.c, image_create.c, image_format.c ---- */

struct image_kind {
    cl_mem_object_type type;
    const char *name, *argument; /* "2-D" and "image2d_t" */
    cl_device_info limits[4];    /* of width, height, depth and layers; 0: it has none */
};

struct image {
    buffer memory;
    const image_kind *kind;
    cl_image_format format;
    size_t pixel;     /* bytes */
    size_t region[3]; /* all of it, as transfers count: layers along the axis behind the image's own */
    int64_t layers, row_pitch;
};

/* NULL and the failure recorded for what is none. */
const image_kind *image_kind_of(cl_mem_object_type type, const char *call);
int32_t image_pixel_bytes(int32_t *bytes_out, const cl_image_format *format);
/* Refuses a format that the context's device does not have for these, with those that it has. */
int32_t image_check_format(const cl_image_format *wanted, const image_kind *kind, cl_mem_flags flags,
                           const context *in);
/* Refuses an image whose pixels lie in a buffer: drivers crash at its transfers, or lose them. */
int32_t image_check_transfers(const struct image *self, const char *call);
/* The image of this handle, where it belongs to the queue's context and a command may write or read it; NULL and
 * the failure recorded. q may be NULL: the failure is recorded then. */
struct image *image_find(const queue *q, int32_t handle, bool writes, const char *call);
/* A part of an image, as drivers take it. */
struct image_place {
    size_t origin[3], region[3];
};
/* origin: NULL for the first pixel; region: NULL for all from there on. */
int32_t image_read_place(struct image_place *out, const struct image *self, const int64_t *origin,
                         const int64_t *region, const char *call);
int64_t image_place_bytes(const struct image *self, const struct image_place *place);

/* ---- sampler.c ---- */

struct sampler {
    object base;
    context *context;
    cl_sampler sampler;
    bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
};

/* ---- kernel.c, kernel_argument.c, kernel_information.c, kernel_memory.c, kernel_range.c, kernel_svm.c ---- */

enum { TAKES_ANYTHING, TAKES_VALUE, TAKES_BUFFER, TAKES_LOCAL, TAKES_OBJECT };

struct argument {
    char *name, *type; /* "" where the driver does not tell */
    int32_t takes;     /* TAKES_ANYTHING where the driver does not tell, TAKES_OBJECT for images and samplers */
    int32_t element, width; /* the type as numbers: float4 is CLUE_FLOAT, 4; CLUE_AUTO where it is no number type */
    bool constant;          /* a __constant pointer */
    bool set;
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

const kernel_limits *kernel_limits_on(const kernel *self, const device *on);

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
/* Makes the driver's refusal, just recorded, say more where that can be computed. */
void range_explain(const range *r, const kernel *k, int32_t code);

/* ---- typedef.c ---- */

/* The number type that a typedef in the program's source stands for, CLUE_AUTO where that cannot be told. */
int32_t typedef_element(const program *p, const char *name);

char *text_copy(const char *text); /* malloced; NULL: no memory */

#include "trace.h" /* last: from here on OpenCL's names are macros */

#endif
