/* Kernels: making them, and all checks of the range that they are executed over.
 *
 * suite: quick
 * drivers: pocl oclgrind rusticl */
#include "kept_context.h"

#include "kernel/internal.h"

#include <inttypes.h>

static const char *const enqueue = "clEnqueueNDRangeKernel";
static cl_int enqueue_refusal, flush_refusal; /* the driver's next error codes; 0: none */
static int flushes;

STUB(clEnqueueNDRangeKernel) {
    if (enqueue_refusal) return enqueue_refusal;
    return NEXT(clEnqueueNDRangeKernel);
}

STUB(clFlush) {
    flushes++;
    return flush_refusal ? flush_refusal : NEXT(clFlush);
}

/* A kernel whose only argument is a buffer of 64 ints. */
static int32_t new_ready_kernel(const char *source) {
    const int32_t c = new_context(), k = new_kernel(c, source), b = new_buffer(c, 256);
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    return k;
}

static int32_t execute(int32_t k, int64_t global, int64_t local) {
    return clue_kernel_execute(k, 1, NULL, &global, &local);
}

/* ---- making ---- */

TEST(a_wrong_name_lists_the_kernels) {
    const int32_t p = new_program(new_context(), "__kernel void one() {}\n__kernel void two() {}\n");
    const char *wrong[] = {"three", "on", "onee", "one;two", "two;"};
    int32_t k = 7;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_refused(clue_kernel_create(&k, p, wrong[i]), CL_INVALID_KERNEL_NAME, CLUE_CAUSE_PARAMETER,
                       "clCreateKernel", "the program has no kernel '%s'; it has: one, two", wrong[i]);
    assert_refused(clue_kernel_create(&k, p, ""), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clCreateKernel",
                   "the kernel's name is empty");
    assert_refused(clue_kernel_create(&k, p, NULL), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clCreateKernel",
                   "the kernel's name is empty");
    assert_refused(clue_kernel_create(&k, 0, "one"), CL_INVALID_PROGRAM, CLUE_CAUSE_HANDLE, "clCreateKernel",
                   "0 is not a program: handles are 65536 or more");
    assert_int_equal(k, 7);
    assert_works(clue_kernel_create(&k, p, "one"));
    assert_works(clue_kernel_create(&k, p, "two"));
}

/* A program whose one kernel has a name of so many characters. */
static int32_t program_with_long_name(int32_t in, char *name, size_t length) {
    char source[2000];
    memset(name, 'k', length);
    name[length] = '\0';
    (void)snprintf(source, sizeof source, "__kernel void %s(__global int *a) { a[0] = 1; }", name);
    return new_program(in, source);
}

TEST(pocl_takes_no_long_names) {
    const int32_t c = new_context();
    char name[1001];
    int32_t p = program_with_long_name(c, name, 200), k = 0;
    int64_t size = 7;
    assert_works(clue_kernel_create(&k, p, name));
    assert_works(clue_kernel_set_object(k, 0, new_buffer(c, 64), 0));
    run_and_wait(k, 1);
    p = program_with_long_name(c, name, 1000);
    if (is_pocl()) {
        assert_refused(clue_kernel_create(&k, p, name), CL_INVALID_KERNEL_NAME, CLUE_CAUSE_LIMIT, "clCreateKernel",
                       "the name of kernel 'kkkkkkkkkkkkkkkkkkkk...' has 1000 characters");
        assert_refused(clue_program_binary(&size, p, p, NULL, 0), CL_INVALID_KERNEL_NAME, CLUE_CAUSE_LIMIT,
                       "clGetProgramInfo", "the name of kernel 'kkkkkkkkkkkkkkkkkkkk...' has 1000 characters");
        return;
    }
    assert_works(clue_kernel_create(&k, p, name));
    assert_works(clue_kernel_set_object(k, 0, new_buffer(c, 64), 0));
    run_and_wait(k, 1);
}

