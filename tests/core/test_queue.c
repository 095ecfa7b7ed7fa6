/* Queues other than a context's own, and events: each queue keeps its own order, whatever the others do.
 *
 * suite: quick
 * drivers: pocl oclgrind rusticl */
#include "stub.h"

#include "queue/queue.h"

static cl_command_queue seen_queue; /* the queue of the last command */
static cl_uint waited_for;          /* how many events were waited for */

STUB(clEnqueueWriteBuffer) {
    seen_queue = queue;
    return NEXT(clEnqueueWriteBuffer);
}

STUB(clEnqueueNDRangeKernel) {
    seen_queue = queue;
    return NEXT(clEnqueueNDRangeKernel);
}

STUB(clWaitForEvents) {
    waited_for += count;
    return NEXT(clWaitForEvents);
}

static cl_command_queue driver_queue(int32_t handle) {
    return queue_find(handle, "clFoo")->queue;
}

static int32_t run_on(int32_t on, int32_t k, int64_t global) {
    int32_t event = 0;
    assert_works(clue_queue_execute(&event, on, k, 1, NULL, &global, NULL));
    assert_int_equal(clue_handle_kind(event), CLUE_EVENT);
    return event;
}

/* How many rounds of the loop in `slow` take about 10 ms. */
static int32_t many(void) {
    return is_oclgrind() ? 100 : 60000;
}

/* A kernel with a buffer of its own, which runs for about 10 ms. */
static int32_t new_slow_kernel(int32_t in) {
    const int32_t k = new_kernel(in, kernel_slow);
    assert_works(clue_kernel_set_object(k, 0, new_buffer(in, 4096), 0));
    assert_works(clue_kernel_set_number(k, 1, CLUE_AUTO, many()));
    return k;
}

/* ---- queues ---- */

TEST(a_queue_takes_known_properties_only) {
    const int32_t c = new_context();
    int32_t q = 7;
    assert_refused(clue_queue_create(&q, c, c, 4), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clCreateCommandQueue",
                   "4 are not queue properties: use CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE (1) and "
                   "CL_QUEUE_PROFILING_ENABLE (2)");
    assert_refused(clue_queue_create(&q, c, c, -2), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clCreateCommandQueue",
                   "-2 are not queue properties: use CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE (1) and "
                   "CL_QUEUE_PROFILING_ENABLE (2)");
    assert_refused(clue_queue_create(&q, -1, -1, 0), CL_INVALID_CONTEXT, CLUE_CAUSE_FAILED, "clCreateCommandQueue",
                   "-1 is not a context");
    assert_int_equal(q, 7);
    assert_works(clue_queue_create(&q, c, c, 0));
}

TEST(commands_go_to_their_queue) {
    const int32_t c = new_context(), one = new_queue(c, CL_QUEUE_PROFILING_ENABLE),
                  two = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_buffer(c, 64);
    const int32_t k = new_kernel(c, kernel_increment);
    int values[16] = {0};
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_queue_write(NULL, one, b, 0, values, sizeof values));
    assert_ptr_equal(seen_queue, driver_queue(one));
    assert_works(clue_queue_write(NULL, two, b, 0, values, sizeof values));
    assert_ptr_equal(seen_queue, driver_queue(two));
    assert_works(clue_buffer_write(b, 0, values, sizeof values));
    assert_ptr_equal(seen_queue, ((context *)handle_find(c, CLUE_CONTEXT, "clFoo"))->own.queue);
    (void)run_on(two, k, 16);
    assert_ptr_equal(seen_queue, driver_queue(two));
    run_1d(k, 16);
    assert_ptr_equal(seen_queue, ((context *)handle_find(c, CLUE_CONTEXT, "clFoo"))->own.queue);
    assert_works(clue_context_finish(c));
    assert_works(clue_queue_read(NULL, values, one, b, 0, sizeof values));
    assert_int_equal(values[0], 2);
    assert_int_equal(values[15], 2);
}

