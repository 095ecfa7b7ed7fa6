/* Kernels that fail after they were enqueued: the errors of waits for them and of later calls.
 *
 * suite: quick
 * drivers: oclgrind */
#define BEFORE begin
#define AFTER end
#include "stub.h"

#include "kernel/kernel.h"
#include "queue/internal.h"

#include <unistd.h>

/* The results that a test sets in place of the driver's. Executions are numbered from 0. */
enum { MOST = 100, OWN = 100 };
static cl_event seen[MOST];
static cl_int statuses[MOST]; /* OWN: the driver's */
static int enqueued;
static cl_int wait_code; /* 0: the driver's */
static cl_int broken;    /* as in a dead context: only waits give an event's status, queries fail with this code */

STUB(clEnqueueNDRangeKernel) {
    const cl_int code = NEXT(clEnqueueNDRangeKernel);
    if (code == CL_SUCCESS && enqueued < MOST) seen[enqueued++] = *event_out;
    return code;
}

static char told[1200]; /* what is told of a crash in clSetKernelArg */

static const char *message_of_crash(void);

STUB(clSetKernelArg) {
    (void)snprintf(told, sizeof told, "%s", message_of_crash());
    return NEXT(clSetKernelArg);
}

STUB(clWaitForEvents) {
    for (int i = 0; broken && i < enqueued; i++)
        if (seen[i] == events[0]) return statuses[i];
    return wait_code ? wait_code : NEXT(clWaitForEvents);
}

STUB(clGetEventInfo) {
    if (broken) return broken;
    for (int i = 0; i < enqueued; i++)
        if (seen[i] == event && statuses[i] != OWN && name == CL_EVENT_COMMAND_EXECUTION_STATUS) {
            memcpy(value, &statuses[i], sizeof statuses[i]);
            return CL_SUCCESS;
        }
    return NEXT(clGetEventInfo);
}

static void forget(void) {
    enqueued = 0;
    wait_code = broken = 0;
    for (int i = 0; i < MOST; i++)
        statuses[i] = OWN;
}

static int begin(void **state) {
    (void)state;
    forget();
    return 0;
}

static int end(void **state) {
    forget();
    return free_everything(state);
}

/* The next execution is number 0. */
static int32_t new_tried_kernel(int32_t in) {
    const int32_t k = new_kernel(in, kernel_empty);
    run_and_wait(k, 64);
    forget();
    return k;
}

/* The message with the ending that it has if a context may be dead. */
static const char *message(const char *start) {
    static char text[1000];
    char command[400];
    rerun_command(command, sizeof command);
    (void)snprintf(text, sizeof text, "%.500s; to see the kernel's line and the index: %s", start, command);
    return text;
}

static const char *message_of_failure(const char *who, int32_t code) {
    char text[700];
    (void)snprintf(text, sizeof text,
                   "%s: %s; after an access out of bounds its context is dead: start a new process", who,
                   error_hint(code));
    return message(text);
}

/* ---- at the wait ---- */

TEST(a_failed_execution_fails_at_every_look) {
    const int32_t k = new_tried_kernel(new_context());
    const char *text = message_of_failure("kernel 'f' (global 64) failed on the device", CL_OUT_OF_RESOURCES);
    int32_t number = 7;
    double seconds = 7;
    run_1d(k, 64);
    wait_code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    statuses[0] = CL_OUT_OF_RESOURCES;
    assert_refused(clue_kernel_status(&number, k), CL_OUT_OF_RESOURCES, CLUE_CAUSE_DRIVER, "clGetEventInfo", "%s",
                   text);
    for (int i = 0; i < 2; i++) {
        assert_refused(clue_kernel_wait(k), CL_OUT_OF_RESOURCES, CLUE_CAUSE_DRIVER, "clWaitForEvents", "%s", text);
        assert_refused(clue_kernel_status(&number, k), CL_OUT_OF_RESOURCES, CLUE_CAUSE_DRIVER, "clGetEventInfo",
                       "%s", text);
        assert_refused(clue_kernel_time(&seconds, &number, k), CL_OUT_OF_RESOURCES, CLUE_CAUSE_DRIVER,
                       "clWaitForEvents", "%s", text);
        wait_code = 0; /* once the failure is known, the driver is not asked again */
        statuses[0] = OWN;
    }
    assert_refused(clue_context_finish(k), CL_OUT_OF_RESOURCES, CLUE_CAUSE_DRIVER, "clFinish", "%s", text);
    assert_works(clue_context_finish(k)); /* it reports a failure only once */
    assert_null(clue_waiting());
    run_and_wait(k, 64);
}

