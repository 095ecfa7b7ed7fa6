/* Boxes of bytes: each kind of transfer compared with plain loops, and boxes that do not fit.
 *
 * suite: quick
 * drivers: pocl oclgrind */
#include "stub.h"

enum { ROW = 24, ROWS = 10, SLICE = ROW * ROWS, SIZE = SLICE * 4 };

static unsigned char numbered[SIZE];

static cl_int refusal; /* of the next read by the driver; 0: none */

STUB(clEnqueueReadBufferRect) {
    if (refusal) return refusal;
    return NEXT(clEnqueueReadBufferRect);
}

/* A buffer with these SIZE bytes. */
static int32_t filled_buffer(int32_t in, int32_t q, const unsigned char *bytes) {
    const int32_t b = new_buffer(in, SIZE);
    for (int i = 0; i < SIZE; i++)
        numbered[i] = (unsigned char)(i % 251);
    assert_works(clue_queue_write(NULL, q, b, 0, bytes, SIZE));
    return b;
}

static int64_t place(const int64_t *origin, int64_t row, int64_t slice, int64_t i, int64_t j, int64_t k) {
    return origin[0] + i + (origin[1] + j) * row + (origin[2] + k) * slice;
}

/* Copies a box by plain loops. */
static void copy_plainly(unsigned char *to, const unsigned char *from, const clue_rect *r) {
    for (int64_t k = 0; k < r->region[2]; k++)
        for (int64_t j = 0; j < r->region[1]; j++)
            for (int64_t i = 0; i < r->region[0]; i++)
                to[place(r->to_origin, r->to_row_pitch, r->to_slice_pitch, i, j, k)] =
                    from[place(r->from_origin, r->from_row_pitch, r->from_slice_pitch, i, j, k)];
}

static const clue_rect box = {
    .region = {5, 4, 3},
    .from_origin = {3, 2, 1},
    .from_row_pitch = ROW,
    .from_slice_pitch = SLICE,
    .to_origin = {1, 1, 0},
    .to_row_pitch = 12,
    .to_slice_pitch = 120,
};

TEST(a_box_is_copied_as_loops_would) {
    static const unsigned char zeros[SIZE];
    const int32_t c = new_context(), q = new_queue(c, 0);
    const int32_t from = filled_buffer(c, q, numbered), to = filled_buffer(c, q, zeros);
    unsigned char expected[SIZE] = {0}, found[SIZE] = {0};
    copy_plainly(expected, numbered, &box);
    assert_works(clue_queue_read_rect(NULL, found, q, from, SIZE, &box));
    assert_memory_equal(found, expected, SIZE);
    assert_works(clue_queue_write_rect(NULL, q, to, numbered, SIZE, &box));
    assert_works(clue_queue_read(NULL, found, q, to, 0, SIZE));
    assert_memory_equal(found, expected, SIZE);
    assert_works(clue_queue_write(NULL, q, to, 0, zeros, SIZE));
    assert_works(clue_queue_copy_rect(NULL, q, from, to, &box));
    assert_works(clue_queue_read(NULL, found, q, to, 0, SIZE));
    assert_memory_equal(found, expected, SIZE);
}

TEST(without_pitches_a_box_lies_side_by_side) {
    const int32_t c = new_context(), q = new_queue(c, 0), b = filled_buffer(c, q, numbered);
    clue_rect r = {.region = {4, 3, 2}, .from_row_pitch = ROW, .from_slice_pitch = SLICE}, plain;
    unsigned char expected[24] = {0}, found[24] = {0};
    int32_t event = 0;
    plain = r;
    plain.to_row_pitch = 4;
    plain.to_slice_pitch = 12;
    copy_plainly(expected, numbered, &plain);
    assert_works(clue_queue_read_rect(&event, found, q, b, sizeof found, &r));
    assert_works(clue_event_wait(event));
    assert_memory_equal(found, expected, sizeof found);
}

static clue_rect changed(int64_t region, int64_t from_origin, int64_t from_row, int64_t from_slice) {
    clue_rect r = box;
    r.region[0] = region;
    r.from_origin[0] = from_origin;
    r.from_row_pitch = from_row;
    r.from_slice_pitch = from_slice;
    return r;
}

