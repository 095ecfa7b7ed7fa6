/* context.c - a context on one or several devices of a platform, its own in-order queue on the first of them, and
 * the queues that scripts make in it.
 *
 * All objects made in a context hold it. A context ends when its commands have ended, and the process must wait for
 * that too (clue_finish): a driver that is unloaded while it works crashes (PoCL, when it compiles) or drops the
 * work without a message. */
#include "queue/internal.h"

#include <stdlib.h>

static context *contexts;  /* contexts that have not ended */
static context *lingering; /* contexts that could not be ended yet */

static void unlink_context(const context *self) {
    context **at = &contexts;
    while (*at && *at != self)
        at = &(*at)->next;
    if (*at) *at = self->next;
}

/* ---- objects that were freed and are still in use ---- */

void context_keep(context *self, remains *one) {
    one->next = self->remains;
    self->remains = one;
}

void context_sweep(context *self, bool waits) {
    for (remains **at = &self->remains; *at;) {
        remains *next = (*at)->next;
        if ((*at)->end(*at, self, waits))
            *at = next;
        else
            at = &(*at)->next;
    }
}

/* ---- the end ---- */

/* True if the context was released. On parts of a device, that must wait until the driver's threads have finished
 * with its queues. */
static bool end_context(context *c) {
    queues_sweep(c);
    if (c->closing || !queue_release(&c->own)) return false;
    if (c->context) (void)clReleaseContext(c->context);
    for (cl_uint i = 0; i < c->device_count; i++)
        object_release(c->devices[i]->part);
    free(c->devices);
    free(c->ids);
    free(c);
    return true;
}

static void end_lingering(void) {
    for (context **at = &lingering; *at;) {
        context *next = (*at)->next;
        if (end_context(*at))
            *at = next;
        else
            at = &(*at)->next;
    }
}

/* These threads need microseconds, or for ever if somebody holds an event through its raw handle: then the context
 * stays. */
static bool end_within(context *c, double seconds) {
    const double until = clue_clock_now() + seconds, pause = 20e-6;
    bool ended = end_context(c);
    for (int left = (int)(seconds / pause); !ended && left > 0 && clue_clock_now() < until; left--) {
        clue_clock_sleep(pause);
        ended = end_context(c);
    }
    return ended;
}

static void context_destroy(object *self) {
    context *c = (context *)self;
    unlink_context(c);
    end_lingering();
    if (c->own.base.handle) (void)clue_handle_free(c->own.base.handle, CLUE_QUEUE);
    for (queue *q = c->closing; q; q = q->next)
        queue_retire(q);
    queue_retire(&c->own);
    context_sweep(c, true);
    flights_forget_landed();
    if (end_within(c, 0.5)) return;
    c->next = lingering;
    lingering = c;
}

static void *pointer_of(const object *self) {
    return ((const context *)self)->context;
}

static const object_class context_class = {.kind = CLUE_CONTEXT, .destroy = context_destroy, .pointer = pointer_of};

/* ---- devices ---- */

static const char call[] = "clCreateContext";

cl_uint context_index(const context *self, const device *on) {
    cl_uint i = 0;
    while (i < self->device_count && self->devices[i] != on)
        i++;
    return i;
}

const device *context_device(const context *self, int32_t id, int32_t of, const char *asking) {
    const device *on = id == of ? self->device : device_find(id, asking);
    if (!on || context_index(self, on) < self->device_count) return on;
    (void)error_record(CL_INVALID_DEVICE, CLUE_CAUSE_DEVICE, asking,
                       "device %d does not belong to the context, which has %u, the first of them %s", (int)id,
                       self->device_count, self->device->name);
    return NULL;
}

static int32_t check_beside(const context *c, const device *on) {
    if (c->device_count == 0) return 0;
    if (on->platform != c->device->platform)
        return error_record(
            CL_INVALID_DEVICE, CLUE_CAUSE_DEVICE, call,
            "%s belongs to another platform than %s: all devices of a context must be of one platform", on->name,
            c->device->name);
    if (context_index(c, on) == c->device_count) return 0;
    return error_record(CL_INVALID_DEVICE, CLUE_CAUSE_DEVICE, call,
                        "%s is listed twice among the context's devices", on->name);
}

