/* fault.c - kernels that fail after they were enqueued: finds which one it was, and what the user can do.
 *
 * If a kernel reads or writes out of bounds, the next call that notices it reports its own failure, or there is no
 * report at all. NVIDIA's driver gives CL_INVALID_COMMAND_QUEUE or its own -9999 for a wait, CL_OUT_OF_RESOURCES
 * for a transfer, and -9999 for nearly everything afterwards, even for a new context. So this file remembers the
 * newest kernels, and asks their events when such a code comes. It never names a kernel that is known to have
 * succeeded. */
#include "../../sys/system.h"
#include "queue/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REMEMBERED = 64, NAMED = 4 };

typedef struct watched {
    execution *execution;   /* held; NULL if there is none */
    const context *context; /* for comparing only */
    range range;
    bool linked;          /* when it runs for the first time, by a program that the driver starts */
    char what[NAME_ROOM]; /* the execution's, which a kernel on a CPU may overwrite */
} watched;

/* A ring: the newest is before `next`. lost: a kernel that may not have ended was overwritten. */
static struct {
    watched kernels[REMEMBERED];
    int32_t next;
    bool lost;
} ring;

static bool any_ran; /* even if it is forgotten */

static void drop(watched *w) {
    execution_release(w->execution);
    w->execution = NULL;
}

void fault_watch(execution *made, const context *in, const range *r) {
    watched *w = &ring.kernels[ring.next];
    ring.next = (ring.next + 1) % REMEMBERED;
    if (w->execution && w->execution->finished == 0) ring.lost = true;
    drop(w);
    w->execution = execution_retain(made);
    w->context = in;
    w->range = *r;
    w->linked = in->device->pocl;
    text_cut(w->what, sizeof w->what, made->what);
    any_ran = true;
}

void fault_unwatch(const execution *refused) {
    const int32_t newest = (ring.next + REMEMBERED - 1) % REMEMBERED;
    if (ring.kernels[newest].execution != refused) return;
    drop(&ring.kernels[newest]);
    ring.next = newest;
}

void fault_forget(cl_command_queue of) {
    bool empty = true;
    for (int32_t i = 0; i < REMEMBERED; i++) {
        watched *w = &ring.kernels[i];
        if (w->execution && w->execution->queue == of) drop(w);
        empty = empty && !w->execution;
    }
    if (empty) ring.lost = false;
}

/* ---- finding the kernel ---- */

/* True for the codes of a driver whose context was broken by a kernel. */
static bool is_fault(int32_t code) {
    return code == CL_OUT_OF_RESOURCES || code == CL_INVALID_COMMAND_QUEUE || code == NVIDIA_ILLEGAL_ACCESS;
}

/* OpenCL's status of an execution; records no failure if it cannot be had. In a broken context, no event gives its
 * status. But a wait for the event does not last there, and succeeds if the command has ended. */