TEST(a_queue_waits_for_its_own_work_only) {
    const int32_t c = new_context(), one = new_queue(c, CL_QUEUE_PROFILING_ENABLE),
                  two = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_buffer(c, 64);
    const int32_t k = new_slow_kernel(c);
    int values[16] = {0};
    (void)run_on(one, k, 64);
    waited_for = 0;
    assert_works(clue_queue_finish(two));
    assert_works(clue_queue_write(NULL, two, b, 0, values, sizeof values));
    assert_works(clue_buffer_write(b, 0, values, sizeof values));
    assert_int_equal(waited_for, 0);
    assert_works(clue_queue_finish(one));
    assert_int_equal(waited_for, 1);
    assert_works(clue_queue_finish(one)); /* its end is known already */
    assert_int_equal(waited_for, 1);
    assert_works(clue_queue_flush(one));
}

TEST(finishing_a_context_finishes_its_queues) {
    const int32_t c = new_context(), one = new_queue(c, CL_QUEUE_PROFILING_ENABLE),
                  two = new_queue(c, CL_QUEUE_PROFILING_ENABLE);
    const int32_t first = new_slow_kernel(c), second = new_slow_kernel(c), third = new_slow_kernel(c);
    int32_t status = 7, a, b;
    run_1d(first, 64);
    waited_for = 0;
    a = run_on(one, second, 64);
    b = run_on(two, third, 64);
    assert_works(clue_context_finish(two)); /* any handle stands for its whole context */
    assert_int_equal(waited_for, 3);
    assert_works(clue_event_status(&status, a));
    assert_int_equal(status, CL_COMPLETE);
    assert_works(clue_event_status(&status, b));
    assert_int_equal(status, CL_COMPLETE);
    (void)run_on(one, second, 64);
    waited_for = 0;
    clue_finish();
    assert_int_equal(waited_for, 1);
}

TEST(freeing_a_queue_waits_for_its_work) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), k = new_slow_kernel(c);
    const int32_t event = run_on(q, k, 64);
    int32_t status = 7;
    waited_for = 0;
    assert_works(clue_handle_free(q, CLUE_QUEUE));
    assert_int_equal(waited_for, 1);
    assert_works(clue_event_status(&status, event));
    assert_int_equal(status, CL_COMPLETE);
    assert_works(clue_context_finish(c)); /* the context has forgotten the queue */
    assert_int_equal(waited_for, 1);
    assert_refused(clue_queue_finish(q), CL_INVALID_COMMAND_QUEUE, CLUE_CAUSE_HANDLE, "clFinish",
                   "queue %d was freed", q);
}

/* Its command waits for a user event, so freeing the queue does not wait for it. */
TEST(finishing_a_context_finishes_its_freed_queues) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), k = new_slow_kernel(c);
    int32_t status = 7, gate = 0, event;
    if (limits()->synchronous) skip_because("it runs commands in the calling thread");
    assert_works(clue_user_event_create(&gate, c));
    assert_works(clue_queue_wait_for(q, &gate, 1));
    event = run_on(q, k, 64);
    assert_works(clue_handle_free(q, CLUE_QUEUE));
    assert_refused(clue_context_finish(c), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "clWaitForEvents",
                   "kernel 'f' waits for user event %d, which the script cannot set while it waits: set it before",
                   (int)gate);
    assert_works(clue_user_event_set(gate, 0));
    assert_works(clue_context_finish(c)); /* on a busy machine, the kernel may have ended before */
    assert_works(clue_event_status(&status, event));
    assert_int_equal(status, CL_COMPLETE);
    assert_null(((context *)handle_find(c, CLUE_CONTEXT, "clFoo"))->closing);
}

