/* Waiting: wait lists, markers and barriers, user events, queues out of order, and transfers that nobody has waited
 * for.
 *
 * suite: quick
 * drivers: pocl oclgrind rusticl */
#include "stub.h"

#include <pthread.h>

static cl_uint most_waits;       /* the length of the longest wait list of a kernel */
static cl_uint seen_waits;       /* the length of the last kernel's wait list */
static cl_event waited[4], made; /* its events, and the last kernel's own */
static pthread_t main_thread;

STUB(clEnqueueNDRangeKernel) {
    cl_int code;
    assert_true((count == 0) == (events == NULL));
    assert_true(count <= sizeof waited / sizeof *waited);
    seen_waits = count;
    if (count > most_waits) most_waits = count;
    if (count) memcpy(waited, events, count * sizeof *waited);
    code = NEXT(clEnqueueNDRangeKernel);
    made = event_out ? *event_out : NULL;
    return code;
}

static cl_uint barrier_waits; /* the length of the last barrier's wait list */
static cl_event barrier_waited[4], barrier_made;

STUB(clEnqueueBarrierWithWaitList) {
    cl_int code;
    assert_true(count <= sizeof barrier_waited / sizeof *barrier_waited);
    barrier_waits = count;
    if (count) memcpy(barrier_waited, events, count * sizeof *events);
    code = NEXT(clEnqueueBarrierWithWaitList);
    barrier_made = event_out ? *event_out : NULL;
    return code;
}

/* While PoCL sets a user event, it locks and unlocks several times. After the second unlock, the test waits until
 * another command, `awaited`, has ended. */
static int (*next_unlock)(pthread_mutex_t *);
static int unlocks; /* counts from 1 while a user event is set; 0: none is being set */
static int32_t awaited;

static void await_end(void) {
    const double until = clue_clock_now() + 10;
    int32_t status = CL_QUEUED;
    while (status > CL_COMPLETE && clue_clock_now() < until)
        assert_works(clue_event_status(&status, awaited));
    clue_clock_sleep(0.005);
}

__attribute__((visibility("default"))) int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    int code;
    if (!next_unlock) next_unlock = (__typeof__(next_unlock))loaders_function("pthread_mutex_unlock");
    code = next_unlock(mutex);
    if (pthread_equal(main_thread, pthread_self()) && unlocks && unlocks++ == 2) await_end();
    return code;
}

STUB(clSetUserEventStatus) {
    cl_int code;
    unlocks = awaited ? 1 : 0;
    code = NEXT(clSetUserEventStatus);
    unlocks = 0;
    return code;
}

static int32_t new_user_event(int32_t in) {
    int32_t handle = 0;
    assert_works(clue_user_event_create(&handle, in));
    assert_int_equal(clue_handle_kind(handle), CLUE_EVENT);
    return handle;
}

/* Adds 1 to each of the buffer's 16 ints. */
static int32_t new_increment(int32_t in, int32_t b) {
    const int32_t k = new_kernel(in, kernel_increment);
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    return k;
}

static int32_t enqueue(int32_t on, int32_t k) {
    const int64_t global = 16;
    int32_t event = 0;
    assert_works(clue_queue_execute(&event, on, k, 1, NULL, &global, NULL));
    return event;
}

static int32_t zeroed_buffer(int32_t in) {
    const int32_t b = new_buffer(in, 64);
    const int zeros[16] = {0};
    assert_works(clue_buffer_write(b, 0, zeros, sizeof zeros));
    return b;
}

/* ---- wait lists ---- */

TEST(a_wait_list_is_taken_by_the_next_command) {
    const int32_t c = new_context(), one = new_queue(c, 0), two = new_queue(c, 0), b = zeroed_buffer(c);
    const int32_t k = new_increment(c, b), foreign = new_context();
    const int32_t events[] = {enqueue(one, k), enqueue(one, k)};
    const int64_t global = 16;
    assert_works(clue_queue_wait_for(two, events, 2));
    (void)enqueue(two, k);
    assert_int_equal(seen_waits, 2);
    (void)enqueue(two, k);
    assert_int_equal(seen_waits, 0);
    assert_works(clue_queue_wait_for(two, events, 2)); /* the last list replaces this one */
    assert_works(clue_queue_wait_for(two, events, 1));
    (void)enqueue(two, k);
    assert_int_equal(seen_waits, 1);
    assert_works(clue_queue_wait_for(two, events, 2)); /* commands of other queues do not take it */
    (void)enqueue(one, k);
    assert_int_equal(seen_waits, 0);
    assert_int_equal(clue_queue_execute(NULL, two, -1, 1, NULL, &global, NULL), CL_INVALID_KERNEL);
    (void)enqueue(two, k); /* the refused command has taken it */
    assert_int_equal(seen_waits, 0);
    assert_works(clue_queue_wait_for(two, NULL, 0));
    assert_refused(clue_queue_wait_for(two, &b, 1), CL_INVALID_EVENT, CLUE_CAUSE_HANDLE, "clWaitForEvents",
                   "%d is a buffer; an event is needed", (int)b);
    assert_refused(clue_queue_wait_for(two, NULL, 2), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clWaitForEvents",
                   "a list of 2 events");
    assert_refused(clue_queue_wait_for(new_queue(foreign, 0), events, 2), CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER,
                   "clWaitForEvents",
                   "event %d (kernel 'f') belongs to another context than the command that is to wait for it",
                   (int)events[0]);
    assert_works(clue_context_finish(c));
}

