/* trace_queue.c - the queues and devices of a trace, by number, and how their clocks relate to the host's.
 *
 * A queue or device is written with its first command. A device's timer starts anywhere, and its nanoseconds are
 * numbers that not every reader can hold exactly. So the trace counts them from a moment of its own choice. */
#define CLUE_UNTRACED
#include "trace/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct traced_device {
    cl_device_id id;
    bool timed, asks, epoch_known; /* asks: the driver has clGetDeviceAndHostTimer */
    cl_ulong epoch;
};

struct traced_queue {
    cl_command_queue queue; /* NULL after it was released */
    int32_t device;
};

int32_t (*trace_ordinal)(cl_device_id);

static struct traced_device *devices;
static struct traced_queue *queues;
static int32_t device_count, queue_count;

int64_t trace_now(void) {
    return (int64_t)(clue_clock_now() * 1e9);
}

/* Makes room for one more; keeps the old memory if there is no more. */
static bool make_room(void **list, int32_t count, size_t size) {
    void *more;
    if ((count & (count - 1)) != 0) return true; /* doubled at each power of two */
    more = realloc(*list, (size_t)(count ? count * 2 : 1) * size);
    if (more) *list = more;
    return more != NULL;
}

/* ---- devices ---- */

static int64_t moment_in_trace(struct traced_device *self, cl_ulong moment) {
    const cl_ulong step = UINT64_C(1000000000000); /* so that earlier moments do not become negative */
    if (!self->epoch_known) self->epoch = moment - moment % step;
    self->epoch_known = true;
    return (int64_t)(moment - self->epoch);
}

/* clGetDeviceAndHostTimer came with OpenCL 2.1. In older drivers, something else is in its place. */
static bool has_timer_question(cl_device_id id) {
    char version[128] = "";
    int major = 0, minor = 0;
    if (clGetDeviceInfo(id, CL_DEVICE_VERSION, sizeof version - 1, version, NULL)) return false;
    if (strncmp(version, "OpenCL ", 7) != 0) return false;
    major = (int)strtol(version + 7, NULL, 10);
    minor = strlen(version) > 9 ? (int)strtol(version + 9, NULL, 10) : 0;
    return major > 2 || (major == 2 && minor >= 1);
}

/* Asks a few times and takes the shortest answer: its middle is known best. */
static void write_timer(FILE *file, int32_t number) {
    struct traced_device *self = &devices[number];
    cl_ulong device_timer = 0, host_timer = 0, best = 0;
    int64_t began = 0, ended = INT64_MAX;
    for (int i = 0; i < 5 && self->asks; i++) {
        const int64_t before = trace_now();
        const cl_int code = clGetDeviceAndHostTimer(self->id, &device_timer, &host_timer);
        const int64_t after = trace_now();
        self->asks = code == CL_SUCCESS;
        if (!self->asks || after - before >= ended - began) continue;
        began = before;
        ended = after;
        best = device_timer;
    }
    if (self->asks)
        (void)fprintf(file, "timer\t%d\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\n", (int)number,
                      moment_in_trace(self, best), began, ended);
}

void trace_write_timers(FILE *file) {
    for (int32_t i = 0; i < device_count; i++)
        write_timer(file, i);
}

static int32_t device_number(FILE *file, cl_device_id id) {
    struct traced_device *made;
    char name[256] = "";
    size_t step = 0;
    for (int32_t i = 0; i < device_count; i++)
        if (devices[i].id == id) return i;
    if (!make_room((void **)&devices, device_count, sizeof *devices)) return -1;
    (void)clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    (void)clGetDeviceInfo(id, CL_DEVICE_PROFILING_TIMER_RESOLUTION, sizeof step, &step, NULL);
    made = &devices[device_count];
    /* a timer without a step is made up (rusticl) */
    *made = (struct traced_device){.id = id, .timed = step != 0, .asks = step != 0 && has_timer_question(id)};
    (void)fprintf(file, "device\t%d\t%d\t%s\t%s\n", (int)device_count, trace_ordinal ? (int)trace_ordinal(id) : -1,
                  name, step ? "device" : "host");
    write_timer(file, device_count);
    return device_count++;
}

/* ---- queues ---- */

int32_t trace_queue_number(FILE *file, cl_command_queue of) {
    cl_command_queue_properties properties = 0;
    cl_device_id on = NULL;
    int32_t number;
    for (int32_t i = 0; i < queue_count; i++)
        if (queues[i].queue == of) return i;
    if (clGetCommandQueueInfo(of, CL_QUEUE_DEVICE, sizeof(cl_device_id), &on, NULL)) return -1;
    (void)clGetCommandQueueInfo(of, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    number = device_number(file, on);
    if (number < 0 || !make_room((void **)&queues, queue_count, sizeof *queues)) return -1;
    queues[queue_count] = (struct traced_queue){.queue = of, .device = number};
    (void)fprintf(file, "queue\t%d\t%d\t%s\n", (int)queue_count, (int)number,
                  properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE ? "out" : "in");
    return queue_count++;
}

void trace_forget(const void *released) {
    for (int32_t i = 0; i < queue_count; i++)
        if (queues[i].queue == released) queues[i].queue = NULL;
}

void trace_forget_all(void) {
    device_count = queue_count = 0;
    free(devices);
    free(queues);
    devices = NULL;
    queues = NULL;
}

void trace_write_times(FILE *file, int64_t id, int32_t number, cl_event event, cl_int status) {
    static const cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                              CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    struct traced_device *on = number < 0 ? NULL : &devices[queues[number].device];
    cl_ulong moments[4] = {0};
    bool known = on && on->timed && status == CL_COMPLETE;
    (void)fprintf(file, "times\t%" PRId64 "\t%d\t%" PRId64, id, (int)status, trace_now());
    for (int i = 0; i < 4 && known; i++)
        known = clGetEventProfilingInfo(event, names[i], sizeof moments[i], &moments[i], NULL) == CL_SUCCESS;
    for (int i = 0; i < 4; i++)
        if (known)
            (void)fprintf(file, "\t%" PRId64, moment_in_trace(on, moments[i]));
        else
            (void)fprintf(file, "\t-");
    (void)fprintf(file, "\n");
}
