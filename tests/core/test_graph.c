/* Graphs and the driver's command buffers: a stand-in for cl_khr_command_buffer records its calls, in the two forms
 * that its versions have, and refuses what a test wants. What graphs compute is in tests/spec/graph_spec.lua.
 *
 * suite: quick
 * drivers: pocl oclgrind */
#define BEFORE start
#define AFTER end
#include "stub.h"

/* ---- the stand-in ---- */

enum { CAPABILITIES = 0x12A9, REQUIRED_OF_QUEUES = 0x12AA, SIMULTANEOUS = 1 << 2 };

static struct {
    unsigned minor;        /* of version 0.9.minor */
    const char *refused;   /* the function that refuses; NULL: none */
    const char *missing;   /* the function that the driver does not have; NULL: none */
    cl_ulong capabilities; /* CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR */
    cl_ulong required;     /* CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR */
    char calls[400];       /* the names of the calls */
    int live;              /* command buffers that were not released */
    size_t copied, filled; /* the sizes that arrived, as the last of the numbers */
    const cl_ulong *create_properties;
} fake;

static cl_command_queue of_buffer;
static char one_buffer;

static cl_int called(const char *name) {
    const size_t used = strlen(fake.calls);
    (void)snprintf(fake.calls + used, sizeof fake.calls - used, "%s ", name);
    return fake.refused && strcmp(fake.refused, name) == 0 ? CL_INVALID_OPERATION : CL_SUCCESS;
}

static void *CL_API_CALL create(cl_uint count, const cl_command_queue *queues, const cl_ulong *properties,
                                cl_int *error_out) {
    assert_int_equal(count, 1);
    of_buffer = queues[0];
    fake.create_properties = properties;
    *error_out = called("create");
    if (*error_out) return NULL;
    fake.live++;
    return &one_buffer;
}

static cl_int CL_API_CALL finalize(void *buffer) {
    assert_ptr_equal(buffer, &one_buffer);
    return called("finalize");
}

static cl_int CL_API_CALL release(void *buffer) {
    assert_ptr_equal(buffer, &one_buffer);
    fake.live--;
    return called("release");
}

static cl_int CL_API_CALL enqueue(cl_uint count, cl_command_queue *queues, void *buffer, cl_uint waits,
                                  const cl_event *events, cl_event *event_out) {
    const cl_int code = called("enqueue");
    assert_true(count == 0 && !queues && buffer == &one_buffer);
    return code ? code : clEnqueueMarkerWithWaitList(of_buffer, waits, events, event_out);
}

#define SYNCHRONIZED cl_uint points, const cl_uint *list, cl_uint *point_out, void **command_out
#define assert_unsynchronized() assert_true(points == 0 && !list && !point_out && !command_out)

static cl_int CL_API_CALL kernel(void *buffer, cl_command_queue queue, const cl_ulong *properties, cl_kernel k,
                                 cl_uint dimensions, const size_t *offset, const size_t *global,
                                 const size_t *local, SYNCHRONIZED) {
    assert_true(buffer == &one_buffer && !queue && !properties && k && dimensions == 1);
    assert_true(offset[0] == 0 && global[0] == 4 && !local);
    assert_unsynchronized();
    return called("kernel");
}

static cl_int CL_API_CALL old_copy(void *buffer, cl_command_queue queue, cl_mem from, cl_mem to, size_t offset,
                                   size_t to_offset, size_t size, SYNCHRONIZED) {
    assert_true(buffer == &one_buffer && !queue && from && to && offset == 4 && to_offset == 8);
    assert_unsynchronized();
    fake.copied = size;
    return called("old_copy");
}

static cl_int CL_API_CALL copy(void *buffer, cl_command_queue queue, const cl_ulong *properties, cl_mem from,
                               cl_mem to, size_t offset, size_t to_offset, size_t size, SYNCHRONIZED) {
    assert_true(buffer == &one_buffer && !queue && !properties && from && to && offset == 4 && to_offset == 8);
    assert_unsynchronized();
    fake.copied = size;
    return called("copy");
}

