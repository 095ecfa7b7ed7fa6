/* kernel.c - kernels, their executions, and the state of these. */
#include "kernel/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char enqueue[] = "clEnqueueNDRangeKernel";
static const char group_call[] = "clGetKernelWorkGroupInfo";

const struct kernel_watcher *kernel_watcher;

static void kernel_destroy(object *self) {
    kernel *k = (kernel *)self;
    execution_release(k->last);
    arguments_release(k);
    kernel_svm_release(k);
    if (k->kernel) (void)clReleaseKernel(k->kernel);
    object_release(&k->program->base);
    free(k->name);
    free(k->what);
    free(k->limits);
    free(k);
}

static object *parent_of(const object *self) {
    return &((const kernel *)self)->program->base;
}

static void *pointer_of(const object *self) {
    return ((const kernel *)self)->kernel;
}

static const object_class kernel_class = {CLUE_KERNEL, kernel_destroy, parent_of, pointer_of};

static char *text_about(const char *name) {
    const size_t room = strlen(name) + sizeof "kernel ''";
    char *text = malloc(room);
    if (text) snprintf(text, room, "kernel '%s'", name);
    return text;
}

static int32_t learn(kernel *k) {
    int32_t code;
    if (!k->name || !k->what) return error_out_of_memory("clCreateKernel");
    code = CL_MAKE(&k->kernel, clCreateKernel, k->program->program, k->name);
    if (code == CL_INVALID_KERNEL_NAME) undefined_advise(k->program, k->name);
    if (code == 0) code = arguments_learn(k);
    return code ? code : kernel_learn_limits(k);
}

kernel *kernel_make(program *of, const char *name) {
    kernel *k = calloc(1, sizeof *k);
    if (!k) {
        (void)error_out_of_memory("clCreateKernel");
        return NULL;
    }
    k->base = (object){.class = &kernel_class, .kind = CLUE_KERNEL, .references = 1};
    object_retain(&of->base);
    k->program = of;
    k->name = text_copy(name);
    k->what = text_about(name);
    if (learn(k) == 0) return k;
    kernel_destroy(&k->base);
    return NULL;
}

int32_t kernel_lend(int32_t *kernel_out, kernel *self) {
    int32_t made = 0, code = 0;
    if (!self->base.handle) code = handle_open(&made, &self->base, &kernel_class, "clRetainKernel");
    if (made) object_retain(&self->base); /* the handle has the first reference */
    if (code == 0) *kernel_out = self->base.handle;
    return code;
}

static int32_t create(int32_t *kernel_out, program *p, const char *name) {
    kernel *k = kernel_make(p, name);
    int32_t code = k ? handle_open(kernel_out, &k->base, &kernel_class, "clCreateKernel") : clue_error_code();
    if (k && code) kernel_destroy(&k->base);
    return code;
}

/* OpenCL's "one;two" as "one, two": as much of it as there is room for. */
static void list_names(char *to, size_t room, const char *names) {
    size_t used = 0;
    for (; *names && used + 5 < room; names++) {
        to[used++] = *names;
        if (*names != ';') continue;
        to[used - 1] = ',';
        to[used++] = ' ';
    }
    memcpy(to + used, *names ? "..." : "", *names ? 4 : 1);
}

static int32_t refuse_name(const program *p, const char *name) {
    char advice[120], names[1000];
    advice_kernel(advice, sizeof advice, p, name);
    list_names(names, sizeof names, *p->kernels ? p->kernels : "none");
    return error_record(CL_INVALID_KERNEL_NAME, CLUE_CAUSE_PARAMETER, "clCreateKernel",
                        "the program has no kernel '%s'; it has: %s%s", name, names, advice);
}

