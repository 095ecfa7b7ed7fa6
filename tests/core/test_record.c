/* Recording a part of a run, and capturing a call of a kernel: what cannot be asked for. What they write is in
 * tests/spec/trace_part_spec.lua and tests/spec/capture_spec.lua.
 *
 * suite: quick */
#include "support.h"

TEST(a_part_needs_a_file_that_can_be_written) {
    const char *file = "unchanged";
    assert_refused(clue_trace_start(&file, ""), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_trace_start",
                   "the path of the file for records is empty");
    assert_refused(clue_trace_start(&file, NULL), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_trace_start",
                   "the path of the file for records is empty");
    assert_refused(clue_trace_start(&file, "/dev/null/records"), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clue_trace_start", "'/dev/null/records' cannot be written: Not a directory");
    assert_string_equal(file, "unchanged");
}

TEST(only_a_part_that_began_can_end) {
    assert_refused(clue_trace_stop(), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "clue_trace_stop",
                   "no part of the run is being recorded: call clue_trace_start() first");
}

TEST(a_capture_needs_a_kernel_a_call_and_a_folder) {
    assert_refused(clue_capture("", 1, "folder", NULL), CL_INVALID_KERNEL_NAME, CLUE_CAUSE_PARAMETER,
                   "clue_capture", "the kernel's name is empty");
    assert_refused(clue_capture("f", 0, "folder", NULL), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_capture",
                   "call 0: calls count from 1");
    assert_refused(clue_capture("f", INT64_MIN, "folder", NULL), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clue_capture", "call -9223372036854775808: calls count from 1");
    assert_refused(clue_capture("f", 1, "", NULL), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_capture",
                   "the folder's name is empty");
    assert_refused(clue_capture("f", 1, NULL, NULL), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_capture",
                   "the folder's name is empty");
}
