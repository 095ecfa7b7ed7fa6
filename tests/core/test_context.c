/* Contexts and their queue, the lifetime of objects made in them, and the text of clue_waiting().
 *
 * suite: quick
 * drivers: oclgrind */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "stub.h"

#include <sys/wait.h>
#include <unistd.h>

static cl_int profiling_refusal; /* the error code for a queue with profiling; 0: the queue is made */
static char waited_for[64];      /* the text of clue_waiting() during the last wait */

STUB(clCreateCommandQueue) {
    if (properties && profiling_refusal) return *error_out = profiling_refusal, NULL;
    return NEXT(clCreateCommandQueue);
}

static void note_waiting(void) {
    (void)snprintf(waited_for, sizeof waited_for, "%s", clue_waiting() ? clue_waiting() : "nothing");
}

STUB(clWaitForEvents) {
    note_waiting();
    return NEXT(clWaitForEvents);
}

STUB(clEnqueueReadBuffer) {
    note_waiting();
    return NEXT(clEnqueueReadBuffer);
}

STUB(clBuildProgram) {
    note_waiting();
    return NEXT(clBuildProgram);
}

/* Whatever the driver does in a child, the call must say why it fails, and end. */
static bool child_is_told(int32_t code, const char *call) {
    char text[300];
    (void)snprintf(text, sizeof text,
                   "%s: CL_INVALID_OPERATION (-59): this process was forked after OpenCL was used, ", call);
    return code == CL_INVALID_OPERATION && strncmp(clue_error_text(), text, strlen(text)) == 0;
}

TEST(a_process_that_was_forked_is_told) {
    const int32_t c = new_context(), q = new_queue(c, 0), b = new_buffer(c, 64);
    int32_t count = 0, other = 0;
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        (void)alarm(20);
        _exit((child_is_told(clue_queue_finish(q), "clFinish") ? 0 : 1) +
              (child_is_told(clue_device_count(&count), "clGetPlatformIDs") ? 0 : 2) +
              (child_is_told(clue_context_create(&other, &(int32_t){0}, 1), "clGetPlatformIDs") ? 0 : 4) +
              (child_is_told(clue_handle_free(b, CLUE_BUFFER), "clReleaseMemObject") ? 0 : 8));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_works(clue_queue_finish(q));
}

TEST(a_context_needs_a_device) {
    int32_t c = 7;
    assert_refused(clue_context_create(&c, &(int32_t){1}, 1), CL_INVALID_DEVICE, CLUE_CAUSE_DEVICE,
                   "clCreateContext", "there is no device 1: the only one is 0");
    assert_refused(clue_context_create(&c, &(int32_t){-1}, 1), CL_INVALID_DEVICE, CLUE_CAUSE_DEVICE,
                   "clCreateContext", "there is no device -1: the only one is 0");
    assert_int_equal(c, 7);
    assert_works(clue_context_create(&c, &(int32_t){0}, 1));
    assert_int_equal(clue_handle_kind(c), CLUE_CONTEXT);
}

TEST(a_queue_that_cannot_profile_gives_host_time) {
    int32_t c, k, clock = -1;
    double seconds = 0;
    profiling_refusal = CL_INVALID_QUEUE_PROPERTIES;
    c = new_context();
    profiling_refusal = 0;
    assert_int_equal(clue_error_code(), 0);
    k = new_kernel(c, kernel_increment);
    assert_works(clue_kernel_set_object(k, 0, new_buffer(c, 64), 0));
    run_1d(k, 16);
    assert_works(clue_kernel_time(&seconds, &clock, k));
    assert_int_equal(clock, CLUE_CLOCK_HOST);
    assert_true(seconds > 0);
}

TEST(without_its_queue_a_context_is_not_made) {
    int32_t c = 7;
    profiling_refusal = CL_OUT_OF_HOST_MEMORY;
    assert_refused(clue_context_create(&c, &(int32_t){0}, 1), CL_OUT_OF_HOST_MEMORY, CLUE_CAUSE_MEMORY,
                   "clCreateCommandQueue", "the host has no memory left");
    profiling_refusal = 0;
    assert_int_equal(c, 7);
    assert_int_equal(clue_handle_count(), 0);
}