int32_t clue_kernel_create(int32_t *kernel_out, int32_t handle, const char *name) {
    program *p = (program *)handle_find(handle, CLUE_PROGRAM, "clCreateKernel");
    int32_t code;
    if (!p) return clue_error_code();
    if (!name || !*name)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clCreateKernel", "the kernel's name is empty");
    if (p->compiled)
        return error_record(CL_INVALID_PROGRAM_EXECUTABLE, CLUE_CAUSE_PARAMETER, "clCreateKernel",
                            "program %d was compiled but not linked: it has kernels only after it is linked",
                            (int)handle);
    if (!text_lists(p->kernels, name)) /* drivers use several codes for this */
        return refuse_name(p, name);
    code = program_check_names(p, name, "clCreateKernel");
    return code ? code : create(kernel_out, p, name);
}

int32_t clue_kernel_name(const char **name_out, int32_t handle) {
    const kernel *k = (kernel *)handle_find(handle, CLUE_KERNEL, "clGetKernelInfo");
    if (!k) return clue_error_code();
    *name_out = k->name;
    return 0;
}

int32_t clue_kernel_group_info(int64_t *size_out, int32_t handle, int32_t device_id, uint32_t property, void *value,
                               int64_t capacity) {
    const kernel *k = (kernel *)handle_find(handle, CLUE_KERNEL, group_call);
    const device *on = k ? context_device(k->program->context, device_id, handle, group_call) : NULL;
    size_t size = 0;
    int32_t code;
    if (!on) return clue_error_code();
    if ((code = error_check_capacity(capacity, group_call))) return code;
    code =
        CL_CALL(clGetKernelWorkGroupInfo, k->kernel, on->id, property, value ? (size_t)capacity : 0, value, &size);
    if (code == 0) *size_out = (int64_t)size;
    return code;
}

/* ---- execution ---- */

static void keep_execution(kernel *k, execution *made, bool replayed) {
    execution_release(k->last);
    k->last = execution_retain(made);
    k->replayed = replayed;
}

void kernel_replayed(kernel *k, execution *made) {
    keep_execution(k, made, true);
    kernel_svm_use(k, made);
}

int32_t kernel_enqueue(const kernel *k, const queue *q, const range *r, const wait_list *waits,
                       cl_event *event_at) {
    return CL_CALL(clEnqueueNDRangeKernel, q->queue, k->kernel, r->dimensions, r->offset, r->global,
                   r->has_local ? r->local : NULL, waits->count, waits->events, event_at);
}

int32_t kernel_execute(int32_t *event_out, kernel *k, queue *q, const range *r) {
    struct command c;
    struct kernel_call call = {.kernel = k, .queue = q, .range = r};
    int32_t code = profile_reserve();
    const struct kernel_watcher *watcher = kernel_watcher;
    if (code == 0) code = kernel_svm_reserve(k);
    if (code == 0) code = command_begin(&c, q, k->what, enqueue, event_out ? WITH_EVENT : NO_EVENT);
    if (code) return code;
    call.made = c.made;
    if (watcher && !watcher->before(&call)) watcher = NULL;
    fault_watch(c.made, q->context, r); /* some drivers run the kernel, and may crash, in the next call */
    code = kernel_enqueue(k, q, r, &q->waits, c.event_at);
    if (code) {
        fault_unwatch(c.made);
        range_explain(r, k, code);
    } else {
        keep_execution(k, c.made, false);
        profile_add(c.made);
        kernel_svm_use(k, c.made);
    }
    if (watcher) watcher->after(&call, code);
    return command_end(&c, event_out, q, code);
}

int32_t kernel_ready(const kernel *k) {
    int32_t code = arguments_ready(k);
    if (code == 0) code = arguments_back(k);
    return code ? code : kernel_svm_ready(k);
}

/* Checks everything that drivers check badly; r already has its dimensions. */
static int32_t check(range *r, const kernel *k, const int64_t *offset, const int64_t *global,
                     const int64_t *local) {
    int32_t code = range_read(r, offset, global, local);
    if (code == 0) code = kernel_ready(k);
    return code ? code : range_check(r, k);
}