static cl_int status_of(const execution *e) {
    cl_int status = CL_QUEUED, code;
    if (!e->event) return CL_COMPLETE; /* it is being enqueued, so it cannot be the reason yet */
    if (e->finished > 0 || e->status < 0) return e->status;
    code = clGetEventInfo(e->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    if (is_fault(code)) return clWaitForEvents(1, &e->event);
    return code ? CL_QUEUED : status;
}

/* The i-th, counted from the oldest; NULL if there is none. */
static const watched *at(int32_t i) {
    const watched *w = &ring.kernels[(ring.next + i) % REMEMBERED];
    return w->execution ? w : NULL;
}

/* The oldest that failed in this context (NULL: in any); NULL for none. */
static const watched *find_failed(const context *in) {
    for (int32_t i = 0; i < REMEMBERED; i++)
        if (at(i) && (!in || at(i)->context == in) && status_of(at(i)->execution) < 0 &&
            !execution_failed_gate(at(i)->execution)) /* which was not executed */
            return at(i);
    return NULL;
}

execution *fault_unreported(cl_command_queue of) {
    for (int32_t i = 0; i < REMEMBERED; i++) {
        execution *e = at(i) ? at(i)->execution : NULL;
        if (!e || e->queue != of || e->reported || !execution_ended(e)) continue;
        if (e->status < 0 && !execution_failed_gate(e)) return e;
    }
    return NULL;
}

static const watched *find(const execution *e) {
    for (int32_t i = 0; i < REMEMBERED; i++)
        if (at(i) && at(i)->execution == e) return at(i);
    return NULL;
}

bool fault_known(const context *in) {
    return find_failed(in) != NULL;
}

/* ---- words ---- */

typedef struct words {
    char text[1000];
    size_t used;
} words;

__attribute__((format(printf, 2, 3))) static void add(words *to, const char *format, ...) {
    const size_t room = sizeof to->text - to->used;
    va_list values;
    int length;
    va_start(values, format);
    length = vsnprintf(to->text + to->used, room, format, values);
    va_end(values);
    if (length > 0) to->used += (size_t)length < room ? (size_t)length : room - 1;
}

static void add_sizes(words *to, const char *name, const size_t *sizes, cl_uint dimensions) {
    add(to, "%s %zu", name, sizes[0]);
    for (cl_uint i = 1; i < dimensions; i++)
        add(to, " x %zu", sizes[i]);
}

/* "kernel 'f' (global 64 x 64, local 8 x 8)" */
static void add_kernel(words *to, const watched *w) {
    const range *r = &w->range;
    bool from_0 = true;
    if (r->dimensions == 0) { /* a graph: each of its kernels has its own */
        add(to, "%s", w->what);
        return;
    }
    for (cl_uint i = 0; i < r->dimensions; i++)
        from_0 = from_0 && r->offset[i] == 0;
    add(to, "%s (", w->what);
    add_sizes(to, "global", r->global, r->dimensions);
    if (r->has_local) add_sizes(to, ", local", r->local, r->dimensions);
    if (!from_0) add_sizes(to, ", offset", r->offset, r->dimensions);
    add(to, ")");
}

/* Nobody has seen its end. */
static bool is_open(const execution *e) {
    return e->finished == 0 && e->status >= 0;
}

static bool is_under_way(const execution *e) {
    return status_of(e) > CL_COMPLETE;
}

/* Adds the newest kernels for which may_be() is true, the oldest of them first. */
static void add_suspects(words *to, const char *start, bool (*may_be)(const execution *)) {
    const watched *named[NAMED];
    int32_t count = 0;
    for (int32_t i = REMEMBERED - 1; i >= 0 && count < NAMED; i--)
        if (at(i) && may_be(at(i)->execution)) named[count++] = at(i);
    for (int32_t i = count - 1; i >= 0; i--) {
        add(to, "%s", i == count - 1 ? start : ", then ");
        add_kernel(to, named[i]);
    }
}

static void add_rerun(words *to) {
    char command[400];
    rerun_command(command, sizeof command);
    add(to, "; to see the kernel's line and the index: %s", command);
}

/* ---- messages ---- */

static const char *or_before(void) {
    return ring.lost ? ", or one before it," : "";
}

/* Adds to a driver's bare code, which was just recorded, the kernel that it may come from. */
static void explain(int32_t code) {
    const watched *failed = is_fault(code) ? find_failed(NULL) : NULL;
    words w = {.text = ""};
    if (!is_fault(code)) return;
    if (failed) {
        add_kernel(&w, failed);
        add(&w, "%s failed on the device before this call, and its context is dead: start a new process",
            or_before());
    } else {
        add(&w, "%s", error_hint(code));
        add_suspects(&w, "; kernels enqueued last that may not have ended: ", is_under_way);
    }
    add_rerun(&w);
    error_explain("%s", w.text);
}

__attribute__((constructor)) static void explain_codes(void) {
    error_add_explainer(explain);
}

/* Adds the first kernel that failed, if it is another one: in a broken context, all commands that wait fail. */
static void add_failed(words *to, const execution *self) {
    const watched *own = find(self), *first = find_failed(own ? own->context : NULL);
    if (first && first->execution != self) {
        add_kernel(to, first);
        add(to, "%s failed on the device, and %s after it", or_before(), self->what);
    } else {
        if (own)
            add_kernel(to, own);
        else
            add(to, "%s", self->what);
        add(to, " failed on the device");
    }
}

/* The status of a failed execution is one of OpenCL's codes, or a number below 0 that the driver made up, like
 * PoCL's -1. */
int32_t fault_record(const execution *self, int32_t status, const char *call) {
    const bool known = status != -1 && clue_error_name(status);
    const int32_t code = known ? status : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    const char *hint = error_hint(code);
    words w = {.text = ""};
    add_failed(&w, self);
    if (!known)
        add(&w, " (status %d)", (int)status);
    else if (*hint)
        add(&w, ": %s", hint);
    if (is_fault(code)) {
        add(&w, "; after an access out of bounds its context is dead: start a new process");
        add_rerun(&w);
    }
    return error_record(code, CLUE_CAUSE_DRIVER, call, "%s", w.text);
}

/* ---- crashes and hangs ---- */

/* Whether a folder of PATH has the linker. PoCL aborts the process if there is none. */
static bool has_linker(void) {
    char path[PATH_ROOM];
    const char *folder = getenv("PATH");
    while (folder && *folder) {
        const size_t length = strcspn(folder, ":");
        (void)snprintf(path, sizeof path, "%.*s/ld", (int)length, folder);
        if (path_is_program(path)) return true;
        folder += length + (folder[length] == ':');
    }
    return false;
}

static bool lacks_linker(void) {
    for (int32_t i = 0; i < REMEMBERED; i++)
        if (at(i) && at(i)->linked && is_open(at(i)->execution)) return !has_linker();
    return false;
}

static void add_linker(words *to) {
    add(to, "; PoCL links each new kernel with ld, which no folder of PATH has: apt install binutils");
}

/* No kernel is known to have been running, but one that ended may have overwritten what belongs to others. */
static void add_cause(words *to, bool waits, bool calls) {
    if (any_ran) {
        add(to, "; a kernel may have written outside its memory before");
        add_rerun(to);
    } else if (calls && !waits)
        add(to, ": the driver has a fault; try another device, or change what the call is about");
}

/* Writes "clue: START in CALL with kernels ...", or nothing if there is nothing to tell. limits: see
 * clue_limits_text(). If it crashes itself, the kernels' own records are overwritten: the next call leaves them. */
static void tell(int32_t descriptor, const char *start, void (*add_advice)(words *to), bool crashed,
                 const char *limits) {
    static volatile bool telling;
    words w = {.text = ""};
    const char *waiting = clue_waiting(), *call = trace_running();
    const bool records_are_good = !telling;
    size_t named;
    telling = true;
    if (call) add(&w, " in %s", call);
    named = w.used;
    if (records_are_good) add_suspects(&w, " with kernels that may have been running: ", is_open);
    if (w.used > named)
        add_advice(&w);
    else {
        if (waiting) add(&w, " while waiting for %s", waiting);
        if (crashed) add_cause(&w, waiting != NULL, call != NULL);
    }
    add(&w, "%s", limits);
    if (w.used > 0) {
        add(&w, "\n");
        (void)(output_write(descriptor, "clue: ", 6) && output_write(descriptor, start, strlen(start)) &&
               output_write(descriptor, w.text, w.used));
    }
    telling = false;
}

void clue_crash_tell(int32_t descriptor, const char *signal) {
    const bool unlinked = strcmp(signal, "SIGABRT") == 0 && lacks_linker();
    tell(descriptor, signal, unlinked ? add_linker : add_rerun, true, clue_limits_text());
}

static void add_hang(words *to) {
    add(to, "; a loop without an end, or a barrier that not all work-items reach? A smaller range shows whether it "
            "ends at all");
}

void clue_hang_tell(int32_t descriptor, const char *limit) {
    tell(descriptor, limit, add_hang, false, "");
}
