/* hostile.c - an OpenCL layer that puts foreign text into what a good driver reports.
 *
 *   CLUE_HOSTILE=FILE   the file's bytes are added to the names, versions and extensions of platforms and devices,
 *                       and to the names of arguments and attributes of kernels; build logs end with them
 *
 * Names reach clue from machines, files and networks that a driver trusts. No byte of them may get further than
 * text does: into a terminal as a control character, into a page as markup, into a shell or a script of gnuplot.
 * Without the file the process ends, so that no test passes because of a typing mistake. */
#define LAYER "clue hostile layer"
#include "layer.h"

enum { MOST_FOREIGN = 4096, MOST = 65536 };

static char foreign[MOST_FOREIGN + 1];

static void read_foreign(void) {
    const char *path = getenv("CLUE_HOSTILE");
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file || fread(foreign, 1, MOST_FOREIGN, file) == 0) {
        (void)fprintf(stderr, "CLUE_HOSTILE=%s: no file with text\n", path ? path : "");
        exit(70);
    }
    (void)fclose(file);
}

/* The driver's answer with the foreign text at its end. */
static cl_int answer(char *given, size_t room, void *value, size_t *size_out) {
    static char whole[MOST + MOST_FOREIGN + 2];
    const size_t size = (size_t)snprintf(whole, sizeof whole, "%s %s", given, foreign) + 1;
    return give(room, value, size_out, whole, size);
}

static cl_int CL_API_CALL platform_info(cl_platform_id id, cl_platform_info name, size_t room, void *value,
                                        size_t *size_out) {
    static char given[MOST];
    const bool is_text = name == CL_PLATFORM_NAME || name == CL_PLATFORM_VENDOR || name == CL_PLATFORM_VERSION ||
                         name == CL_PLATFORM_EXTENSIONS;
    if (!is_text || next->clGetPlatformInfo(id, name, MOST, given, NULL) != CL_SUCCESS)
        return next->clGetPlatformInfo(id, name, room, value, size_out);
    return answer(given, room, value, size_out);
}

static cl_int CL_API_CALL device_info(cl_device_id id, cl_device_info name, size_t room, void *value,
                                      size_t *size_out) {
    static const cl_device_info texts[] = {
        CL_DEVICE_NAME,       CL_DEVICE_VENDOR,           CL_DEVICE_VERSION,         CL_DRIVER_VERSION,
        CL_DEVICE_EXTENSIONS, CL_DEVICE_OPENCL_C_VERSION, CL_DEVICE_BUILT_IN_KERNELS};
    static char given[MOST];
    bool is_text = false;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        is_text = is_text || texts[i] == name;
    if (!is_text || next->clGetDeviceInfo(id, name, MOST, given, NULL) != CL_SUCCESS)
        return next->clGetDeviceInfo(id, name, room, value, size_out);
    return answer(given, room, value, size_out);
}

static cl_int CL_API_CALL build_info(cl_program program, cl_device_id device, cl_program_build_info name,
                                     size_t room, void *value, size_t *size_out) {
    static char given[MOST];
    if (name != CL_PROGRAM_BUILD_LOG ||
        next->clGetProgramBuildInfo(program, device, name, MOST, given, NULL) != CL_SUCCESS)
        return next->clGetProgramBuildInfo(program, device, name, room, value, size_out);
    return answer(given, room, value, size_out);
}

static cl_int CL_API_CALL kernel_info(cl_kernel kernel, cl_kernel_info name, size_t room, void *value,
                                      size_t *size_out) {
    static char given[MOST];
    if (name != CL_KERNEL_ATTRIBUTES || next->clGetKernelInfo(kernel, name, MOST, given, NULL) != CL_SUCCESS)
        return next->clGetKernelInfo(kernel, name, room, value, size_out);
    return answer(given, room, value, size_out);
}

static cl_int CL_API_CALL argument_info(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t room,
                                        void *value, size_t *size_out) {
    static char given[MOST];
    if (name != CL_KERNEL_ARG_NAME ||
        next->clGetKernelArgInfo(kernel, index, name, MOST, given, NULL) != CL_SUCCESS)
        return next->clGetKernelArgInfo(kernel, index, name, room, value, size_out);
    return answer(given, room, value, size_out);
}

static void begin(void) {
    read_foreign();
    table.clGetPlatformInfo = platform_info;
    table.clGetDeviceInfo = device_info;
    table.clGetProgramBuildInfo = build_info;
    table.clGetKernelInfo = kernel_info;
    table.clGetKernelArgInfo = argument_info;
}
