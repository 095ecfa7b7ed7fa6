/* interpose.c - stands before the OpenCL loader, LD_PRELOAD=<this library>, as tools do that watch OpenCL calls:
 * clUnloadPlatformCompiler answers what no driver does, and says so. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform) {
    (void)platform;
    (void)fputs("interposed\n", stderr);
    return -9876;
}