TEST(an_unknown_status_is_shown_as_a_number) {
    static const cl_int unknown[] = {-1, -77777}; /* PoCL's -1 is CL_DEVICE_NOT_FOUND elsewhere */
    for (int i = 0; i < 2; i++) {
        const int32_t k = new_tried_kernel(new_context());
        run_1d(k, 64);
        wait_code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        statuses[0] = unknown[i];
        assert_refused(clue_kernel_wait(k), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CLUE_CAUSE_DRIVER,
                       "clWaitForEvents", "kernel 'f' (global 64) failed on the device (status %d)",
                       (int)unknown[i]);
        (void)end(NULL);
    }
}

TEST(a_wait_that_fails_can_be_tried_again) {
    const int32_t k = new_tried_kernel(new_context());
    run_1d(k, 64);
    wait_code = CL_OUT_OF_RESOURCES;
    assert_refused(clue_kernel_wait(k), CL_OUT_OF_RESOURCES, CLUE_CAUSE_DRIVER, "clWaitForEvents", "%s",
                   message_of_failure("kernel 'f' (global 64) failed on the device", CL_OUT_OF_RESOURCES));
    wait_code = 0;
    assert_works(clue_kernel_wait(k));
}

TEST(a_profile_over_a_failure_fails) {
    const int32_t k = new_tried_kernel(new_context());
    double seconds = 7;
    int32_t clock = 7, executions = 7;
    assert_works(clue_profile_start());
    run_1d(k, 64);
    wait_code = CL_OUT_OF_RESOURCES;
    assert_int_equal(clue_profile_stop(&seconds, &clock, &executions), CL_OUT_OF_RESOURCES);
    assert_string_equal(clue_error_call(), "clWaitForEvents");
    assert_true(seconds == 7 && clock == 7 && executions == 7);
    wait_code = 0;
    assert_int_equal(clue_profile_stop(&seconds, &clock, &executions), CL_INVALID_OPERATION);
}

/* Nothing is replaced here: the event is the driver's own, and it fails. */
TEST(a_failed_event_of_the_driver_is_reported) {
    const int32_t c = new_context(), k = new_tried_kernel(c);
    cl_int code = 0;
    execution *made;
    made = queue_execution(&((kernel *)handle_find(k, CLUE_KERNEL, "clFoo"))->program->context->own, "kernel 'f'",
                           "clFoo");
    assert_non_null(made);
    made->event = clCreateUserEvent(((context *)handle_find(c, CLUE_CONTEXT, "clFoo"))->context, &code);
    assert_int_equal(code, CL_SUCCESS);
    assert_int_equal(clSetUserEventStatus(made->event, CL_OUT_OF_RESOURCES), CL_SUCCESS);
    assert_refused(execution_wait(made), CL_OUT_OF_RESOURCES, CLUE_CAUSE_DRIVER, "clWaitForEvents", "%s",
                   message_of_failure("kernel 'f' failed on the device", CL_OUT_OF_RESOURCES));
    execution_release(made);
}

/* As in a broken context, all kernels after the first that failed do fail, too. */
TEST(the_first_kernel_that_failed_is_named) {
    const int32_t k = new_tried_kernel(new_context());
    run_1d(k, 8);
    run_1d(k, 16);
    run_1d(k, 32);
    statuses[0] = CL_COMPLETE;
    wait_code = statuses[1] = statuses[2] = CL_INVALID_COMMAND_QUEUE;
    assert_refused(clue_kernel_wait(k), CL_INVALID_COMMAND_QUEUE, CLUE_CAUSE_DRIVER, "clWaitForEvents", "%s",
                   message_of_failure("kernel 'f' (global 16) failed on the device, and kernel 'f' after it",
                                      CL_INVALID_COMMAND_QUEUE));
}