/* Returns false and records the failure if the device cannot be used. */
static bool add_device(context *c, int32_t id) {
    device *on = device_find(id, call);
    if (!on || device_learn_limits(on) || check_beside(c, on)) return false;
    if (on->part) object_retain(on->part);
    c->ids[c->device_count] = on->id;
    c->devices[c->device_count++] = on;
    c->device = c->devices[0];
    return true;
}

static bool add_devices(context *c, const int32_t *ids, int32_t count) {
    c->devices = calloc((size_t)count, sizeof(device *));
    c->ids = calloc((size_t)count, sizeof(cl_device_id));
    if (!c->devices || !c->ids) {
        (void)error_out_of_memory(call);
        return false;
    }
    for (int32_t i = 0; i < count; i++)
        if (!add_device(c, ids[i])) return false;
    return true;
}

/* ---- making ---- */

static int32_t open_context(context *c, int32_t *context_out) {
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)c->device->platform, 0};
    int32_t code = CL_MAKE(&c->context, clCreateContext, properties, c->device_count, c->ids, NULL, NULL);
    c->own.context = c;
    c->own.device = c->device;
    if (code == 0) code = queue_open(&c->own, CL_QUEUE_PROFILING_ENABLE);
    if (code == 0) code = handle_open(context_out, &c->base, &context_class, call);
    if (code) return code;
    c->next = contexts;
    contexts = c;
    return 0;
}

int32_t clue_context_create(int32_t *context_out, const int32_t *ids, int32_t count) {
    context *c;
    int32_t code;
    if (count < 1 || !ids)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                            "a context with %d devices: it needs at least 1", (int)count);
    c = calloc(1, sizeof *c);
    if (!c) return error_out_of_memory(call);
    end_lingering();
    if (!add_devices(c, ids, count)) {
        context_destroy(&c->base);
        return clue_error_code();
    }
    code = open_context(c, context_out);
    if (code) context_destroy(&c->base);
    return code;
}

/* ---- its queues ---- */

/* The queue belongs to the context, with or without a handle. */
static void keep_own(object *self) {
    (void)self;
}

static const object_class own_queue_class = {CLUE_QUEUE, keep_own, queue_parent, queue_pointer};

int32_t clue_context_queue(int32_t *queue_out, int32_t handle) {
    static const char asking[] = "clRetainCommandQueue";
    context *c = (context *)handle_find(handle, CLUE_CONTEXT, asking);
    int32_t made = 0;
    if (!c) return clue_error_code();
    if (!c->own.base.handle && handle_open(&made, &c->own.base, &own_queue_class, asking)) return clue_error_code();
    *queue_out = c->own.base.handle;
    return 0;
}

/* Finishes the queues of a list. code: the first failure before, which is the result if there is one. */
static int32_t finish_list(queue *first, int32_t code) {
    for (queue *q = first; q; q = q->next)
        if (code == 0)
            code = queue_finish(q);
        else
            queue_await(q);
    return code;
}

/* Finishes all queues, and then reports the first failure. */
static int32_t finish(context *c) {
    const int32_t code = finish_list(c->closing, finish_list(c->queues, queue_finish(&c->own)));
    context_sweep(c, false);
    queues_sweep(c);
    return code;
}

int32_t clue_context_finish(int32_t handle) {
    context *in;
    object *found = handle_find(handle, CLUE_NONE, "clFinish");
    if (!found) return clue_error_code();
    in = context_of(found);
    return in ? finish(in) : 0;
}

void contexts_await(void) {
    for (context *c = contexts; c; c = c->next) {
        queue_await(&c->own);
        for (queue *q = c->queues; q; q = q->next)
            queue_await(q);
        for (queue *q = c->closing; q; q = q->next)
            queue_await(q);
    }
}

static void (*last)(void);

void finish_then(void (*one)(void)) {
    last = one;
}

void clue_finish(void) {
    user_events_give_up();
    contexts_await();
    if (last) last();
    trace_settle();
}
