/* Executions: their status, how long they took and by which clock, and profiles over several.
 *
 * suite: quick
 * drivers: pocl oclgrind rusticl */
#define AFTER back_to_normal
#include "stub.h"

/* If set, the device's timer gives the fake times. */
static bool timer_faked;
static cl_ulong fake_start, fake_end;
static int waits;

STUB(clGetEventProfilingInfo) {
    if (!timer_faked) return NEXT(clGetEventProfilingInfo);
    memcpy(value, name == CL_PROFILING_COMMAND_START ? &fake_start : &fake_end, sizeof(cl_ulong));
    return CL_SUCCESS;
}

STUB(clWaitForEvents) {
    waits++;
    return NEXT(clWaitForEvents);
}

static int back_to_normal(void **state) {
    timer_faked = false;
    return free_everything(state);
}

/* A kernel that runs for about 10 ms, and stays below the loop limit of rusticl. */
static int32_t new_slow_kernel(void) {
    const int32_t c = new_context(), b = new_buffer(c, 4096);
    const int32_t k = new_kernel(c, kernel_slow);
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_kernel_set_number(k, 1, CLUE_AUTO, is_oclgrind() ? 100 : 60000));
    run_1d(k, 64); /* so that it is compiled */
    assert_works(clue_kernel_wait(k));
    return k;
}

/* ---- status ---- */

TEST(a_kernel_never_executed_is_complete) {
    const int32_t k = new_kernel(new_context(), kernel_empty);
    int32_t status = -1, clock = 7;
    double seconds = 7;
    assert_works(clue_kernel_status(&status, k));
    assert_int_equal(status, CL_COMPLETE);
    assert_works(clue_kernel_wait(k));
    assert_refused(clue_kernel_time(&seconds, &clock, k), CL_PROFILING_INFO_NOT_AVAILABLE, CLUE_CAUSE_PARAMETER,
                   "clGetEventProfilingInfo", "kernel 'f' has not been executed yet");
    assert_true(seconds == 7 && clock == 7);
}

TEST(status_ends_in_complete_without_a_wait) {
    const int32_t k = new_slow_kernel();
    int32_t status = -1, before = CL_QUEUED;
    double until;
    run_1d(k, 64);
    until = clue_clock_now() + 60;
    do {
        assert_works(clue_kernel_status(&status, k));
        assert_in_range(status, CL_COMPLETE, before); /* it never goes back */
        before = status;
    } while (status != CL_COMPLETE && clue_clock_now() < until);
    assert_int_equal(status, CL_COMPLETE);
}

TEST(status_is_complete_after_a_wait) {
    const int32_t k = new_slow_kernel();
    int32_t status = -1;
    for (int i = 0; i < 20; i++) {
        run_and_wait(k, 64);
        assert_works(clue_kernel_status(&status, k));
        assert_int_equal(status, CL_COMPLETE);
    }
}

TEST(only_kernels_have_a_status_and_a_time) {
    int32_t number = 7;
    double seconds = 7;
    assert_refused(clue_kernel_status(&number, -1), CL_INVALID_KERNEL, CLUE_CAUSE_FAILED, "clGetEventInfo",
                   "-1 is not a kernel");
    assert_refused(clue_kernel_wait(-1), CL_INVALID_KERNEL, CLUE_CAUSE_FAILED, "clWaitForEvents",
                   "-1 is not a kernel");
    assert_refused(clue_kernel_time(&seconds, &number, -1), CL_INVALID_KERNEL, CLUE_CAUSE_FAILED,
                   "clGetEventProfilingInfo", "-1 is not a kernel");
}

/* ---- time ---- */

TEST(time_comes_from_the_device_if_it_has_a_timer) {
    const int32_t k = new_slow_kernel();
    const double before = clue_clock_now();
    double seconds = 0, again = 0, host;
    int32_t clock = 7;
    run_1d(k, 64);
    assert_works(clue_kernel_time(&seconds, &clock, k));
    host = clue_clock_now() - before;
    assert_int_equal(clock, is_rusticl() ? CLUE_CLOCK_HOST : CLUE_CLOCK_DEVICE);
    assert_true(seconds > 1e-6 && seconds <= host);
    assert_works(clue_kernel_time(&again, &clock, k));
    assert_true(again == seconds);
}