TEST(queues_are_forgotten_in_any_order) {
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        const int32_t c = new_context();
        const int32_t queues[] = {new_queue(c, CL_QUEUE_PROFILING_ENABLE), new_queue(c, CL_QUEUE_PROFILING_ENABLE),
                                  new_queue(c, CL_QUEUE_PROFILING_ENABLE)};
        for (int j = 0; j < 3; j++) {
            assert_works(clue_handle_free(queues[orders[i][j]], CLUE_QUEUE));
            assert_works(clue_context_finish(c));
        }
        assert_null(((context *)handle_find(c, CLUE_CONTEXT, "clFoo"))->queues);
        assert_works(clue_handle_free(c, CLUE_CONTEXT));
    }
    assert_int_equal(clue_handle_count(), 0);
}

TEST(a_queue_takes_objects_of_its_context_only) {
    const int32_t c = new_context(), other = new_context(), q = new_queue(other, CL_QUEUE_PROFILING_ENABLE),
                  b = new_buffer(c, 64);
    const int32_t k = new_kernel(c, kernel_empty);
    const int64_t global = 1;
    int32_t event = 7;
    char byte = 0;
    assert_refused(clue_queue_execute(&event, q, k, 1, NULL, &global, NULL), CL_INVALID_CONTEXT,
                   CLUE_CAUSE_PARAMETER, "clEnqueueNDRangeKernel",
                   "kernel 'f' belongs to another context than queue %d", q);
    assert_refused(clue_queue_write(NULL, q, b, 0, &byte, 1), CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER,
                   "clEnqueueWriteBuffer", "the buffer belongs to another context than queue %d", q);
    assert_refused(clue_queue_read(NULL, &byte, q, b, 0, 1), CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER,
                   "clEnqueueReadBuffer", "the buffer belongs to another context than queue %d", q);
    assert_refused(clue_queue_execute(&event, b, k, 1, NULL, &global, NULL), CL_INVALID_COMMAND_QUEUE,
                   CLUE_CAUSE_HANDLE, "clEnqueueNDRangeKernel", "%d is a buffer; a queue is needed", b);
    assert_refused(clue_queue_execute(&event, q, q, 1, NULL, &global, NULL), CL_INVALID_KERNEL, CLUE_CAUSE_HANDLE,
                   "clEnqueueNDRangeKernel", "%d is a queue; a kernel is needed", q);
    assert_refused(clue_queue_read(NULL, &byte, q, q, 0, 1), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE,
                   "clEnqueueReadBuffer", "%d is a queue; a buffer is needed", q);
    assert_refused(clue_queue_flush(-1), CL_INVALID_COMMAND_QUEUE, CLUE_CAUSE_FAILED, "clFlush",
                   "-1 is not a queue");
    assert_int_equal(event, 7);
}

TEST(ranges_are_checked_on_every_queue) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_buffer(c, 64);
    const int32_t k = new_kernel(c, kernel_increment);
    const int64_t global = 0;
    const int32_t before = clue_handle_count();
    int32_t event = 7;
    char byte = 0;
    assert_int_equal(clue_queue_execute(&event, q, k, 1, NULL, &global, NULL), CL_INVALID_GLOBAL_WORK_SIZE);
    assert_int_equal(clue_queue_write(NULL, q, b, 64, &byte, 1), CL_INVALID_VALUE);
    assert_int_equal(clue_queue_read(NULL, &byte, q, b, -1, 1), CL_INVALID_VALUE);
    assert_int_equal(event, 7);
    assert_int_equal(clue_handle_count(), before); /* failed commands leave no event */
}

TEST(an_event_is_made_only_on_request) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE),
                  k = new_kernel(c, kernel_increment), before = clue_handle_count();
    const int64_t global = 16;
    assert_works(clue_kernel_set_object(k, 0, new_buffer(c, 64), 0));
    assert_works(clue_queue_execute(NULL, q, k, 1, NULL, &global, NULL));
    run_1d(k, 16);
    assert_int_equal(clue_handle_count(), before + 1);
}

/* ---- events ---- */

