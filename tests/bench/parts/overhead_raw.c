/* overhead_raw.c - each operation of tests/bench/overhead at its least cost: the OpenCL calls and nothing else.
 *
 * overhead_raw KERNELS             reads lines "OPERATION COUNT" up to "end 0", answers each with nanoseconds
 *                                  per operation
 * overhead_raw KERNELS OPERATION COUNT   does that and ends, for callgrind
 * It takes the first device, and checks the codes that clue checks. An enqueue is clEnqueueNDRangeKernel without an
 * event, followed by clFlush. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KERNELS = 3, MOST_ARGUMENTS = 8, BYTES = 64 };

static cl_context context;
static cl_command_queue queue, profiling_queue, plain_queue;
static bool with_event;
static cl_event last;
static cl_mem buffer;
static cl_kernel kernels[KERNELS];
static const int argument_counts[KERNELS] = {1, 4, 8};
static float numbers[BYTES / sizeof(float)];

static void check(cl_int code, const char *call) {
    if (code == CL_SUCCESS) return;
    (void)fprintf(stderr, "overhead_raw: %s gave %d\n", call, (int)code);
    exit(1);
}

/* ---- operations ---- */

static void set_float(cl_kernel kernel, cl_uint index, long turn) {
    const cl_float value = (cl_float)(turn & 1023);
    check(clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
}

static void set_int(cl_kernel kernel, cl_uint index, long turn) {
    const cl_int value = (cl_int)(turn & 1023);
    check(clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
}

static void set_buffer(cl_kernel kernel, cl_uint index) {
    check(clSetKernelArg(kernel, index, sizeof(cl_mem), &buffer), "clSetKernelArg");
}

/* A buffer, a float, a buffer, an int, and again from the first. */
static void set_all(int which, long turn) {
    const int count = argument_counts[which];
    for (int i = 0; i < count; i += 4) {
        set_buffer(kernels[which], (cl_uint)i);
        if (count == 1) return;
        set_float(kernels[which], (cl_uint)i + 1, turn);
        set_buffer(kernels[which], (cl_uint)i + 2);
        set_int(kernels[which], (cl_uint)i + 3, turn);
    }
}

static void enqueue(int which) {
    static const size_t offset = 0, global = 64;
    cl_event made = NULL;
    check(clEnqueueNDRangeKernel(queue, kernels[which], 1, &offset, &global, NULL, 0, NULL,
                                 with_event ? &made : NULL),
          "clEnqueueNDRangeKernel");
    if (last) check(clReleaseEvent(last), "clReleaseEvent");
    last = made;
    check(clFlush(queue), "clFlush");
}

static void set_floats(int which, long count) {
    for (long i = 0; i < count; i++)
        set_float(kernels[which], 1, i);
}

static void set_buffers(int which, long count) {
    for (long i = 0; i < count; i++)
        set_buffer(kernels[which], 0);
}

static void enqueue_many(int which, long count) {
    for (long i = 0; i < count; i++)
        enqueue(which);
}

static void set_and_enqueue(int which, long count) {
    for (long i = 0; i < count; i++) {
        set_all(which, i);
        enqueue(which);
    }
}

/* Asks each command for its state. */
static void set_and_ask(int which, long count) {
    for (long i = 0; i < count; i++) {
        cl_int status;
        const bool before = with_event;
        set_all(which, i);
        with_event = true;
        enqueue(which);
        with_event = before;
        check(clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL),
              "clGetEventInfo");
    }
}

static void make_buffers(int which, long count) {
    (void)which;
    for (long i = 0; i < count; i++) {
        cl_int code;
        const cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &code);
        check(code, "clCreateBuffer");
        check(clReleaseMemObject(made), "clReleaseMemObject");
    }
}

static void write_many(int which, long count) {
    (void)which;
    for (long i = 0; i < count; i++)
        check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL),
              "clEnqueueWriteBuffer");
}

static const struct operation {
    const char *name;
    void (*run)(int which, long count);
    int which;
} operations[] = {
    {"set_float", set_floats, 1},
    {"set_buffer", set_buffers, 1},
    {"enqueue_1", enqueue_many, 0},
    {"enqueue_4", enqueue_many, 1},
    {"enqueue_8", enqueue_many, 2},
    {"set_enqueue_1", set_and_enqueue, 0},
    {"set_enqueue_4", set_and_enqueue, 1},
    {"set_enqueue_8", set_and_enqueue, 2},
    {"ask_1", set_and_ask, 0},
    {"ask_4", set_and_ask, 1},
    {"ask_8", set_and_ask, 2},
    {"new_buffer", make_buffers, 0},
    {"write_64", write_many, 0},
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Sets the level, and returns the operation's name, which is after the slash. */
static const char *read_level(const char *name) {
    const char *slash = strchr(name, '/');
    queue = strncmp(name, "plain", 5) == 0 ? plain_queue : profiling_queue;
    with_event = slash && strstr(name, "event/");
    return slash ? slash + 1 : name;
}

static double measure(const char *order, long count) {
    const char *name = read_level(order);
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        double start, time;
        if (strcmp(operations[i].name, name) != 0) continue;
        start = now();
        operations[i].run(operations[i].which, count);
        time = now() - start;
        check(clFinish(queue), "clFinish");
        return time / (double)count;
    }
    (void)fprintf(stderr, "overhead_raw: no operation '%s'\n", name);
    exit(1);
}

/* ---- set-up ---- */

static char *read_file(const char *path) {
    static char text[65536];
    FILE *file = fopen(path, "r");
    if (!file) {
        (void)fprintf(stderr, "overhead_raw: cannot read %s\n", path);
        exit(1);
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    return text;
}

static cl_program build(cl_device_id device, const char *path) {
    const char *source = read_file(path);
    cl_int code;
    const cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "-cl-kernel-arg-info", NULL, NULL), "clBuildProgram");
    return program;
}

static void set_up(const char *path) {
    static const char *const names[KERNELS] = {"f1", "f4", "f8"};
    cl_platform_id platform;
    cl_device_id device;
    cl_program program;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    profiling_queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    check(code, "clCreateCommandQueue");
    plain_queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &code);
    check(code, "clCreateBuffer");
    program = build(device, path);
    for (int i = 0; i < KERNELS; i++) {
        kernels[i] = clCreateKernel(program, names[i], &code);
        check(code, "clCreateKernel");
        set_all(i, 1);
    }
}

int main(int count, char **words) {
    char name[64];
    long turns;
    if (count < 2) return 2;
    set_up(words[1]);
    if (count == 4) {
        (void)measure(words[2], strtol(words[3], NULL, 10));
        return 0;
    }
    (void)printf("ready\n");
    (void)fflush(stdout);
    while (scanf("%63s %ld", name, &turns) == 2 && strcmp(name, "end") != 0) {
        (void)measure(name, turns / 8 + 1); /* warms caches, clocks and device up again after other processes */
        (void)printf("%.3f\n", measure(name, turns));
        (void)fflush(stdout);
    }
    return 0;
}