TEST(boxes_outside_their_memory_are_refused) {
    const int32_t c = new_context(), q = new_queue(c, 0), b = filled_buffer(c, q, numbered);
    static const char read_call[] = "clEnqueueReadBufferRect", write_call[] = "clEnqueueWriteBufferRect";
    unsigned char bytes[SIZE];
    clue_rect r = changed(0, 0, 0, 0);
    assert_refused(clue_queue_read_rect(NULL, bytes, q, b, SIZE, &r), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, read_call,
                   "a region of 0 x 4 x 3: each must be at least 1");
    r = changed(5, -1, 0, 0);
    assert_refused(clue_queue_read_rect(NULL, bytes, q, b, SIZE, &r), CL_INVALID_VALUE, CLUE_CAUSE_OFFSET,
                   read_call, "an origin of -1: it must be at least 0");
    r = changed(5, 0, 4, 0);
    assert_refused(clue_queue_read_rect(NULL, bytes, q, b, SIZE, &r), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, read_call,
                   "the buffer: a row pitch of 4 bytes is less than the 5 of a row");
    r = changed(5, 0, ROW, (int64_t)3 * ROW);
    assert_refused(clue_queue_write_rect(NULL, q, b, bytes, SIZE, &r), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   write_call,
                   "the host's memory: a slice pitch of 72 bytes, with 4 rows by a pitch of 24: it must be a "
                   "multiple of the row pitch and hold all rows");
    r = changed(5, 0, ROW, 5 * ROW + 1);
    assert_int_equal(clue_queue_write_rect(NULL, q, b, bytes, SIZE, &r), CL_INVALID_VALUE);
    r = changed(5, 0, 0, -1);
    assert_refused(clue_queue_write_rect(NULL, q, b, bytes, SIZE, &r), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   write_call, "a pitch below 0: the next row or slice must come after the one before");
    r = box; /* ends at 1 + 1 * 12 + 5 + 3 * 12 + 2 * 120 */
    assert_works(clue_queue_read_rect(NULL, bytes, q, b, 294, &r));
    assert_refused(clue_queue_read_rect(NULL, bytes, q, b, 293, &r), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, read_call,
                   "the host's memory: a box of 5 bytes x 4 rows x 3 slices at (1, 1, 0) ends at byte 294, but the "
                   "size is 293");
    r.from_origin[2] = INT64_MAX;
    assert_int_equal(clue_queue_read_rect(NULL, bytes, q, b, SIZE, &r), CL_INVALID_VALUE);
    r = changed(1, 0, INT64_MAX, 0);
    assert_refused(clue_queue_read_rect(NULL, bytes, q, b, SIZE, &r), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, read_call,
                   "the buffer: 4 rows by a pitch of 9223372036854775807 bytes are more than its 960 bytes");
    assert_refused(clue_queue_read_rect(NULL, NULL, q, b, SIZE, &box), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   read_call, "there is no memory to copy");
    assert_int_equal(clue_queue_read_rect(NULL, bytes, q, c, SIZE, &box), CL_INVALID_MEM_OBJECT);
}

/* Looks at every byte: is any in both boxes? */
static bool overlap(const clue_rect *r) {
    bool read[SIZE] = {false};
    for (int64_t k = 0; k < r->region[2]; k++)
        for (int64_t j = 0; j < r->region[1]; j++)
            for (int64_t i = 0; i < r->region[0]; i++)
                read[place(r->from_origin, r->from_row_pitch, r->from_slice_pitch, i, j, k)] = true;
    for (int64_t k = 0; k < r->region[2]; k++)
        for (int64_t j = 0; j < r->region[1]; j++)
            for (int64_t i = 0; i < r->region[0]; i++)
                if (read[place(r->to_origin, r->to_row_pitch, r->to_slice_pitch, i, j, k)]) return true;
    return false;
}

static uint32_t seed = 1;

static int64_t random_below(int64_t limit) {
    seed = seed * 1664525u + 1013904223u;
    return (int64_t)(seed >> 8) % limit;
}

/* Some of these boxes run over the ends of rows and slices. */
static clue_rect random_box(void) {
    clue_rect r = {.from_row_pitch = 8, .from_slice_pitch = 48, .to_row_pitch = 8, .to_slice_pitch = 48};
    const int64_t most[] = {8, 6, 3}, far[] = {12, 8, 4};
    for (int i = 0; i < 3; i++) {
        r.region[i] = 1 + random_below(most[i]);
        r.from_origin[i] = random_below(far[i]);
        r.to_origin[i] = random_below(far[i]);
    }
    return r;
}

TEST(overlapping_copies_within_a_buffer_are_refused) {
    const int32_t c = new_context(), q = new_queue(c, 0), b = filled_buffer(c, q, numbered);
    int refused = 0, worked = 0;
    for (int i = 0; i < 2000; i++) {
        const clue_rect r = random_box();
        const bool met = overlap(&r);
        const int32_t code = clue_queue_copy_rect(NULL, q, b, b, &r);
        /* PoCL itself refuses some that do not overlap; its code comes without an explanation. */
        const bool drivers = code == CL_MEM_COPY_OVERLAP && clue_error_cause() == CLUE_CAUSE_DRIVER;
        if (!drivers) assert_int_equal(code, met ? CL_MEM_COPY_OVERLAP : 0);
        assert_false(drivers && met);
        *(met ? &refused : &worked) += 1;
        if (i % 100 == 99) assert_works(clue_queue_finish(q));
    }
    assert_true(refused > 300);
    assert_true(worked > 300);
}

TEST(pitches_within_one_buffer_are_the_same) {
    const int32_t c = new_context(), q = new_queue(c, 0), b = filled_buffer(c, q, numbered);
    assert_refused(clue_queue_copy_rect(NULL, q, b, b, &box), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clEnqueueCopyBufferRect",
                   "within one buffer both places must have the same pitches: 24 and 12 bytes from row to row, 240 "
                   "and 120 from slice to slice were given");
}

TEST(what_nvidia_refuses_is_explained) {
    const int32_t c = new_context(), q = new_queue(c, 0), b = filled_buffer(c, q, numbered);
    const clue_rect r = {.region = {2, 1, 1}};
    const bool nvidia = limits()->nvidia;
    unsigned char bytes[2] = {0};
    int32_t code;
    limits()->nvidia = true;
    refusal = CL_INVALID_VALUE;
    code = clue_queue_read_rect(NULL, bytes, q, b, sizeof bytes, &r);
    refusal = 0;
    limits()->nvidia = nvidia;
    assert_refused(code, CL_INVALID_VALUE, CLUE_CAUSE_DRIVER, "clEnqueueReadBufferRect",
                   "the box is inside the buffer, but its last slice would not be if it were as long as the slice "
                   "pitch, which NVIDIA's driver demands");
    assert_works(clue_queue_read_rect(NULL, bytes, q, b, sizeof bytes, &r));
}
