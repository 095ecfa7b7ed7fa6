/* Mapped memory that transfers of other memory use as the host's: it stays mapped until they have ended, and a
 * graph notices its end.
 *
 * suite: quick
 * drivers: pocl oclgrind */
#define AFTER back_to_normal
#include "stub.h"

static int unmappings;

STUB(clEnqueueUnmapMemObject) {
    unmappings++;
    return NEXT(clEnqueueUnmapMemObject);
}

static int back_to_normal(void **state) {
    unmappings = 0;
    return free_everything(state);
}

/* A buffer of 16 ints that are all the same. */
static int32_t new_numbers(int32_t in, int number) {
    const int32_t b = new_buffer(in, 64);
    int numbers[16];
    for (int i = 0; i < 16; i++)
        numbers[i] = number;
    assert_works(clue_buffer_write(b, 0, numbers, sizeof numbers));
    return b;
}

static int last_number(int32_t b) {
    int number = -1;
    assert_works(clue_buffer_read(&number, b, 60, sizeof number));
    return number;
}

static int *map(int32_t *mapping_out, int32_t on, int32_t b, int64_t flags) {
    void *data = NULL;
    assert_works(clue_queue_map(&data, mapping_out, on, b, flags, 0, 64));
    return data;
}

/* ---- transfers on their way ---- */

/* A transfer into the mapping m, which another queue made; it waits for a user event. */
struct flight {
    int32_t context, reader, mapper, from, to, start, read, m;
};

static struct flight new_flight(void) {
    struct flight f = {.context = new_context()};
    int *data;
    if (limits()->synchronous) skip_because("commands run in the calling thread");
    f.reader = new_queue(f.context, 0);
    f.mapper = new_queue(f.context, 0);
    f.from = new_numbers(f.context, 7);
    f.to = new_numbers(f.context, 1);
    assert_works(clue_user_event_create(&f.start, f.context));
    data = map(&f.m, f.mapper, f.to, CL_MAP_READ | CL_MAP_WRITE);
    assert_works(clue_queue_wait_for(f.reader, &f.start, 1));
    assert_works(clue_queue_read(&f.read, data, f.reader, f.from, 0, 64));
    return f;
}

TEST(unmapping_waits_for_transfers) {
    const struct flight f = new_flight();
    assert_refused(
        clue_queue_unmap(f.mapper, f.m), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "clWaitForEvents",
        "a read from a buffer waits for user event %d, which the script cannot set while it waits: set it "
        "before",
        (int)f.start);
    assert_int_equal(unmappings, 0);
    assert_int_equal(clue_handle_kind(f.m), CLUE_MAPPING);
    assert_works(clue_user_event_set(f.start, 0));
    assert_works(clue_queue_unmap(f.mapper, f.m));
    assert_int_equal(last_number(f.to), 7);
}

TEST(the_transfers_own_queue_need_not_wait) {
    const struct flight f = new_flight();
    assert_works(clue_queue_unmap(f.reader, f.m)); /* behind the transfer */
    assert_int_equal(clue_handle_kind(f.m), CLUE_NONE);
    assert_works(clue_user_event_set(f.start, 0));
    assert_works(clue_queue_finish(f.reader));
    assert_int_equal(last_number(f.to), 7);
}

TEST(a_freed_mapping_is_unmapped_after_its_transfers) {
    const struct flight f = new_flight();
    int32_t other = 0;
    assert_works(clue_handle_free(f.m, CLUE_MAPPING));
    assert_works(clue_handle_free(f.to, CLUE_BUFFER));
    assert_int_equal(unmappings, 0);
    assert_works(clue_user_event_set(f.start, 0));
    (void)map(&other, f.mapper, f.from, CL_MAP_READ);
    assert_int_equal(unmappings, 1);
}

/* ---- transfers in graphs ---- */

/* A graph that reads a buffer into the host's memory. */
static int32_t new_graph(int32_t on, int32_t from, int *data) {
    int32_t graph = 0, commands = 0;
    assert_works(clue_graph_create(&graph, &commands, on));
    assert_works(clue_queue_read(NULL, data, commands, from, 0, 64));
    assert_works(clue_graph_end(graph, 0));
    assert_works(clue_graph_replay(NULL, graph, on));
    return graph;
}

