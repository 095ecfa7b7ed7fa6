/* opencl.c - OpenCL.dll, which the first call of OpenCL loads. Where there is none, or it is older than the
 * headers, functions of this file take the missing ones' place and refuse: no platform is found, and what
 * OpenCL 2.0 added is an invalid operation. */
#include "room.h"

#include <CL/cl.h>
#include <delayimp.h>
#include <stdlib.h>
#include <string.h>

static cl_int CL_API_CALL find_none(void) {
    return -1001; /* CL_PLATFORM_NOT_FOUND_KHR, as the loader says without a driver */
}

static cl_int CL_API_CALL refuse(void) {
    return CL_INVALID_OPERATION;
}

static void *CL_API_CALL allocate_nothing(void) {
    return NULL;
}

static cl_program CL_API_CALL make_no_program(cl_context context, const void *il, size_t size, cl_int *error_out) {
    (void)context;
    (void)il;
    (void)size;
    if (error_out) *error_out = CL_INVALID_OPERATION;
    return NULL;
}

/* A function in place of another: by way of a type that stands for any function. */
#define AS_FAR(function) ((FARPROC)(void (*)(void))(function))

static FARPROC replacement(const char *name) {
    if (strcmp(name, "clGetPlatformIDs") == 0) return AS_FAR(find_none);
    if (strcmp(name, "clSVMAlloc") == 0) return AS_FAR(allocate_nothing);
    if (strcmp(name, "clCreateProgramWithIL") == 0) return AS_FAR(make_no_program);
    return AS_FAR(refuse);
}

/* ---- Wine, under which clue is tested: faults of its opencl.dll (8.0) ---- */

static __typeof__(&clGetDeviceInfo) wines_clGetDeviceInfo;
static __typeof__(&clBuildProgram) wines_clBuildProgram;

/* It crashes when it is asked only for the size of this property. */
static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_out) {
    cl_bitfield place;
    if (name == CL_DEVICE_EXECUTION_CAPABILITIES && !value) {
        size = sizeof place;
        value = &place;
    }
    return wines_clGetDeviceInfo(device, name, size, value, size_out);
}

/* It passes the options on to a driver of the system below, which knows no drives. Z: is that one's root. */
static cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id *devices,
                                        const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                        void *data) {
    char *plain = options ? malloc(strlen(options) + 1) : NULL, *to = plain;
    cl_int code;
    for (const char *from = options; plain; from++) {
        if (strncmp(from, "Z:/", 3) == 0) from += 2;
        if ((*to++ = *from) == '\0') break;
    }
    code = wines_clBuildProgram(program, count, devices, plain ? plain : options, notify, data);
    free(plain);
    return code;
}

static FARPROC WINAPI note(unsigned notification, PDelayLoadInfo about) {
    FARPROC found;
    if (notification != dliNotePreGetProcAddress || !about->dlp.fImportByName ||
        !GetProcAddress(GetModuleHandleA("ntdll.dll"), "wine_get_version"))
        return NULL;
    found = GetProcAddress(about->hmodCur, about->dlp.szProcName);
    if (strcmp(about->dlp.szProcName, "clGetDeviceInfo") == 0) {
        wines_clGetDeviceInfo = (__typeof__(wines_clGetDeviceInfo))(void (*)(void))found;
        return AS_FAR(get_device_info);
    }
    if (strcmp(about->dlp.szProcName, "clBuildProgram") != 0) return NULL;
    wines_clBuildProgram = (__typeof__(wines_clBuildProgram))(void (*)(void))found;
    return AS_FAR(build_program);
}

PfnDliHook __pfnDliNotifyHook2 = note; /* NOLINT(clang-diagnostic-reserved-identifier) Microsoft's name */

/* ---- failures ---- */

/* In place of the library goes this executable, which has none of the functions. */
static FARPROC WINAPI fail(unsigned notification, PDelayLoadInfo about) {
    if (notification == dliFailLoadLib) return (FARPROC)(INT_PTR)GetModuleHandleA(NULL);
    if (notification == dliFailGetProc && about->dlp.fImportByName) return replacement(about->dlp.szProcName);
    return NULL;
}

PfnDliHook __pfnDliFailureHook2 = fail; /* NOLINT(clang-diagnostic-reserved-identifier) Microsoft's name */
