/* Parts of buffers: where they may begin, which flags they may have, and that they share the buffer's memory.
 *
 * suite: quick
 * drivers: pocl oclgrind */
#include "stub.h"

static int releases; /* of the driver's buffers */

STUB(clReleaseMemObject) {
    releases++;
    return NEXT(clReleaseMemObject);
}

static const char call[] = "clCreateSubBuffer";

static int64_t alignment(void) {
    return (int64_t)device_number(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
}

/* A buffer four times as large as the alignment, with the numbers 0, 1, 2, ... */
static int32_t numbered_buffer(int32_t in) {
    const int64_t size = 4 * alignment();
    const int32_t b = new_buffer(in, size);
    int32_t *numbers = malloc((size_t)size);
    assert_non_null(numbers);
    for (int32_t i = 0; i < size / 4; i++)
        numbers[i] = i;
    assert_works(clue_buffer_write(b, 0, numbers, size));
    free(numbers);
    return b;
}

static int32_t new_part(int32_t of, int64_t offset, int64_t size) {
    int32_t handle = 0;
    assert_works(clue_buffer_create_sub(&handle, of, 0, offset, size));
    assert_int_equal(clue_handle_kind(handle), CLUE_BUFFER);
    return handle;
}

static int32_t number_in(int32_t b, int64_t offset) {
    int32_t number = 0;
    assert_works(clue_buffer_read(&number, b, offset, 4));
    return number;
}

TEST(a_part_is_the_same_memory) {
    const int32_t c = new_context(), b = numbered_buffer(c), k = new_kernel(c, kernel_hundred);
    const int32_t step = (int32_t)alignment(), part = new_part(b, step, 8);
    int64_t size = 0;
    assert_works(clue_memory_size(&size, part));
    assert_int_equal(size, 8);
    assert_int_equal(number_in(part, 4), step / 4 + 1);
    assert_works(clue_kernel_set_object(k, 0, part, 0));
    run_1d(k, 2);
    assert_int_equal(number_in(b, step), step / 4 + 100);
    assert_int_equal(number_in(b, step + 8), step / 4 + 2);
    assert_works(clue_handle_free(b, CLUE_BUFFER)); /* the part keeps the buffer */
    assert_int_equal(number_in(part, 0), step / 4 + 100);
}

TEST(impossible_parts_are_refused) {
    const int32_t c = new_context(), b = numbered_buffer(c), part = new_part(b, 0, alignment());
    const long long step = alignment(), size = 4 * step;
    int32_t made = 7;
    assert_refused(clue_buffer_create_sub(&made, b, 0, step + 4, 4), CL_MISALIGNED_SUB_BUFFER_OFFSET,
                   CLUE_CAUSE_OFFSET, call,
                   "offset %lld: on %s a sub-buffer must begin at a multiple of %lld bytes "
                   "(CL_DEVICE_MEM_BASE_ADDR_ALIGN), for example %lld or %lld",
                   step + 4, device_name(), step, step, 2 * step);
    assert_refused(clue_buffer_create_sub(&made, b, 0, 0, 0), CL_INVALID_BUFFER_SIZE, CLUE_CAUSE_SIZE, call,
                   "a sub-buffer of 0 bytes: it needs at least 1");
    assert_refused(clue_buffer_create_sub(&made, b, 0, step, size), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                   "%lld bytes from offset %lld is too much for the buffer of %lld bytes", size, step, size);
    assert_refused(clue_buffer_create_sub(&made, b, 0, -step, 4), CL_INVALID_VALUE, CLUE_CAUSE_OFFSET, call,
                   "offset %lld is outside the buffer of %lld bytes", -step, size);
    assert_refused(clue_buffer_create_sub(&made, part, 0, 0, 4), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_PARAMETER, call,
                   "buffer %d is a sub-buffer itself: make this one from buffer %d", part, b);
    assert_refused(clue_buffer_create_sub(&made, b, CL_MEM_ALLOC_HOST_PTR, 0, 4), CL_INVALID_VALUE,
                   CLUE_CAUSE_PARAMETER, call,
                   "CL_MEM_ALLOC_HOST_PTR is only for the buffer, which already has its memory");
    assert_refused(clue_buffer_create_sub(&made, c, 0, 0, 4), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE, call,
                   "%d is a context; a buffer is needed", c);
    assert_int_equal(made, 7);
}

TEST(a_part_may_do_no_more_than_its_buffer) {
    static const struct {
        int64_t buffer, part;
        bool works;
    } cases[] = {
        {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, true},
        {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, true},
        {CL_MEM_READ_ONLY, CL_MEM_READ_ONLY, true},
        {CL_MEM_READ_ONLY, 0, true},
        {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, false},
        {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, false},
        {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY, false},
        {CL_MEM_READ_WRITE | CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS, true},
        {CL_MEM_READ_WRITE | CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, false},
        {CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY, false},
    };
    const int32_t c = new_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int32_t b = 0, part = 7;
        assert_works(clue_buffer_create(&b, c, 4, cases[i].buffer));
        assert_int_equal(clue_buffer_create_sub(&part, b, cases[i].part, 0, 4) == 0, cases[i].works);
    }
    assert_string_equal(clue_error_detail(),
                        "the buffer is CL_MEM_HOST_NO_ACCESS: an object made from it cannot be "
                        "CL_MEM_HOST_READ_ONLY");
}

