/* The handle table: what a handle stands for, for how long, and how many there can be. The objects are fakes; no
 * driver is used.
 *
 * suite: quick */
#include "support.h"

enum { MOST = 131072, GENERATIONS = 16383 };

static int destroyed;

static void count_destroyed(object *self) {
    (void)self;
    destroyed++;
}

static const object_class *fake_class(int32_t kind) {
    static object_class classes[CLUE_SVM + 1];
    classes[kind] = (object_class){.kind = kind, .destroy = count_destroyed};
    return &classes[kind];
}

static int32_t open_fake(object *self, int32_t kind) {
    int32_t handle = 0;
    assert_works(handle_open(&handle, self, fake_class(kind), "clCreateFake"));
    return handle;
}

static int32_t slot_of(int32_t handle) {
    return handle & (MOST - 1);
}

/* The table has not grown yet, so its first slots are used again and again. The generations of each slot must
 * follow each other, and begin again after the last, so that a handle returns only after all others of its slot.
 * Handles that were freed shortly before are looked up, too. With sanitizers, fewer cycles are enough. */
TEST(fifty_million_creations_need_no_growth) {
#ifdef __SANITIZE_ADDRESS__
    const int64_t cycles = 10000000;
#else
    const int64_t cycles = 50000000; /* three rounds of all generations */
#endif
    enum { SLOTS = 1024, KEPT = 65536, APART = SLOTS * GENERATIONS / KEPT };
    static object fake;
    static int32_t generations[SLOTS], kept[KEPT];
    for (int64_t i = 0; i < cycles; i++) {
        const int32_t handle = open_fake(&fake, CLUE_BUFFER), slot = slot_of(handle);
        if (slot >= SLOTS) fail_msg("slot %d: the table has grown", (int)slot);
        if (handle >> 17 != generations[slot] % GENERATIONS + 1)
            fail_msg("generation %d follows %d", (int)(handle >> 17), (int)generations[slot]);
        generations[slot] = handle >> 17;
        if (handle_find(handle, CLUE_BUFFER, "clFoo") != &fake) fail();
        if (clue_handle_kind(kept[(i * 40503) % KEPT]) != CLUE_NONE) fail();
        if (clue_handle_free(handle, CLUE_BUFFER)) fail();
        if (i % APART == 0) kept[i / APART % KEPT] = handle;
    }
    assert_int_equal(clue_handle_count(), 0);
    print_message("%lld handles were created and freed\n", (long long)cycles);
}

TEST(a_handle_finds_its_object_and_kind) {
    static object one, two;
    const int32_t first = open_fake(&one, CLUE_BUFFER), second = open_fake(&two, CLUE_KERNEL);
    assert_true(first >= CLUE_FIRST_HANDLE && second >= CLUE_FIRST_HANDLE && first != second);
    assert_ptr_equal(handle_find(first, CLUE_BUFFER, "clFoo"), &one);
    assert_ptr_equal(handle_find(second, CLUE_NONE, "clFoo"), &two);
    assert_int_equal(clue_handle_kind(first), CLUE_BUFFER);
    assert_int_equal(clue_handle_kind(second), CLUE_KERNEL);
    assert_int_equal(clue_handle_count(), 2);
    assert_int_equal(one.references, 1);
}

TEST(numbers_that_are_not_handles_are_refused) {
    static object fake;
    const int32_t handle = open_fake(&fake, CLUE_BUFFER);
    const int32_t never[] = {65536, 131071, handle + 1, INT32_MAX, handle + (1 << 17)};
    assert_null(handle_find(-1, CLUE_BUFFER, "clFoo"));
    assert_refused(clue_error_code(), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_FAILED, "clFoo", "-1 is not a buffer");
    assert_null(handle_find(0, CLUE_KERNEL, "clFoo"));
    assert_refused(clue_error_code(), CL_INVALID_KERNEL, CLUE_CAUSE_HANDLE, "clFoo",
                   "0 is not a kernel: handles are 65536 or more");
    assert_null(handle_find(INT32_MIN, CLUE_NONE, "clFoo"));
    assert_refused(clue_error_code(), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, "clFoo",
                   "-2147483648 is not a handle: handles are 65536 or more");
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        assert_int_equal(clue_handle_kind(never[i]), CLUE_NONE);
        assert_null(handle_find(never[i], CLUE_CONTEXT, "clFoo"));
        assert_refused(clue_error_code(), CL_INVALID_CONTEXT, CLUE_CAUSE_HANDLE, "clFoo", "%d was never a handle",
                       never[i]);
    }
}

