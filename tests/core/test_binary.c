/* Binaries of programs: from the driver and back, and those that must not reach it.
 *
 * suite: quick
 * drivers: pocl oclgrind rusticl */
#define AFTER back_to_normal
#include "stub.h"

static const char source[] = "__kernel void f(__global int *a, int by) { a[get_global_id(0)] += by; }\n"
                             "__kernel void g() {}";
static const char call[] = "clCreateProgramWithBinary";
static int creations;
static cl_int refusal, status; /* replace the driver's next error code and binary status; 0: leave them */

STUB(clCreateProgramWithBinary) {
    cl_program made;
    creations++;
    if (refusal) {
        *error_out = refusal;
        return NULL;
    }
    made = NEXT(clCreateProgramWithBinary);
    if (status) *statuses = status;
    return made;
}

static bool gives_none; /* the driver tells that a binary has no bytes */

STUB(clGetProgramInfo) {
    const cl_int code = NEXT(clGetProgramInfo);
    if (gives_none && name == CL_PROGRAM_BINARY_SIZES && value) memset(value, 0, size);
    return code;
}

static int back_to_normal(void **state) {
    creations = 0;
    refusal = status = 0;
    gives_none = false;
    return free_everything(state);
}

/* The caller frees the result. */
static char *binary_of(int32_t p, int64_t *size_out) {
    char *bytes;
    assert_works(clue_program_binary(size_out, p, p, NULL, 0));
    assert_true(*size_out > 0);
    bytes = malloc((size_t)*size_out);
    assert_non_null(bytes);
    assert_works(clue_program_binary(size_out, p, p, bytes, *size_out));
    return bytes;
}

TEST(a_program_is_made_from_its_binary) {
    const int32_t c = new_context(), p = new_program(c, source), b = new_buffer(c, 64);
    int32_t again = 0, k = 0;
    int values[16] = {40};
    const char *names = "";
    int64_t size = 0;
    char *bytes = binary_of(p, &size);
    if (is_rusticl()) {
        assert_refused(clue_program_from_binary(&again, c, bytes, size), CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT,
                       call, "the driver of %s cannot build programs from binaries: build from source",
                       device_name());
        assert_int_equal(creations, 0);
        free(bytes);
        return;
    }
    assert_works(clue_program_from_binary(&again, c, bytes, size));
    free(bytes);
    assert_works(clue_handle_free(p, CLUE_PROGRAM));
    assert_works(clue_program_kernels(&names, again));
    assert_string_equal(names, "f;g");
    assert_works(clue_kernel_create(&k, again, "f"));
    assert_works(clue_buffer_write(b, 0, values, sizeof values));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_kernel_set_number(k, 1, CLUE_INT, 2));
    run_1d(k, 16);
    assert_works(clue_buffer_read(values, b, 0, sizeof values));
    assert_int_equal(values[0], 42);
}

static const char is_pointer[] =
    "argument 0 of kernel 'f' is a pointer: it takes a buffer, or a size of local memory, "
    "cl.local_memory(bytes) or CLSetKernelArgMemLocal";

