/* The outer sum on the host and its checks: right sums pass, whatever order they were added in. Planted faults are
 * named by their place. Misuse is an error.
 *
 * suite: quick */
#include "unit.h"
#include "walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static walk_fault fault;

static walk_outer_sum make(int64_t x, int64_t y, double low, double high, int whole) {
    walk_outer_sum s = {.x = x, .y = y};
    float *a = clue_array_allocate(x * 4), *b = clue_array_allocate(y * 4);
    s.c = clue_array_allocate(x * 4);
    assert_true(a && b && s.c);
    assert_int_equal(clue_array_random(a, CLUE_FLOAT, x, low, high, 1), 1);
    assert_int_equal(clue_array_random(b, CLUE_FLOAT, y, low, high, 2), 1);
    for (int64_t i = 0; whole && i < x; i++)
        a[i] = floorf(a[i]);
    for (int64_t i = 0; whole && i < y; i++)
        b[i] = floorf(b[i]);
    s.a = a;
    s.b = b;
    return s;
}

static void release(const walk_outer_sum *s) {
    clue_array_free((void *)s->a);
    clue_array_free((void *)s->b);
    clue_array_free(s->c);
}

static void compute(const walk_outer_sum *s, int32_t threads) {
    assert_int_equal(walk_outer_sum_baseline(s, threads, 0, s->x / 2), 0);
    assert_int_equal(walk_outer_sum_baseline(s, threads, s->x / 2, s->x - s->x / 2), 0);
}

TEST(right_sums_pass) {
    static const int64_t SIZES[][2] = {{1, 1}, {7, 1}, {1, 13}, {100, 37}, {333, 5001}};
    enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };
    for (int i = 0; i < SIZE_COUNT * 2; i++) {
        const int64_t *size = SIZES[i / 2];
        walk_outer_sum whole = make(size[0], size[1], 1, 9, 1), real = make(size[0], size[1], -0.5, 0.5, 0);
        walk_outer_sum positive = make(size[0], size[1], 0, 1, 0);
        compute(&whole, i % 2 * 3);
        compute(&real, i % 2 * 3);
        compute(&positive, i % 2 * 3);
        assert_int_equal(walk_outer_sum_verify_exact(&fault, &whole), 1);
        assert_int_equal(fault.row, -1);
        assert_int_equal(walk_outer_sum_verify_rounded(&fault, &whole), 1);
        assert_int_equal(walk_outer_sum_verify_rounded(&fault, &real), 1);
        assert_int_equal(fault.row, -1);
        assert_int_equal(walk_outer_sum_verify_rounded(&fault, &positive), 1);
        release(&whole);
        release(&real);
        release(&positive);
    }
}

/* Partial sums, as kernels with vectors make them. */
TEST(other_orders_pass) {
    walk_outer_sum s = make(500, 20000, -0.5, 0.5, 0);
    for (int lanes = 2; lanes <= 16; lanes *= 2) {
        for (int64_t x = 0; x < s.x; x++) {
            float sums[16] = {0}, sum = 0;
            for (int64_t y = 0; y < s.y; y++)
                sums[y % lanes] = fmaf(s.a[x], s.b[y], sums[y % lanes]);
            for (int lane = 0; lane < lanes; lane++)
                sum += sums[lane];
            s.c[x] = sum;
        }
        assert_int_equal(walk_outer_sum_verify_rounded(&fault, &s), 1);
    }
    release(&s);
}

static void expect_fault(const walk_outer_sum *s, int exact, int64_t row) {
    int32_t right = exact ? walk_outer_sum_verify_exact(&fault, s) : walk_outer_sum_verify_rounded(&fault, s);
    assert_int_equal(right, 0);
    if (row >= 0) assert_int_equal(fault.row, row);
}

TEST(faults_are_found) {
    for (int exact = 0; exact < 2; exact++) {
        walk_outer_sum s = exact ? make(1000, 777, 1, 9, 1) : make(1000, 777, -0.5, 0.5, 0), wrong = s;
        compute(&s, 1);
        s.c[999] = 0;
        expect_fault(&s, exact, 999);
        s.c[999] = NAN;
        expect_fault(&s, exact, 999);
        s.c[999] = INFINITY;
        expect_fault(&s, exact, 999);
        wrong.y = 776; /* without the last term */
        compute(&wrong, 1);
        expect_fault(&s, exact, -1);
        compute(&s, 1);
        s.c[3] = nextafterf(s.c[3], INFINITY);
        if (exact) expect_fault(&s, exact, 3);
        release(&s);
    }
}

static void refused(int32_t code, const char *call, const char *because) {
    assert_int_equal(code, -30);
    assert_string_equal(walk_last.call, call);
    assert_non_null(strstr(walk_last.detail, because));
}

TEST(impossible_sums_are_refused) {
    walk_outer_sum s = make(4, 5, 1, 9, 1), bad = s;
    const char *loops = "walk_outer_sum_baseline", *exact = "walk_outer_sum_verify_exact";
    const char *rounded = "walk_outer_sum_verify_rounded";
    refused(walk_outer_sum_baseline(&s, 1, 0, 5), loops, "5 iterations from 0 on: the outermost loop has 4");
    refused(walk_outer_sum_baseline(&s, 1, -1, 1), loops, "1 iterations from -1");
    bad.y = 0;
    refused(walk_outer_sum_baseline(&bad, 1, 0, 1), loops, "an outer sum of 4 x 0");
    refused(walk_outer_sum_verify_exact(&fault, &bad), exact, "4 x 0");
    bad = s;
    bad.c = NULL;
    refused(walk_outer_sum_verify_rounded(&fault, &bad), rounded, "no data");
    ((float *)s.a)[2] = 0.5F;
    refused(walk_outer_sum_verify_exact(&fault, &s), exact, "A[2] is 0.5");
    ((float *)s.a)[2] = 0x1p24F;
    refused(walk_outer_sum_verify_exact(&fault, &s), exact, "exact only below 16777216");
    ((float *)s.b)[1] = INFINITY;
    refused(walk_outer_sum_verify_rounded(&fault, &s), rounded, "B[1] is inf");
    release(&s);
}

TEST(the_compiler_and_its_flags_are_named) {
    assert_non_null(strstr(walk_outer_sum_compiler(), "-O2 -fno-"));
}