TEST(a_handle_of_another_kind_is_refused) {
    static object fake;
    const int32_t handle = open_fake(&fake, CLUE_PROGRAM);
    assert_null(handle_find(handle, CLUE_BUFFER, "clFoo"));
    assert_refused(clue_error_code(), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE, "clFoo",
                   "%d is a program; a buffer is needed", handle);
    assert_refused(clue_handle_free(handle, CLUE_KERNEL), CL_INVALID_KERNEL, CLUE_CAUSE_HANDLE, "clReleaseKernel",
                   "%d is a program; a kernel is needed", handle);
    assert_int_equal(clue_handle_kind(handle), CLUE_PROGRAM);
    assert_refused(clue_handle_free(handle, 99), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clRelease",
                   "99 is not a kind of handle");
    assert_refused(clue_handle_free(handle, -1), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clRelease",
                   "-1 is not a kind of handle");
}

TEST(freeing_twice_is_reported_and_harmless) {
    static object one, two;
    const int32_t handle = open_fake(&one, CLUE_BUFFER);
    destroyed = 0;
    assert_works(clue_handle_free(handle, CLUE_BUFFER));
    assert_int_equal(destroyed, 1);
    assert_refused(clue_handle_free(handle, CLUE_BUFFER), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE,
                   "clReleaseMemObject", "buffer %d was freed", handle);
    assert_refused(clue_handle_free(handle, CLUE_NONE), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, "clRelease",
                   "buffer %d was freed", handle);
    assert_int_equal(destroyed, 1);
    assert_int_equal(clue_handle_count(), 0);
    (void)open_fake(&two, CLUE_BUFFER);
    assert_int_equal(clue_handle_count(), 1);
}

TEST(a_retained_object_outlives_its_handle) {
    static object fake;
    const int32_t handle = open_fake(&fake, CLUE_CONTEXT);
    destroyed = 0;
    object_retain(&fake);
    assert_works(clue_handle_free(handle, CLUE_CONTEXT));
    assert_int_equal(destroyed, 0);
    assert_int_equal(fake.handle, 0);
    assert_int_equal(clue_handle_kind(handle), CLUE_NONE);
    object_release(&fake);
    assert_int_equal(destroyed, 1);
    object_release(NULL);
}

TEST(slots_are_reused_first_in_first_out) {
    static object fakes[3];
    int32_t handles[3], slots = 0, again;
    for (int i = 0; i < 3; i++)
        handles[i] = open_fake(&fakes[i], CLUE_BUFFER);
    assert_works(clue_handle_free(handles[1], CLUE_BUFFER));
    assert_works(clue_handle_free(handles[0], CLUE_BUFFER));
    do { /* until all slots that were free before are used */
        again = open_fake(&fakes[1], CLUE_BUFFER);
        assert_true(++slots <= MOST);
        assert_works(clue_handle_free(again, CLUE_BUFFER));
    } while (slot_of(again) != slot_of(handles[1]));
    again = open_fake(&fakes[0], CLUE_KERNEL);
    assert_int_equal(slot_of(again), slot_of(handles[0]));
    assert_int_equal(again, handles[0] + MOST); /* the next generation */
    assert_true(slots > 500);
    assert_null(handle_find(handles[0], CLUE_BUFFER, "clFoo"));
    assert_refused(clue_error_code(), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE, "clFoo", "handle %d was freed",
                   handles[0]);
}

TEST(handles_are_walked_in_the_tables_order) {
    static object fakes[3];
    int32_t handles[3];
    assert_int_equal(clue_handle_next(0), 0);
    for (int i = 0; i < 3; i++)
        handles[i] = open_fake(&fakes[i], CLUE_BUFFER);
    assert_works(clue_handle_free(handles[1], CLUE_BUFFER));
    assert_int_equal(clue_handle_next(0), handles[0]);
    assert_int_equal(clue_handle_next(handles[0]), handles[2]);
    assert_int_equal(clue_handle_next(handles[1]), handles[2]); /* the walk goes on from a freed handle's slot */
    assert_int_equal(clue_handle_next(handles[2]), 0);
    assert_int_equal(clue_handle_next(-1), 0);
    assert_int_equal(clue_handle_next(INT32_MAX), 0);
}

