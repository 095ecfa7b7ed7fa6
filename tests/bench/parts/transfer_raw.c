/* transfer_raw.c - writes and reads a buffer by OpenCL's own blocking calls, in a context of its own.
 * tests/bench/transfer compares clue with it, in the same process and with the same host memory.
 *
 * Each function returns OpenCL's code. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

enum { MOST = 64 };

cl_int transfer_begin(cl_uint platform_index, cl_uint device_index, size_t size);
cl_int transfer_write(const void *data, size_t size);
cl_int transfer_read(void *data_out, size_t size);

static cl_context context;
static cl_command_queue queue;
static cl_mem buffer;

cl_int transfer_begin(cl_uint platform_index, cl_uint device_index, size_t size) {
    cl_platform_id platforms[MOST];
    cl_device_id devices[MOST];
    cl_uint platform_count = 0, device_count = 0;
    cl_int code = clGetPlatformIDs(MOST, platforms, &platform_count);
    if (code || platform_index >= platform_count) return code ? code : CL_INVALID_PLATFORM;
    code = clGetDeviceIDs(platforms[platform_index], CL_DEVICE_TYPE_ALL, MOST, devices, &device_count);
    if (code || device_index >= device_count) return code ? code : CL_INVALID_DEVICE;
    context = clCreateContext(NULL, 1, &devices[device_index], NULL, NULL, &code);
    if (code) return code;
    queue = clCreateCommandQueue(context, devices[device_index], CL_QUEUE_PROFILING_ENABLE, &code);
    if (code) return code;
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &code);
    return code;
}

cl_int transfer_write(const void *data, size_t size) {
    return clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL);
}

cl_int transfer_read(void *data_out, size_t size) {
    return clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, data_out, 0, NULL, NULL);
}