/* As on NVIDIA's driver. */
TEST(in_a_dead_context_waits_find_the_kernel_that_failed) {
    const int32_t k = new_tried_kernel(new_context());
    run_1d(k, 8);
    run_1d(k, 16);
    run_1d(k, 32);
    broken = statuses[1] = statuses[2] = NVIDIA_ILLEGAL_ACCESS;
    statuses[0] = CL_COMPLETE;
    assert_int_equal(error_check(CL_OUT_OF_RESOURCES, "clEnqueueReadBuffer"), CL_OUT_OF_RESOURCES);
    assert_string_equal(clue_error_detail(),
                        message("kernel 'f' (global 16) failed on the device before this call, "
                                "and its context is dead: start a new process"));
    assert_refused(clue_kernel_wait(k), NVIDIA_ILLEGAL_ACCESS, CLUE_CAUSE_DRIVER, "clWaitForEvents", "%s",
                   message_of_failure("kernel 'f' (global 16) failed on the device, and kernel 'f' after it",
                                      NVIDIA_ILLEGAL_ACCESS));
    broken = 0;
    for (int i = 0; i < 3; i++)
        statuses[i] = OWN;
    assert_works(clue_kernel_wait(k));
}

TEST(a_failure_in_another_context_is_not_named) {
    const int32_t other = new_tried_kernel(new_context()), k = new_tried_kernel(new_context());
    run_1d(other, 8);
    run_1d(k, 16);
    wait_code = statuses[0] = statuses[1] = CL_OUT_OF_RESOURCES;
    assert_refused(clue_kernel_wait(k), CL_OUT_OF_RESOURCES, CLUE_CAUSE_DRIVER, "clWaitForEvents", "%s",
                   message_of_failure("kernel 'f' (global 16) failed on the device", CL_OUT_OF_RESOURCES));
}

/* A read would give what was there before. */
TEST(a_read_behind_a_kernel_that_failed_is_refused) {
    const int32_t c = new_context(), k = new_tried_kernel(c), b = new_buffer(c, 4);
    int32_t value = 7;
    run_1d(k, 64);
    statuses[0] = CL_OUT_OF_RESOURCES;
    assert_refused(clue_buffer_read(&value, b, 0, sizeof value), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                   CLUE_CAUSE_DRIVER, "clEnqueueReadBuffer",
                   "a read from a buffer is behind kernel 'f', which failed on the device (status -5)");
    assert_works(clue_buffer_read(&value, b, 0, sizeof value)); /* it is told once */
}

/* ---- in errors of later calls ---- */

static const cl_int faults[] = {CL_OUT_OF_RESOURCES, CL_INVALID_COMMAND_QUEUE, NVIDIA_ILLEGAL_ACCESS};

TEST(a_later_failure_names_the_kernel_that_failed) {
    const int32_t k = new_tried_kernel(new_context());
    const int64_t offset[] = {0, 2}, global[] = {8, 4}, local[] = {4, 2};
    assert_works(clue_kernel_execute(k, 2, offset, global, local));
    statuses[0] = CL_OUT_OF_RESOURCES;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        assert_int_equal(error_check(faults[i], "clFoo"), faults[i]);
        assert_string_equal(
            clue_error_detail(),
            message("kernel 'f' (global 8 x 4, local 4 x 2, offset 0 x 2) failed on the device before "
                    "this call, and its context is dead: start a new process"));
    }
    assert_int_equal(error_check(CL_INVALID_VALUE, "clFoo"), CL_INVALID_VALUE);
    assert_string_equal(clue_error_detail(), error_hint(CL_INVALID_VALUE));
}

TEST(a_later_failure_names_the_kernels_that_may_be_running) {
    const int32_t k = new_tried_kernel(new_context());
    char text[600];
    for (int i = 0; i < 6; i++) {
        run_1d(k, 10 + i);
        statuses[i] = i == 4 ? CL_COMPLETE : CL_RUNNING;
    }
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        assert_int_equal(error_check(faults[i], "clFoo"), faults[i]);
        (void)snprintf(text, sizeof text,
                       "%s; kernels enqueued last that may not have ended: kernel 'f' (global 11), then kernel 'f' "
                       "(global 12), "
                       "then kernel 'f' (global 13), then kernel 'f' (global 15)",
                       error_hint(faults[i]));
        assert_string_equal(clue_error_detail(), message(text));
    }
}

TEST(a_kernel_that_succeeded_is_not_named) {
    const int32_t k = new_tried_kernel(new_context());
    run_1d(k, 8);
    statuses[0] = CL_COMPLETE;
    (void)error_check(CL_OUT_OF_RESOURCES, "clFoo");
    assert_string_equal(clue_error_detail(), message(error_hint(CL_OUT_OF_RESOURCES)));
}