TEST(a_question_does_not_take_a_wait_list) {
    const int32_t c = new_context(), one = new_queue(c, 0), two = new_queue(c, 0);
    const int32_t k = new_increment(c, zeroed_buffer(c)), event = enqueue(one, k);
    const int64_t offset[3] = {0}, global[] = {16, 1, 1};
    int64_t x, y, z;
    int32_t by_driver;
    assert_works(clue_queue_wait_for(two, &event, 1));
    assert_works(clue_queue_suggested_local_size(&x, &y, &z, &by_driver, two, k, offset, global));
    (void)enqueue(two, k);
    assert_int_equal(seen_waits, 1);
    assert_works(clue_context_finish(c));
}

/* Two queues, since in one the last event alone would be enough. */
TEST(a_wait_list_has_the_events_that_were_given) {
    const int32_t c = new_context(), on[] = {new_queue(c, 0), new_queue(c, 0), new_queue(c, 0)};
    const int32_t k = new_increment(c, zeroed_buffer(c));
    int32_t events[2];
    cl_event of[2];
    for (int i = 0; i < 2; i++) {
        events[i] = enqueue(on[i], k);
        of[i] = made;
    }
    assert_ptr_not_equal(of[0], of[1]);
    assert_works(clue_queue_wait_for(on[2], events, 2));
    (void)enqueue(on[2], k);
    assert_int_equal(seen_waits, 2);
    assert_memory_equal(waited, of, sizeof of);
    assert_works(clue_context_finish(c));
}

TEST(a_replay_waits_for_the_events_that_were_given) {
    const int32_t c = new_context(), one = new_queue(c, 0), two = new_queue(c, 0);
    const int32_t k = new_increment(c, zeroed_buffer(c));
    int32_t graph = 0, commands = 0, event;
    cl_event of;
    assert_works(clue_graph_create(&graph, &commands, two));
    for (int i = 0; i < 2; i++)
        assert_works(clue_queue_execute(NULL, commands, k, 1, NULL, &(int64_t){16}, NULL));
    assert_works(clue_graph_end(graph, 0));
    event = enqueue(one, k);
    of = made;
    assert_works(clue_queue_wait_for(two, &event, 1));
    most_waits = 0;
    assert_works(clue_graph_replay(NULL, graph, two));
    assert_int_equal(most_waits, 1);
    assert_ptr_equal(waited[0], of);
    assert_works(clue_context_finish(c));
}

TEST(a_command_begins_after_its_wait_list) {
    const int32_t c = new_context(), one = new_queue(c, 0), two = new_queue(c, 0), b = zeroed_buffer(c);
    const int32_t k = new_increment(c, b);
    int values[16];
    int32_t event = 0;
    for (int i = 0; i < 20; i++) {
        const int32_t on = i % 2 ? two : one;
        if (event) assert_works(clue_queue_wait_for(on, &event, 1));
        event = enqueue(on, k);
    }
    assert_works(clue_queue_wait_for(one, &event, 1));
    assert_works(clue_queue_read(NULL, values, one, b, 0, sizeof values));
    assert_int_equal(values[0], 20);
    assert_int_equal(values[15], 20);
}

