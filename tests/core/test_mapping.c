/* Commands that the device carries out on buffers (copies, fills), and mappings, the host's views of them.
 *
 * suite: quick
 * drivers: pocl oclgrind */
#define AFTER back_to_normal
#include "stub.h"

static int unmappings;
static cl_int refusal; /* the driver's error code for the next map, unmap or fill; 0: none */

STUB(clEnqueueMapBuffer) {
    *error_out = refusal;
    return refusal ? NULL : NEXT(clEnqueueMapBuffer);
}

STUB(clEnqueueUnmapMemObject) {
    if (refusal) return refusal;
    unmappings++;
    return NEXT(clEnqueueUnmapMemObject);
}

STUB(clEnqueueFillBuffer) {
    return refusal ? refusal : NEXT(clEnqueueFillBuffer);
}

static int back_to_normal(void **state) {
    refusal = 0;
    unmappings = 0;
    return free_everything(state);
}

/* A buffer of 16 ints, 0 to 15. */
static int32_t new_numbers(int32_t in) {
    const int32_t b = new_buffer(in, 64);
    int numbers[16];
    for (int i = 0; i < 16; i++)
        numbers[i] = i;
    assert_works(clue_buffer_write(b, 0, numbers, sizeof numbers));
    return b;
}

/* ---- copies and fills ---- */

TEST(bytes_are_copied) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), a = new_numbers(c),
                  b = new_buffer(c, 64);
    int32_t event = 0, status = 7;
    assert_works(clue_queue_copy(&event, q, a, 0, b, 0, 64));
    assert_int_equal(clue_handle_kind(event), CLUE_EVENT);
    assert_works(clue_queue_copy(NULL, q, a, 4, b, 60, 4));
    assert_works(clue_queue_copy(NULL, q, b, 8, b, 0, 8)); /* within the buffer, to the bytes right before */
    assert_int_equal(number_at(q, b, 0), 2);
    assert_int_equal(number_at(q, b, 1), 3);
    assert_int_equal(number_at(q, b, 14), 14);
    assert_int_equal(number_at(q, b, 15), 1);
    assert_works(clue_queue_finish(q));
    assert_works(clue_event_status(&status, event));
    assert_int_equal(status, CL_COMPLETE);
}

TEST(impossible_copies_are_refused) {
    static const char call[] = "clEnqueueCopyBuffer";
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), a = new_numbers(c),
                  b = new_buffer(c, 32);
    int32_t event = 7;
    assert_refused(clue_queue_copy(&event, q, a, 0, b, 0, 33), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                   "33 bytes from offset 0 is too much for the buffer of 32 bytes");
    assert_refused(clue_queue_copy(&event, q, b, -1, a, 0, 4), CL_INVALID_VALUE, CLUE_CAUSE_OFFSET, call,
                   "offset -1 is outside the buffer of 32 bytes");
    assert_refused(clue_queue_copy(&event, q, a, 0, b, 0, 0), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                   "0 bytes: there is nothing to do");
    assert_refused(clue_queue_copy(&event, q, a, 0, a, 8, 16), CL_MEM_COPY_OVERLAP, CLUE_CAUSE_PARAMETER, call,
                   "16 bytes from offset 0 overlap those at 8 of the same buffer");
    assert_refused(clue_queue_copy(&event, q, a, 8, a, 0, 9), CL_MEM_COPY_OVERLAP, CLUE_CAUSE_PARAMETER, call,
                   "9 bytes from offset 8 overlap those at 0 of the same buffer");
    assert_refused(clue_queue_copy(&event, q, a, 0, new_buffer(new_context(), 64), 0, 4), CL_INVALID_CONTEXT,
                   CLUE_CAUSE_PARAMETER, call, "the buffer belongs to another context than queue %d", q);
    assert_int_equal(event, 7);
}

TEST(buffers_are_filled) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_numbers(c), seven = 7;
    const char byte = 1;
    int32_t event = 0;
    assert_works(clue_queue_fill(&event, q, b, 8, 16, &seven, sizeof seven));
    assert_works(clue_queue_fill(NULL, q, b, 60, 4, &byte, 1));
    assert_works(clue_event_wait(event));
    assert_int_equal(number_at(q, b, 1), 1);
    assert_int_equal(number_at(q, b, 2), 7);
    assert_int_equal(number_at(q, b, 5), 7);
    assert_int_equal(number_at(q, b, 6), 6);
    assert_int_equal(number_at(q, b, 15), 0x01010101);
}

