/* The record of the last failure, and the list of OpenCL's codes.
 *
 * suite: quick */
#include "support.h"

#include "base/error_codes.h"

#include <CL/cl_ext.h>

#define CL_NVIDIA_ILLEGAL_ACCESS (-9999) /* NVIDIA's own code, which is in no header */

TEST(nothing_has_failed_at_first) {
    assert_int_equal(clue_error_code(), 0);
    assert_int_equal(clue_error_cause(), CLUE_CAUSE_DRIVER);
    assert_string_equal(clue_error_call(), "");
    assert_string_equal(clue_error_detail(), "");
    assert_string_equal(clue_error_log(), "");
    assert_string_equal(clue_error_text(), "CL_SUCCESS (0)");
}

TEST(text_has_call_name_code_and_detail) {
    assert_int_equal(error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, "clFoo", "%d is too %s", 7, "much"), -30);
    assert_string_equal(clue_error_text(), "clFoo: CL_INVALID_VALUE (-30): 7 is too much");
    assert_int_equal(clue_error_cause(), CLUE_CAUSE_SIZE);
    assert_int_equal(error_record(CL_INVALID_EVENT, CLUE_CAUSE_DRIVER, "clBar", "%s", ""), -58);
    assert_string_equal(clue_error_text(), "clBar: CL_INVALID_EVENT (-58)");
    assert_int_equal(error_record(-12345, CLUE_CAUSE_DRIVER, "clBaz", "%s", "odd"), -12345);
    assert_string_equal(clue_error_text(), "clBaz: unknown OpenCL error (-12345): odd");
}

TEST(explaining_replaces_the_detail_only) {
    (void)error_record(CL_INVALID_KERNEL_NAME, CLUE_CAUSE_DRIVER, "clCreateKernel", "first");
    error_explain("second %d", 2);
    assert_string_equal(clue_error_text(), "clCreateKernel: CL_INVALID_KERNEL_NAME (-46): second 2");
}

TEST(a_sources_file_is_named_once) {
    static const char unnamed[] = "the source does not compile: see the log; first at line 2: what";
    static const char named[] = "the source does not compile: see the log; first at line 8 of a.lua: what";
    (void)error_record(CL_BUILD_PROGRAM_FAILURE, CLUE_CAUSE_DRIVER, "clBuildProgram", "no");
    clue_error_source("a.lua", 7);
    assert_detail("no");
    error_explain_line("", 2, "what");
    assert_detail(unnamed);
    clue_error_source("a.lua", 7);
    assert_detail(named);
    clue_error_source("b.lua", 1);
    assert_detail(named);
    error_explain_line("a.h", 2, "what");
    clue_error_source("a.lua", 7);
    assert_detail("the source does not compile: see the log; first at line 2 of a.h: what");
    error_explain_line("", 2, "what");
    (void)error_record(CL_INVALID_VALUE, CLUE_CAUSE_DRIVER, "clFoo", "other");
    clue_error_source("a.lua", 7);
    assert_detail("other");
}

TEST(a_log_stays_until_the_next_failure) {
    char *log = text_copy("log");
    (void)error_record(CL_BUILD_PROGRAM_FAILURE, CLUE_CAUSE_DRIVER, "clBuildProgram", "no");
    error_attach_log(log);
    assert_string_equal(clue_error_log(), "log");
    (void)error_record(CL_INVALID_VALUE, CLUE_CAUSE_DRIVER, "clFoo", "other");
    assert_string_equal(clue_error_log(), "");
    error_attach_log(text_copy("one"));
    error_attach_log(text_copy("two"));
    assert_string_equal(clue_error_log(), "two");
    clue_error_clear();
    assert_string_equal(clue_error_log(), "");
    assert_int_equal(clue_error_code(), 0);
    assert_string_equal(clue_error_text(), "CL_SUCCESS (0)");
}

TEST(a_long_detail_is_cut_and_ended) {
    char long_name[3000];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    (void)error_record(CL_INVALID_VALUE, CLUE_CAUSE_DRIVER, "clFoo", "%s", long_name);
    assert_int_equal(strlen(clue_error_detail()), 1023);
    assert_string_equal(clue_error_text() + strlen("clFoo: CL_INVALID_VALUE (-30): "), clue_error_detail());
}

TEST(every_code_has_the_name_of_the_headers) {
#define CHECK(number, name, hint)                                                                                  \
    assert_int_equal(number, name);                                                                                \
    assert_string_equal(clue_error_name(number), #name);                                                           \
    assert_string_equal(error_hint(number), hint);
    ERROR_CODES(CHECK)
#undef CHECK
    assert_string_equal(clue_error_name(0), "CL_SUCCESS");
    assert_null(clue_error_name(1));
    assert_null(clue_error_name(-20));
    assert_null(clue_error_name(-1000));
    assert_null(clue_error_name(INT32_MIN));
    assert_string_equal(error_hint(-20), "");
}

TEST(every_code_of_opencl_3_is_known) {
    for (int32_t code = CL_KERNEL_ARG_INFO_NOT_AVAILABLE; code <= CL_DEVICE_NOT_FOUND; code++)
        assert_non_null(clue_error_name(code));
    for (int32_t code = CL_MAX_SIZE_RESTRICTION_EXCEEDED; code <= CL_INVALID_VALUE; code++)
        assert_non_null(clue_error_name(code));
}

static cl_int refusing(int a, int b) {
    return a + b;
}

static void *making(int code, cl_int *code_out) {
    *code_out = code;
    return code ? NULL : &error_status;
}

TEST(macros_record_the_functions_name) {
    void *made = NULL;
    assert_int_equal(CL_CALL(refusing, -15, -15), CL_INVALID_VALUE);
    assert_string_equal(clue_error_text(),
                        "refusing: CL_INVALID_VALUE (-30): an argument of the call is out of its range");
    assert_int_equal(CL_CALL(refusing, 15, -15), 0);
    assert_string_equal(clue_error_call(), "refusing"); /* success leaves the record alone */
    assert_int_equal(CL_MAKE(&made, making, CL_INVALID_CONTEXT), CL_INVALID_CONTEXT);
    assert_null(made);
    assert_string_equal(clue_error_call(), "making");
    assert_detail(error_hint(CL_INVALID_CONTEXT));
    assert_int_equal(CL_MAKE(&made, making, 0), 0);
    assert_non_null(made);
}

TEST(lack_of_memory_has_its_own_cause) {
    assert_int_equal(error_out_of_memory("clFoo"), CL_OUT_OF_HOST_MEMORY);
    assert_int_equal(clue_error_cause(), CLUE_CAUSE_MEMORY);
    assert_string_equal(clue_error_text(),
                        "clFoo: CL_OUT_OF_HOST_MEMORY (-6): the host has no memory left: free arrays and "
                        "buffers that are not needed");
    assert_int_equal(error_check(CL_OUT_OF_RESOURCES, "clFoo"), CL_OUT_OF_RESOURCES);
    assert_int_equal(clue_error_cause(), CLUE_CAUSE_DRIVER);
}

TEST(library_and_header_have_one_abi) {
    assert_int_equal(clue_abi(), CLUE_ABI);
}