TEST(markers_and_barriers_are_commands) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = zeroed_buffer(c);
    const int32_t k = new_increment(c, b), before = enqueue(q, k);
    int32_t marker = 0, barrier = 0, status = 7;
    assert_works(clue_queue_marker(&marker, q));
    assert_works(clue_queue_barrier(&barrier, q));
    assert_works(clue_queue_marker(NULL, q));
    assert_works(clue_queue_barrier(NULL, q));
    assert_works(clue_event_wait(barrier));
    assert_works(clue_event_status(&status, before));
    assert_int_equal(status, CL_COMPLETE);
    assert_works(clue_event_wait(marker));
    assert_int_equal(clue_queue_marker(NULL, -1), CL_INVALID_COMMAND_QUEUE);
    assert_int_equal(clue_queue_barrier(NULL, c), CL_INVALID_COMMAND_QUEUE);
}

/* ---- queues out of order ---- */

TEST(a_queue_out_of_order_is_finished_whole) {
    const int32_t c = new_context(), b = zeroed_buffer(c), k = new_increment(c, b);
    int values[16];
    int32_t q = 0, event = 0;
    if (!limits()->out_of_order) {
        assert_refused(clue_queue_create(&q, c, c, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
                       CL_INVALID_QUEUE_PROPERTIES, CLUE_CAUSE_LIMIT, "clCreateCommandQueue",
                       "%s has no queues out of order: make several queues for commands that may overlap",
                       device_name());
        return;
    }
    q = new_queue(c, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    for (int i = 0; i < 50; i++) { /* more than there is room for at first */
        if (event && i % 2)
            assert_works(clue_queue_wait_for(q, &event, 1));
        else if (event)
            assert_works(clue_queue_barrier(NULL, q));
        event = enqueue(q, k);
    }
    assert_works(clue_queue_finish(q));
    assert_works(clue_queue_read(NULL, values, q, b, 0, sizeof values));
    assert_int_equal(values[0], 50);
    assert_works(clue_handle_free(q, CLUE_QUEUE));
}

/* ---- user events ---- */

TEST(a_user_event_is_set_once) {
    const int32_t c = new_context(), u = new_user_event(c), q = new_queue(c, 0);
    const int32_t of_kernel = enqueue(q, new_increment(c, zeroed_buffer(c)));
    int32_t status = 7;
    double seconds;
    assert_works(clue_event_status(&status, u));
    assert_int_equal(status, CL_SUBMITTED);
    assert_refused(clue_event_wait(u), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "clWaitForEvents",
                   "user event %d is not set, and the script cannot set it while it waits", (int)u);
    assert_refused(clue_user_event_set(u, 1), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clSetUserEventStatus",
                   "1 is not a status to set: 0 means complete, a number below 0 means failed");
    assert_refused(
        clue_user_event_set(of_kernel, 0), CL_INVALID_EVENT, CLUE_CAUSE_PARAMETER, "clSetUserEventStatus",
        "event %d is of kernel 'f': only user events can be set, the driver completes all others", (int)of_kernel);
    assert_works(clue_user_event_set(u, 0));
    assert_works(clue_event_wait(u));
    assert_works(clue_event_status(&status, u));
    assert_int_equal(status, CL_COMPLETE);
    assert_refused(clue_user_event_set(u, -1), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "clSetUserEventStatus",
                   "user event %d was already set (status 0): that is possible only once", (int)u);
    assert_int_equal(clue_event_moment(&seconds, u, CLUE_ENDED), CL_PROFILING_INFO_NOT_AVAILABLE);
    assert_int_equal(clue_user_event_create(&status, u), CL_INVALID_CONTEXT);
}

/* On a driver that runs commands in the calling thread, checks that waits for user events are refused, and ends
 * the test. */
static void needs_threads(int32_t c) {
    const int32_t u = new_user_event(c), q = new_queue(c, 0);
    if (!limits()->synchronous) return;
    assert_works(clue_queue_wait_for(q, &u, 1));
    assert_refused(
        clue_queue_marker(NULL, q), CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, "clEnqueueMarkerWithWaitList",
        "%s runs commands in the calling thread, which would wait for user event %d for ever: set it before",
        device_name(), (int)u);
    skip_because("it runs commands in the calling thread");
}

TEST(commands_wait_for_user_events) {
    const int32_t c = new_context(), q = new_queue(c, 0), other = new_queue(c, 0), b = zeroed_buffer(c);
    const int32_t k = new_increment(c, b), u = new_user_event(c);
    int32_t first, second, status = 7;
    int values[16];
    needs_threads(c);
    assert_works(clue_queue_wait_for(q, &u, 1));
    first = enqueue(q, k);
    second = enqueue(q, k); /* waits because its queue is in order */
    assert_works(clue_queue_wait_for(other, &second, 1));
    (void)enqueue(other, k); /* waits for an event */
    assert_works(clue_event_status(&status, first));
    assert_true(status > CL_COMPLETE);
    assert_refused(clue_event_wait(second), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "clWaitForEvents",
                   "kernel 'f' waits for user event %d, which the script cannot set while it waits: set it before",
                   (int)u);
    assert_int_equal(clue_queue_finish(other), CL_INVALID_OPERATION);
    assert_int_equal(clue_context_finish(c), CL_INVALID_OPERATION);
    assert_refused(
        clue_queue_read(NULL, values, q, b, 0, sizeof values), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
        "clEnqueueReadBuffer",
        "a read from a buffer waits for user event %d, which the script cannot set while it waits: set it before",
        (int)u);
    assert_works(clue_user_event_set(u, 0));
    assert_works(clue_context_finish(c));
    assert_works(clue_queue_read(NULL, values, q, b, 0, sizeof values));
    assert_int_equal(values[0], 3);
}

TEST(a_failure_passes_on_to_waiting_commands) {
    const int32_t c = new_context(), q = new_queue(c, 0), k = new_increment(c, zeroed_buffer(c));
    const int32_t u = new_user_event(c), freed = new_user_event(c);
    int32_t event;
    needs_threads(c);
    assert_works(clue_queue_wait_for(q, &u, 1));
    event = enqueue(q, k);
    assert_works(clue_user_event_set(u, -77));
    assert_refused(clue_event_wait(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CLUE_CAUSE_PARAMETER,
                   "clWaitForEvents",
                   "kernel 'f' was not executed: it waited for user event %d, which failed "
                   "(status -77)",
                   (int)u);
    assert_int_equal(clue_queue_wait_for(q, &u, 1), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_works(clue_queue_wait_for(q, &freed, 1));
    event = enqueue(q, k);
    assert_works(clue_handle_free(freed, CLUE_EVENT)); /* nothing could set it any more */
    assert_refused(clue_event_wait(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CLUE_CAUSE_PARAMETER,
                   "clWaitForEvents",
                   "kernel 'f' was not executed: it waited for user event %d, which failed "
                   "(status -58)",
                   (int)freed);
}

/* A command waits for a user event and for another command, which ends while the user event is set to failed. PoCL
 * would start the command and fail it at the same time. */
TEST(a_failure_does_not_race_with_an_end) {
    const int32_t c = new_context(), q = new_queue(c, 0), other = new_queue(c, 0), k = new_kernel(c, kernel_slow);
    int32_t events[2], marker = 0;
    needs_threads(c);
    assert_works(clue_kernel_set_object(k, 0, zeroed_buffer(c), 0));
    assert_works(clue_kernel_set_number(k, 1, CLUE_AUTO, 60000));
    assert_works(clue_event_wait(enqueue(q, k))); /* so that it is compiled */
    if (is_pocl()) assert_works(clue_kernel_set_number(k, 1, CLUE_AUTO, 3000000));
    for (int i = 0; i < 2; i++) {
        awaited = enqueue(q, k);
        events[0] = awaited;
        events[1] = new_user_event(c);
        assert_works(clue_queue_wait_for(i ? q : other, events, 2));
        assert_works(clue_queue_marker(&marker, i ? q : other));
        assert_works(clue_user_event_set(events[1], -77));
        awaited = 0;
        assert_refused(clue_event_wait(marker), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CLUE_CAUSE_PARAMETER,
                       "clWaitForEvents",
                       "a marker was not executed: it waited for user event %d, which failed (status -77)",
                       (int)events[1]);
        assert_works(clue_event_wait(events[0]));
    }
}

/* PoCL forgets the barrier before, so it must be in the list. */
TEST(a_barrier_with_a_list_waits_for_the_barrier_before_it) {
    const int32_t c = new_context(), other = new_queue(c, 0), k = new_increment(c, zeroed_buffer(c));
    const int32_t u = new_user_event(c);
    int32_t q, event;
    cl_event first;
    needs_threads(c);
    if (!limits()->out_of_order) skip_because("it has no queues out of order");
    q = new_queue(c, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    event = enqueue(other, k);
    assert_works(clue_event_wait(event));
    assert_works(clue_queue_wait_for(q, &u, 1));
    assert_works(clue_queue_barrier(NULL, q));
    first = barrier_made;
    assert_works(clue_queue_wait_for(q, &event, 1));
    assert_works(clue_queue_barrier(NULL, q));
    assert_int_equal(barrier_waits, 2);
    assert_ptr_equal(barrier_waited[1], first);
    assert_works(clue_user_event_set(u, 0));
    assert_works(clue_queue_finish(q));
}

/* Commands whose events have no handle any more. Each waits for two user events: one may fail it, while the other,
 * which is set later, still has it in its list. */
TEST(failed_commands_are_kept_as_long_as_needed) {
    const int32_t c = new_context(), b = zeroed_buffer(c), k = new_increment(c, b);
    needs_threads(c);
    for (int i = 0; i < 50; i++) {
        const int32_t q = new_queue(c, 0), users[] = {new_user_event(c), new_user_event(c)};
        assert_works(clue_queue_wait_for(q, users, 2));
        assert_works(clue_handle_free(enqueue(q, k), CLUE_EVENT));
        assert_works(clue_handle_free(enqueue(q, k), CLUE_EVENT));
        if (i % 2) assert_works(clue_handle_free(q, CLUE_QUEUE));
        assert_works(clue_user_event_set(users[i / 2 % 2], i % 3 ? -1 : CL_COMPLETE));
        (void)enqueue(new_queue(c, 0), k); /* its event may get the memory of theirs */
        assert_works(clue_user_event_set(users[1 - i / 2 % 2], i % 5 ? CL_COMPLETE : -1));
    }
}

TEST(a_waiting_command_does_not_delay_the_end) {
    const int32_t c = new_context(), q = new_queue(c, 0), k = new_increment(c, zeroed_buffer(c));
    const int32_t u = new_user_event(c);
    int32_t status = 7;
    needs_threads(c);
    assert_works(clue_queue_wait_for(q, &u, 1));
    (void)enqueue(q, k);
    clue_finish();
    assert_int_equal(clue_event_status(&status, u), CL_INVALID_EVENT);
}

/* ---- transfers that are not waited for ---- */

TEST(settling_memory_waits_for_its_transfers) {
    const int32_t c = new_context(), q = new_queue(c, 0), b = zeroed_buffer(c), u = new_user_event(c);
    int values[16], others[16];
    int32_t event = 0, status = 7;
    for (int i = 0; i < 16; i++)
        values[i] = i + 1;
    assert_refused(clue_queue_write(&event, q, b, 0, values, 0), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clEnqueueWriteBuffer", "0 bytes: there is nothing to do");
    assert_works(clue_queue_write(&event, q, b, 0, values, sizeof values));
    assert_int_equal(clue_handle_kind(event), CLUE_EVENT);
    assert_works(clue_queue_read(&event, others, q, b, 0, sizeof others));
    assert_works(clue_array_settle(&others[15], 1));
    assert_int_equal(others[15], 16);
    assert_works(clue_event_status(&status, event));
    assert_int_equal(status, CL_COMPLETE);
    needs_threads(c);
    assert_works(clue_queue_wait_for(q, &u, 1));
    assert_works(clue_queue_read(&event, others, q, b, 0, sizeof others));
    assert_works(clue_array_settle(values, sizeof values));
    assert_int_equal(clue_array_settle(others, 1), CL_INVALID_OPERATION);
    assert_works(clue_user_event_set(u, 0));
    assert_works(clue_array_settle(others, 1));
}

TEST(a_migration_takes_memory_objects_only) {
    const int32_t c = new_context(), q = new_queue(c, 0), b = zeroed_buffer(c);
    int32_t event = 0;
    assert_works(clue_queue_migrate(&event, q, &b, 1, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED));
    assert_works(clue_event_wait(event));
    assert_refused(clue_queue_migrate(NULL, q, NULL, 0, 0), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clEnqueueMigrateMemObjects", "0 objects were given: there is nothing to do");
    assert_refused(
        clue_queue_migrate(NULL, q, &b, 1, 4), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clEnqueueMigrateMemObjects",
        "0x4 are not migration flags: use CL_MIGRATE_MEM_OBJECT_HOST and CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED");
    assert_int_equal(clue_queue_migrate(NULL, q, &q, 1, 0), CL_INVALID_MEM_OBJECT);
}

/* A signal handler would take the driver for busy. */
TEST(nobody_waits_for_a_command_that_was_refused) {
    const int32_t c = new_context(), u = new_user_event(c), q = new_queue(c, 0), b = new_buffer(c, 4);
    int32_t data = 0;
    assert_works(clue_queue_wait_for(q, &u, 1));
    assert_int_equal(clue_queue_write(NULL, q, b, 0, &data, 4), CL_INVALID_OPERATION);
    assert_null(clue_waiting());
    assert_works(clue_user_event_set(u, 0));
}

int main(void) {
    main_thread = pthread_self();
    return unit_run();
}