static cl_int CL_API_CALL old_fill(void *buffer, cl_command_queue queue, cl_mem memory, const void *pattern,
                                   size_t pattern_size, size_t offset, size_t size, SYNCHRONIZED) {
    assert_true(buffer == &one_buffer && !queue && memory && *(const int32_t *)pattern == 7);
    assert_true(pattern_size == 4 && offset == 4);
    assert_unsynchronized();
    fake.filled = size;
    return called("old_fill");
}

static cl_int CL_API_CALL fill(void *buffer, cl_command_queue queue, const cl_ulong *properties, cl_mem memory,
                               const void *pattern, size_t pattern_size, size_t offset, size_t size, SYNCHRONIZED) {
    assert_true(buffer == &one_buffer && !queue && !properties && memory && *(const int32_t *)pattern == 7);
    assert_true(pattern_size == 4 && offset == 4);
    assert_unsynchronized();
    fake.filled = size;
    return called("fill");
}

#define ADDRESS(function) memcpy(&address, &(__typeof__(&(function))){function}, sizeof address)
STUB(clGetExtensionFunctionAddressForPlatform) {
    const bool new = fake.minor >= 5;
    void *address = NULL;
    (void)platform;
    if (fake.missing && strcmp(name, fake.missing) == 0) return NULL;
    if (strcmp(name, "clCreateCommandBufferKHR") == 0) ADDRESS(create);
    if (strcmp(name, "clFinalizeCommandBufferKHR") == 0) ADDRESS(finalize);
    if (strcmp(name, "clReleaseCommandBufferKHR") == 0) ADDRESS(release);
    if (strcmp(name, "clEnqueueCommandBufferKHR") == 0) ADDRESS(enqueue);
    if (strcmp(name, "clCommandNDRangeKernelKHR") == 0) ADDRESS(kernel);
    if (strcmp(name, "clCommandCopyBufferKHR") == 0 && new) ADDRESS(copy);
    if (strcmp(name, "clCommandCopyBufferKHR") == 0 && !new) ADDRESS(old_copy);
    if (strcmp(name, "clCommandFillBufferKHR") == 0 && new) ADDRESS(fill);
    if (strcmp(name, "clCommandFillBufferKHR") == 0 && !new) ADDRESS(old_fill);
    return address;
}

STUB(clGetDeviceInfo) {
    const cl_ulong answers[] = {fake.capabilities, fake.required};
    cl_name_version extension = {.version = CL_MAKE_VERSION(0, 9, fake.minor), .name = "cl_khr_command_buffer"};
    if (name == CL_DEVICE_EXTENSIONS_WITH_VERSION)
        return answer(size, value, size_out, &extension, sizeof extension);
    if (name != CAPABILITIES && name != REQUIRED_OF_QUEUES) return NEXT(clGetDeviceInfo);
    return answer(size, value, size_out, &answers[name - CAPABILITIES], sizeof answers[0]);
}

static int waits; /* how often the host waited for events */

STUB(clWaitForEvents) {
    waits++;
    return NEXT(clWaitForEvents);
}

static int start(void **state) {
    (void)state;
    memset(&fake, 0, sizeof fake);
    fake.capabilities = SIMULTANEOUS;
    return 0;
}

static int end(void **state) {
    (void)free_everything(state);
    assert_int_equal(fake.live, 0);
    return 0;
}

/* ---- graphs ---- */

struct objects {
    int32_t context, queue, kernel, x, y;
};

static struct objects make(void) {
    struct objects o = {.context = new_context()};
    assert_works(clue_queue_create(&o.queue, o.context, o.context, CL_QUEUE_PROFILING_ENABLE));
    o.kernel = new_kernel(o.context, kernel_add);
    o.x = new_buffer(o.context, 16);
    o.y = new_buffer(o.context, 16);
    assert_works(clue_queue_fill(NULL, o.queue, o.x, 0, 16, &(int32_t){1}, 4));
    assert_works(clue_kernel_set_object(o.kernel, 0, o.x, 0));
    assert_works(clue_kernel_set_number(o.kernel, 1, CLUE_AUTO, 2));
    return o;
}

