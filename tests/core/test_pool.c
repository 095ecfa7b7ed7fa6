/* The memory of freed buffers on devices with memory of their own, which later buffers get (pool.c). The drivers
 * under test use the host's memory, so these tests say otherwise.
 *
 * suite: quick */
#define BEFORE begin
#define AFTER end
#include "stub.h"

#include "memory/memory.h"

enum { SIZE = 256, ROOM = 16 * SIZE /* of a pool */, PART = 32 };

static int made, released, shortages; /* calls; how many buffers are still to be refused */
static cl_ulong own_memory;           /* as the driver says */

STUB(clCreateBuffer) {
    made++;
    if (shortages == 0) return NEXT(clCreateBuffer);
    shortages--;
    *error_out = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

STUB(clReleaseMemObject) {
    released++;
    return NEXT(clReleaseMemObject);
}

static int begin(void **state) {
    (void)state;
    own_memory = limits()->own_memory;
    limits()->own_memory = (cl_ulong)ROOM * PART;
    made = released = shortages = 0;
    return 0;
}

static int end(void **state) {
    const int code = free_everything(state);
    limits()->own_memory = own_memory;
    return code;
}

/* ---- helpers ---- */

static void free_buffer(int32_t handle) {
    assert_works(clue_handle_free(handle, CLUE_BUFFER));
}

/* Makes buffers, and then frees them. */
static void make_and_free(int32_t in, int32_t count, int64_t size) {
    int32_t handles[64];
    for (int32_t i = 0; i < count; i++)
        handles[i] = new_buffer(in, size);
    for (int32_t i = 0; i < count; i++)
        free_buffer(handles[i]);
}

static cl_mem memory_of(int32_t handle) {
    const buffer *b = (buffer *)handle_find(handle, CLUE_BUFFER, "clFoo");
    assert_non_null(b);
    return b->memory;
}

/* A buffer that was freed while a command which waits for a user event may use it. Returns its memory. */
static cl_mem freed_in_use(int32_t queue_handle, int32_t in, int32_t gate) {
    const int32_t number = 7, b = new_buffer(in, SIZE);
    const cl_mem memory = memory_of(b);
    int32_t event = 0;
    assert_works(clue_queue_wait_for(queue_handle, &gate, 1));
    assert_works(clue_queue_fill(&event, queue_handle, b, 0, SIZE, &number, sizeof number));
    free_buffer(b);
    return memory;
}

/* ---- tests ---- */

TEST(the_next_buffer_of_the_size_gets_the_memory) {
    const int32_t c = new_context();
    const char text[] = "what it has now";
    char found[sizeof text] = "";
    int32_t b;
    make_and_free(c, 3, SIZE);
    assert_int_equal(released, 0);
    for (int i = 0; i < 3; i++) {
        b = new_buffer(c, SIZE);
        assert_works(clue_buffer_write(b, 3, text, sizeof text));
        assert_works(clue_buffer_read(found, b, 3, sizeof text));
        assert_string_equal(found, text);
    }
    assert_int_equal(made, 3);
    (void)new_buffer(c, SIZE);
    assert_int_equal(made, 4);
}

TEST(only_the_same_size_flags_and_context_will_do) {
    const int32_t c = new_context(), other = new_context();
    int32_t b;
    make_and_free(c, 1, SIZE);
    (void)new_buffer(c, SIZE / 2);
    (void)new_buffer(other, SIZE);
    assert_works(clue_buffer_create(&b, c, SIZE, CL_MEM_READ_ONLY));
    assert_int_equal(made, 4);
}

TEST(a_context_gives_it_back_at_its_end) {
    const int32_t c = new_context();
    make_and_free(c, 2, SIZE);
    assert_int_equal(released, 0);
    assert_works(clue_handle_free(c, CLUE_CONTEXT));
    assert_int_equal(released, 2);
}

TEST(memory_waits_for_the_last_command_that_may_use_it) {
    const int32_t c = new_context(), q = new_queue(c, 0);
    int32_t gate = 0;
    cl_mem memory;
    if (limits()->synchronous) skip_because("commands run in the calling thread");
    assert_works(clue_user_event_create(&gate, c));
    memory = freed_in_use(q, c, gate);
    assert_int_equal(released, 0);
    assert_ptr_not_equal(memory_of(new_buffer(c, SIZE)), memory);
    assert_works(clue_user_event_set(gate, CL_COMPLETE));
    assert_works(clue_queue_finish(q));
    assert_ptr_equal(memory_of(new_buffer(c, SIZE)), memory);
    assert_int_equal(made, 2);
}

TEST(the_driver_gets_memory_that_two_queues_may_use) {
    const int32_t c = new_context(), one = new_queue(c, 0), two = new_queue(c, 0), other = new_buffer(c, SIZE / 2);
    int32_t gate = 0, event = 0;
    if (limits()->synchronous) skip_because("commands run in the calling thread");
    assert_works(clue_user_event_create(&gate, c));
    assert_works(clue_queue_wait_for(two, &gate, 1));
    assert_works(clue_queue_fill(&event, two, other, 0, SIZE / 2, &event, sizeof event));
    (void)freed_in_use(one, c, gate);
    (void)new_buffer(c, SIZE);
    assert_int_equal(made, 3);
    assert_works(clue_user_event_set(gate, CL_COMPLETE));
    assert_works(clue_queue_finish(one));
    assert_works(clue_queue_finish(two));
    (void)new_buffer(c, SIZE);
    assert_int_equal(made, 4);
}

TEST(a_part_of_the_devices_memory_is_kept) {
    const int32_t c = new_context();
    make_and_free(c, 20, SIZE);
    assert_int_equal(released, 4);
    make_and_free(c, 1, INT64_C(8) * SIZE); /* other sizes make room */
    assert_int_equal(released, 20);
    make_and_free(c, 1, ROOM + SIZE); /* too large */
    assert_int_equal(released, 21);
    make_and_free(c, 1, INT64_C(8) * SIZE);
    assert_int_equal(made, 22);
}

TEST(a_size_not_asked_for_makes_room_for_another) {
    enum { BINS = 16 };
    const int32_t c = new_context();
    for (int i = 1; i <= BINS; i++)
        make_and_free(c, 1, i);
    make_and_free(c, 1, 1);
    assert_int_equal(made, BINS);
    make_and_free(c, 1, 100); /* in the place of 2 */
    assert_int_equal(released, 1);
    make_and_free(c, 1, 1);
    assert_int_equal(made, BINS + 1);
    make_and_free(c, 1, 2);
    assert_int_equal(made, BINS + 2);
}

TEST(what_is_kept_serves_another_size_when_memory_is_short) {
    const int32_t c = new_context(), last = new_buffer(c, SIZE);
    make_and_free(c, 2, SIZE);
    shortages = 1;
    (void)new_buffer(c, INT64_C(2) * SIZE);
    assert_int_equal(released, 2);
    assert_int_equal(made, 5); /* the driver was asked twice for the last one */
    free_buffer(last);
    assert_int_equal(released, 3);
}

TEST(after_a_shortage_freed_memory_goes_to_the_driver) {
    const int32_t c = new_context(), old = new_buffer(c, SIZE);
    int32_t b = 0;
    shortages = 1;
    assert_int_equal(clue_buffer_create(&b, c, SIZE, 0), CL_MEM_OBJECT_ALLOCATION_FAILURE);
    free_buffer(old);
    assert_int_equal(released, 1);
    make_and_free(c, 1, SIZE);
    assert_int_equal(released, 1);
}

TEST(memory_that_others_may_hold_is_not_kept) {
    const int32_t c = new_context(), b = new_buffer(c, SIZE);
    void *raw = NULL;
    assert_works(clue_handle_pointer(&raw, b, CLUE_BUFFER));
    free_buffer(b);
    assert_int_equal(released, 1);
}

TEST(a_buffer_is_kept_when_its_last_user_frees_it) {
    const int32_t c = new_context(), b = new_buffer(c, SIZE),
                  k = new_kernel(c, "__kernel void f(__global int *a) {}");
    const cl_mem memory = memory_of(b);
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    free_buffer(b);
    assert_ptr_not_equal(memory_of(new_buffer(c, SIZE)), memory); /* the kernel has it */
    assert_works(clue_handle_free(k, CLUE_KERNEL));
    assert_ptr_equal(memory_of(new_buffer(c, SIZE)), memory);
}

TEST(mapped_memory_and_that_of_parts_is_not_kept) {
    const int32_t c = new_context(), q = new_queue(c, 0), b = new_buffer(c, 4096);
    int32_t part = 0, mapping = 0;
    void *data = NULL;
    assert_works(clue_buffer_create_sub(&part, b, 0, 0, 16));
    free_buffer(part);
    assert_int_equal(released, 1);
    assert_works(clue_queue_map(&data, &mapping, q, b, CL_MAP_WRITE, 0, 16));
    free_buffer(b);
    assert_int_equal(released, 1); /* the mapping holds it */
    assert_works(clue_queue_unmap(q, mapping));
    assert_works(clue_queue_finish(q));
}
