/* context.c - a context on one device with its one in-order queue.
 *
 * The queue profiles where the device can. Everything made in a context holds it. A context ends when its work is
 * done, and so must the process (clue_finish): a driver that is torn down while it works crashes (PoCL, compiling)
 * or drops the work unsaid. */
#include "core.h"

#include <stdlib.h>

static void context_destroy(object *self) {
    context *c = (context *)self;
    if (c->last) execution_await(c->last);
    execution_release(c->last);
    if (c->queue) (void)clReleaseCommandQueue(c->queue);
    if (c->context) (void)clReleaseContext(c->context);
    free(c);
}

static int32_t make_queue(context *c) {
    const cl_device_id on = c->device->id;
    c->queue = clCreateCommandQueue(c->context, on, CL_QUEUE_PROFILING_ENABLE, &error_status);
    c->timed = c->device->timed && error_status == CL_SUCCESS;
    if (error_status != CL_INVALID_QUEUE_PROPERTIES) return error_check(error_status, "clCreateCommandQueue");
    return CL_MAKE(&c->queue, clCreateCommandQueue, c->context, on, 0);
}

static int32_t open_context(context *c, int32_t *context_out) {
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)c->device->platform, 0};
    int32_t code = device_learn_limits(c->device);
    if (code == 0) code = CL_MAKE(&c->context, clCreateContext, properties, 1, &c->device->id, NULL, NULL);
    if (code == 0) code = make_queue(c);
    if (code == 0) code = handle_open(context_out, &c->base, CLUE_CONTEXT, context_destroy, "clCreateContext");
    return code;
}

int32_t clue_context_create(int32_t *context_out, int32_t ordinal) {
    device *on = device_at(ordinal, "clCreateContext");
    context *c;
    int32_t code;
    if (!on) return clue_error_code();
    c = calloc(1, sizeof *c);
    if (!c) return error_out_of_memory("clCreateContext");
    c->device = on;
    code = open_context(c, context_out);
    if (code) context_destroy(&c->base);
    return code;
}

context *context_of(object *any) {
    switch (any->kind) {
    case CLUE_PROGRAM:
        return ((program *)any)->context;
    case CLUE_KERNEL:
        return ((kernel *)any)->program->context;
    case CLUE_BUFFER:
        return ((buffer *)any)->context;
    default:
        return (context *)any;
    }
}

/* One in-order queue, so when its newest kernel is done, all are; transfers are done when their calls return. (Not
 * clFinish: Mesa's rusticl returns from it early.) */
int32_t clue_context_finish(int32_t handle) {
    object *found = handle_find(handle, CLUE_NONE, "clFinish");
    const context *c;
    if (!found) return clue_error_code();
    c = context_of(found);
    return c->last ? execution_wait(c->last) : 0;
}

/* Every context that still is has a live handle: its own, or that of something made in it. */
void clue_finish(void) {
    for (int32_t handle = clue_handle_next(0); handle; handle = clue_handle_next(handle))
        (void)clue_context_finish(handle);
}