/* The answer of clue_kernel_newest(). It holds no reference, so that the kernel can be freed. */
static struct {
    int32_t handle;
    int64_t executions;
} newest;

static int32_t count_execution(int32_t handle, int32_t code) {
    if (code == 0) {
        newest.handle = handle;
        newest.executions++;
    }
    return code;
}

int64_t clue_kernel_newest(int32_t *kernel_out, const char **name_out) {
    const bool alive = clue_handle_kind(newest.handle) == CLUE_KERNEL;
    *kernel_out = newest.handle;
    *name_out = alive ? ((kernel *)handle_find(newest.handle, CLUE_KERNEL, enqueue))->name : NULL;
    return newest.executions;
}

int32_t clue_kernel_execute(int32_t handle, int32_t dimensions, const int64_t *offset, const int64_t *global,
                            const int64_t *local) {
    kernel *k = (kernel *)handle_find(handle, CLUE_KERNEL, enqueue);
    range r = {.dimensions = (cl_uint)dimensions};
    queue *q;
    int32_t code;
    if (!k) return clue_error_code();
    q = queue_own(k->program->context);
    r.on = q->device;
    code = check(&r, k, offset, global, local);
    return code ? code : count_execution(handle, kernel_execute(NULL, k, q, &r));
}

static int32_t record(int32_t *event_out, kernel *k, queue *q, const range *r) {
    const prepared command = {.kind = A_KERNEL, .what = k->what, .call = enqueue, .object = &k->base, .range = r};
    return queue_record(event_out, q, &command);
}

int32_t clue_queue_execute(int32_t *event_out, int32_t queue_handle, int32_t handle, int32_t dimensions,
                           const int64_t *offset, const int64_t *global, const int64_t *local) {
    queue *q = queue_find(queue_handle, enqueue);
    kernel *k = q ? (kernel *)handle_find(handle, CLUE_KERNEL, enqueue) : NULL;
    range r = {.dimensions = (cl_uint)dimensions};
    int32_t code;
    if (!k) return clue_error_code();
    r.on = q->device;
    code = queue_check_context(q, k->program->context, k->what, enqueue);
    if (code == 0) code = check(&r, k, offset, global, local);
    if (code) return code;
    if (q->record) return record(event_out, k, q, &r);
    return count_execution(handle, kernel_execute(event_out, k, q, &r));
}

int32_t clue_kernel_status(int32_t *status_out, int32_t handle) {
    const kernel *k = (kernel *)handle_find(handle, CLUE_KERNEL, "clGetEventInfo");
    int32_t code = 0;
    if (!k) return clue_error_code();
    if (k->last) code = execution_look(k->last);
    if (code == 0) *status_out = k->last ? k->last->status : CL_COMPLETE;
    return code;
}

int32_t clue_kernel_wait(int32_t handle) {
    const kernel *k = (kernel *)handle_find(handle, CLUE_KERNEL, "clWaitForEvents");
    if (!k) return clue_error_code();
    return k->last ? execution_wait(k->last) : 0;
}

int32_t clue_kernel_time(double *seconds_out, int32_t *clock_out, int32_t handle) {
    const kernel *k = (kernel *)handle_find(handle, CLUE_KERNEL, "clGetEventProfilingInfo");
    int32_t code;
    if (!k) return clue_error_code();
    if (!k->last)
        return error_record(CL_PROFILING_INFO_NOT_AVAILABLE, CLUE_CAUSE_PARAMETER, "clGetEventProfilingInfo",
                            "kernel '%s' has not been executed yet: execute it first", k->name);
    if (k->replayed)
        return error_record(CL_PROFILING_INFO_NOT_AVAILABLE, CLUE_CAUSE_PARAMETER, "clGetEventProfilingInfo",
                            "kernel '%s' was executed in a replay of a graph, which has one time for all its "
                            "commands: ask the replay's event, or profile the run",
                            k->name);
    code = execution_wait(k->last);
    if (code == 0) execution_time(seconds_out, clock_out, k->last);
    return code;
}
