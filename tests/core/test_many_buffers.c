/* Very many real objects at once: buffers of the null driver, which have no memory.
 *
 * suite: quick
 * drivers: null */
#include "support.h"

enum { LIVE = 60000, ROUNDS = 5 };

static int32_t handles[LIVE];

static void make_all(int32_t in) {
    for (int32_t i = 0; i < LIVE; i++)
        assert_works(clue_buffer_create(&handles[i], in, 1 + i, CL_MEM_READ_WRITE));
}

/* Each buffer has its own size, by which it is recognised. */
static void find_all(void) {
    int64_t size;
    for (int32_t i = 0; i < LIVE; i++) {
        assert_works(clue_memory_size(&size, handles[i]));
        assert_int_equal(size, 1 + i);
        assert_int_equal(clue_handle_kind(handles[i]), CLUE_BUFFER);
    }
}

/* Frees every third buffer first, so that the rest is scattered. */
static void free_all(void) {
    for (int32_t first = 0; first < 3; first++)
        for (int32_t i = first; i < LIVE; i += 3)
            assert_works(clue_handle_free(handles[i], CLUE_BUFFER));
    for (int32_t i = 0; i < LIVE; i++)
        assert_int_equal(clue_handle_kind(handles[i]), CLUE_NONE);
}

TEST(sixty_thousand_buffers_live_at_once) {
    const int32_t in = new_context();
    for (int32_t round = 0; round < ROUNDS; round++) {
        make_all(in);
        assert_int_equal(clue_handle_count(), LIVE + 1);
        find_all();
        free_all();
        assert_int_equal(clue_handle_count(), 1);
    }
    assert_works(clue_handle_free(in, CLUE_CONTEXT));
    assert_int_equal(clue_handle_count(), 0);
}

/* A buffer that is an argument stays, although its handle is freed like all others. */
TEST(a_kernel_keeps_its_buffer_among_them) {
    const int32_t in = new_context(), runs = new_kernel(in, "kernel void f(global float *x) { }");
    make_all(in);
    assert_works(clue_kernel_set_object(runs, 0, handles[LIVE / 2], 0));
    run_1d(runs, 1);
    free_all();
    assert_refused(clue_kernel_execute(runs, 1, NULL, &(int64_t){1}, NULL), CL_INVALID_MEM_OBJECT,
                   CLUE_CAUSE_HANDLE, "clEnqueueNDRangeKernel",
                   "argument 0 'x' of kernel 'f' is buffer %d, which was freed", (int)handles[LIVE / 2]);
}
