/* Programs from an intermediate language. No device of the tests accepts one. So the device here claims to, and the
 * modules have OpenCL C after the header of SPIR-V.
 *
 * suite: quick
 * drivers: pocl oclgrind */
#include "stub.h"

static const char *languages; /* the languages that the device claims to accept; NULL: the driver's own answer */
static char source_of_il[256];

STUB(clGetDeviceInfo) {
    if (name != CL_DEVICE_IL_VERSION || !languages) return NEXT(clGetDeviceInfo);
    return answer(size, value, size_out, languages, strlen(languages) + 1);
}

static bool without_function; /* as in an old driver */
static int32_t by_extension;

STUB(clCreateProgramWithIL) {
    const char *text = source_of_il;
    (void)snprintf(source_of_il, sizeof source_of_il, "%.*s", (int)size - 20, (const char *)il + 20);
    return clCreateProgramWithSource(context, 1, &text, NULL, error_out);
}

static cl_program make_by_extension(cl_context in, const void *il, size_t length, cl_int *error_out) {
    by_extension++;
    return clCreateProgramWithIL(in, il, length, error_out);
}

STUB(clGetExtensionFunctionAddressForPlatform) {
    cl_program (*const function)(cl_context, const void *, size_t, cl_int *) = make_by_extension;
    void *address = NULL;
    (void)platform;
    assert_string_equal(name, "clCreateProgramWithILKHR");
    if (!without_function) memcpy(&address, &function, sizeof address);
    return address;
}

#define HEAD                                                                                                       \
    "\x03\x02\x23\x07"                                                                                             \
    "................"

static const char good[] = HEAD "__kernel void f(__global int *a) { a[0] = N; }";
static const char bad[] = HEAD "__kernel void f(__global int *a) { a[0] = oops; }";

static int32_t make(int32_t *program_out, const char *il, const char *options) {
    return clue_program_from_il(program_out, new_context(), il, (int64_t)strlen(il), options);
}

TEST(a_device_that_accepts_none_is_named) {
    int32_t p = 7;
    languages = "";
    assert_refused(make(&p, good, NULL), CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, "clCreateProgramWithIL",
                   "%s accepts no intermediate language (CL_DEVICE_IL_VERSION is empty): build from source",
                   device_name());
    assert_int_equal(p, 7);
}

TEST(a_module_is_built_with_its_options) {
    const char *names;
    int32_t p = 0;
    languages = "SPIR-V_1.2";
    assert_works(make(&p, good, "-DN=3"));
    assert_works(clue_program_kernels(&names, p));
    assert_string_equal(names, "f");
    assert_int_equal(by_extension, strstr(device_text_of(CL_DEVICE_VERSION), "OpenCL 1.") ? 1 : 0);
}

TEST(an_old_driver_may_lack_the_function) {
    int32_t p = 7;
    if (!strstr(device_text_of(CL_DEVICE_VERSION), "OpenCL 1.")) skip_because("it has OpenCL 2.1 or later");
    languages = "SPIR-V_1.2";
    without_function = true;
    assert_refused(make(&p, good, NULL), CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, "clCreateProgramWithIL",
                   "%s says that it accepts an intermediate language, but its driver has no function for it",
                   device_name());
    without_function = false;
    assert_int_equal(p, 7);
}

TEST(a_module_that_does_not_build_shows_the_log) {
    int32_t p = 7;
    languages = "SPIR-V_1.2";
    assert_int_equal(make(&p, bad, NULL), CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(clue_error_log(), "oops"));
    assert_int_equal(p, 7);
    assert_int_equal(clue_handle_count(), 1); /* the context */
}

TEST(other_data_than_spirv_is_refused) {
    static const char *const text = "__kernel void f(__global int *a) { a[0] = N; }";
    int32_t p = 7;
    languages = "SPIR-V_1.2";
    assert_refused(make(&p, text, NULL), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clCreateProgramWithIL",
                   "these %zu bytes are not a SPIR-V module, which begins with 0x07230203; %s accepts SPIR-V_1.2",
                   strlen(text), device_name());
    assert_refused(make(&p, "", NULL), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clCreateProgramWithIL",
                   "the IL is empty");
    assert_refused(clue_program_from_il(&p, 5, good, 30, NULL), CL_INVALID_CONTEXT, CLUE_CAUSE_HANDLE,
                   "clCreateProgramWithIL", "5 is not a context: handles are 65536 or more");
    assert_int_equal(p, 7);
}
