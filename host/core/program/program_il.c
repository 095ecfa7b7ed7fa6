/* program_il.c - builds programs from an intermediate language, which is always SPIR-V.
 *
 * The device is asked first what it accepts. clCreateProgramWithIL came with OpenCL 2.1, and the loader crashes in
 * it if the driver is older; such a driver may have the same function by cl_khr_il_program. */
#include "program/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clCreateProgramWithIL";

/* CL_DEVICE_IL_VERSION, "SPIR-V_1.2 SPIR-V_1.3"; "" if the device accepts none. */
static void ask_languages(const device *on, char *languages, size_t room) {
    languages[0] = '\0';
    if (clGetDeviceInfo(on->id, CL_DEVICE_IL_VERSION, room, languages, NULL) != CL_SUCCESS) languages[0] = '\0';
}

/* True if the bytes begin like SPIR-V, in either byte order. */
static bool is_spirv(const unsigned char *il, int64_t size) {
    static const unsigned char little[] = {3, 2, 35, 7}, big[] = {7, 35, 2, 3};
    return size >= 20 && (memcmp(il, little, 4) == 0 || memcmp(il, big, 4) == 0);
}

static int32_t check_il(const device *on, const unsigned char *il, int64_t size) {
    char languages[512];
    if (!il || size <= 0) return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "the IL is empty");
    ask_languages(on, languages, sizeof languages);
    if (!*languages)
        return error_record(
            CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, call,
            "%s accepts no intermediate language (CL_DEVICE_IL_VERSION is empty): build from source", on->name);
    if (strstr(languages, "SPIR-V") && !is_spirv(il, size))
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                            "these %lld bytes are not a SPIR-V module, which begins with 0x07230203; %s accepts %s",
                            (long long)size, on->name, languages);
    return 0;
}

typedef cl_program(CL_API_CALL *maker)(cl_context, const void *, size_t, cl_int *);

static bool is_old(const device *on) {
    char version[128] = "";
    (void)clGetDeviceInfo(on->id, CL_DEVICE_VERSION, sizeof version - 1, version, NULL);
    return strncmp(version, "OpenCL 1.", 9) == 0 || strncmp(version, "OpenCL 2.0", 10) == 0;
}

static int32_t make_il(program *p, const void *il, size_t size) {
    const device *on = p->context->device;
    void *address;
    maker extension;
    if (!is_old(on)) return CL_MAKE(&p->program, clCreateProgramWithIL, p->context->context, il, size);
    address = clGetExtensionFunctionAddressForPlatform(on->platform, "clCreateProgramWithILKHR");
    if (!address)
        return error_record(
            CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, call,
            "%s says that it accepts an intermediate language, but its driver has no function for it", on->name);
    memcpy(&extension, &address, sizeof extension);
    error_status = CL_INVALID_OPERATION;
    p->program = TRACED(call, NULL, extension(p->context->context, il, size, &error_status));
    return error_check(error_status, call);
}

static int32_t open_il(int32_t *program_out, program *p, const void *il, size_t size, const char *options) {
    int32_t code = make_il(p, il, size);
    if (code == 0) code = program_build_made(p, options);
    if (code == 0) code = handle_open(program_out, &p->base, &program_class, call);
    return code;
}

int32_t clue_program_from_il(int32_t *program_out, int32_t handle, const void *il, int64_t size,
                             const char *options) {
    context *c = (context *)handle_find(handle, CLUE_CONTEXT, call);
    program *p;
    char *all;
    int32_t code;
    if (!c) return clue_error_code();
    for (cl_uint i = 0; i < c->device_count; i++)
        if ((code = check_il(c->devices[i], il, size))) return code;
    all = program_options(c->device, options, CL_INVALID_BUILD_OPTIONS, "clBuildProgram");
    p = all ? program_new(c, call) : NULL;
    code = p ? open_il(program_out, p, il, (size_t)size, all) : clue_error_code();
    if (code && p) program_destroy(&p->base);
    free(all);
    return code;
}
