/* Information about kernels and their arguments, other than names and types.
 *
 * suite: quick
 * drivers: pocl oclgrind rusticl */
#include "kept_context.h"

static const char *const source =
    "__kernel __attribute__((reqd_work_group_size(4, 1, 1)))\n"
    "void f(__global const float *restrict a, __local volatile int *b,\n"
    "       __constant int *c, float4 d, read_only image2d_t e, __global int *g) {}\n";

/* If set, the device has cl_khr_suggested_local_work_size. Its call suggests suggested_x and 2. */
static bool extension_faked;
static bool core_faked;    /* the device has OpenCL 3.1, and the call under its name there */
static cl_uint sub_groups; /* if not 0, the device has OpenCL 3.1 and so many sub-groups, of 32 work-items each */
static cl_int suggestion_code;
static size_t suggested_x = 4;

static cl_int CL_API_CALL suggest(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                  const size_t *offset, const size_t *global, size_t *suggested_out) {
    (void)queue, (void)kernel;
    assert_int_equal(dimensions, 2);
    assert_int_equal(offset[1], 3);
    assert_int_equal(global[1], 6);
    suggested_out[0] = suggested_x;
    suggested_out[1] = 2;
    return suggestion_code;
}

STUB(clGetExtensionFunctionAddressForPlatform) {
    __typeof__(&suggest) ours = suggest;
    void *address;
    const char *ours_is_called =
        core_faked ? "clGetKernelSuggestedLocalWorkSize" : "clGetKernelSuggestedLocalWorkSizeKHR";
    if (strcmp(name, ours_is_called) != 0)
        return core_faked ? NULL : NEXT(clGetExtensionFunctionAddressForPlatform);
    memcpy(&address, &ours, sizeof address);
    return address;
}

STUB(clGetDeviceInfo) {
    static const char extensions[] = "cl_khr_fp64 cl_khr_suggested_local_work_size", version[] = "OpenCL 3.1 fake";
    if (extension_faked && name == CL_DEVICE_EXTENSIONS)
        return answer(size, value, size_out, extensions, sizeof extensions);
    if ((core_faked || sub_groups) && name == CL_DEVICE_VERSION)
        return answer(size, value, size_out, version, sizeof version);
    if (sub_groups && name == CL_DEVICE_MAX_NUM_SUB_GROUPS)
        return answer(size, value, size_out, &sub_groups, sizeof sub_groups);
    return NEXT(clGetDeviceInfo);
}

STUB(clGetKernelSubGroupInfo) {
    const size_t *sizes = input;
    size_t items = 1, result = 0;
    assert_true(kernel && device && input_size % sizeof *sizes == 0 && (input_size == 0) == (input == NULL));
    for (size_t i = 0; sizes && i < input_size / sizeof *sizes; i++)
        items *= sizes[i];
    if (name == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE) result = items < 32 ? items : 32;
    if (name == CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE) result = (items + 31) / 32;
    if (name == CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT) result = items <= sub_groups ? items * 32 : 0;
    if (name == CL_KERNEL_MAX_NUM_SUB_GROUPS) result = sub_groups;
    return answer(size, value, size_out, &result, sizeof result);
}

static void check(int32_t of, int32_t index, int32_t address, int32_t access, int32_t type) {
    int32_t found[3] = {-1, -1, -1};
    assert_works(clue_kernel_argument_qualifiers(&found[0], &found[1], &found[2], of, index));
    assert_int_equal(found[0], address);
    assert_int_equal(found[1], access);
    assert_int_equal(found[2], type);
}

TEST(arguments_have_qualifiers) {
    const int32_t k = new_kernel(new_context(), source), none = CL_KERNEL_ARG_ACCESS_NONE;
    check(k, 0, CL_KERNEL_ARG_ADDRESS_GLOBAL, none, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT);
    check(k, 1, CL_KERNEL_ARG_ADDRESS_LOCAL, none, CL_KERNEL_ARG_TYPE_VOLATILE);
    check(k, 2, CL_KERNEL_ARG_ADDRESS_CONSTANT, none, CL_KERNEL_ARG_TYPE_CONST);
    check(k, 3, CL_KERNEL_ARG_ADDRESS_PRIVATE, none, CL_KERNEL_ARG_TYPE_NONE);
    check(k, 4, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_TYPE_NONE);
    check(k, 5, CL_KERNEL_ARG_ADDRESS_GLOBAL, none, CL_KERNEL_ARG_TYPE_NONE);
}

