/* interpose.c - preloaded before the OpenCL loader, as tools are that watch OpenCL calls: its
 * clUnloadPlatformCompiler writes a word to stderr and returns a code that no driver has. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform) {
    (void)platform;
    (void)fputs("interposed\n", stderr);
    return -9876;
}