TEST(overlapping_copies_between_parts_are_refused) {
    const int32_t c = new_context(), b = numbered_buffer(c), step = (int32_t)alignment();
    const int32_t part = new_part(b, step, (int64_t)2 * step), next = new_part(b, (int64_t)2 * step, step);
    int32_t q = 0;
    assert_works(clue_queue_create(&q, c, c, 0));
    assert_refused(clue_queue_copy(NULL, q, b, step + 4, part, 0, 8), CL_MEM_COPY_OVERLAP, CLUE_CAUSE_PARAMETER,
                   "clEnqueueCopyBuffer", "8 bytes from offset %d overlap those at 0 of the same memory", step + 4);
    assert_refused(clue_queue_copy(NULL, q, part, step, next, 4, 8), CL_MEM_COPY_OVERLAP, CLUE_CAUSE_PARAMETER,
                   "clEnqueueCopyBuffer", "8 bytes from offset %d overlap those at 4 of the same memory", step);
    assert_works(clue_queue_copy(NULL, q, part, 0, next, 0, 8));
    assert_works(clue_queue_finish(q));
    assert_int_equal(number_in(b, 2 * step + 4), step / 4 + 1);
}

/* Boxes with different pitches are compared by their first and last bytes. */
TEST(overlapping_boxes_of_parts_are_refused) {
    const int32_t c = new_context(), b = numbered_buffer(c), step = (int32_t)alignment();
    const int32_t part = new_part(b, step, step), next = new_part(b, (int64_t)2 * step, step);
    clue_rect r = {.region = {4, 2, 1},
                   .from_origin = {step / 2 - 4},
                   .from_row_pitch = step / 2,
                   .to_row_pitch = 8}; /* the second row of the one ends where the other begins */
    int32_t q = 0;
    assert_works(clue_queue_create(&q, c, c, 0));
    if (is_pocl()) {
        assert_int_equal(clue_queue_copy_rect(NULL, q, part, next, &r), CL_INVALID_VALUE);
        return;
    }
    assert_works(clue_queue_copy_rect(NULL, q, part, next, &r));
    assert_works(clue_queue_finish(q));
    assert_int_equal(number_in(next, 8), number_in(part, step - 4));
    r.from_origin[0] = step + step / 2 - 3;
    assert_refused(clue_queue_copy_rect(NULL, q, b, next, &r), CL_MEM_COPY_OVERLAP, CLUE_CAUSE_PARAMETER,
                   "clEnqueueCopyBufferRect", "the boxes overlap in the same memory");
}

