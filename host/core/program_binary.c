/* program_binary.c - what drivers make of programs, handed out and taken back.
 *
 * PoCL dies of a binary that was cut or changed, so its binaries get a seal at their end, and only sealed ones come
 * to it. Other drivers find out themselves, or take none (Mesa's rusticl). */
#include "core.h"

#include <string.h>

static const char seal_mark[8] = "clueseal"; /* before the checksum, without a zero */

enum { SEAL = sizeof seal_mark + sizeof(uint64_t) };

static int64_t room_for_seal(const device *on) {
    return on->pocl ? SEAL : 0;
}

/* FNV-1a */
static uint64_t checksum(const unsigned char *bytes, size_t size) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static void write_seal(unsigned char *binary, size_t size) {
    const uint64_t sum = checksum(binary, size);
    memcpy(binary + size, seal_mark, sizeof seal_mark);
    memcpy(binary + size + sizeof seal_mark, &sum, sizeof sum);
}

static bool has_seal(const unsigned char *binary, int64_t size) {
    const size_t inner = (size_t)size - SEAL;
    uint64_t sum = 0;
    if (size <= SEAL || memcmp(binary + inner, seal_mark, sizeof seal_mark) != 0) return false;
    memcpy(&sum, binary + inner + sizeof seal_mark, sizeof sum);
    return sum == checksum(binary, inner);
}

static int32_t get_binary(const program *p, void *value, size_t size) {
    int32_t code = CL_CALL(clGetProgramInfo, p->program, CL_PROGRAM_BINARIES, sizeof value, &value, NULL);
    if (code == 0 && room_for_seal(p->context->device)) write_seal(value, size);
    return code;
}

int32_t clue_program_binary(int64_t *size_out, int32_t handle, void *value, int64_t capacity) {
    static const char call[] = "clGetProgramInfo";
    const program *p = (program *)handle_find(handle, CLUE_PROGRAM, call);
    size_t size = 0;
    int64_t whole;
    int32_t code;
    if (!p) return clue_error_code();
    if (p->compiled)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, call,
                            "program %d was compiled and not linked: it has a binary once it is linked",
                            (int)handle);
    if ((code = CL_CALL(clGetProgramInfo, p->program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL)))
        return code;
    if (size == 0) return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_DRIVER, call, "the driver gives no binary");
    whole = (int64_t)size + room_for_seal(p->context->device);
    if (value && capacity < whole)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call, "%lld bytes of room for %lld",
                            (long long)capacity, (long long)whole);
    if (value) code = get_binary(p, value, size);
    if (code == 0) *size_out = whole;
    return code;
}

static int32_t check_binary(const device *on, const void *binary, int64_t size) {
    static const char call[] = "clCreateProgramWithBinary";
    if (!binary || size <= 0)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "the binary is empty");
    if (on->rusticl)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, call,
                            "the driver of %s builds no programs from binaries: build from source", on->name);
    if (room_for_seal(on) && !has_seal(binary, size))
        return error_record(
            CL_INVALID_BINARY, CLUE_CAUSE_PARAMETER, call,
            "these %lld bytes are not what clue_program_binary() gave for a PoCL device, or were cut "
            "or changed since: PoCL would crash; build from source",
            (long long)size);
    return 0;
}

static int32_t open_binary(int32_t *program_out, program *p, const unsigned char *binary, size_t size) {
    cl_int status = CL_SUCCESS;
    int32_t code = CL_MAKE(&p->program, clCreateProgramWithBinary, p->context->context, 1, &p->context->device->id,
                           &size, &binary, &status);
    if (code == 0) code = error_check(status, "clCreateProgramWithBinary");
    if (code == 0) code = program_build_made(p, "");
    if (code == 0)
        code = handle_open(program_out, &p->base, CLUE_PROGRAM, program_destroy, "clCreateProgramWithBinary");
    return code;
}

int32_t clue_program_from_binary(int32_t *program_out, int32_t handle, const void *binary, int64_t size) {
    static const char call[] = "clCreateProgramWithBinary";
    context *c = (context *)handle_find(handle, CLUE_CONTEXT, call);
    program *p;
    int32_t code;
    if (!c) return clue_error_code();
    if ((code = check_binary(c->device, binary, size))) return code;
    p = program_new(c, call);
    if (!p) return clue_error_code();
    code = open_binary(program_out, p, binary, (size_t)(size - room_for_seal(c->device)));
    if (code) program_destroy(&p->base);
    return code;
}