TEST(only_existing_arguments_have_qualifiers) {
    const int32_t c = new_context(), k = new_kernel(c, source);
    int32_t found = 7;
    assert_refused(clue_kernel_argument_qualifiers(&found, &found, &found, k, 6), CL_INVALID_ARG_INDEX,
                   CLUE_CAUSE_PARAMETER, "clGetKernelArgInfo",
                   "kernel 'f' has no argument 6: its arguments are 0 to 5");
    assert_refused(clue_kernel_argument_qualifiers(&found, &found, &found, c, 0), CL_INVALID_KERNEL,
                   CLUE_CAUSE_HANDLE, "clGetKernelArgInfo", "%d is a context; a kernel is needed", c);
    assert_int_equal(found, 7);
}

TEST(a_kernel_has_attributes) {
    const int32_t k = new_kernel(new_context(), source);
    int64_t size = -1, again = -1;
    char text[256] = "";
    assert_works(clue_kernel_info(&size, k, CL_KERNEL_ATTRIBUTES, NULL, 0));
    if (is_oclgrind()) assert_int_equal(size, 0);
    if (is_oclgrind()) skip_because("it returns bytes from memory that it has freed");
    assert_in_range(size, 1, sizeof text);
    assert_works(clue_kernel_info(&again, k, CL_KERNEL_ATTRIBUTES, text, sizeof text));
    assert_int_equal(size, again);
    assert_non_null(strstr(text, "reqd_work_group_size"));
}

