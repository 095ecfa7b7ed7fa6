/* What the driver tells of kernels and their arguments beyond their names and types. */
#include "support.h"

static const char *const source =
    "__kernel __attribute__((reqd_work_group_size(4, 1, 1)))\n"
    "void f(__global const float *restrict a, __local volatile int *b,\n"
    "       __constant int *c, float4 d, read_only image2d_t e, __global int *g) {}\n";

static void check(int32_t of, int32_t index, int32_t address, int32_t access, int32_t type) {
    int32_t told[3] = {-1, -1, -1};
    assert_works(clue_kernel_argument_qualifiers(&told[0], &told[1], &told[2], of, index));
    assert_int_equal(told[0], address);
    assert_int_equal(told[1], access);
    assert_int_equal(told[2], type);
}

static void arguments_tell_their_qualifiers(void **state) {
    const int32_t k = new_kernel(new_context(), source), none = CL_KERNEL_ARG_ACCESS_NONE;
    (void)state;
    check(k, 0, CL_KERNEL_ARG_ADDRESS_GLOBAL, none, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT);
    check(k, 1, CL_KERNEL_ARG_ADDRESS_LOCAL, none, CL_KERNEL_ARG_TYPE_VOLATILE);
    check(k, 2, CL_KERNEL_ARG_ADDRESS_CONSTANT, none, CL_KERNEL_ARG_TYPE_CONST);
    check(k, 3, CL_KERNEL_ARG_ADDRESS_PRIVATE, none, CL_KERNEL_ARG_TYPE_NONE);
    check(k, 4, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_TYPE_NONE);
    check(k, 5, CL_KERNEL_ARG_ADDRESS_GLOBAL, none, CL_KERNEL_ARG_TYPE_NONE);
}

static void only_arguments_that_are_there_do(void **state) {
    const int32_t c = new_context(), k = new_kernel(c, source);
    int32_t told = 7;
    (void)state;
    assert_refused(clue_kernel_argument_qualifiers(&told, &told, &told, k, 6), CL_INVALID_ARG_INDEX,
                   CLUE_CAUSE_PARAMETER, "clGetKernelArgInfo",
                   "kernel 'f' has no argument 6: its arguments are 0 to 5");
    assert_refused(clue_kernel_argument_qualifiers(&told, &told, &told, c, 0), CL_INVALID_KERNEL, CLUE_CAUSE_HANDLE,
                   "clGetKernelArgInfo", "%d is a context, a kernel is needed", c);
    assert_int_equal(told, 7);
}

static void a_kernel_tells_its_attributes(void **state) {
    const int32_t k = new_kernel(new_context(), source);
    int64_t size = -1, again = -1;
    char text[256] = "";
    (void)state;
    assert_works(clue_kernel_info(&size, k, CL_KERNEL_ATTRIBUTES, NULL, 0));
    if (is_oclgrind()) assert_int_equal(size, 0);
    if (is_oclgrind()) skip_because("it gives bytes of memory that it has freed");
    assert_in_range(size, 1, sizeof text);
    assert_works(clue_kernel_info(&again, k, CL_KERNEL_ATTRIBUTES, text, sizeof text));
    assert_int_equal(size, again);
    assert_non_null(strstr(text, "reqd_work_group_size"));
}

static void it_tells_nothing_that_is_not_asked_well(void **state) {
    const int32_t c = new_context(), k = new_kernel(c, source);
    int64_t size = 7;
    char text[4];
    (void)state;
    assert_refused(clue_kernel_info(&size, k, CL_KERNEL_ATTRIBUTES, text, -1), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clGetKernelInfo", "-1 bytes of room");
    assert_refused(clue_kernel_info(&size, c, CL_KERNEL_ATTRIBUTES, NULL, 0), CL_INVALID_KERNEL, CLUE_CAUSE_HANDLE,
                   "clGetKernelInfo", "%d is a context, a kernel is needed", c);
    assert_int_equal(clue_kernel_info(&size, k, 0x1234, NULL, 0), CL_INVALID_VALUE);
    assert_int_equal(size, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        clue_unit_test(arguments_tell_their_qualifiers),
        clue_unit_test(only_arguments_that_are_there_do),
        clue_unit_test(a_kernel_tells_its_attributes),
        clue_unit_test(it_tells_nothing_that_is_not_asked_well),
    };
    return cmocka_run_group_tests_name("kernel_information", tests, NULL, NULL);
}