#define assert_not_replayed(graph, on)                                                                             \
    assert_refused(                                                                                                \
        clue_graph_replay(NULL, graph, on), CL_INVALID_HOST_PTR, CLUE_CAUSE_PARAMETER, "clEnqueueReadBuffer",      \
        "command 1 of the graph, a read from a buffer: its array was freed, moved or unmapped since the "          \
        "recording: keep it as it is, or record the graph again")

TEST(a_graph_notices_that_its_memory_was_unmapped) {
    const int32_t c = new_context(), q = new_queue(c, 0), from = new_numbers(c, 7), to = new_numbers(c, 1);
    int32_t m = 0, graph;
    int *data = map(&m, q, to, CL_MAP_READ | CL_MAP_WRITE);
    graph = new_graph(q, from, data);
    assert_int_equal(data[15], 7);
    data[15] = 8;
    assert_works(clue_queue_unmap(q, m));
    assert_not_replayed(graph, q);
    assert_int_equal(last_number(to), 8);
    (void)map(&m, q, to, CL_MAP_READ | CL_MAP_WRITE); /* perhaps at the same place */
    assert_not_replayed(graph, q);
    graph = new_graph(q, from, map(&m, q, new_buffer(c, 64), CL_MAP_WRITE));
    assert_works(clue_handle_free(m, CLUE_MAPPING));
    assert_not_replayed(graph, q);
}

/* An array's memory lives longer than the mappings of the buffer in it. */
TEST(a_mapping_is_not_the_end_of_the_array_behind_it) {
    const int32_t c = new_context(), q = new_queue(c, 0), from = new_numbers(c, 7);
    int *data = clue_array_allocate(64);
    int32_t memory = 0, b = 0, m = 0, graph;
    assert_works(clue_buffer_create_in(&b, &memory, c, data, 64, CL_MEM_READ_WRITE));
    graph = new_graph(q, from, data);
    (void)map(&m, q, b, CL_MAP_READ);
    assert_works(clue_queue_unmap(q, m));
    (void)map(&m, q, b, CL_MAP_READ);
    clue_array_release(data, 64, m);
    assert_int_equal(clue_handle_kind(m), CLUE_NONE);
    data[15] = 0;
    assert_works(clue_graph_replay(NULL, graph, q));
    assert_int_equal(data[15], 7);
    clue_array_release(data, 64, memory);
    assert_not_replayed(graph, q);
}

TEST(a_mapping_outlives_the_array_behind_it) {
    const int32_t c = new_context(), q = new_queue(c, 0), from = new_numbers(c, 7);
    int *data = clue_array_allocate(64);
    int32_t memory = 0, b = 0, m = 0, graph;
    assert_works(clue_buffer_create_in(&b, &memory, c, data, 64, CL_MEM_READ_WRITE));
    graph = new_graph(q, from, map(&m, q, b, CL_MAP_READ | CL_MAP_WRITE));
    clue_array_release(data, 64, memory);
    assert_works(clue_graph_replay(NULL, graph, q));
    assert_works(clue_queue_unmap(q, m));
    assert_not_replayed(graph, q);
}

/* Two views of shared virtual memory are the same memory. */
TEST(a_view_is_not_the_end_of_another) {
    const int32_t c = new_context(), q = new_queue(c, 0), from = new_numbers(c, 7);
    int32_t s = 0, view = 0, older = 0, younger = 0, graph;
    void *data = NULL;
    if (!(limits()->svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) skip_because("it has no fine-grained memory");
    assert_works(clue_svm_create(&s, c, 64, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER));
    assert_works(clue_svm_view(&data, &older, s, 0, 64));
    assert_works(clue_svm_view(&data, &view, s, 0, 64));
    graph = new_graph(q, from, data);
    assert_works(clue_svm_view(&data, &younger, s, 0, 64));
    clue_array_release(data, 64, older);
    clue_array_release(data, 64, younger);
    ((int *)data)[15] = 0;
    assert_works(clue_graph_replay(NULL, graph, q));
    assert_int_equal(((int *)data)[15], 7);
    assert_works(clue_queue_unmap(q, view));
    assert_not_replayed(graph, q);
}
