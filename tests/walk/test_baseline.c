/* The host's matrix products: every variant, ranges, layouts, refusals.
 *
 * suite: quick */
#include "product_support.h"

#include <string.h>

static const int64_t SIZES[][3] = {{1, 1, 1}, {7, 13, 5}, {17, 1, 33}, {1, 64, 1}, {100, 30, 50}, {29, 513, 65}};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES, MARK = 12345 };

/* Reads B by columns. The numbers stay where they are, so B becomes another matrix. */
static void lay_b_by_columns(walk_product *p) {
    p->b_row = 1;
    p->b_column = p->k;
}

static void check_exact(const walk_product *p) {
    for (int64_t row = 0; row < p->m; row++)
        for (int64_t column = 0; column < p->n; column++)
            assert_true(c_at(p, row, column) == sum_at(p, row, column));
}

static void check_variant(int32_t type, int32_t variant, const int64_t *size) {
    walk_product p = product_make(type, size[0], size[1], size[2]);
    product_fill(&p, -9, 9, variant, 1);
    if (variant == WALK_LINEAR_COLUMNS) lay_b_by_columns(&p);
    assert_int_equal(walk_baseline_product(&p, variant, 1, 0, walk_baseline_extent(&p, variant)), 0);
    check_exact(&p);
    product_free(&p);
}

TEST(every_variant_multiplies) {
    for (int32_t variant = WALK_LOOPS_RCK; variant <= WALK_OPTIMISED; variant++) {
        for (int i = 0; i < SIZE_COUNT; i++) {
            check_variant(CLUE_FLOAT, variant, SIZES[i]);
            check_variant(CLUE_DOUBLE, variant, SIZES[i]);
        }
    }
}

TEST(the_optimised_variant_is_right_across_its_blocks) {
    static const int64_t LARGE[][3] = {{700, 300, 40}, {3, 600, 3200}};
    for (int i = 0; i < 2; i++) {
        for (int32_t type = CLUE_FLOAT; type <= CLUE_DOUBLE; type++) {
            walk_product p = product_make(type, LARGE[i][0], LARGE[i][1], LARGE[i][2]);
            walk_fault fault;
            product_fill(&p, -9, 9, 1, 1);
            product_compute(&p);
            assert_int_equal(walk_verify_exact(&fault, &p, 1), 1);
            product_free(&p);
        }
    }
}

TEST(the_extent_is_that_of_the_outermost_loop) {
    walk_product p = {.m = 2, .k = 3, .n = 5};
    static const int EXTENTS[] = {2, 2, 5, 5, 3, 3, 2, 2, 2};
    for (int32_t variant = WALK_LOOPS_RCK; variant <= WALK_OPTIMISED; variant++)
        assert_int_equal(walk_baseline_extent(&p, variant), EXTENTS[variant]);
}

TEST(ranges_add_up_to_the_whole) {
    for (int32_t variant = WALK_LOOPS_RCK; variant <= WALK_OPTIMISED; variant++) {
        walk_product p = product_make(CLUE_FLOAT, 21, 22, 23);
        int64_t extent;
        product_fill(&p, -9, 9, 3, 1);
        if (variant == WALK_LINEAR_COLUMNS) lay_b_by_columns(&p);
        extent = walk_baseline_extent(&p, variant);
        assert_int_equal(walk_baseline_product(&p, variant, 1, 10, extent - 10), 0);
        assert_int_equal(walk_baseline_product(&p, variant, 1, 0, 9), 0);
        assert_int_equal(walk_baseline_product(&p, variant, 1, 5, 0), 0);
        assert_int_equal(walk_baseline_product(&p, variant, 1, 9, 1), 0);
        check_exact(&p);
        product_free(&p);
    }
}

TEST(a_range_of_rows_leaves_the_others_alone) {
    static const int32_t BY_ROWS[] = {WALK_LOOPS_RCK, WALK_LOOPS_RKC, WALK_LINEAR_ROWS, WALK_OPTIMISED};
    for (int i = 0; i < 4; i++) {
        walk_product p = product_make(CLUE_FLOAT, 9, 4, 6);
        product_fill(&p, 1, 9, 3, 1);
        assert_int_equal(walk_baseline_product(&p, BY_ROWS[i], 1, 3, 2), 0);
        for (int64_t row = 0; row < p.m; row++) {
            double expected = row == 3 || row == 4 ? sum_at(&p, row, 5) : 0;
            assert_true(c_at(&p, row, 5) == expected);
        }
        product_free(&p);
    }
}

/* Strides larger than the matrix, with room after each row or column. */
static walk_product spaced(int32_t type, int layout) {
    enum { M = 19, K = 23, N = 37, ROOM = 50 };
    walk_product p = product_make(type, ROOM, ROOM, ROOM);
    int64_t *strides[3][2] = {{&p.a_row, &p.a_column}, {&p.b_row, &p.b_column}, {&p.c_row, &p.c_column}};
    product_fill(&p, -9, 9, layout, 1);
    assert_int_equal(clue_array_fill(p.c, type, (int64_t)ROOM * ROOM, MARK), 1);
    p.m = M;
    p.k = K;
    p.n = N;
    for (int i = 0; i < 3; i++) {
        int by_columns = layout >> i & 1;
        *strides[i][by_columns] = ROOM;
        *strides[i][!by_columns] = 1;
    }
    for (int64_t row = 0; row < M; row++)
        for (int64_t column = 0; column < N; column++)
            c_store(&p, row, column, 0);
    return p;
}