TEST(host_time_ends_with_the_first_wait) {
    const int32_t k = new_slow_kernel();
    double seconds = 0, host;
    int32_t clock = 7;
    timer_faked = true;
    fake_start = fake_end = 0;
    host = clue_clock_now();
    run_and_wait(k, 64);
    host = clue_clock_now() - host;
    clue_clock_sleep(0.3);
    assert_works(clue_kernel_time(&seconds, &clock, k));
    assert_int_equal(clock, CLUE_CLOCK_HOST);
    assert_true(seconds > 0 && seconds <= host);
}

/* A script that polls looks without waiting. Its time after the last look does not count as the kernel's. */
TEST(host_time_ends_with_the_first_look_that_sees_the_end) {
    const int32_t k = new_slow_kernel();
    double seconds = 0, host;
    int32_t status = CL_QUEUED, clock = 7;
    timer_faked = true;
    fake_start = fake_end = 0;
    host = clue_clock_now();
    run_1d(k, 64);
    while (status != CL_COMPLETE && clue_clock_now() < host + 60)
        assert_works(clue_kernel_status(&status, k));
    host = clue_clock_now() - host;
    clue_clock_sleep(0.3);
    assert_works(clue_kernel_time(&seconds, &clock, k));
    assert_int_equal(clock, CLUE_CLOCK_HOST);
    assert_true(seconds > 0 && seconds <= host);
}

static int32_t live_buffer(void) {
    int32_t handle = clue_handle_next(0);
    while (clue_handle_kind(handle) != CLUE_BUFFER)
        handle = clue_handle_next(handle);
    return handle;
}

/* On a device without a trustworthy timer, a transfer first waits for the kernel in a call of its own. */
TEST(host_time_does_not_contain_what_follows_a_transfer) {
    const int32_t k = new_slow_kernel(), b = live_buffer();
    char bytes[4096];
    double seconds = 0, host;
    int32_t clock = 7;
    host = clue_clock_now();
    run_1d(k, 64);
    waits = 0;
    assert_works(clue_buffer_read(bytes, b, 0, sizeof bytes));
    host = clue_clock_now() - host;
    assert_int_equal(waits, is_rusticl() ? 1 : 0);
    clue_clock_sleep(0.3);
    assert_works(clue_kernel_time(&seconds, &clock, k));
    assert_true(seconds > 0 && seconds <= host);
}

TEST(a_timer_that_cannot_be_right_is_not_believed) {
    static const struct {
        cl_ulong start, end;
    } wrong[] = {{2, 3}, {1000, 1000}, {5000, 1000}, {0, UINT64_C(3600000000000)}, {0, 99}};
    const int32_t k = new_slow_kernel();
    double seconds = 0;
    int32_t clock = 7;
    timer_faked = true;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fake_start = wrong[i].start;
        fake_end = wrong[i].end;
        run_1d(k, 64);
        assert_works(clue_kernel_time(&seconds, &clock, k));
        assert_int_equal(clock, CLUE_CLOCK_HOST);
        assert_true(seconds > 0 && seconds < 60);
    }
    fake_start = 1000;
    fake_end = 1100;
    assert_works(clue_kernel_time(&seconds, &clock, k));
    assert_int_equal(clock, is_rusticl() ? CLUE_CLOCK_HOST : CLUE_CLOCK_DEVICE);
}

/* ---- profiles ---- */

TEST(a_profile_adds_up_executions) {
    const int32_t k = new_slow_kernel();
    double seconds = 0, one = 0, sum = 0, host;
    int32_t clock = 7, executions = 7;
    run_1d(k, 64); /* before the profile, so not counted */
    assert_works(clue_kernel_wait(k));
    assert_works(clue_profile_start());
    host = clue_clock_now();
    for (int i = 0; i < 40; i++) {
        run_1d(k, 64);
        if (i % 2) continue;
        assert_works(clue_kernel_time(&one, &clock, k));
        sum += one;
    }
    assert_works(clue_profile_stop(&seconds, &clock, &executions));
    host = clue_clock_now() - host;
    assert_int_equal(executions, 40);
    assert_int_equal(clock, is_rusticl() ? CLUE_CLOCK_HOST : CLUE_CLOCK_DEVICE);
    assert_true(seconds > 1e-6 && seconds <= host);
    if (clock == CLUE_CLOCK_DEVICE) assert_true(seconds > sum);
    run_1d(k, 64);
    assert_refused(clue_profile_stop(&seconds, &clock, &executions), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
                   "clGetEventProfilingInfo", "no profile was started");
}

