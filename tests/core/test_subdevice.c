/* Parts of devices: which devices can be divided and how, and that parts work as devices. PoCL is set to have four
 * compute units.
 *
 * suite: quick
 * drivers: pocl oclgrind */
#define AFTER all_are_released
#include "stub.h"

#include <pthread.h>

static const char call[] = "clCreateSubDevices";
static int creations, releases; /* calls of the driver; releases begins at minus the number of parts made */
static int refusal_at;          /* the creation that fails, counted from 1; 0: none */

STUB(clCreateSubDevices) {
    cl_int code;
    if (devices && ++creations == refusal_at) return CL_DEVICE_PARTITION_FAILED;
    code = NEXT(clCreateSubDevices);
    if (code == CL_SUCCESS && devices) releases -= (int)size;
    return code;
}

STUB(clReleaseDevice) {
    releases++;
    return NEXT(clReleaseDevice);
}

/* PoCL's workers first signal that a command has ended, and then still read the part of the device. Here they are
 * delayed in between, so that a part that is freed too early is noticed. */
static int (*next_broadcast)(pthread_cond_t *);
static int (*next_unlock)(pthread_mutex_t *);
static pthread_t main_thread;
static _Thread_local bool has_signalled;

__attribute__((visibility("default"))) int pthread_cond_broadcast(pthread_cond_t *condition) {
    if (!next_broadcast) next_broadcast = (__typeof__(next_broadcast))loaders_function("pthread_cond_broadcast");
    has_signalled = next_unlock && !pthread_equal(main_thread, pthread_self());
    return next_broadcast(condition);
}

__attribute__((visibility("default"))) int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    const bool delayed = has_signalled;
    int code;
    has_signalled = false;
    if (!next_unlock) next_unlock = (__typeof__(next_unlock))loaders_function("pthread_mutex_unlock");
    code = next_unlock(mutex);
    if (delayed) clue_clock_sleep(0.003);
    return code;
}

/* What the device says that it can do; 0: what the driver says. */
static cl_device_affinity_domain domains;
static cl_uint most_parts;

STUB(clGetDeviceInfo) {
    static const cl_device_partition_property ways[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN};
    const void *told = NULL;
    size_t bytes = 0;
    if (domains && name == CL_DEVICE_PARTITION_PROPERTIES) told = ways, bytes = sizeof ways;
    if (domains && name == CL_DEVICE_PARTITION_AFFINITY_DOMAIN) told = &domains, bytes = sizeof domains;
    if (most_parts && name == CL_DEVICE_PARTITION_MAX_SUB_DEVICES) told = &most_parts, bytes = sizeof most_parts;
    return told ? answer(size, value, size_out, told, bytes) : NEXT(clGetDeviceInfo);
}

static int all_are_released(void **state) {
    const int code = free_everything(state);
    assert_int_equal(releases, 0);
    creations = refusal_at = 0;
    domains = most_parts = 0;
    return code;
}

static void divide_by_counts(int32_t *parts_out, int64_t first, int64_t second) {
    const int64_t counts[] = {first, second};
    int32_t made = 0;
    assert_works(clue_device_partition(parts_out, &made, 2, 0, CL_DEVICE_PARTITION_BY_COUNTS, counts, 2));
    assert_int_equal(made, 2);
}

static cl_uint units_of(int32_t id) {
    cl_uint units = 0;
    int64_t size = 0;
    assert_works(clue_device_info(&size, id, CL_DEVICE_MAX_COMPUTE_UNITS, &units, sizeof units));
    return units;
}

TEST(a_device_that_cannot_be_divided_is_refused) {
    const int64_t one = 1;
    int32_t parts[4], made = 7;
    if (is_pocl()) skip_because("it can be divided");
    assert_refused(clue_device_partition(parts, &made, 4, 0, CL_DEVICE_PARTITION_EQUALLY, &one, 1),
                   CL_INVALID_VALUE, CLUE_CAUSE_LIMIT, call, "%s cannot be divided into parts", device_name());
    assert_int_equal(made, 7);
    assert_int_equal(creations, 0); /* the driver was not asked, since rusticl would crash */
}