TEST(group_properties_come_as_raw_bytes) {
    const int32_t k =
        new_kernel(new_context(), "__kernel __attribute__((reqd_work_group_size(8, 2, 1))) void f() {}");
    size_t group[3] = {0};
    int64_t size = 0;
    assert_works(clue_kernel_group_info(&size, k, k, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, NULL, 0));
    assert_int_equal(size, sizeof group);
    assert_works(clue_kernel_group_info(&size, k, k, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, group, sizeof group));
    assert_int_equal(group[0], 8);
    assert_int_equal(group[1], 2);
    assert_refused(clue_kernel_group_info(&size, k, k, CL_KERNEL_WORK_GROUP_SIZE, group, -5), CL_INVALID_VALUE,
                   CLUE_CAUSE_SIZE, "clGetKernelWorkGroupInfo", "a capacity of -5 bytes");
    assert_refused(clue_kernel_group_info(&size, k, k, 0x7777, NULL, 0), CL_INVALID_VALUE, CLUE_CAUSE_DRIVER,
                   "clGetKernelWorkGroupInfo", "%s", "");
}

/* ---- executions ---- */

TEST(a_range_is_executed_from_its_offset) {
    const int32_t c = new_context(), b = new_buffer(c, 256);
    const int32_t k = new_kernel(
        c, "__kernel void f(__global int *a) {"
           "  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);"
           "  a[x + 4 * y + 16 * z] = (int)(get_global_size(0) + get_local_size(0) + get_work_dim() * 100); }");
    const int64_t offset[] = {1, 2, 3}, global[] = {2, 2, 1}, local[] = {2, 1, 1};
    int values[64] = {0};
    assert_works(clue_buffer_write(b, 0, values, sizeof values));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_kernel_execute(k, 3, offset, global, local));
    assert_works(clue_buffer_read(values, b, 0, sizeof values));
    for (int i = 0; i < 64; i++) {
        const int x = i % 4, y = i / 4 % 4, z = i / 16;
        assert_int_equal(values[i], (x == 1 || x == 2) && y >= 2 && z == 3 ? 304 : 0);
    }
}

TEST(the_newest_kernel_is_known) {
    const int32_t c = new_context(), k = new_kernel(c, kernel_increment), other = new_kernel(c, kernel_increment);
    const int64_t size = 4, uneven = 3;
    const char *name = NULL;
    int32_t newest = 0, q = 0;
    const int64_t before = clue_kernel_newest(&newest, &name);
    assert_true(newest != k && newest != other);
    assert_works(clue_queue_create(&q, c, c, 0));
    assert_works(clue_kernel_set_object(k, 0, new_buffer(c, 16), 0));
    assert_works(clue_kernel_set_object(other, 0, new_buffer(c, 16), 0));
    assert_works(execute(k, 4, 4));
    assert_works(clue_queue_execute(NULL, q, other, 1, NULL, &size, NULL));
    assert_true(execute(k, 0, uneven) != 0); /* a refused call is not an execution */
    assert_int_equal(clue_kernel_newest(&newest, &name), before + 2);
    assert_int_equal(newest, other);
    assert_string_equal(name, "f");
    assert_works(clue_handle_free(other, CLUE_KERNEL));
    assert_int_equal(clue_kernel_newest(&newest, &name), before + 2);
    assert_int_equal(newest, other);
    assert_null(name);
}

TEST(offsets_have_64_bits) {
    const int32_t c = new_context(), b = new_buffer(c, 256);
    const int32_t k = new_kernel(c, "__kernel void f(__global ulong *a) {"
                                    "  a[get_global_id(0) - get_global_offset(0)] = get_global_id(0); }");
    const int64_t offsets[] = {5, INT64_C(1) << 32, (INT64_C(1) << 40) + 3, INT64_MAX - 4}, four = 4;
    if (is_nvidia()) skip_because("it counts work-items with 31 bits, and clue refuses more");
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        uint64_t values[4] = {0};
        assert_works(clue_kernel_execute(k, 1, &offsets[i], &four, NULL));
        assert_works(clue_buffer_read(values, b, 0, sizeof values));
        assert_true(values[3] == (uint64_t)offsets[i] + 3);
    }
}