TEST(impossible_fills_are_refused) {
    static const char call[] = "clEnqueueFillBuffer";
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_numbers(c), seven = 7;
    int32_t event = 7;
    assert_refused(clue_queue_fill(&event, q, b, 0, 64, &seven, 3), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                   "a pattern of 3 bytes: it must have 1, 2, 4, 8, 16, 32, 64 or 128");
    assert_refused(clue_queue_fill(&event, q, b, 0, 64, "", 0), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                   "a pattern of 0 bytes: it must have 1, 2, 4, 8, 16, 32, 64 or 128");
    assert_int_equal(clue_queue_fill(&event, q, b, 0, 64, NULL, 4), CL_INVALID_VALUE);
    assert_refused(clue_queue_fill(&event, q, b, 2, 4, &seven, 4), CL_INVALID_VALUE, CLUE_CAUSE_OFFSET, call,
                   "size 4 and offset 2: both must be multiples of the pattern's 4 bytes");
    assert_refused(clue_queue_fill(&event, q, b, 4, 6, &seven, 4), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                   "size 6 and offset 4: both must be multiples of the pattern's 4 bytes");
    assert_refused(clue_queue_fill(&event, q, b, 60, 8, &seven, 4), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                   "8 bytes from offset 60 is too much for the buffer of 64 bytes");
    assert_refused(clue_queue_fill(&event, q, b, 0, 0, &seven, 4), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                   "0 bytes: there is nothing to do");
    assert_int_equal(event, 7);
}

TEST(a_refusal_by_the_driver_leaves_no_event) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_numbers(c),
                  before = clue_handle_count(), seven = 7;
    int32_t event = 7;
    refusal = CL_OUT_OF_RESOURCES;
    assert_int_equal(clue_queue_fill(&event, q, b, 0, 64, &seven, 4), CL_OUT_OF_RESOURCES);
    refusal = 0;
    assert_string_equal(clue_error_call(), "clEnqueueFillBuffer");
    assert_int_equal(event, 7);
    assert_int_equal(clue_handle_count(), before);
    assert_null(clue_waiting());
    assert_works(clue_queue_finish(q));
}

/* ---- mappings ---- */

static int *map(int32_t *mapping_out, int32_t on, int32_t b, int64_t flags) {
    void *data = NULL;
    assert_works(clue_queue_map(&data, mapping_out, on, b, flags, 0, 64));
    assert_non_null(data);
    assert_int_equal(clue_handle_kind(*mapping_out), CLUE_MAPPING);
    return data;
}

TEST(writes_by_the_host_reach_the_buffer) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_numbers(c);
    int32_t m = 0;
    void *part = NULL;
    int *numbers = map(&m, q, b, CL_MAP_READ | CL_MAP_WRITE);
    assert_int_equal(numbers[15], 15);
    numbers[0] = 100;
    assert_works(clue_queue_unmap(q, m));
    assert_int_equal(clue_handle_kind(m), CLUE_NONE);
    assert_int_equal(number_at(q, b, 0), 100);
    assert_works(clue_queue_map(&part, &m, q, b, CL_MAP_WRITE_INVALIDATE_REGION, 8, 8));
    ((int *)part)[0] = ((int *)part)[1] = 200;
    assert_works(clue_queue_unmap(q, m));
    assert_int_equal(number_at(q, b, 1), 1);
    assert_int_equal(number_at(q, b, 2), 200);
    assert_int_equal(number_at(q, b, 3), 200);
    assert_int_equal(number_at(q, b, 4), 4);
    assert_int_equal(unmappings, 2);
}

TEST(a_mapping_is_unmapped_once) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_numbers(c);
    int32_t m = 0;
    (void)map(&m, q, b, CL_MAP_READ);
    assert_works(clue_queue_unmap(q, m));
    assert_refused(clue_queue_unmap(q, m), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, "clEnqueueUnmapMemObject",
                   "mapping %d was freed", m);
    assert_refused(clue_queue_unmap(q, b), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, "clEnqueueUnmapMemObject",
                   "%d is a buffer; a mapping is needed", b);
    assert_int_equal(unmappings, 1);
}

TEST(freeing_a_mapping_unmaps_it) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_numbers(c);
    int32_t m = 0;
    map(&m, q, b, CL_MAP_READ | CL_MAP_WRITE)[3] = 33;
    assert_works(clue_handle_free(q, CLUE_QUEUE));
    assert_works(clue_context_finish(m)); /* a mapping stands for its context, too */
    assert_works(clue_handle_free(m, CLUE_MAPPING));
    assert_int_equal(unmappings, 1);
    assert_int_equal(number_at(new_queue(c, CL_QUEUE_PROFILING_ENABLE), b, 3), 33);
}

TEST(a_mapping_keeps_its_buffer) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_numbers(c);
    int32_t m = 0;
    int *numbers = map(&m, q, b, CL_MAP_READ | CL_MAP_WRITE);
    assert_works(clue_handle_free(b, CLUE_BUFFER));
    assert_works(clue_handle_free(c, CLUE_CONTEXT));
    assert_int_equal(numbers[15], 15);
    numbers[15] = 16;
    assert_works(clue_queue_unmap(q, m));
    assert_int_equal(clue_handle_count(), 1);
}