TEST(refusing_a_way_lists_those_that_the_device_has) {
    const int64_t domain = CL_DEVICE_AFFINITY_DOMAIN_NUMA;
    int32_t parts[4], made = 7;
    if (!is_pocl()) skip_because("it has none");
    assert_refused(clue_device_partition(parts, &made, 4, 0, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, &domain, 1),
                   CL_INVALID_VALUE, CLUE_CAUSE_LIMIT, call,
                   "%s cannot be divided by affinity domain; it can be divided equally, by counts", device_name());
    assert_refused(clue_device_partition(parts, &made, 4, 0, 0x1234, &domain, 1), CL_INVALID_VALUE,
                   CLUE_CAUSE_PARAMETER, call, "0x1234 is not a way to divide a device");
}

TEST(impossible_parts_are_refused) {
    static const struct {
        uint32_t way;
        int64_t values[2];
        int32_t count, code;
        const char *reason; /* followed by the device's name and " has 4" */
    } wrong[] = {
        {CL_DEVICE_PARTITION_EQUALLY, {0}, 1, CL_INVALID_VALUE, "a part has 0 compute units, and "},
        {CL_DEVICE_PARTITION_EQUALLY, {5}, 1, CL_INVALID_VALUE, "a part has 5 compute units, and "},
        {CL_DEVICE_PARTITION_BY_COUNTS,
         {1, 0},
         2,
         CL_INVALID_DEVICE_PARTITION_COUNT,
         "part 2 has 0 compute units, and "},
        {CL_DEVICE_PARTITION_BY_COUNTS,
         {-1, 1},
         2,
         CL_INVALID_DEVICE_PARTITION_COUNT,
         "part 1 has -1 compute units, and "},
        {CL_DEVICE_PARTITION_BY_COUNTS,
         {2, 3},
         2,
         CL_INVALID_DEVICE_PARTITION_COUNT,
         "the parts together have 5 compute units, and "},
    };
    int32_t parts[4], made = 7;
    if (!is_pocl()) skip_because("it cannot be divided");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_refused(clue_device_partition(parts, &made, 4, 0, wrong[i].way, wrong[i].values, wrong[i].count),
                       wrong[i].code, CLUE_CAUSE_SIZE, call, "%s%s has 4", wrong[i].reason, device_name());
    assert_refused(clue_device_partition(parts, &made, 4, 0, CL_DEVICE_PARTITION_EQUALLY, wrong[0].values, 2),
                   CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                   "2 values were given: dividing by counts takes one for each part, any other way takes one");
    assert_int_equal(clue_device_partition(parts, &made, 4, 0, CL_DEVICE_PARTITION_BY_COUNTS, NULL, 1),
                     CL_INVALID_VALUE);
    assert_int_equal(clue_device_partition(parts, &made, 4, 0, CL_DEVICE_PARTITION_BY_COUNTS, wrong[0].values, 0),
                     CL_INVALID_VALUE);
    assert_int_equal(made, 7);
    assert_int_equal(creations, 0);
}

TEST(domains_that_the_device_has_not_are_refused) {
    const int64_t l1 = CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, unknown = 0x80;
    int32_t parts[4], made = 7;
    domains = CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE;
    assert_refused(clue_device_partition(parts, &made, 4, 0, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, &l1, 1),
                   CL_INVALID_VALUE, CLUE_CAUSE_LIMIT, call,
                   "%s cannot be divided by the affinity domain l1_cache, only by: numa, l3_cache", device_name());
    assert_refused(clue_device_partition(parts, &made, 4, 0, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, &unknown, 1),
                   CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "0x80 is not an affinity domain");
    assert_int_equal(made, 7);
    assert_int_equal(creations, 0);
}

TEST(more_parts_than_the_device_makes_are_refused) {
    const int64_t counts[] = {1, 1, 1};
    int32_t parts[4], made = 7;
    if (!is_pocl()) skip_because("it cannot be divided");
    most_parts = 2;
    assert_refused(clue_device_partition(parts, &made, 4, 0, CL_DEVICE_PARTITION_BY_COUNTS, counts, 3),
                   CL_INVALID_DEVICE_PARTITION_COUNT, CLUE_CAUSE_LIMIT, call,
                   "%s cannot be divided into 3 parts: 2 is the maximum", device_name());
    assert_int_equal(made, 7);
}