/* ---- refusals ---- */

TEST(dimensions_are_1_to_3) {
    const int32_t k = new_ready_kernel(kernel_increment), wrong[] = {0, -1, 4, INT32_MAX};
    const int64_t global[] = {1, 1, 1, 1};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_refused(clue_kernel_execute(k, wrong[i], NULL, global, NULL), CL_INVALID_WORK_DIMENSION,
                       CLUE_CAUSE_PARAMETER, enqueue, "%d dimensions were given: 1 to 3 are possible", wrong[i]);
    assert_refused(clue_kernel_execute(k, 1, NULL, NULL, NULL), CL_INVALID_GLOBAL_WORK_SIZE, CLUE_CAUSE_PARAMETER,
                   enqueue, "there is no global size");
    assert_refused(clue_kernel_execute(7, 1, NULL, global, NULL), CL_INVALID_KERNEL, CLUE_CAUSE_HANDLE, enqueue,
                   "7 is not a kernel: handles are 65536 or more");
    for (int32_t dimensions = 1; dimensions <= 3; dimensions++)
        assert_works(clue_kernel_execute(k, dimensions, NULL, global, NULL));
}

TEST(sizes_below_1_are_refused) {
    const int32_t k = new_ready_kernel(kernel_increment);
    const int64_t sizes[] = {0, -1, INT64_MIN};
    for (size_t i = 0; i < 3; i++) {
        const int64_t global[] = {4, sizes[i]}, good[] = {4, 4};
        assert_refused(clue_kernel_execute(k, 2, NULL, global, NULL), CL_INVALID_GLOBAL_WORK_SIZE, CLUE_CAUSE_SIZE,
                       enqueue, "global size %" PRId64 " in dimension 1: %s", sizes[i],
                       sizes[i] == 0 ? "there is nothing to execute" : "it must be at least 1");
        assert_refused(clue_kernel_execute(k, 2, NULL, good, global), CL_INVALID_WORK_GROUP_SIZE, CLUE_CAUSE_SIZE,
                       enqueue, "local size %" PRId64 " in dimension 1: it must be at least 1", sizes[i]);
    }
}

TEST(offsets_below_0_and_overflows_are_refused) {
    const int32_t k = new_ready_kernel(kernel_increment);
    const int64_t one = 1, two = 2, below[] = {-1, INT64_MIN}, most = INT64_MAX;
    for (size_t i = 0; i < 2; i++)
        assert_refused(clue_kernel_execute(k, 1, &below[i], &one, NULL), CL_INVALID_GLOBAL_OFFSET,
                       CLUE_CAUSE_OFFSET, enqueue,
                       "global offset %" PRId64 " in dimension 0: it must be at least 0", below[i]);
    assert_refused(clue_kernel_execute(k, 1, &most, &one, NULL), CL_INVALID_GLOBAL_OFFSET, CLUE_CAUSE_OFFSET,
                   enqueue,
                   "global offset 9223372036854775807 in dimension 0: with a global size of 1 it overflows");
    assert_refused(clue_kernel_execute(k, 1, &two, &most, NULL), CL_INVALID_GLOBAL_OFFSET, CLUE_CAUSE_OFFSET,
                   enqueue,
                   "global offset 2 in dimension 0: with a global size of 9223372036854775807 it overflows");
}