TEST(kernels_of_a_freed_queue_are_not_named) {
    const int32_t k = new_tried_kernel(new_context());
    run_1d(k, 8);
    statuses[0] = CL_OUT_OF_RESOURCES;
    (void)free_everything(NULL);
    (void)error_check(CL_OUT_OF_RESOURCES, "clFoo");
    assert_string_equal(clue_error_detail(), message(error_hint(CL_OUT_OF_RESOURCES)));
}

/* With more kernels than are remembered, one before the first that is known may have failed, too. */
TEST(a_forgotten_kernel_may_be_the_cause) {
    const int32_t k = new_tried_kernel(new_context());
    for (int i = 0; i < 70; i++) {
        statuses[i] = CL_OUT_OF_RESOURCES;
        run_1d(k, 100 + i);
    }
    (void)error_check(CL_OUT_OF_RESOURCES, "clFoo");
    assert_string_equal(clue_error_detail(),
                        message("kernel 'f' (global 106), or one before it, failed on the device before this call, "
                                "and its context is dead: start a new process"));
}

/* ---- crashes ---- */

static const char *message_of_crash(void) {
    static char text[1200];
    int ends[2];
    ssize_t size;
    assert_int_equal(pipe(ends), 0);
    clue_crash_tell(ends[1], "SIGSEGV");
    (void)close(ends[1]);
    size = read(ends[0], text, sizeof text - 1);
    (void)close(ends[0]);
    assert_true(size >= 0);
    text[size] = '\0';
    return text;
}

TEST(a_crash_names_the_kernels_that_may_have_been_running) {
    char expected[1200];
    const int32_t k = new_tried_kernel(new_context());
    run_and_wait(k, 8);
    (void)snprintf(expected, sizeof expected, "%s\n",
                   message("clue: SIGSEGV; a kernel may have written outside its memory before"));
    assert_string_equal(message_of_crash(), expected);
    run_1d(k, 16);
    run_1d(k, 32);
    (void)snprintf(
        expected, sizeof expected, "%s\n",
        message("clue: SIGSEGV with kernels that may have been running: kernel 'f' (global 16), then kernel 'f' "
                "(global 32)"));
    assert_string_equal(message_of_crash(), expected);
}

/* A kernel on a CPU may overwrite what the process knows of it. */
TEST(a_crash_tells_nothing_from_memory_that_kernels_may_overwrite) {
    const int32_t k = new_tried_kernel(new_context());
    execution *last;
    run_1d(k, 16);
    last = ((kernel *)handle_find(k, CLUE_KERNEL, "test"))->last;
    memset(last->what, 0xff, strlen(last->what));
    assert_non_null(strstr(message_of_crash(), "kernel 'f' (global 16)"));
    assert_null(strchr(message_of_crash(), 0xff));
}

TEST(a_crash_names_the_call_that_runs) {
    const int32_t c = new_context(), k = new_kernel(c, kernel_increment), b = new_buffer(c, 64);
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_ptr_equal(strstr(told, "clue: SIGSEGV in clSetKernelArg; a kernel may have written outside"), told);
    assert_null(clue_calling());
    run_1d(k, 16);
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_ptr_equal(strstr(told, "clue: SIGSEGV in clSetKernelArg with kernels that may have been running: "),
                     told);
}

/* ---- the command ---- */

TEST(the_command_is_this_process) {
    char command[400], little[8];
    (void)unsetenv("CLUE_DEVICE");
    (void)unsetenv("PYOPENCL_CTX");
    rerun_command(command, sizeof command);
    assert_ptr_equal(strstr(command, "oclgrind "), command);
    assert_non_null(strstr(command, "test_fault"));
    (void)setenv("CLUE_DEVICE", "gpu", 1);
    rerun_command(command, sizeof command);
    assert_ptr_equal(strstr(command, "env -u CLUE_DEVICE -u PYOPENCL_CTX oclgrind "), command);
    (void)unsetenv("CLUE_DEVICE");
    rerun_command(little, sizeof little);
    assert_string_equal(little, "oclgrin");
}

TEST(the_command_for_a_script_checks_it) {
    char command[400], little[8];
    clue_script_word(1);
    (void)setenv("CLUE_DEVICE", "gpu", 1); /* clue check takes the simulator all the same */
    rerun_command(command, sizeof command);
    assert_non_null(strstr(command, "test_fault check"));
    assert_null(strstr(command, "oclgrind"));
    rerun_command(little, sizeof little);
    assert_string_equal(little, "clue ch");
    clue_script_word(0);
    (void)unsetenv("CLUE_DEVICE");
}