TEST(an_event_outlives_everything_else) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), k = new_slow_kernel(c);
    int32_t status = 7, clock = 7;
    double seconds = 0;
    const int32_t event = run_on(q, k, 64);
    for (int32_t handle = clue_handle_next(0); handle; handle = clue_handle_next(handle))
        if (handle != event) assert_works(clue_handle_free(handle, CLUE_NONE));
    assert_int_equal(clue_handle_count(), 1);
    assert_works(clue_event_wait(event));
    assert_works(clue_event_status(&status, event));
    assert_int_equal(status, CL_COMPLETE);
    assert_works(clue_event_time(&seconds, &clock, event));
    assert_true(seconds > 0);
    assert_works(clue_context_finish(event));
}

/* Times a long run and a short one after it. Returns whether the clock is the device's. */
static bool time_two(double *longer_out, double *shorter_out, int32_t q, int32_t k) {
    double last = 0;
    int32_t clock = 7, one, two;
    assert_works(clue_kernel_set_number(k, 1, CLUE_AUTO, many()));
    one = run_on(q, k, 64);
    assert_works(clue_event_wait(one));
    assert_works(clue_kernel_set_number(k, 1, CLUE_AUTO, 1));
    two = run_on(q, k, 1);
    assert_works(clue_event_time(shorter_out, &clock, two));
    assert_works(clue_event_time(longer_out, &clock, one));
    assert_works(clue_kernel_time(&last, &clock, k));
    assert_true(last == *shorter_out);
    return clock == CLUE_CLOCK_DEVICE;
}

TEST(each_event_has_its_own_time) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), k = new_slow_kernel(c);
    double longer = 0, shorter = 0;
    bool right = false;
    assert_works(clue_event_wait(run_on(q, k, 64)));         /* so that it is compiled */
    for (int32_t tries = 0; tries < 20 && !right; tries++) { /* a busy machine may delay the short run */
        const bool by_device = time_two(&longer, &shorter, q, k);
        assert_true(by_device == !is_rusticl());
        right = !by_device || shorter < longer;
    }
    assert_true(right);
}

TEST(moments_follow_each_other) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), k = new_slow_kernel(c);
    double moments[4] = {0}, next = 0, seconds = 0;
    int32_t clock = 7;
    const int32_t one = run_on(q, k, 64), two = run_on(q, k, 64);
    if (is_rusticl()) {
        assert_refused(clue_event_moment(&next, one, CLUE_STARTED), CL_PROFILING_INFO_NOT_AVAILABLE,
                       CLUE_CAUSE_PARAMETER, "clGetEventProfilingInfo",
                       "%s has no timer that can be trusted, or the queue was made without profiling",
                       device_name());
        assert_true(next == 0);
        return;
    }
    for (int32_t i = CLUE_QUEUED; i <= CLUE_ENDED; i++)
        assert_works(clue_event_moment(&moments[i], one, i));
    assert_true(moments[0] >= 0 && moments[0] <= moments[1] && moments[1] <= moments[2]);
    assert_true(moments[2] < moments[3]);
    assert_works(clue_event_time(&seconds, &clock, one));
    assert_true(moments[3] - moments[2] - seconds < 1e-9 && seconds - (moments[3] - moments[2]) < 1e-9);
    assert_works(clue_event_moment(&next, two, CLUE_STARTED));
    assert_true(next >= moments[3]); /* the queue is in order */
}

TEST(a_queue_without_profiling_gives_host_time) {
    const int32_t c = new_context(), k = new_slow_kernel(c);
    int32_t q = 0, clock = 7, event;
    double seconds = 0;
    assert_works(clue_queue_create(&q, c, c, 0));
    event = run_on(q, k, 64);
    assert_works(clue_event_time(&seconds, &clock, event));
    assert_int_equal(clock, CLUE_CLOCK_HOST);
    assert_true(seconds > 0);
    assert_int_equal(clue_event_moment(&seconds, event, CLUE_ENDED), CL_PROFILING_INFO_NOT_AVAILABLE);
}