TEST(only_devices_are_divided) {
    const int32_t c = new_context();
    const int64_t one = 1;
    int32_t parts[4], made = 7;
    assert_refused(clue_device_partition(parts, &made, 4, c, CL_DEVICE_PARTITION_EQUALLY, &one, 1),
                   CL_INVALID_DEVICE, CLUE_CAUSE_HANDLE, call, "%d is a context; a device is needed", c);
    assert_refused(clue_device_partition(parts, &made, 4, 99, CL_DEVICE_PARTITION_EQUALLY, &one, 1),
                   CL_INVALID_DEVICE, CLUE_CAUSE_DEVICE, call, "there is no device 99: the only one is 0");
    assert_refused(clue_context_create(&made, &(int32_t){c}, 1), CL_INVALID_DEVICE, CLUE_CAUSE_HANDLE,
                   "clCreateContext", "%d is a context; a device is needed", c);
}

TEST(parts_are_counted_before_they_are_made) {
    const int64_t one = 1;
    int32_t parts[4], made = 0;
    if (!is_pocl()) skip_because("it cannot be divided");
    assert_works(clue_device_partition(NULL, &made, 0, 0, CL_DEVICE_PARTITION_EQUALLY, &one, 1));
    assert_int_equal(made, 4);
    assert_int_equal(clue_handle_count(), 0);
    assert_refused(clue_device_partition(parts, &made, 3, 0, CL_DEVICE_PARTITION_EQUALLY, &one, 1),
                   CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call, "4 parts: there is room for only 3");
    assert_works(clue_device_partition(parts, &made, 4, 0, CL_DEVICE_PARTITION_EQUALLY, &one, 1));
    for (int i = 0; i < 4; i++) {
        assert_int_equal(clue_handle_kind(parts[i]), CLUE_DEVICE);
        assert_int_equal(units_of(parts[i]), 1);
    }
}

TEST(a_part_is_a_device) {
    int32_t parts[2], ordinal = 7, c = 0;
    if (!is_pocl()) skip_because("it cannot be divided");
    divide_by_counts(parts, 1, 3);
    assert_int_equal(units_of(parts[0]), 1);
    assert_int_equal(units_of(parts[1]), 3);
    assert_works(clue_device_of(&ordinal, parts[1]));
    assert_int_equal(ordinal, 0); /* a part has the ordinal of its device */
    assert_works(clue_context_create(&c, &(int32_t){parts[1]}, 1));
    assert_int_equal(units_of(c), 3);
    assert_works(clue_device_of(&ordinal, c));
    assert_int_equal(ordinal, 0);
    assert_works(clue_context_finish(parts[1])); /* there is nothing to wait for */
    clue_finish();
}

TEST(a_part_lives_while_a_context_is_on_it) {
    int32_t parts[2], smaller[2], made = 0, c = 0, value = 0, b, k;
    const int64_t one = 1;
    if (!is_pocl()) skip_because("it cannot be divided");
    divide_by_counts(parts, 2, 2);
    assert_works(clue_context_create(&c, &(int32_t){parts[0]}, 1));
    assert_works(clue_device_partition(smaller, &made, 2, parts[1], CL_DEVICE_PARTITION_EQUALLY, &one, 1));
    assert_int_equal(made, 2);
    assert_works(clue_handle_free(parts[0], CLUE_DEVICE));
    assert_works(clue_handle_free(parts[1], CLUE_DEVICE));
    assert_int_equal(releases, -4); /* all are still in use */
    assert_refused(clue_context_create(&value, &(int32_t){parts[0]}, 1), CL_INVALID_DEVICE, CLUE_CAUSE_HANDLE,
                   "clCreateContext", "device %d was freed", parts[0]);
    assert_int_equal(units_of(smaller[0]), 1);
    b = new_buffer(c, 4);
    assert_works(clue_buffer_write(b, 0, &value, sizeof value));
    k = new_kernel(c, kernel_hundred);
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    run_1d(k, 1);
    assert_works(clue_buffer_read(&value, b, 0, sizeof value));
    assert_int_equal(value, 100);
}

