/* program_binary.c - gives callers the drivers' binaries of programs, and builds programs from them.
 *
 * A cut or changed binary crashes PoCL. So PoCL's binaries get a checksum at their end, and only binaries with a
 * correct one are passed to it. Other drivers check for themselves, or accept none (Mesa's rusticl). */
#include "program/cache/cache.h"
#include "program/internal.h"

#include <stdlib.h>
#include <string.h>

static const char seal_mark[8] = "clueseal"; /* stands before the checksum, without a zero */

enum { SEAL = sizeof seal_mark + sizeof(uint64_t) };

static int64_t room_for_seal(const device *on) {
    return on->pocl ? SEAL : 0;
}

static void write_seal(unsigned char *binary, size_t size) {
    const uint64_t sum = cache_checksum(CACHE_CHECKSUM, binary, size);
    memcpy(binary + size, seal_mark, sizeof seal_mark);
    memcpy(binary + size + sizeof seal_mark, &sum, sizeof sum);
}

static bool has_seal(const unsigned char *binary, int64_t size) {
    const size_t inner = (size_t)size - SEAL;
    uint64_t sum = 0;
    if (size <= SEAL || memcmp(binary + inner, seal_mark, sizeof seal_mark) != 0) return false;
    memcpy(&sum, binary + inner + sizeof seal_mark, sizeof sum);
    return sum == cache_checksum(CACHE_CHECKSUM, binary, inner);
}

static const char ask_call[] = "clGetProgramInfo";

/* The sizes for the context's devices, in their order, on the heap; NULL and a recorded failure otherwise. */
static size_t *get_sizes(const program *p) {
    const cl_uint count = p->context->device_count;
    size_t *sizes = calloc(count, sizeof(size_t));
    if (!sizes) {
        (void)error_out_of_memory(ask_call);
        return NULL;
    }
    if (CL_CALL(clGetProgramInfo, p->program, CL_PROGRAM_BINARY_SIZES, count * sizeof(size_t), sizes, NULL) == 0)
        return sizes;
    free(sizes);
    return NULL;
}

/* Asks for all binaries, because PoCL crashes with a NULL pointer for one; all but one are written to `others`. */
static int32_t get_binaries(const program *p, cl_uint index, unsigned char *value, unsigned char **places,
                            unsigned char *others, const size_t *sizes) {
    const cl_uint count = p->context->device_count;
    for (cl_uint i = 0; i < count; i++) {
        places[i] = i == index ? value : others;
        if (i != index) others += sizes[i];
    }
    return CL_CALL(clGetProgramInfo, p->program, CL_PROGRAM_BINARIES, count * sizeof(unsigned char *), places,
                   NULL);
}

static int32_t get_binary(const program *p, cl_uint index, void *value, const size_t *sizes) {
    const cl_uint count = p->context->device_count;
    size_t room = 1;
    unsigned char **places = calloc(count, sizeof(unsigned char *)), *others;
    int32_t code;
    for (cl_uint i = 0; i < count; i++)
        room += i == index ? 0 : sizes[i];
    others = malloc(room);
    code = places && others ? get_binaries(p, index, value, places, others, sizes) : error_out_of_memory(ask_call);
    if (code == 0 && room_for_seal(p->context->device)) write_seal(value, sizes[index]);
    free(places);
    free(others);
    return code;
}

static int32_t give_binary(int64_t *size_out, const program *p, cl_uint index, void *value, int64_t capacity) {
    size_t *sizes;
    int64_t whole;
    int32_t code = 0;
    if (p->compiled)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, ask_call,
                            "program %d was compiled but not linked: it has a binary only after it is linked",
                            (int)p->base.handle);
    if ((code = program_check_names(p, p->kernels, ask_call))) return code;
    if (!(sizes = get_sizes(p))) return clue_error_code();
    whole = (int64_t)sizes[index] + room_for_seal(p->context->device);
    if (sizes[index] == 0)
        code = error_record(CL_INVALID_OPERATION, CLUE_CAUSE_DRIVER, ask_call, "the driver gives no binary");
    else if (value && (code = error_check_answer(capacity, whole, ask_call)) == 0)
        code = get_binary(p, index, value, sizes);
    free(sizes);
    if (code == 0) *size_out = whole;
    return code;
}

int32_t clue_program_binary(int64_t *size_out, int32_t handle, int32_t device_id, void *value, int64_t capacity) {
    const program *p = (program *)handle_find(handle, CLUE_PROGRAM, ask_call);
    const device *on = p ? context_device(p->context, device_id, handle, ask_call) : NULL;
    if (!on) return clue_error_code();
    return give_binary(size_out, p, context_index(p->context, on), value, capacity);
}

static int32_t check_binary(const device *on, const void *binary, int64_t size) {
    static const char call[] = "clCreateProgramWithBinary";
    if (!binary || size <= 0)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "the binary is empty");
    if (on->rusticl)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, call,
                            "the driver of %s cannot build programs from binaries: build from source", on->name);
    if (room_for_seal(on) && !has_seal(binary, size))
        return error_record(CL_INVALID_BINARY, CLUE_CAUSE_PARAMETER, call,
                            "these %lld bytes are not what program:binary() (in C, clue_program_binary()) gave for "
                            "a PoCL device, or were cut or changed: PoCL would crash; build from source",
                            (long long)size);
    return 0;
}

static int32_t open_binary(int32_t *program_out, program *p, const unsigned char *binary, size_t size) {
    cl_int status = CL_SUCCESS;
    int32_t code = CL_MAKE(&p->program, clCreateProgramWithBinary, p->context->context, 1, &p->context->device->id,
                           &size, &binary, &status);
    if (code == 0) code = error_check(status, "clCreateProgramWithBinary");
    if (code == 0) code = program_build_made(p, "");
    if (code == 0) code = handle_open(program_out, &p->base, &program_class, "clCreateProgramWithBinary");
    return code;
}

int32_t clue_program_from_binary(int32_t *program_out, int32_t handle, const void *binary, int64_t size) {
    static const char call[] = "clCreateProgramWithBinary";
    context *c = (context *)handle_find(handle, CLUE_CONTEXT, call);
    program *p;
    int32_t code;
    if (!c) return clue_error_code();
    if (c->device_count > 1)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, call,
                            "a binary is for one device, but the context has %u: build from source, or make a "
                            "context on that one device",
                            c->device_count);
    if ((code = check_binary(c->device, binary, size))) return code;
    p = program_new(c, call);
    if (!p) return clue_error_code();
    code = open_binary(program_out, p, binary, (size_t)(size - room_for_seal(c->device)));
    if (code) program_destroy(&p->base);
    return code;
}
