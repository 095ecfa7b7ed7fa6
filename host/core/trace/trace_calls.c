/* trace_calls.c - OpenCL's functions as the core calls them: recorded if a trace is on.
 *
 * With a trace, every queue has profiling, and a command gets an event even if its caller wants none. Otherwise the
 * calls are the plain ones. Either way the name of the call that runs is known, for what is told of a crash; and in
 * a process that was forked after OpenCL was used, no call reaches its driver, whose threads and locks are the
 * parent's: it would wait for ever. */
#define CLUE_UNTRACED
#include "../../sys/system.h"
#include "trace/calls.h"
#include "trace/internal.h"

enum { NAME = 256, RANGE = 200 };

/* Without a trace, a call must cost only one comparison, so the code that records it is not inlined. */
#define RECORDED static __attribute__((noinline))

static cl_int end(cl_int code, bool waited) {
    trace_end(code, waited);
    return code;
}

static void *end_made(void *made) {
    trace_end(made ? CL_SUCCESS : 1, false);
    return made;
}

/* ---- queues ---- */

RECORDED cl_command_queue recorded_clCreateCommandQueue(cl_context context, cl_device_id device,
                                                        cl_command_queue_properties properties, cl_int *error_out) {
    cl_command_queue made = NULL;
    trace_begin("clCreateCommandQueue", false);
    if (!(properties & CL_QUEUE_PROFILING_ENABLE))
        made = clCreateCommandQueue(context, device, properties | CL_QUEUE_PROFILING_ENABLE, error_out);
    if (!made) made = clCreateCommandQueue(context, device, properties, error_out);
    return end_made(made);
}

/* ---- commands ---- */

static int64_t volume(const size_t *region) {
    return (int64_t)(region[0] * region[1] * region[2]);
}

/* The bytes of a part of an image. */
static int64_t pixels(cl_mem image, const size_t *region) {
    size_t size = 0;
    (void)clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof size, &size, NULL);
    return volume(region) * (int64_t)size;
}

static int64_t memory_bytes(const cl_mem *memories, cl_uint number) {
    int64_t bytes = 0;
    for (cl_uint i = 0; i < number; i++) {
        size_t size = 0;
        (void)clGetMemObjectInfo(memories[i], CL_MEM_SIZE, sizeof size, &size, NULL);
        bytes += (int64_t)size;
    }
    return bytes;
}

static int64_t sum(const size_t *sizes, cl_uint number) {
    int64_t bytes = 0;
    for (cl_uint i = 0; sizes && i < number; i++)
        bytes += (int64_t)sizes[i];
    return bytes;
}

/* ---- kernels' execution ---- */

static int write_sizes(char *text, size_t room, const size_t *sizes, cl_uint dimensions) {
    int used = snprintf(text, room, "%zu", sizes[0]);
    for (cl_uint i = 1; i < dimensions; i++)
        used += snprintf(text + used, room - (size_t)used, "x%zu", sizes[i]);
    return used;
}

/* "1024x1024 by 16x16 from 0x1" */
static void write_range(char *text, cl_uint dimensions, const size_t *offset, const size_t *global,
                        const size_t *local) {
    int used = write_sizes(text, RANGE, global, dimensions);
    bool moved = false;
    if (local) {
        used += snprintf(text + used, RANGE - (size_t)used, " by ");
        used += write_sizes(text + used, RANGE - (size_t)used, local, dimensions);
    }
    for (cl_uint i = 0; offset && i < dimensions; i++)
        moved = moved || offset[i] != 0;
    if (!moved) return;
    used += snprintf(text + used, RANGE - (size_t)used, " from ");
    (void)write_sizes(text + used, RANGE - (size_t)used, offset, dimensions);
}

RECORDED cl_int recorded_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                const size_t *offset, const size_t *global, const size_t *local,
                                                cl_uint count, const cl_event *events, cl_event *event_out) {
    trace_command command;
    char name[NAME] = "?", range[RANGE];
    cl_int code;
    (void)clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
    write_range(range, dimensions, offset, global, local);
    event_out = trace_command_begin(&command, queue, "clEnqueueNDRangeKernel", event_out, name, range, -1);
    code = clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, events, event_out);
    trace_command_end(&command, code);
    return code;
}

/* ---- all others, from calls.def ---- */

#define CALL(result, name, ...)                                                                                    \
    RECORDED result recorded_##name(CALL_PARAMETERS(__VA_ARGS__)) {                                                \
        trace_begin(#name, false);                                                                                 \
        return end(name(CALL_ARGUMENTS(__VA_ARGS__)), false);                                                      \
    }
#define WAITS(name, ...)                                                                                           \
    RECORDED cl_int recorded_##name(CALL_PARAMETERS(__VA_ARGS__)) {                                                \
        trace_begin(#name, true);                                                                                  \
        return end(name(CALL_ARGUMENTS(__VA_ARGS__)), true);                                                       \
    }
#define MAKING(type, name, ...)                                                                                    \
    RECORDED type recorded_##name(CALL_PARAMETERS(__VA_ARGS__)) {                                                  \
        trace_begin(#name, false);                                                                                 \
        return end_made(name(CALL_ARGUMENTS(__VA_ARGS__)));                                                        \
    }
#define MAKES(kind, type, name, ...) MAKING(type, name, __VA_ARGS__, (cl_int *)error_out)
#define ALLOCATES(kind, name, ...) MAKING(void *, name, __VA_ARGS__)