TEST(only_events_have_a_status_and_a_time) {
    const int32_t c = new_context();
    int32_t number = 7, q, k, event;
    double seconds = 7;
    assert_refused(clue_event_status(&number, c), CL_INVALID_EVENT, CLUE_CAUSE_HANDLE, "clGetEventInfo",
                   "%d is a context; an event is needed", c);
    assert_refused(clue_event_wait(-1), CL_INVALID_EVENT, CLUE_CAUSE_FAILED, "clWaitForEvents",
                   "-1 is not an event");
    assert_refused(clue_event_time(&seconds, &number, -1), CL_INVALID_EVENT, CLUE_CAUSE_FAILED,
                   "clGetEventProfilingInfo", "-1 is not an event");
    q = new_queue(c, CL_QUEUE_PROFILING_ENABLE);
    k = new_kernel(c, kernel_empty);
    event = run_on(q, k, 1);
    assert_refused(clue_event_moment(&seconds, event, 4), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clGetEventProfilingInfo", "4 is not a moment of an event");
    assert_refused(clue_event_moment(&seconds, event, -1), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clGetEventProfilingInfo", "-1 is not a moment of an event");
    assert_refused(clue_buffer_create(&number, event, 4, 0), CL_INVALID_CONTEXT, CLUE_CAUSE_HANDLE,
                   "clCreateBuffer", "%d is an event; a context is needed", event);
    assert_true(number == 7 && seconds == 7);
}

/* ---- profiles ---- */

TEST(a_profile_counts_all_queues) {
    const int32_t c = new_context(), one = new_queue(c, CL_QUEUE_PROFILING_ENABLE),
                  two = new_queue(c, CL_QUEUE_PROFILING_ENABLE);
    const int32_t first = new_slow_kernel(c), second = new_slow_kernel(c);
    double seconds = 0, sum = 0;
    int32_t clock = 7, executions = 0, events[4];
    assert_works(clue_profile_start());
    events[0] = run_on(one, first, 64);
    events[1] = run_on(two, second, 64);
    events[2] = run_on(one, first, 64);
    events[3] = run_on(two, second, 64);
    assert_works(clue_profile_stop(&seconds, &clock, &executions));
    assert_int_equal(executions, 4);
    for (int i = 0; i < 4; i++) {
        double time = 0;
        assert_works(clue_event_time(&time, &clock, events[i]));
        sum += time;
    }
    if (clock == CLUE_CLOCK_DEVICE) assert_true(seconds > sum * 0.999 && seconds < sum * 1.001);
    assert_true(seconds > 0 && seconds <= sum * 1.001);
}

/* Only the second kernel of the queue is waited for. The first must have ended before it, whatever other queues ran
 * in between. */
TEST(ends_are_ordered_within_each_queue) {
    const int32_t c = new_context(), k = new_slow_kernel(c), other = new_slow_kernel(c);
    int32_t one = 0, two = 0, clock = 7, executions = 0, between, last;
    double seconds = 0, begun, host;
    assert_works(clue_queue_create(&one, c, c, 0)); /* without profiling, so the host's clock counts */
    assert_works(clue_queue_create(&two, c, c, 0));
    assert_works(clue_profile_start());
    begun = clue_clock_now();
    (void)run_on(one, k, 64);
    between = run_on(two, other, 64);
    last = run_on(one, k, 64);
    assert_works(clue_event_wait(last));
    assert_works(clue_event_wait(between));
    host = clue_clock_now() - begun;
    clue_clock_sleep(0.3); /* nothing runs */
    assert_works(clue_profile_stop(&seconds, &clock, &executions));
    assert_int_equal(executions, 3);
    assert_int_equal(clock, CLUE_CLOCK_HOST);
    assert_true(seconds > 0 && seconds <= host);
}