static int32_t recorded(const struct objects *o, int32_t command_buffer) {
    const int64_t global = 4;
    int32_t graph, commands;
    assert_works(clue_graph_create(&graph, &commands, o->queue));
    assert_works(clue_queue_execute(NULL, commands, o->kernel, 1, NULL, &global, NULL));
    assert_works(clue_queue_copy(NULL, commands, o->x, 4, o->y, 8, 8));
    assert_works(clue_queue_fill(NULL, commands, o->y, 4, 12, &(int32_t){7}, 4));
    assert_works(clue_graph_end(graph, command_buffer));
    assert_int_equal(clue_handle_kind(commands), CLUE_NONE);
    return graph;
}

static bool by_driver(int32_t graph) {
    int32_t driver = -1;
    assert_works(clue_graph_driver(&driver, graph));
    return driver;
}

static int32_t first_number(const struct objects *o) {
    int32_t number;
    assert_works(clue_buffer_read(&number, o->x, 0, sizeof number));
    return number;
}

TEST(a_graph_becomes_one_command_buffer) {
    const struct objects o = make();
    const int32_t graph = recorded(&o, 1);
    int32_t event;
    assert_true(by_driver(graph));
    assert_string_equal(fake.calls, "create kernel old_copy old_fill finalize ");
    assert_true(fake.copied == 8 && fake.filled == 12);
    assert_true(fake.create_properties != NULL); /* it may be replayed before it has ended */
    fake.calls[0] = '\0';
    assert_works(clue_graph_replay(NULL, graph, o.queue));
    assert_works(clue_graph_replay(&event, graph, o.queue));
    assert_works(clue_event_wait(event));
    assert_string_equal(fake.calls, "enqueue enqueue ");
    fake.calls[0] = '\0';
    assert_works(clue_handle_free(graph, CLUE_GRAPH));
    assert_string_equal(fake.calls, "release ");
}

TEST(newer_versions_get_the_properties_of_commands) {
    const struct objects o = make();
    fake.minor = 5;
    assert_true(by_driver(recorded(&o, 1)));
    assert_string_equal(fake.calls, "create kernel copy fill finalize ");
    assert_true(fake.copied == 8 && fake.filled == 12);
}

TEST(a_new_argument_makes_a_new_command_buffer) {
    const struct objects o = make();
    const int32_t graph = recorded(&o, 1);
    int32_t k;
    assert_works(clue_graph_kernel(&k, graph, 1));
    fake.calls[0] = '\0';
    for (int i = 0; i < 3; i++) {
        assert_works(clue_kernel_set_number(k, 1, CLUE_AUTO, 3));
        assert_works(clue_graph_replay(NULL, graph, o.queue));
    }
    assert_works(clue_queue_finish(o.queue));
    assert_int_equal(first_number(&o), 10);
    assert_string_equal(fake.calls, ""); /* as long as arguments change at each replay, clue replays */
    assert_works(clue_graph_replay(NULL, graph, o.queue));
    assert_works(clue_graph_replay(NULL, graph, o.queue));
    assert_string_equal(fake.calls, "release create kernel old_copy old_fill finalize enqueue enqueue ");
}

/* Then clue replays it: 2 is added to the number. */
static void assert_replayed_by_clue(const struct objects *o, int32_t graph) {
    fake.calls[0] = '\0';
    assert_works(clue_queue_fill(NULL, o->queue, o->x, 0, 16, &(int32_t){5}, 4));
    assert_works(clue_graph_replay(NULL, graph, o->queue));
    assert_works(clue_queue_finish(o->queue));
    assert_int_equal(first_number(o), 7);
    assert_string_equal(fake.calls, "");
}