TEST(ranges_that_the_driver_cannot_count_are_refused) {
    const int32_t k = new_ready_kernel(kernel_increment);
    const int64_t global[] = {1, 40}, offset[] = {0, 62};
    device *on = limits();
    const device saved = *on;
    int32_t code;
    on->most_items = 39;
    code = clue_kernel_execute(k, 2, NULL, global, NULL);
    on->most_items = saved.most_items;
    assert_refused(code, CL_INVALID_GLOBAL_WORK_SIZE, CLUE_CAUSE_LIMIT, enqueue,
                   "global size 40 in dimension 1: the maximum on %s is 39", device_name());
    on->last_item = 100;
    code = clue_kernel_execute(k, 2, offset, global, NULL);
    on->last_item = saved.last_item;
    assert_refused(code, CL_INVALID_GLOBAL_WORK_SIZE, CLUE_CAUSE_LIMIT, enqueue,
                   "the last work-item in dimension 1 has number 101, but %s counts only to 100", device_name());
}

TEST(rusticl_and_nvidia_count_with_fewer_bits) {
    const int32_t k = new_ready_kernel(kernel_increment);
    const int64_t global = INT64_C(1) << 32, offset = INT64_C(1) << 31, one = 1;
    if (is_rusticl())
        assert_refused(clue_kernel_execute(k, 1, NULL, &global, NULL), CL_INVALID_GLOBAL_WORK_SIZE,
                       CLUE_CAUSE_LIMIT, enqueue,
                       "global size 4294967296 in dimension 0: the maximum on %s is 4294967295", device_name());
    else if (is_nvidia())
        assert_refused(clue_kernel_execute(k, 1, &offset, &one, NULL), CL_INVALID_GLOBAL_WORK_SIZE,
                       CLUE_CAUSE_LIMIT, enqueue,
                       "the last work-item in dimension 0 has number 2147483648, but %s counts only to 2147483647",
                       device_name());
    else
        skip_because("it counts with 64 bits");
}

TEST(a_local_size_must_divide) {
    const int32_t k = new_ready_kernel(kernel_increment);
    const int64_t global[] = {16, 10}, local[] = {4, 3};
    assert_refused(execute(k, 10, 4), CL_INVALID_WORK_GROUP_SIZE, CLUE_CAUSE_PARAMETER, enqueue,
                   "local size 4 does not divide global size 10 in dimension 0");
    assert_refused(clue_kernel_execute(k, 2, NULL, global, local), CL_INVALID_WORK_GROUP_SIZE, CLUE_CAUSE_PARAMETER,
                   enqueue, "local size 3 does not divide global size 10 in dimension 1");
    assert_works(execute(k, 12, 4));
}

/* A device may allow groups of unequal size, and its driver refuse them for a kernel in OpenCL C 1.2. */
TEST(a_local_size_that_only_the_driver_refuses_is_explained) {
    const int32_t k = new_ready_kernel(kernel_increment);
    device *on = limits();
    const bool non_uniform_groups = on->non_uniform_groups;
    int32_t code;
    on->non_uniform_groups = true;
    enqueue_refusal = CL_INVALID_WORK_GROUP_SIZE;
    code = execute(k, 10, 4);
    enqueue_refusal = 0;
    on->non_uniform_groups = non_uniform_groups;
    assert_refused(code, CL_INVALID_WORK_GROUP_SIZE, CLUE_CAUSE_PARAMETER, enqueue,
                   "local size 4 does not divide global size 10 in dimension 0");
}

TEST(a_drivers_refusal_is_explained) {
    const int32_t k = new_ready_kernel(kernel_increment);
    enqueue_refusal = CL_OUT_OF_RESOURCES;
    assert_int_equal(execute(k, 4, 4), CL_OUT_OF_RESOURCES);
    assert_detail(error_hint(CL_OUT_OF_RESOURCES));
    enqueue_refusal = CL_INVALID_WORK_GROUP_SIZE;
    assert_int_equal(execute(k, 4, 4), CL_INVALID_WORK_GROUP_SIZE);
    assert_string_equal(clue_error_detail(), error_hint(CL_INVALID_WORK_GROUP_SIZE));
    enqueue_refusal = 0;
    assert_works(clue_kernel_wait(k)); /* waits only for executions that were not refused */
    assert_null(clue_waiting());
    assert_works(execute(k, 4, 4));
}