static void check_spaced(int32_t variant, int32_t type, int layout) {
    walk_product p = spaced(type, layout);
    assert_int_equal(walk_baseline_product(&p, variant, 1, 0, walk_baseline_extent(&p, variant)), 0);
    check_exact(&p);
    for (int64_t row = 0; row < 50; row++) {
        for (int64_t column = 0; column < 50; column++)
            if (row >= p.m || column >= p.n) assert_true(c_at(&p, row, column) == MARK);
    }
    product_free(&p);
}

TEST(strides_are_respected) {
    for (int layout = 0; layout < 8; layout++) {
        check_spaced(WALK_OPTIMISED, CLUE_FLOAT, layout);
        check_spaced(WALK_OPTIMISED, CLUE_DOUBLE, layout);
    }
    for (int32_t variant = WALK_LOOPS_RCK; variant <= WALK_LINEAR_ROWS; variant++)
        check_spaced(variant, CLUE_FLOAT, 0);
    check_spaced(WALK_LINEAR_COLUMNS, CLUE_DOUBLE, 2);
}

TEST(threads_share_the_rows) {
    static const int32_t VARIANTS[] = {WALK_LOOPS_RCK, WALK_LOOPS_CKR, WALK_LINEAR_ROWS, WALK_OPTIMISED};
    for (int i = 0; i < 4; i++) {
        for (int32_t threads = 0; threads < 8; threads += 3) {
            walk_product p = product_make(CLUE_FLOAT, 29, 13, 65);
            product_fill(&p, -9, 9, i, 1);
            assert_int_equal(
                walk_baseline_product(&p, VARIANTS[i], threads, 0, walk_baseline_extent(&p, VARIANTS[i])), 0);
            check_exact(&p);
            product_free(&p);
        }
    }
}

TEST(threads_do_not_share_the_sum) {
    walk_product p = product_make(CLUE_FLOAT, 2, 2, 2);
    assert_int_equal(walk_baseline_product(&p, WALK_LOOPS_KRC, 2, 0, 2), -30);
    assert_non_null(strstr(walk_last.detail, "can run only on one thread"));
    assert_int_equal(walk_baseline_product(&p, WALK_LOOPS_KCR, 0, 0, 2), -30);
    product_free(&p);
}

static void refuses(const walk_product *p, int32_t variant, int64_t first, int64_t count, const char *because) {
    walk_last = (walk_failure){.call = ""};
    assert_int_equal(walk_baseline_product(p, variant, 1, first, count), -30);
    assert_non_null(strstr(walk_last.detail, because));
    assert_string_equal(walk_last.call, "walk_baseline_product");
}

TEST(a_layout_that_does_not_suit_the_variant_is_refused) {
    for (int32_t variant = WALK_LOOPS_RCK; variant <= WALK_LINEAR_COLUMNS; variant++) {
        static const char *const TELLS[] = {"matrix A must be stored by rows", "",
                                            "matrix C must be stored by rows"};
        int b_by_columns = variant == WALK_LINEAR_COLUMNS ? 2 : 0;
        walk_product p;
        for (int i = 0; i < 3; i += 2) {
            p = spaced(CLUE_FLOAT, b_by_columns | 1 << i);
            refuses(&p, variant, 0, 1, TELLS[i]);
            product_free(&p);
        }
        p = spaced(CLUE_FLOAT, b_by_columns ^ 2);
        refuses(&p, variant, 0, 1,
                b_by_columns ? "matrix B must be stored by columns" : "matrix B must be stored by rows");
        product_free(&p);
    }
}

TEST(impossible_products_are_refused) {
    walk_product p = product_make(CLUE_FLOAT, 4, 4, 4), bad = p;
    refuses(&p, -1, 0, 1, "no variant -1");
    refuses(&p, WALK_OPTIMISED + 1, 0, 1, "no variant 9");
    refuses(&p, WALK_LOOPS_RCK, -1, 1, "1 iterations from -1 on: the outermost loop has 4");
    refuses(&p, WALK_LOOPS_RCK, 0, 5, "5 iterations from 0");
    refuses(&p, WALK_LOOPS_RCK, 4, 1, "1 iterations from 4");
    refuses(&p, WALK_LOOPS_RCK, 1, INT64_MAX, "the outermost loop has 4");
    refuses(&p, WALK_LOOPS_RCK, 1, -1, "-1 iterations");
    bad.type = CLUE_INT;
    refuses(&bad, WALK_OPTIMISED, 0, 1, "elements of type int");
    bad = p;
    bad.k = 0;
    refuses(&bad, WALK_OPTIMISED, 0, 1, "matrix A is 4 x 0");
    bad = p;
    bad.b_row = 0;
    refuses(&bad, WALK_OPTIMISED, 0, 1, "matrix B has strides of 0");
    bad = p;
    bad.c = NULL;
    refuses(&bad, WALK_OPTIMISED, 0, 1, "matrix C has no data");
    product_free(&p);
}

TEST(the_compiler_and_its_flags_are_named) {
    for (int32_t variant = WALK_LOOPS_RCK; variant <= WALK_OPTIMISED; variant++) {
        const char *compiler = walk_baseline_compiler(variant);
        assert_true(strncmp(compiler, "gcc ", 4) == 0 || strncmp(compiler, "clang ", 6) == 0);
        assert_non_null(strstr(compiler, variant == WALK_OPTIMISED ? "-O3" : "-O2"));
        if (variant != WALK_OPTIMISED) assert_non_null(strstr(compiler, "-fno-"));
    }
    assert_string_equal(walk_baseline_compiler(-1), "");
    assert_string_equal(walk_baseline_compiler(WALK_OPTIMISED + 1), "");
}