/* Fills the table with that many fakes, which the caller frees. */
static object *open_many(int32_t count, int32_t *handles) {
    object *fakes = calloc((size_t)count, sizeof *fakes);
    assert_non_null(fakes);
    for (int32_t i = 0; i < count; i++)
        handles[i] = open_fake(&fakes[i], 1 + i % 4);
    return fakes;
}

static void free_many(object *fakes, const int32_t *handles, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        assert_works(clue_handle_free(handles[i], fakes[i].kind));
    free(fakes);
}

/* However many handles are live, enough free slots take turns for millions of creations. */
TEST(a_stale_handle_misses_though_many_are_live) {
    static const int32_t live[] = {1023, 2048 - 513}; /* just before the table would be full, and before it grows */
    static object stale_fake, fake;
    static int32_t handles[2048];
    for (int i = 0; i < 2; i++) {
        object *fakes = open_many(live[i], handles);
        const int32_t stale = open_fake(&stale_fake, CLUE_BUFFER);
        assert_works(clue_handle_free(stale, CLUE_BUFFER));
        for (int32_t j = 0; j < 8000000; j++) {
            const int32_t handle = open_fake(&fake, CLUE_BUFFER);
            if (handle == stale) fail();
            if (clue_handle_free(handle, CLUE_BUFFER)) fail();
        }
        free_many(fakes, handles, live[i]);
    }
}

TEST(sixty_thousand_live_at_once) {
    enum { LIVE = 60000 };
    int32_t *handles = calloc(LIVE, sizeof *handles), walked = 0;
    object *fakes = open_many(LIVE, handles);
    assert_int_equal(clue_handle_count(), LIVE);
    for (int32_t i = 0; i < LIVE; i++)
        assert_ptr_equal(handle_find(handles[i], fakes[i].kind, "clFoo"), &fakes[i]);
    for (int32_t handle = 0; (handle = clue_handle_next(handle));)
        walked++;
    assert_int_equal(walked, LIVE);
    free_many(fakes, handles, LIVE);
    free(handles);
}

TEST(the_table_is_full_with_131072) {
    int32_t *handles = calloc(MOST, sizeof *handles), one_more = 0;
    static object fake;
    object *fakes = open_many(MOST, handles);
    assert_int_equal(clue_handle_count(), MOST);
    assert_refused(handle_open(&one_more, &fake, fake_class(CLUE_BUFFER), "clCreateBuffer"), CL_OUT_OF_HOST_MEMORY,
                   CLUE_CAUSE_FULL, "clCreateBuffer",
                   "131072 handles are live, which is the limit: free handles that are no longer needed");
    assert_int_equal(one_more, 0);
    assert_works(clue_handle_free(handles[77], fakes[77].kind));
    assert_works(handle_open(&handles[77], &fakes[77], fake_class(CLUE_BUFFER), "clCreateBuffer"));
    for (int32_t i = 0; i < MOST; i++)
        assert_ptr_equal(handle_find(handles[i], fakes[i].kind, "clFoo"), &fakes[i]);
    free_many(fakes, handles, MOST);
    free(handles);
}

/* All slots but one are in use, and that one goes through all its generations. */
TEST(generations_wrap_to_1_and_stay_positive) {
    int32_t *handles = calloc(MOST, sizeof *handles), least = INT32_MAX, most = 0;
    object *fakes = open_many(MOST, handles);
    for (int32_t i = 0; i < GENERATIONS; i++) {
        assert_works(clue_handle_free(handles[MOST - 1], CLUE_NONE));
        handles[MOST - 1] = open_fake(&fakes[MOST - 1], CLUE_BUFFER);
        if (handles[MOST - 1] < least) least = handles[MOST - 1];
        if (handles[MOST - 1] > most) most = handles[MOST - 1];
    }
    assert_int_equal(least >> 17, 1);
    assert_int_equal(most >> 17, GENERATIONS);
    free_many(fakes, handles, MOST);
    free(handles);
}