static int32_t start_execution(int32_t q, int32_t k) {
    const int64_t global = 4;
    return clue_queue_execute(NULL, q, k, 1, NULL, &global, NULL);
}

/* A driver that starts commands by itself does so, too, if they wait for a user event; but of that no driver says
 * anything. */
TEST(only_a_driver_that_needs_it_is_flushed) {
    const int32_t c = new_context(), k = new_kernel(c, kernel_increment), b = new_buffer(c, 256);
    device *on = limits();
    const bool starts = on->starts;
    int32_t q = 0, gate = 0;
    assert_works(clue_queue_create(&q, c, 0, 0));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    flushes = 0;
    on->starts = false;
    assert_works(start_execution(q, k));
    assert_int_equal(flushes, 1);
    on->starts = true;
    assert_works(start_execution(q, k));
    assert_int_equal(flushes, 1);
    if (!on->synchronous) {
        assert_works(clue_user_event_create(&gate, c));
        assert_works(clue_queue_wait_for(q, &gate, 1));
        assert_works(start_execution(q, k));
        assert_int_equal(flushes, 2);
        assert_works(clue_user_event_set(gate, 0));
    }
    on->starts = starts;
    assert_works(clue_queue_finish(q));
}

/* The flush comes after the driver has taken the kernel, and the driver will run it. */
TEST(a_kernel_that_could_not_be_flushed_is_an_execution) {
    const int32_t c = new_context(), k = new_kernel(c, kernel_increment), b = new_buffer(c, 256);
    device *on = limits();
    const bool starts = on->starts;
    double seconds = 0;
    int32_t clock = 7, executions = 7;
    int values[64] = {0};
    on->starts = false;
    assert_works(clue_buffer_write(b, 0, values, sizeof values));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_profile_start());
    flush_refusal = CL_OUT_OF_RESOURCES;
    assert_int_equal(execute(k, 4, 4), CL_OUT_OF_RESOURCES);
    assert_string_equal(clue_error_call(), "clFlush");
    assert_detail(error_hint(CL_OUT_OF_RESOURCES));
    flush_refusal = 0;
    on->starts = starts;
    assert_null(clue_waiting());
    assert_works(clue_kernel_time(&seconds, &clock, k));
    assert_works(clue_profile_stop(&seconds, &clock, &executions));
    assert_int_equal(executions, 1);
    assert_works(clue_buffer_read(values, b, 0, sizeof values));
    assert_int_equal(values[3], 1);
}

TEST(group_limits_are_explained) {
    const int32_t c = new_context(), k = new_kernel(c, kernel_increment);
    const uint64_t most = device_number(CL_DEVICE_MAX_WORK_GROUP_SIZE);
    const int64_t group[] = {(int64_t)most, 2}, huge[] = {INT64_MAX, INT64_MAX, INT64_MAX};
    size_t items[3] = {0};
    int64_t size = 0, twice;
    int32_t code;
    assert_works(clue_kernel_set_object(k, 0, new_buffer(c, 1 << 20), 0));
    assert_works(clue_device_info(&size, 0, CL_DEVICE_MAX_WORK_ITEM_SIZES, items, sizeof items));
    twice = 2 * (int64_t)items[0];
    assert_refused(execute(k, twice, twice), CL_INVALID_WORK_ITEM_SIZE, CLUE_CAUSE_LIMIT, enqueue,
                   "local size %" PRId64 " in dimension 0: the maximum on %s is %zu", twice, device_name(),
                   items[0]);
    assert_refused(clue_kernel_execute(k, 2, NULL, group, group), CL_INVALID_WORK_GROUP_SIZE, CLUE_CAUSE_LIMIT,
                   enqueue, "a local size of %" PRIu64 " x 2: the maximum on %s is %" PRIu64 " work-items", most,
                   device_name(), most);
    code = clue_kernel_execute(k, 3, NULL, huge, huge);
    assert_true(code == CL_INVALID_WORK_ITEM_SIZE || code == CL_INVALID_GLOBAL_WORK_SIZE);
}

