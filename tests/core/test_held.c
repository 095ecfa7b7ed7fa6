/* When much memory is held outside a script's heap, its garbage collector should run (clue_memory_crowded).
 *
 * suite: quick
 * drivers: pocl oclgrind */
#define BEFORE begin_with_shared_memory
#define AFTER end
#include "support.h"

static const int64_t least = INT64_C(64) << 20, some = INT64_C(1) << 20; /* least: may always be made */
static const int64_t much = INT64_C(1) << 40;                            /* a heap for which collections are rare */

static cl_ulong own_memory; /* of the device under test */

static int begin_with_shared_memory(void **state) {
    (void)state;
    own_memory = limits()->own_memory;
    limits()->own_memory = 0;
    return 0;
}

static int end(void **state) {
    const int code = free_everything(state);
    limits()->own_memory = own_memory;
    return code;
}

/* The largest allocation that does not make it crowded. */
static int64_t room(void) {
    int64_t low = -(INT64_C(1) << 40), high = INT64_C(1) << 40;
    while (low < high) {
        const int64_t middle = low + (high - low + 1) / 2;
        if (clue_memory_crowded(middle))
            high = middle - 1;
        else
            low = middle;
    }
    return low;
}

enum { PAGE = 4096 }; /* what an array holds besides its bytes */

/* Counts what is held. */
static int64_t held(void) {
    void *large;
    int64_t more;
    clue_memory_collected(much);
    large = clue_array_allocate(4 * least); /* then half of what is held may be made */
    clue_memory_collected(much);
    more = room();
    clue_array_free(large);
    clue_memory_collected(much);
    return 2 * more - 4 * least - PAGE;
}

TEST(a_collection_is_due_when_half_as_much_again_is_held_as_after_the_last) {
    void *large;
    assert_int_equal(room(), least);
    assert_true(clue_memory_crowded(INT64_MAX));
    large = clue_array_allocate(4 * least);
    assert_non_null(large);
    assert_true(clue_memory_crowded(some));
    clue_memory_collected(much);
    assert_int_equal(room(), 2 * least + PAGE / 2);
    clue_array_free(large);
    assert_int_equal(room(), least);
}

TEST(a_collection_is_due_earlier_if_the_heap_is_small) {
    void *large = clue_array_allocate(8 * least);
    assert_non_null(large);
    clue_memory_collected(0);
    assert_int_equal(room(), least);
    clue_memory_collected(least / 32 * 3 / 2);
    assert_int_equal(room(), least * 3 / 2);
    clue_memory_collected(least);
    assert_int_equal(room(), 4 * least + PAGE / 2);
    clue_array_free(large);
}

/* Most drivers find a buffer's memory at its first use. */
static void use(int32_t buffer) {
    const int32_t number = 1;
    assert_works(clue_buffer_write(buffer, 0, &number, sizeof number));
}

TEST(arrays_and_buffers_count_until_they_are_freed) {
    const int32_t c = new_context();
    int32_t b;
    void *array = clue_array_allocate(some - PAGE);
    assert_int_equal(held(), some);
    assert_works(clue_buffer_create(&b, c, 3 * some, CL_MEM_READ_WRITE));
    assert_int_equal(held(), some);
    use(b);
    assert_int_equal(held(), 4 * some);
    use(b);
    assert_int_equal(held(), 4 * some);
    assert_works(clue_handle_free(b, CLUE_BUFFER));
    assert_int_equal(held(), some);
    clue_array_free(array);
    assert_int_equal(held(), 0);
}

TEST(a_buffer_counts_as_long_as_it_is_an_argument) {
    const int32_t c = new_context(), k = new_kernel(c, kernel_increment);
    int32_t b;
    assert_works(clue_buffer_create(&b, c, some, CL_MEM_READ_WRITE));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    run_and_wait(k, 1);
    assert_works(clue_handle_free(b, CLUE_BUFFER));
    assert_int_equal(held(), some);
    assert_works(clue_handle_free(k, CLUE_KERNEL));
    assert_int_equal(held(), 0);
}

TEST(memory_of_a_parent_or_of_the_host_counts_once) {
    const int32_t c = new_context();
    int32_t parent, part, inside, memory = 0;
    void *array = clue_array_allocate(some - PAGE);
    assert_works(clue_buffer_create(&parent, c, some, CL_MEM_READ_WRITE));
    assert_works(clue_buffer_create_sub(&part, parent, 0, 0, some / 2));
    use(part);
    assert_int_equal(held(), 2 * some);
    assert_works(clue_buffer_create_in(&inside, &memory, c, array, some - PAGE, CL_MEM_READ_WRITE));
    assert_int_equal(held(), 2 * some);
    assert_works(clue_handle_free(parent, CLUE_BUFFER));
    assert_int_equal(held(), 2 * some); /* the part needs it */
    assert_works(clue_handle_free(part, CLUE_BUFFER));
    assert_int_equal(held(), some);
    assert_works(clue_handle_free(inside, CLUE_BUFFER));
    assert_works(clue_handle_free(memory, CLUE_HOST_MEMORY)); /* frees the array, too */
}

TEST(memory_of_a_device_with_much_of_its_own_counts_less) {
    const int32_t c = new_context();
    int32_t b;
    limits()->own_memory =
        (cl_ulong)(least * 32 * 8); /* an eighth counts: 8 * least may be made before a collection */
    assert_works(clue_buffer_create(&b, c, 8 * some, CL_MEM_READ_WRITE));
    use(b);
    assert_int_equal(held(), some);
    assert_works(clue_handle_free(b, CLUE_BUFFER));
    assert_int_equal(held(), 0);
}