TEST(wrong_queries_are_refused) {
    const int32_t c = new_context(), k = new_kernel(c, source);
    int64_t size = 7;
    char text[4];
    assert_refused(clue_kernel_info(&size, k, CL_KERNEL_ATTRIBUTES, text, -1), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clGetKernelInfo", "a capacity of -1 bytes");
    assert_refused(clue_kernel_info(&size, c, CL_KERNEL_ATTRIBUTES, NULL, 0), CL_INVALID_KERNEL, CLUE_CAUSE_HANDLE,
                   "clGetKernelInfo", "%d is a context; a kernel is needed", c);
    assert_int_equal(clue_kernel_info(&size, k, 0x1234, NULL, 0), CL_INVALID_VALUE);
    assert_int_equal(size, 7);
}

/* ---- suggested local sizes ---- */

struct suggestion {
    int64_t x, y, z;
    int32_t by_driver;
};

static struct suggestion suggested(int32_t k, int32_t c, int64_t x, int64_t y, int64_t z) {
    struct suggestion s = {0};
    const int64_t offset[] = {0, 3, 0}, global[] = {x, y, z};
    int32_t q;
    assert_works(clue_queue_create(&q, c, c, 0));
    assert_works(clue_queue_suggested_local_size(&s.x, &s.y, &s.z, &s.by_driver, q, k, offset, global));
    return s;
}

TEST(the_driver_is_asked_for_a_local_size) {
    const int32_t c = new_context(), k = new_kernel(c, kernel_increment);
    struct suggestion s;
    extension_faked = true;
    suggestion_code = CL_SUCCESS;
    s = suggested(k, c, 8, 6, 1);
    assert_true(s.by_driver == 1 && s.x == 4 && s.y == 2 && s.z == 1);
    suggestion_code = CL_INVALID_KERNEL_ARGS;
    s = suggested(k, c, 8, 6, 1);
    assert_false(s.by_driver);
    extension_faked = false;
    suggestion_code = CL_SUCCESS;
    s = suggested(k, c, 8, 6, 1);
    assert_false(s.by_driver);
    core_faked = true;
    s = suggested(k, c, 8, 6, 1);
    core_faked = false;
    assert_true(s.by_driver == 1 && s.x == 4 && s.y == 2 && s.z == 1);
}

/* ---- sub-groups ---- */

static int64_t sub_group_fact(int32_t k, uint32_t property, const int32_t *given, int32_t count) {
    uint64_t value = 77;
    int64_t size = 0;
    assert_works(clue_kernel_sub_group_info(&size, k, k, property, given, count, &value, sizeof value));
    assert_int_equal(size, sizeof value);
    return (int64_t)value;
}

TEST(a_kernel_tells_its_sub_groups) {
    const int32_t c = new_context(), k = new_kernel(c, kernel_increment);
    const int32_t group[] = {20, 5, 1}, two[] = {2}, many[] = {9};
    sub_groups = 8;
    assert_int_equal(sub_group_fact(k, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, group, 3), 32);
    assert_int_equal(sub_group_fact(k, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, group, 2), 4);
    assert_int_equal(sub_group_fact(k, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, two, 1), 64);
    assert_int_equal(sub_group_fact(k, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, many, 1), 0);
    assert_int_equal(sub_group_fact(k, CL_KERNEL_MAX_NUM_SUB_GROUPS, NULL, 0), 8);
    sub_groups = 0;
}

TEST(sub_groups_that_are_not_there_are_not_asked_for) {
    static const char call[] = "clGetKernelSubGroupInfo";
    const int32_t c = new_context(), k = new_kernel(c, kernel_increment), none[] = {0};
    int64_t size = 7;
    assert_int_equal(clue_kernel_sub_group_info(&size, k, k, CL_KERNEL_MAX_NUM_SUB_GROUPS, NULL, 0, NULL, 0),
                     CL_INVALID_OPERATION);
    if (is_oclgrind())
        assert_detail("Oclgrind Simulator has no such question, which came with OpenCL 2.1");
    else
        assert_non_null(strstr(clue_error_detail(), "has no sub-groups (CL_DEVICE_MAX_NUM_SUB_GROUPS is 0)"));
    sub_groups = 8;
    assert_refused(clue_kernel_sub_group_info(&size, k, k, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, none, 1, NULL, 0),
                   CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call, "0: it must be at least 1");
    assert_refused(clue_kernel_sub_group_info(&size, k, k, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, none, 4, NULL, 0),
                   CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "a list of 4 numbers: a local size has up to 3");
    assert_refused(clue_kernel_sub_group_info(&size, c, k, CL_KERNEL_MAX_NUM_SUB_GROUPS, NULL, 0, NULL, 0),
                   CL_INVALID_KERNEL, CLUE_CAUSE_HANDLE, call, "%d is a context; a kernel is needed", (int)c);
    sub_groups = 0;
    assert_int_equal(size, 7);
}

TEST(an_impossible_suggestion_of_the_driver_is_not_used) {
    static const size_t impossible[] = {0, (size_t)1 << 40};
    const int32_t c = new_context(), k = new_kernel(c, kernel_increment);
    extension_faked = true;
    suggestion_code = CL_SUCCESS;
    for (size_t i = 0; i < 2; i++) {
        struct suggestion s;
        suggested_x = impossible[i];
        s = suggested(k, c, 8, 6, 1);
        assert_false(s.by_driver);
        assert_in_range(s.x, 1, 8);
        assert_int_equal(8 % s.x, 0);
    }
    suggested_x = 4;
    extension_faked = false;
}

TEST(clue_suggests_a_size_that_divides_the_range) {
    const int32_t c = new_context(), k = new_kernel(c, kernel_increment);
    struct suggestion s = suggested(k, c, 1 << 20, 1, 1);
    assert_true(s.by_driver == 0 && s.y == 1 && s.z == 1);
    assert_int_equal(s.x, is_rusticl() ? 32 : 256); /* the kernel's limit; the most that clue suggests */
    s = suggested(k, c, 3, 1000, 128);
    assert_true(s.x == 3 && 1000 % s.y == 0 && 128 % s.z == 0);
    assert_in_range(s.x * s.y * s.z, 24, 256);
    s = suggested(k, c, 1, 1, 1);
    assert_true(s.x == 1 && s.y == 1 && s.z == 1);
}

TEST(a_required_size_is_suggested_if_it_fits) {
    const char *required = "__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void f(__global int *a) {}";
    const int32_t c = new_context(), k = new_kernel(c, required);
    const int64_t offset[3] = {0}, line[] = {8, 1, 1};
    struct suggestion s = suggested(k, c, 64, 64, 1);
    int32_t q;
    assert_true(s.x == 4 && s.y == 2 && s.z == 1);
    s.by_driver = 7;
    assert_works(clue_queue_create(&q, c, c, 0));
    assert_refused(clue_queue_suggested_local_size(&s.x, &s.y, &s.z, &s.by_driver, q, k, offset, line),
                   CL_INVALID_WORK_GROUP_SIZE, CLUE_CAUSE_PARAMETER, "clEnqueueNDRangeKernel",
                   "kernel 'f' is compiled for a local size of 4 x 2 x 1: use exactly that");
    assert_int_equal(s.by_driver, 7); /* results are written on success only */
    assert_refused(clue_queue_suggested_local_size(&s.x, &s.y, &s.z, &s.by_driver, q, c, offset, line),
                   CL_INVALID_KERNEL, CLUE_CAUSE_HANDLE, "clGetKernelSuggestedLocalWorkSizeKHR",
                   "%d is a context; a kernel is needed", c);
}