TEST(impossible_mappings_are_refused) {
    static const char call[] = "clEnqueueMapBuffer";
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_numbers(c),
                  before = clue_handle_count();
    int32_t m = 7;
    void *data = NULL;
    assert_refused(clue_queue_map(&data, &m, q, b, 0, 0, 64), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                   "0x0 are not mapping flags: use CL_MAP_READ, CL_MAP_WRITE or CL_MAP_WRITE_INVALIDATE_REGION");
    assert_refused(clue_queue_map(&data, &m, q, b, 8, 0, 64), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                   "0x8 are not mapping flags: use CL_MAP_READ, CL_MAP_WRITE or CL_MAP_WRITE_INVALIDATE_REGION");
    assert_refused(clue_queue_map(&data, &m, q, b, 5, 0, 64), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                   "CL_MAP_WRITE_INVALIDATE_REGION cannot be combined with others: it leaves nothing to read");
    assert_refused(clue_queue_map(&data, &m, q, b, 1, 60, 8), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                   "8 bytes from offset 60 is too much for the buffer of 64 bytes");
    assert_refused(clue_queue_map(&data, &m, q, b, 1, 64, 0), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                   "0 bytes: there is nothing to map");
    refusal = CL_MAP_FAILURE;
    assert_int_equal(clue_queue_map(&data, &m, q, b, 1, 0, 64), CL_MAP_FAILURE);
    refusal = 0;
    assert_string_equal(clue_error_call(), call);
    assert_null(data);
    assert_int_equal(m, 7);
    assert_int_equal(clue_handle_count(), before);
    assert_int_equal(unmappings, 0);
    assert_int_equal(number_at(q, b, 1), 1); /* so nothing counts as mapped */
}

TEST(a_failed_unmapping_can_be_tried_again) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_numbers(c);
    int32_t m = 0;
    map(&m, q, b, CL_MAP_READ | CL_MAP_WRITE)[0] = 9;
    refusal = CL_OUT_OF_RESOURCES;
    assert_int_equal(clue_queue_unmap(q, m), CL_OUT_OF_RESOURCES);
    refusal = 0;
    assert_int_equal(clue_handle_kind(m), CLUE_MAPPING);
    assert_works(clue_queue_unmap(q, m));
    assert_int_equal(number_at(q, b, 0), 9);
}

TEST(commands_on_a_mapped_buffer_are_refused) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_numbers(c),
                  other = new_buffer(c, 64), one = 1;
    const int32_t k = new_kernel(c, kernel_increment);
    const int64_t global = 16;
    int32_t m = 0, n = 0;
    int number = 0;
    void *data = NULL;
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    (void)map(&m, q, b, CL_MAP_WRITE);
    assert_refused(clue_queue_read(NULL, &number, q, b, 0, 4), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
                   "clEnqueueReadBuffer", "the buffer is mapped for writing by the host: unmap it first");
    assert_int_equal(clue_buffer_write(b, 0, &number, 4), CL_INVALID_OPERATION);
    assert_int_equal(clue_queue_copy(NULL, q, b, 0, other, 0, 4), CL_INVALID_OPERATION);
    assert_int_equal(clue_queue_map(&data, &n, q, b, CL_MAP_READ, 0, 4), CL_INVALID_OPERATION);
    assert_refused(
        clue_kernel_execute(k, 1, NULL, &global, NULL), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
        "clEnqueueNDRangeKernel",
        "argument 0 'a' of kernel 'f' is buffer %d, which is mapped for writing by the host: unmap it first", b);
    assert_works(clue_queue_unmap(q, m));
    (void)map(&m, q, b, CL_MAP_READ);
    assert_works(clue_queue_map(&data, &n, q, b, CL_MAP_READ, 0, 4)); /* readers do not disturb each other */
    assert_int_equal(number_at(q, b, 1), 1);
    assert_works(clue_queue_copy(NULL, q, b, 0, other, 0, 4));
    assert_refused(clue_queue_write(NULL, q, b, 0, &number, 4), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
                   "clEnqueueWriteBuffer", "the buffer is mapped for reading by the host: unmap it first");
    assert_int_equal(clue_queue_copy(NULL, q, other, 0, b, 0, 4), CL_INVALID_OPERATION);
    assert_int_equal(clue_queue_fill(NULL, q, b, 0, 4, &one, 4), CL_INVALID_OPERATION);
    assert_works(clue_queue_unmap(q, m));
    assert_int_equal(clue_queue_write(NULL, q, b, 0, &number, 4), CL_INVALID_OPERATION);
    assert_works(clue_handle_free(n, CLUE_MAPPING));
    assert_works(clue_queue_write(NULL, q, b, 0, &number, 4));
    run_1d(k, 16);
}
