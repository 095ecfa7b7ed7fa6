/* aside.c - the core's own commands, which do no work, and a queue for them. No trace shows them. */
#define CLUE_UNTRACED
#include "queue/internal.h"

cl_command_queue queue_aside(queue *self) {
    const device *on = self->device;
    const cl_command_queue_properties order = on->out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
    if (!self->aside) self->aside = clCreateCommandQueue(self->context->context, on->id, order, &error_status);
    return self->aside;
}

static void CL_CALLBACK do_nothing(void *data) {
    (void)data;
}

/* PoCL's devices other than CPUs run no native kernels, so a marker must do. */
int32_t enqueue_nothing(const queue *q, cl_command_queue on, cl_uint count, const cl_event *events,
                        cl_event *event_out) {
    cl_device_exec_capabilities can = 0;
    (void)clGetDeviceInfo(q->device->id, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, NULL);
    if (can & CL_EXEC_NATIVE_KERNEL)
        return error_check(clEnqueueNativeKernel(on, do_nothing, NULL, 0, 0, NULL, NULL, count, events, event_out),
                           "clEnqueueNativeKernel");
    return error_check(clEnqueueMarkerWithWaitList(on, count, events, event_out), "clEnqueueMarkerWithWaitList");
}