#define RELEASES(kind, name, type)                                                                                 \
    RECORDED cl_int recorded_##name(type object) {                                                                 \
        trace_forget(object);                                                                                      \
        trace_begin(#name, false);                                                                                 \
        return end(name(object), false);                                                                           \
    }
#define COMMANDS(name, bytes, waits, ...)                                                                          \
    RECORDED cl_int recorded_##name(CALL_PARAMETERS(__VA_ARGS__, CALL_WAITS)) {                                    \
        trace_command command;                                                                                     \
        cl_int code;                                                                                               \
        event_out = trace_command_begin(&command, queue, #name, event_out, NULL, NULL, bytes);                     \
        command.blocking = waits;                                                                                  \
        code = name(CALL_ARGUMENTS(__VA_ARGS__, CALL_WAITS));                                                      \
        trace_command_end(&command, code);                                                                         \
        return code;                                                                                               \
    }
/* Mappings return a pointer, and write their code elsewhere. */
#define MAPPING(type, name, bytes, ...)                                                                            \
    RECORDED type recorded_##name(CALL_PARAMETERS(__VA_ARGS__, CALL_WAITS, (cl_int *)error_out)) {                 \
        trace_command command;                                                                                     \
        type data;                                                                                                 \
        event_out = trace_command_begin(&command, queue, #name, event_out, NULL, NULL, bytes);                     \
        command.blocking = blocking;                                                                               \
        data = name(CALL_ARGUMENTS(__VA_ARGS__, CALL_WAITS, (cl_int *)error_out));                                 \
        trace_command_end(&command, *error_out);                                                                   \
        return data;                                                                                               \
    }
#define MAPS(name, bytes, ...) MAPPING(void *, name, bytes, __VA_ARGS__)
#define FINDS(...)
#define RETAINS(...)
#define FREES(...)
/* These two are written by hand above. */
#define MAKES_QUEUE(name, ...)
#define RUNS(name, ...)
#include "trace/calls.def"

/* ---- the call that runs ---- */

static const char *volatile running; /* NULL: OpenCL was never used; "": no call runs */
static bool forked;

const char *trace_running(void) {
    const char *call = running;
    return call && *call ? call : NULL;
}

bool trace_forked(void) {
    return forked;
}

static void begin_child(void) {
    forked = running != NULL;
}

__attribute__((constructor)) static void watch_forks(void) {
    process_after_fork(begin_child);
}

const char *trace_enter(const char *call) {
    const char *before = running;
    running = call;
    return before ? before : "";
}

void trace_leave(const char *before) {
    running = before;
}

/* ---- the functions that the core's calls are linked to; see trace.h ---- */

#define CALL(result, name, ...) extern __typeof__(name) trace_##name;
#include "trace/calls.def"

/* How a call is passed on, and what it gives in a forked process. */
#define PASSES(result, refusal, passed, name, ...)                                                                 \
    result trace_##name(CALL_PARAMETERS(__VA_ARGS__)) {                                                            \
        const char *before;                                                                                        \
        result answer;                                                                                             \
        if (forked) return refusal;                                                                                \
        before = trace_enter(#name);                                                                               \
        answer = passed;                                                                                           \
        trace_leave(before);                                                                                       \
        return answer;                                                                                             \
    }
#define PLAIN(name, ...) name(CALL_ARGUMENTS(__VA_ARGS__))
#define RECORDS(name, ...)                                                                                         \
    (trace_on ? recorded_##name(CALL_ARGUMENTS(__VA_ARGS__)) : name(CALL_ARGUMENTS(__VA_ARGS__)))
#define CALL(result, name, ...) PASSES(result, CL_INVALID_OPERATION, RECORDS(name, __VA_ARGS__), name, __VA_ARGS__)
#define NOTHING(type) (*error_out = CL_INVALID_OPERATION, (type)NULL)
#define MAKING_CALL(type, name, ...) PASSES(type, NOTHING(type), RECORDS(name, __VA_ARGS__), name, __VA_ARGS__)
#define MAKES(kind, type, name, ...) MAKING_CALL(type, name, __VA_ARGS__, (cl_int *)error_out)
#define MAPS(name, bytes, ...) MAKING_CALL(void *, name, __VA_ARGS__, CALL_WAITS, (cl_int *)error_out)
#define ALLOCATES(kind, name, ...) PASSES(void *, NULL, RECORDS(name, __VA_ARGS__), name, __VA_ARGS__)
#define FINDS(name, ...) PASSES(void *, NULL, PLAIN(name, __VA_ARGS__), name, __VA_ARGS__)
#define RETAINS(kind, name, type) PASSES(cl_int, CL_SUCCESS, PLAIN(name, (type)object), name, (type)object)
#define RELEASES(kind, name, type) PASSES(cl_int, CL_SUCCESS, RECORDS(name, (type)object), name, (type)object)
#define FREES(kind, name, ...)                                                                                     \
    void trace_##name(CALL_PARAMETERS(__VA_ARGS__)) {                                                              \
        const char *before;                                                                                        \
        if (forked) return;                                                                                        \
        before = trace_enter(#name);                                                                               \
        PLAIN(name, __VA_ARGS__);                                                                                  \
        trace_leave(before);                                                                                       \
    }
#include "trace/calls.def"
