/* context.c - a context on one device with its own in-order queue, and those that were made beside it.
 *
 * Everything made in a context holds it. A context ends when its work is done, and so must the process
 * (clue_finish): a driver that is torn down while it works crashes (PoCL, compiling) or drops the work unsaid. */
#include "core.h"

#include <stdlib.h>

static void context_destroy(object *self) {
    context *c = (context *)self;
    queue_close(&c->own);
    if (c->context) (void)clReleaseContext(c->context);
    object_release(c->device->part);
    free(c);
}

static int32_t open_context(context *c, int32_t *context_out) {
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)c->device->platform, 0};
    int32_t code = device_learn_limits(c->device);
    if (code == 0) code = CL_MAKE(&c->context, clCreateContext, properties, 1, &c->device->id, NULL, NULL);
    if (code == 0) code = queue_open(&c->own, CL_QUEUE_PROFILING_ENABLE);
    if (code == 0) code = handle_open(context_out, &c->base, CLUE_CONTEXT, context_destroy, "clCreateContext");
    return code;
}

int32_t clue_context_create(int32_t *context_out, int32_t id) {
    device *on = device_find(id, "clCreateContext");
    context *c;
    int32_t code;
    if (!on) return clue_error_code();
    c = calloc(1, sizeof *c);
    if (!c) return error_out_of_memory("clCreateContext");
    c->device = on;
    if (on->part) object_retain(on->part);
    c->own.context = c;
    c->own.device = on;
    code = open_context(c, context_out);
    if (code) context_destroy(&c->base);
    return code;
}

context *context_of(object *any) {
    switch (any->kind) {
    case CLUE_DEVICE: /* a part */
    case CLUE_HOST_MEMORY:
        return NULL;
    case CLUE_PROGRAM:
        return ((program *)any)->context;
    case CLUE_KERNEL:
        return ((kernel *)any)->program->context;
    case CLUE_BUFFER:
    case CLUE_IMAGE:
        return ((buffer *)any)->context;
    case CLUE_SAMPLER:
        return ((sampler *)any)->context;
    case CLUE_MAPPING:
        return mapping_buffer(any)->context;
    case CLUE_QUEUE:
        return ((queue *)any)->context;
    case CLUE_EVENT:
        return event_context(any);
    default:
        return (context *)any;
    }
}

/* The first failure is told once all are done. */
static int32_t finish(context *c) {
    int32_t code = queue_finish(&c->own);
    for (queue *q = c->queues; q; q = q->next) {
        if (code == 0)
            code = queue_finish(q);
        else
            queue_await(q);
    }
    return code;
}

int32_t clue_context_finish(int32_t handle) {
    context *in;
    object *found = handle_find(handle, CLUE_NONE, "clFinish");
    if (!found) return clue_error_code();
    in = context_of(found);
    return in ? finish(in) : 0;
}

/* Every context that still is has a live handle: its own, or that of something made in it. */
void clue_finish(void) {
    user_events_give_up();
    for (int32_t handle = clue_handle_next(0); handle; handle = clue_handle_next(handle))
        (void)clue_context_finish(handle);
    trace_settle();
}