/* Frees a context, a program, a kernel and a buffer in all 24 orders. */
TEST(everything_can_be_freed_in_any_order) {
    static const int orders[][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                                    {0, 3, 2, 1}, {1, 0, 2, 3}, {1, 0, 3, 2}, {1, 2, 0, 3}, {1, 2, 3, 0},
                                    {1, 3, 0, 2}, {1, 3, 2, 0}, {2, 0, 1, 3}, {2, 0, 3, 1}, {2, 1, 0, 3},
                                    {2, 1, 3, 0}, {2, 3, 0, 1}, {2, 3, 1, 0}, {3, 0, 1, 2}, {3, 0, 2, 1},
                                    {3, 1, 0, 2}, {3, 1, 2, 0}, {3, 2, 0, 1}, {3, 2, 1, 0}};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        int32_t handles[4] = {0};
        handles[0] = new_context();
        handles[1] = new_program(handles[0], kernel_increment);
        assert_works(clue_kernel_create(&handles[2], handles[1], "f"));
        handles[3] = new_buffer(handles[0], 64);
        assert_works(clue_kernel_set_object(handles[2], 0, handles[3], 0));
        run_1d(handles[2], 16);
        for (int j = 0; j < 4; j++)
            assert_works(clue_handle_free(handles[orders[i][j]], 1 + orders[i][j]));
        assert_int_equal(clue_handle_count(), 0);
    }
}

TEST(children_work_on_after_their_context_is_freed) {
    const int32_t c = new_context(), p = new_program(c, kernel_increment), b = new_buffer(c, 64);
    int values[16] = {0};
    int32_t k = 0;
    assert_works(clue_buffer_write(b, 0, values, sizeof values));
    assert_works(clue_handle_free(c, CLUE_CONTEXT));
    assert_works(clue_kernel_create(&k, p, "f"));
    assert_works(clue_handle_free(p, CLUE_PROGRAM));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    run_1d(k, 16);
    assert_works(clue_buffer_read(values, b, 0, sizeof values));
    assert_int_equal(values[15], 1);
    assert_refused(clue_context_finish(c), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, "clFinish", "context %d was freed",
                   c);
    assert_refused(clue_buffer_create(&k, c, 4, 0), CL_INVALID_CONTEXT, CLUE_CAUSE_HANDLE, "clCreateBuffer",
                   "context %d was freed", c);
}

TEST(a_freed_program_makes_no_kernels) {
    const int32_t p = new_program(new_context(), kernel_increment);
    int32_t k = 7;
    assert_works(clue_handle_free(p, CLUE_PROGRAM));
    assert_refused(clue_kernel_create(&k, p, "f"), CL_INVALID_PROGRAM, CLUE_CAUSE_HANDLE, "clCreateKernel",
                   "program %d was freed", p);
    assert_int_equal(k, 7);
}

TEST(finishing_waits_for_the_newest_kernel) {
    const int32_t c = new_context(), k = new_kernel(c, kernel_increment), b = new_buffer(c, 64);
    int32_t status = -1;
    assert_works(clue_context_finish(c)); /* there is nothing to wait for */
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    run_1d(k, 16);
    assert_works(clue_context_finish(b));
    assert_string_equal(waited_for, "kernel 'f'");
    assert_works(clue_kernel_status(&status, k));
    assert_int_equal(status, CL_COMPLETE);
    run_1d(k, 16);
    assert_works(clue_handle_free(k, CLUE_KERNEL)); /* finishing still waits for its last execution */
    assert_works(clue_context_finish(c));
    assert_refused(clue_context_finish(-1), CL_INVALID_VALUE, CLUE_CAUSE_FAILED, "clFinish", "-1 is not a handle");
}

TEST(a_wait_can_be_named_while_it_lasts) {
    const int32_t c = new_context(), p = new_program(c, kernel_increment), b = new_buffer(c, 64);
    int32_t k = 0;
    int value;
    assert_null(clue_waiting());
    assert_string_equal(waited_for, "the build of a program");
    assert_works(clue_kernel_create(&k, p, "f"));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    run_1d(k, 1);
    assert_null(clue_waiting());
    assert_works(clue_kernel_wait(k));
    assert_string_equal(waited_for, "kernel 'f'");
    assert_works(clue_buffer_read(&value, b, 0, sizeof value));
    assert_string_equal(waited_for, "a read from a buffer");
    assert_null(clue_waiting());
}