/* PoCL's process would die of each of these copies. */
TEST(boxes_of_parts_are_copied) {
    const int32_t c = new_context(), b = numbered_buffer(c), other = numbered_buffer(c);
    const int32_t step = (int32_t)alignment(), part = new_part(b, step, step);
    const int32_t next = new_part(b, (int64_t)2 * step, step);
    const clue_rect r = {
        .region = {4, 2, 1}, .from_origin = {4}, .from_row_pitch = 8, .to_origin = {12}, .to_row_pitch = 8};
    const int32_t pairs[][2] = {{part, next}, {b, next}, {part, other}, {other, part}};
    int32_t q = 0;
    assert_works(clue_queue_create(&q, c, c, 0));
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const int32_t from = pairs[i][0], to = pairs[i][1], kept = number_in(to, 16);
        assert_works(clue_queue_copy_rect(NULL, q, from, to, &r));
        assert_works(clue_queue_finish(q));
        assert_int_equal(number_in(to, 12), number_in(from, 4));
        assert_int_equal(number_in(to, 20), number_in(from, 12));
        assert_int_equal(number_in(to, 16), kept);
    }
}

TEST(a_buffer_is_released_after_its_parts) {
    const int32_t c = new_context(), b = numbered_buffer(c), part = new_part(b, alignment(), 8);
    const cl_ulong own_memory = limits()->own_memory;
    limits()->own_memory = 0; /* so that no memory is kept for other buffers */
    releases = 0;
    assert_works(clue_handle_free(b, CLUE_BUFFER));
    assert_int_equal(releases, 0);
    assert_works(clue_handle_free(part, CLUE_BUFFER));
    assert_int_equal(releases, 2);
    limits()->own_memory = own_memory;
}

/* Memory that is mapped for writing cannot be used by anything else, through whatever handle. */
TEST(mappings_count_for_the_whole) {
    const int32_t c = new_context(), b = numbered_buffer(c), k = new_kernel(c, kernel_hundred);
    const int32_t part = new_part(b, alignment(), 8), other = new_part(b, 0, 8);
    const int64_t one = 1;
    int32_t q = 0, mapping = 0, number = 0;
    void *data;
    assert_works(clue_queue_create(&q, c, c, 0));
    assert_works(clue_queue_map(&data, &mapping, q, part, CL_MAP_WRITE, 0, 8));
    assert_int_equal(clue_queue_read(NULL, &number, q, b, 0, 4), CL_INVALID_OPERATION);
    assert_works(clue_queue_read(NULL, &number, q, other, 0, 4));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_int_equal(clue_queue_execute(NULL, q, k, 1, NULL, &one, NULL), CL_INVALID_OPERATION);
    assert_works(clue_queue_unmap(q, mapping));
    assert_works(clue_queue_map(&data, &mapping, q, b, CL_MAP_READ, 0, 8));
    assert_works(clue_queue_read(NULL, &number, q, part, 0, 4));
    assert_int_equal(clue_queue_write(NULL, q, part, 0, &number, 4), CL_INVALID_OPERATION);
    assert_works(clue_queue_unmap(q, mapping));
    assert_works(clue_queue_write(NULL, q, part, 0, &number, 4));
}

/* The distance between the two places is more than an int64_t holds. */
TEST(copies_from_far_outside_are_refused) {
    const int32_t c = new_context(), b = numbered_buffer(c);
    int32_t q = 0;
    assert_works(clue_queue_create(&q, c, c, 0));
    assert_refused(clue_queue_copy(NULL, q, b, INT64_MAX - 63, b, INT64_MIN, 1), CL_INVALID_VALUE,
                   CLUE_CAUSE_OFFSET, "clEnqueueCopyBuffer",
                   "offset 9223372036854775744 is outside the buffer of %lld bytes", (long long)(4 * alignment()));
    assert_refused(clue_queue_copy(NULL, q, b, 0, b, INT64_MIN, 1), CL_INVALID_VALUE, CLUE_CAUSE_OFFSET,
                   "clEnqueueCopyBuffer", "offset -9223372036854775808 is outside the buffer of %lld bytes",
                   (long long)(4 * alignment()));
}
