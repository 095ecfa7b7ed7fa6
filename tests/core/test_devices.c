/* A context over several devices of a platform: each device has its own queues, build, binary and limits. PoCL is
 * set to have two devices; other drivers have one, and skip these tests.
 *
 * suite: quick */
#include "support.h"

#include "queue/queue.h"

/* Ends the test if there are no two devices of one platform. */
static int32_t new_wide_context(void) {
    const int32_t ids[] = {0, 1};
    int32_t count = 0, handle = 0, first = 0, second = 1, index;
    assert_works(clue_device_count(&count));
    if (count > 1) {
        assert_works(clue_device_locate(&first, &index, 0));
        assert_works(clue_device_locate(&second, &index, 1));
    }
    if (first != second) skip_because("it has one device");
    assert_works(clue_context_create(&handle, ids, 2));
    return handle;
}

static int32_t new_queue_on(int32_t in, int32_t device_id) {
    int32_t handle = 0;
    assert_works(clue_queue_create(&handle, in, device_id, CL_QUEUE_PROFILING_ENABLE));
    return handle;
}

TEST(a_context_has_devices_of_one_platform_each_once) {
    const int32_t twice[] = {0, 0}, none[] = {0, 4000};
    int32_t c = 7, count = 0;
    assert_refused(clue_context_create(&c, NULL, 0), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clCreateContext",
                   "a context with 0 devices: it needs at least 1");
    assert_refused(clue_context_create(&c, twice, 2), CL_INVALID_DEVICE, CLUE_CAUSE_DEVICE, "clCreateContext",
                   "%s is listed twice among the context's devices", device_name());
    assert_int_equal(clue_context_create(&c, none, 2), CL_INVALID_DEVICE);
    assert_int_equal(c, 7);
    assert_works(clue_context_create(&c, twice, 1));
    assert_works(clue_device_count(&count));
    assert_int_equal(clue_queue_create(&c, c, count, 0), CL_INVALID_DEVICE);
}

TEST(a_device_outside_the_context_is_refused) {
    const int32_t wide = new_wide_context();
    int32_t narrow = 0, q = 0;
    assert_works(clue_context_create(&narrow, &(int32_t){1}, 1));
    assert_refused(
        clue_queue_create(&q, narrow, 0, 0), CL_INVALID_DEVICE, CLUE_CAUSE_DEVICE, "clCreateCommandQueue",
        "device 0 does not belong to the context, which has 1, the first of them %s", device_at(1, "clFoo")->name);
    assert_works(clue_queue_create(&q, wide, 0, 0));
}

TEST(queues_of_all_devices_share_buffers_and_programs) {
    const int32_t c = new_wide_context(), one = new_queue_on(c, 0), two = new_queue_on(c, 1);
    const int32_t b = new_buffer(c, 64), k = new_kernel(c, kernel_increment);
    const int64_t global = 16;
    int values[16] = {0};
    int32_t event = 0;
    assert_ptr_equal(((queue *)handle_find(two, CLUE_QUEUE, "clFoo"))->device, device_at(1, "clFoo"));
    assert_works(clue_buffer_write(b, 0, values, sizeof values));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    for (int i = 0; i < 10; i++) {
        const int32_t on = i % 2 ? two : one;
        if (event) assert_works(clue_queue_wait_for(on, &event, 1));
        assert_works(clue_queue_execute(&event, on, k, 1, NULL, &global, NULL));
    }
    assert_works(clue_queue_wait_for(one, &event, 1));
    assert_works(clue_queue_migrate(NULL, one, &b, 1, 0));
    assert_works(clue_queue_read(NULL, values, one, b, 0, sizeof values));
    assert_int_equal(values[0], 10);
    assert_int_equal(values[15], 10);
}

TEST(programs_are_built_for_all_devices) {
    const int32_t c = new_wide_context(), p = new_program(c, kernel_increment), k = new_kernel(c, kernel_increment);
    const char *log = NULL;
    char bytes[200000];
    int64_t size = 0, other = 0;
    size_t group = 0;
    int32_t failed = 0;
    assert_works(clue_program_log(&log, p, 1));
    assert_string_equal(log, "");
    assert_works(clue_program_binary(&size, p, 1, NULL, 0));
    assert_in_range(size, 1, (int64_t)sizeof bytes);
    assert_works(clue_program_binary(&other, p, 1, bytes, size));
    assert_int_equal(other, size);
    assert_refused(
        clue_program_from_binary(&failed, c, bytes, size), CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT,
        "clCreateProgramWithBinary",
        "a binary is for one device, but the context has 2: build from source, or make a context on that "
        "one device");
    assert_works(clue_kernel_group_info(&size, k, 1, CL_KERNEL_WORK_GROUP_SIZE, &group, sizeof group));
    assert_true(group > 0);
    assert_int_equal(clue_kernel_group_info(&size, k, 4000, CL_KERNEL_WORK_GROUP_SIZE, &group, sizeof group),
                     CL_INVALID_DEVICE);
    assert_int_equal(clue_program_create(&failed, c, "wrong", 5, NULL), CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(clue_error_log(), "wrong"));
}

int main(void) {
    (void)setenv("POCL_DEVICES", "pthread pthread", 1);
    return unit_run();
}