TEST(parts_work_at_once) {
    const int64_t global = 64;
    int32_t parts[2], events[2], kernels[2], queues[2];
    double started[2], ended[2];
    if (!is_pocl()) skip_because("it cannot be divided");
    divide_by_counts(parts, 1, 3);
    for (int i = 0; i < 2; i++) {
        int32_t c = 0;
        assert_works(clue_context_create(&c, &(int32_t){parts[i]}, 1));
        assert_works(clue_queue_create(&queues[i], c, c, CL_QUEUE_PROFILING_ENABLE));
        kernels[i] = new_kernel(c, kernel_slow);
        assert_works(clue_kernel_set_object(kernels[i], 0, new_buffer(c, 256), 0));
        assert_works(clue_kernel_set_number(kernels[i], 1, CLUE_AUTO, 1));
        assert_works(clue_queue_execute(NULL, queues[i], kernels[i], 1, NULL, &global, NULL));
        assert_works(clue_queue_finish(queues[i])); /* so that it is compiled */
        assert_works(clue_kernel_set_number(kernels[i], 1, CLUE_AUTO, 3000000));
    }
    for (int i = 0; i < 2; i++)
        assert_works(clue_queue_execute(&events[i], queues[i], kernels[i], 1, NULL, &global, NULL));
    for (int i = 0; i < 2; i++) {
        assert_works(clue_event_moment(&started[i], events[i], CLUE_STARTED));
        assert_works(clue_event_moment(&ended[i], events[i], CLUE_ENDED));
    }
    assert_true(started[0] < ended[1] && started[1] < ended[0]);
}

TEST(a_graph_stays_on_its_part) {
    const int64_t global = 1;
    int32_t parts[2], c = 0, queues[2], graph = 0, commands = 0, k;
    if (!is_pocl()) skip_because("it cannot be divided");
    divide_by_counts(parts, 1, 3);
    assert_works(clue_context_create(&c, parts, 2));
    for (int i = 0; i < 2; i++)
        assert_works(clue_queue_create(&queues[i], c, parts[i], 0));
    k = new_kernel(c, kernel_empty);
    assert_works(clue_graph_create(&graph, &commands, queues[0]));
    assert_works(clue_queue_execute(NULL, commands, k, 1, NULL, &global, NULL));
    assert_works(clue_graph_end(graph, CL_FALSE));
    assert_works(clue_graph_replay(NULL, graph, queues[0]));
    assert_refused(clue_graph_replay(NULL, graph, queues[1]), CL_INVALID_DEVICE, CLUE_CAUSE_PARAMETER,
                   "clue_graph_replay", "the graph was recorded for %s, and queue %d is on %s", device_name(),
                   (int)queues[1], device_name());
}

TEST(images_on_parts_are_refused_on_pocl) {
    const clue_image_shape shape = image_shape(2, 2, 0);
    int32_t parts[2], c = 0, image = 7;
    if (!is_pocl()) skip_because("it cannot be divided");
    divide_by_counts(parts, 1, 3);
    assert_works(clue_context_create(&c, &(int32_t){parts[0]}, 1));
    assert_refused(clue_image_create(&image, c, 0, &shape), CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, "clCreateImage",
                   "PoCL aborts when an image is transferred on a part of a device: use the whole device");
    assert_int_equal(image, 7);
}

TEST(a_refusal_by_the_driver_leaves_no_part) {
    const int64_t one = 1;
    int32_t parts[4], made = 7;
    if (!is_pocl()) skip_because("it cannot be divided");
    refusal_at = 1;
    assert_int_equal(clue_device_partition(parts, &made, 4, 0, CL_DEVICE_PARTITION_EQUALLY, &one, 1),
                     CL_DEVICE_PARTITION_FAILED);
    assert_string_equal(clue_error_call(), call);
    assert_int_equal(made, 7);
    assert_int_equal(clue_handle_count(), 0);
}

int main(void) {
    main_thread = pthread_self();
    (void)setenv("POCL_MAX_PTHREAD_COUNT", "4", 1); /* four compute units on any machine */
    return unit_run();
}