TEST(without_a_command_buffer_clue_replays_the_graph) {
    static const char *const refusals[] = {"create", "kernel", "old_copy", "old_fill", "finalize"};
    static const char *const functions[] = {"clCreateCommandBufferKHR",  "clFinalizeCommandBufferKHR",
                                            "clReleaseCommandBufferKHR", "clEnqueueCommandBufferKHR",
                                            "clCommandNDRangeKernelKHR", "clCommandCopyBufferKHR",
                                            "clCommandFillBufferKHR"};
    const struct objects o = make();
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        fake.refused = refusals[i];
        clue_error_clear();
        assert_replayed_by_clue(&o, recorded(&o, 1));
        assert_int_equal(clue_error_code(), 0); /* it is no failure */
        assert_int_equal(fake.live, 0);
    }
    fake.refused = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        fake.missing = functions[i];
        assert_replayed_by_clue(&o, recorded(&o, 1));
    }
    fake.missing = NULL;
    fake.required = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    assert_replayed_by_clue(&o, recorded(&o, 1));
    fake.required = 0;
    assert_false(by_driver(recorded(&o, 0)));
    assert_replayed_by_clue(&o, recorded(&o, 0));
}

TEST(a_command_buffer_that_cannot_be_made_anew_is_left) {
    const struct objects o = make();
    const int32_t graph = recorded(&o, 1);
    int32_t k;
    assert_works(clue_graph_kernel(&k, graph, 1));
    assert_works(clue_kernel_set_number(k, 1, CLUE_AUTO, 2));
    fake.refused = "create";
    assert_works(clue_graph_replay(NULL, graph, o.queue));
    assert_true(by_driver(graph));
    assert_works(clue_graph_replay(NULL, graph, o.queue));
    assert_works(clue_queue_finish(o.queue));
    assert_false(by_driver(graph));
    assert_int_equal(first_number(&o), 5);
}

TEST(a_refused_replay_is_a_failure) {
    const struct objects o = make();
    const int32_t graph = recorded(&o, 1), live = clue_handle_count();
    int32_t event = 0;
    fake.refused = "enqueue";
    assert_refused(clue_graph_replay(&event, graph, o.queue), CL_INVALID_OPERATION, CLUE_CAUSE_DRIVER,
                   "clEnqueueCommandBufferKHR", "%s", "");
    assert_int_equal(event, 0);
    assert_int_equal(clue_handle_count(), live);
    fake.refused = NULL;
    assert_works(clue_graph_replay(&event, graph, o.queue));
    assert_works(clue_event_wait(event));
}

TEST(a_buffer_that_is_running_is_not_enqueued_again_where_that_is_forbidden) {
    struct objects o;
    int32_t graph, start;
    if (!is_pocl()) skip(); /* Oclgrind has ended before it returns, and rusticl may have */
    fake.capabilities = 0;
    o = make();
    graph = recorded(&o, 1);
    assert_null(fake.create_properties);
    fake.calls[0] = '\0';
    assert_works(clue_graph_replay(NULL, graph, o.queue));
    assert_works(clue_queue_finish(o.queue));
    assert_works(clue_graph_replay(NULL, graph, o.queue));
    assert_string_equal(fake.calls, "enqueue enqueue ");
    assert_works(clue_user_event_create(&start, o.context));
    assert_works(clue_queue_wait_for(o.queue, &start, 1));
    assert_works(clue_graph_replay(NULL, graph, o.queue)); /* one by one */
    assert_string_equal(fake.calls, "enqueue enqueue ");
    assert_works(clue_user_event_set(start, 0));
    assert_works(clue_queue_finish(o.queue));
    assert_int_equal(first_number(&o), 3);
}