/* rusticl and NVIDIA give a limit of 32 or 256 work-items for any kernel, but accept as many as the device does. */
TEST(the_devices_largest_group_is_tried) {
    const int32_t c = new_context(), k = new_kernel(c, kernel_increment), b = new_buffer(c, 1 << 20);
    const int64_t most = (int64_t)device_number(CL_DEVICE_MAX_WORK_GROUP_SIZE);
    int *values = calloc(1 << 20, 1);
    assert_works(clue_buffer_write(b, 0, values, 1 << 20));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(execute(k, 2 * most, most));
    assert_works(clue_buffer_read(values, b, 0, 1 << 20));
    assert_int_equal(values[0], 1);
    assert_int_equal(values[2 * most - 1], 1);
    assert_int_equal(values[2 * most], 0);
    free(values);
}

TEST(a_group_too_large_for_the_kernel_is_explained) {
    const int32_t k = new_ready_kernel(kernel_increment);
    kernel *self = (kernel *)handle_find(k, CLUE_KERNEL, "clFoo");
    int32_t code;
    assert_non_null(self);
    self->limits[0].sure_group = 3;
    enqueue_refusal = CL_OUT_OF_RESOURCES;
    code = execute(k, 8, 4);
    enqueue_refusal = 0;
    assert_refused(code, CL_OUT_OF_RESOURCES, CLUE_CAUSE_DRIVER, enqueue,
                   "a local size of 4 is too large for kernel 'f' on %s: up to 3 work-items are certain to work",
                   device_name());
}

TEST(a_required_group_size_is_the_only_one) {
    const int32_t k = new_ready_kernel("__kernel __attribute__((reqd_work_group_size(4, 2, 1)))"
                                       "void f(__global int *a) { a[get_global_id(0)] += 1; }");
    const int64_t global[] = {8, 8, 8}, right[] = {4, 2, 1}, wrong[][3] = {{2, 4, 1}, {4, 2, 2}, {4, 1, 1}};
    static const char *const text = "kernel 'f' is compiled for a local size of 4 x 2 x 1: use exactly that";
    for (size_t i = 0; i < 3; i++)
        assert_refused(clue_kernel_execute(k, 3, NULL, global, wrong[i]), CL_INVALID_WORK_GROUP_SIZE,
                       CLUE_CAUSE_PARAMETER, enqueue, text);
    assert_refused(clue_kernel_execute(k, 3, NULL, global, NULL), CL_INVALID_WORK_GROUP_SIZE, CLUE_CAUSE_PARAMETER,
                   enqueue, text);
    assert_refused(clue_kernel_execute(k, 1, NULL, global, right), CL_INVALID_WORK_GROUP_SIZE, CLUE_CAUSE_PARAMETER,
                   enqueue, text);
    assert_works(clue_kernel_execute(k, 2, NULL, global, right));
    assert_works(clue_kernel_execute(k, 3, NULL, global, right));
    assert_refused(execute(k, 7, 4), CL_INVALID_WORK_GROUP_SIZE, CLUE_CAUSE_PARAMETER, enqueue, text);
}

/* ---- local memory ---- */