TEST(arguments_need_types_if_the_binary_has_none) {
    const int32_t c = new_context(), p = new_program(c, source);
    int32_t again = 0, k = 0;
    int64_t size = 0;
    char *bytes;
    if (!is_pocl()) skip_because("its binaries have the types, or it takes none");
    bytes = binary_of(p, &size);
    assert_works(clue_program_from_binary(&again, c, bytes, size));
    free(bytes);
    assert_works(clue_kernel_create(&k, again, "f"));
    assert_refused(clue_kernel_set_number(k, 1, CLUE_AUTO, 2), CL_INVALID_ARG_VALUE, CLUE_CAUSE_TYPE,
                   "clSetKernelArg",
                   "the driver does not know the type of argument 1 of kernel 'f': give the value's type");
    assert_refused(clue_kernel_set_number(k, 0, CLUE_LONG, 3), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArg", is_pointer);
    assert_refused(clue_kernel_set_bytes(k, 0, &size, sizeof size), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArg", is_pointer);
    assert_refused(clue_kernel_execute(k, 1, NULL, &(int64_t){1}, NULL), CL_INVALID_KERNEL_ARGS,
                   CLUE_CAUSE_PARAMETER, "clEnqueueNDRangeKernel",
                   "argument 0 of kernel 'f' was never set: it takes a buffer or a size of local memory");
    assert_works(clue_kernel_set_null(k, 0));
}

TEST(other_data_than_a_binary_is_refused) {
    const int32_t c = new_context();
    int32_t p = 7;
    assert_refused(clue_program_from_binary(&p, c, "", 0), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                   "the binary is empty");
    assert_refused(clue_program_from_binary(&p, c, NULL, 4), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                   "the binary is empty");
    assert_int_equal(creations, 0);
    assert_refused(clue_program_from_binary(&p, p, "junk", 4), CL_INVALID_CONTEXT, CLUE_CAUSE_HANDLE, call,
                   "7 is not a context: handles are 65536 or more");
    assert_int_equal(clue_program_from_binary(&p, c, "junk", 4),
                     is_rusticl() ? CL_INVALID_OPERATION : CL_INVALID_BINARY);
    assert_string_equal(clue_error_call(), call);
    assert_int_equal(p, 7);
}

/* Cuts and changes at every byte near the end and at some others, and changes near the start. PoCL must never see
 * such a binary. */
TEST(a_binary_that_was_cut_or_changed_is_refused) {
    const int32_t c = new_context(), p = new_program(c, source);
    int32_t again = 7;
    int64_t size = 0;
    char *bytes;
    if (!is_pocl()) skip_because("it checks binaries itself, or takes none");
    bytes = binary_of(p, &size);
    for (int64_t cut = size - 1; cut > 0; cut -= cut > size - 40 ? 1 : 997)
        assert_refused(clue_program_from_binary(&again, c, bytes, cut), CL_INVALID_BINARY, CLUE_CAUSE_PARAMETER,
                       call,
                       "these %lld bytes are not what program:binary() (in C, clue_program_binary()) gave for a "
                       "PoCL device, or "
                       "were cut or changed: PoCL would crash",
                       (long long)cut);
    for (int64_t at = 0; at < size; at += at < 40 || at > size - 40 ? 1 : 997) {
        bytes[at] ^= 1;
        assert_int_equal(clue_program_from_binary(&again, c, bytes, size), CL_INVALID_BINARY);
        bytes[at] ^= 1;
    }
    assert_int_equal(creations, 0);
    assert_int_equal(again, 7);
    free(bytes);
}

TEST(a_refusal_by_the_driver_is_reported) {
    const int32_t c = new_context(), p = new_program(c, source), before = clue_handle_count();
    int32_t again = 7;
    int64_t size = 0;
    char *bytes;
    if (is_rusticl()) skip_because("it is not asked");
    bytes = binary_of(p, &size);
    refusal = CL_OUT_OF_HOST_MEMORY;
    assert_refused(clue_program_from_binary(&again, c, bytes, size), CL_OUT_OF_HOST_MEMORY, CLUE_CAUSE_MEMORY, call,
                   "the host has no memory left");
    refusal = 0;
    status = CL_INVALID_BINARY;
    assert_refused(clue_program_from_binary(&again, c, bytes, size), CL_INVALID_BINARY, CLUE_CAUSE_DRIVER, call,
                   "the binary is not for this device and driver");
    assert_int_equal(again, 7);
    assert_int_equal(clue_handle_count(), before);
    free(bytes);
}

TEST(only_programs_have_binaries) {
    const int32_t c = new_context(), p = new_program(c, source);
    int64_t size = 7, whole = 0;
    char byte;
    assert_refused(clue_program_binary(&size, c, c, NULL, 0), CL_INVALID_PROGRAM, CLUE_CAUSE_HANDLE,
                   "clGetProgramInfo", "%d is a context; a program is needed", c);
    assert_works(clue_program_binary(&whole, p, p, NULL, 0));
    assert_refused(clue_program_binary(&size, p, p, &byte, 1), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clGetProgramInfo", "a capacity of 1 byte: the answer has %lld", (long long)whole);
    assert_int_equal(size, 7);
}

TEST(a_driver_may_have_no_binary) {
    const int32_t p = new_program(new_context(), source);
    int64_t size = 7;
    gives_none = true;
    assert_refused(clue_program_binary(&size, p, p, NULL, 0), CL_INVALID_OPERATION, CLUE_CAUSE_DRIVER,
                   "clGetProgramInfo", "the driver gives no binary");
    assert_int_equal(size, 7);
}