TEST(handles_of_other_kinds_are_refused) {
    const struct objects o = make();
    const int32_t graph = recorded(&o, 1);
    int32_t number;
    int64_t size;
    assert_refused(clue_graph_replay(NULL, o.x, o.queue), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, "clue_graph_replay",
                   "%d is a buffer; a graph is needed", (int)o.x);
    assert_refused(clue_graph_end(graph, 1), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "clue_graph_create",
                   "the recording of graph %d is over already", (int)graph);
    assert_refused(clue_graph_kernel(&number, graph, 0), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clue_graph_command", "the graph has no command 0: its commands are 1 to 3");
    assert_refused(clue_graph_objects(&size, graph, 2, &number, 4), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clue_graph_command", "a capacity of 4 bytes: the answer has 8");
    assert_works(clue_handle_free(graph, CLUE_GRAPH));
    assert_refused(clue_graph_count(&number, graph), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, "clue_graph_command",
                   "graph %d was freed", (int)graph);
}

TEST(a_graph_that_is_being_recorded_cannot_be_replayed) {
    const struct objects o = make();
    int32_t graph, commands;
    assert_works(clue_graph_create(&graph, &commands, o.queue));
    assert_refused(clue_graph_replay(NULL, graph, o.queue), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
                   "clue_graph_replay", "graph %d is still being recorded", (int)graph);
    assert_works(clue_handle_free(graph, CLUE_GRAPH));
    assert_int_equal(clue_handle_kind(commands), CLUE_NONE);
}

TEST(a_recording_ends_without_its_queue_too) {
    const struct objects o = make();
    int32_t graph, commands, count = 0;
    const int64_t global = 4;
    assert_works(clue_graph_create(&graph, &commands, o.queue));
    assert_works(clue_queue_execute(NULL, commands, o.kernel, 1, NULL, &global, NULL));
    assert_works(clue_handle_free(commands, CLUE_QUEUE));
    assert_refused(clue_graph_replay(NULL, graph, o.queue), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
                   "clue_graph_replay", "graph %d is still being recorded", (int)graph);
    assert_works(clue_graph_end(graph, 0));
    assert_works(clue_graph_replay(NULL, graph, o.queue));
    assert_works(clue_graph_count(&count, graph));
    assert_int_equal(count, 1);
    assert_refused(clue_graph_end(graph, 0), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "clue_graph_create",
                   "the recording of graph %d is over already", (int)graph);
}

/* A replay has one event for all its commands. */
TEST(a_kernel_of_a_graph_follows_its_replays) {
    static const char timing[] = "clGetEventProfilingInfo";
    const struct objects o = make();
    for (int32_t command_buffer = 0; command_buffer <= 1; command_buffer++) {
        const int32_t graph = recorded(&o, command_buffer);
        int32_t k, clock = 7, status = 7, named;
        const char *name;
        const int64_t newest = clue_kernel_newest(&named, &name);
        double seconds = 7;
        assert_works(clue_graph_kernel(&k, graph, 1));
        assert_int_equal(clue_kernel_time(&seconds, &clock, k), CL_PROFILING_INFO_NOT_AVAILABLE);
        assert_detail("kernel 'f' has not been executed yet: execute it first");
        assert_works(clue_graph_replay(NULL, graph, o.queue));
        waits = 0;
        assert_works(clue_kernel_wait(k));
        assert_int_equal(waits, 1);
        assert_works(clue_kernel_status(&status, k));
        assert_int_equal(status, CL_COMPLETE);
        assert_refused(clue_kernel_time(&seconds, &clock, k), CL_PROFILING_INFO_NOT_AVAILABLE, CLUE_CAUSE_PARAMETER,
                       timing,
                       "kernel 'f' was executed in a replay of a graph, which has one time for all its commands: "
                       "ask the replay's event, or profile the run");
        assert_true(seconds == 7);
        assert_works(clue_profile_start()); /* now each command is enqueued by itself */
        assert_works(clue_graph_replay(NULL, graph, o.queue));
        assert_works(clue_kernel_time(&seconds, &clock, k));
        assert_works(clue_profile_stop(&seconds, &clock, &status));
        assert_int_equal(clue_kernel_newest(&named, &name), newest); /* replays do not count */
    }
}