TEST(declared_local_memory_is_checked_before_the_first_execution) {
    const uint64_t has = device_number(CL_DEVICE_LOCAL_MEM_SIZE);
    const uint64_t sizes[] = {has + 4, has + 4096, has};
    for (size_t i = 0; i < 3; i++) {
        char source[512];
        int32_t k;
        (void)snprintf(source, sizeof source,
                       "__kernel void f(__global int *a) { __local int x[%" PRIu64 "]; x[get_local_id(0)] = 1;"
                       " barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = x[0]; }",
                       sizes[i] / 4);
        k = new_ready_kernel(source);
        if (sizes[i] <= has)
            assert_works(execute(k, 4, 4));
        else
            assert_refused(execute(k, 4, 4), CL_OUT_OF_RESOURCES, CLUE_CAUSE_LIMIT, enqueue,
                           "kernel 'f' needs %" PRIu64 " bytes of local memory, but %s has %" PRIu64,
                           sizes[i] / 4 * 4, device_name(), has);
    }
}

TEST(local_arguments_and_declarations_add_up) {
    const int64_t has = (int64_t)device_number(CL_DEVICE_LOCAL_MEM_SIZE);
    const int32_t c = new_context(), b = new_buffer(c, 256);
    const int32_t k = new_kernel(c, "__kernel void f(__global int *a, __local int *x, __local int *y) {"
                                    "  __local int z[64];"
                                    "  int i = get_local_id(0); x[i] = 1; y[i] = 2; z[i] = 3;"
                                    "  barrier(CLK_LOCAL_MEM_FENCE); a[i] = x[i] + y[i] + z[i]; }");
    int value = 0;
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_kernel_set_local(k, 1, has));
    assert_works(clue_kernel_set_local(k, 2, 16));
    assert_refused(execute(k, 4, 4), CL_OUT_OF_RESOURCES, CLUE_CAUSE_LIMIT, enqueue,
                   "kernel 'f' needs %" PRId64 " bytes of local memory, but %s has %" PRId64, has + 16 + 256,
                   device_name(), has);
    assert_works(clue_kernel_set_local(k, 1, 16));
    assert_works(clue_kernel_set_local(k, 2, has));
    assert_refused(execute(k, 4, 4), CL_OUT_OF_RESOURCES, CLUE_CAUSE_LIMIT, enqueue,
                   "kernel 'f' needs %" PRId64 " bytes of local memory, but %s has %" PRId64, has + 16 + 256,
                   device_name(), has);
    assert_works(clue_kernel_set_local(k, 1, has - 16 - 256)); /* all that is left */
    assert_works(clue_kernel_set_local(k, 2, 16));
    if (is_nvidia()) {
        assert_refused(execute(k, 4, 4), CL_OUT_OF_RESOURCES, CLUE_CAUSE_DRIVER, enqueue,
                       "kernel 'f' needs %" PRId64
                       " bytes of local memory, and the driver up to 4 more, but %s has "
                       "%" PRId64,
                       has, device_name(), has);
        assert_works(clue_kernel_set_local(k, 1, has - 16 - 256 - 4));
    }
    assert_works(execute(k, 4, 4));
    assert_works(clue_buffer_read(&value, b, 0, sizeof value));
    assert_int_equal(value, 6);
}

TEST(lack_of_constant_memory_is_named) {
    const int32_t c = new_context();
    const int32_t k = new_kernel(c, "__kernel void f(__global int *a, __constant int *c) { a[0] = c[0]; }");
    const uint64_t has = device_number(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE);
    int32_t code;
    if (has >= device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE)) skip_because("all memory can be constant");
    assert_works(clue_kernel_set_object(k, 0, new_buffer(c, 64), 0));
    assert_works(clue_kernel_set_object(k, 1, new_buffer(c, (int64_t)has + 4), 0));
    enqueue_refusal = is_oclgrind() ? 0 : CL_OUT_OF_RESOURCES; /* Oclgrind itself refuses */
    code = execute(k, 1, 1);
    enqueue_refusal = 0;
    assert_refused(code, CL_OUT_OF_RESOURCES, CLUE_CAUSE_DRIVER, enqueue,
                   "the buffer of argument 1 of kernel 'f' has %" PRIu64
                   " bytes, but __constant memory on %s has only %" PRIu64,
                   has + 4, device_name(), has);
}