TEST(an_empty_profile_is_0) {
    double seconds = 7;
    int32_t clock = 7, executions = 7;
    assert_works(clue_profile_start());
    assert_works(clue_profile_stop(&seconds, &clock, &executions));
    assert_true(seconds == 0);
    assert_int_equal(executions, 0);
}

TEST(a_profile_may_be_restarted) {
    const int32_t k = new_slow_kernel();
    double seconds = 0;
    int32_t clock = 7, executions = 7;
    assert_works(clue_profile_start());
    run_1d(k, 64);
    assert_works(clue_profile_start());
    run_1d(k, 64);
    run_1d(k, 64);
    assert_works(clue_profile_stop(&seconds, &clock, &executions));
    assert_int_equal(executions, 2);
}

/* An execution may be shorter than a step of the timer, as long as the mean is not. */
TEST(short_executions_count_in_the_mean) {
    const int32_t k = new_slow_kernel();
    double seconds = 0;
    int32_t clock = 7, executions = 7;
    if (is_rusticl()) skip_because("it has no timer");
    assert_works(clue_profile_start());
    run_1d(k, 64);
    run_1d(k, 64);
    timer_faked = true;
    fake_start = 0;
    fake_end = 100;
    assert_works(clue_profile_stop(&seconds, &clock, &executions));
    assert_int_equal(clock, CLUE_CLOCK_DEVICE);
    assert_true(seconds > 199e-9 && seconds < 201e-9);
    assert_works(clue_profile_start());
    run_1d(k, 64);
    fake_end = 99;
    assert_works(clue_profile_stop(&seconds, &clock, &executions));
    assert_int_equal(clock, CLUE_CLOCK_HOST);
}

TEST(host_profiles_leave_pauses_out) {
    const int32_t k = new_slow_kernel();
    double seconds = 0, host = clue_clock_now();
    int32_t clock = 7, executions = 7;
    timer_faked = true;
    fake_start = fake_end = 0;
    assert_works(clue_profile_start());
    for (int i = 0; i < 3; i++) {
        run_1d(k, 64);
        run_1d(k, 64); /* their common time counts once */
        assert_works(clue_kernel_wait(k));
        clue_clock_sleep(0.2);
    }
    assert_works(clue_profile_stop(&seconds, &clock, &executions));
    host = clue_clock_now() - host;
    assert_int_equal(clock, CLUE_CLOCK_HOST);
    assert_int_equal(executions, 6);
    assert_true(seconds > 0 && seconds <= host - 0.6);
}

TEST(a_profile_outlives_its_kernels) {
    const int32_t k = new_slow_kernel();
    double seconds = 0;
    int32_t clock = 7, executions = 7;
    assert_works(clue_profile_start());
    run_1d(k, 64);
    (void)free_everything(NULL);
    assert_works(clue_profile_stop(&seconds, &clock, &executions));
    assert_int_equal(executions, 1);
    assert_true(seconds > 0);
}

/* The first moment that is asked for decides from where a device's moments count. */
TEST(moments_are_in_order_whichever_is_asked_for_first) {
    const int32_t c = new_context(), k = new_kernel(c, kernel_empty);
    const int64_t global = 1;
    double began = 0, ended = 0;
    int32_t q = 0, event = 0;
    if (!limits()->timed) skip_because("it has no timer that can be trusted");
    assert_works(clue_queue_create(&q, c, c, CL_QUEUE_PROFILING_ENABLE));
    assert_works(clue_queue_execute(&event, q, k, 1, NULL, &global, NULL));
    assert_works(clue_event_wait(event));
    timer_faked = true;
    limits()->epoch_known = false;
    fake_start = UINT64_C(4999999999000), fake_end = UINT64_C(5000000002000);
    assert_works(clue_event_moment(&ended, event, CLUE_ENDED));
    assert_works(clue_event_moment(&began, event, CLUE_STARTED));
    limits()->epoch_known = false;
    assert_true(ended - began > 2.9e-6 && ended - began < 3.1e-6);
}
