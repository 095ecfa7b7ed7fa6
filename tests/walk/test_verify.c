/* The exact check: right products pass, every planted fault is named by its place, and misuse is an error.
 *
 * suite: quick */
#include "product_support.h"

#include <string.h>

#ifdef __SANITIZE_ADDRESS__
enum { LARGE = 300 };
#else
enum { LARGE = 2000 };
#endif

static walk_fault fault;

/* Whole numbers in [-9, 9]: sums stay below 2^24 for k up to 200000. */
static walk_product computed(int32_t type, int64_t m, int64_t k, int64_t n) {
    walk_product p = product_make(type, m, k, n);
    product_fill(&p, -9, 9, (double)(m + k + n), 1);
    product_compute(&p);
    return p;
}

static void expect_fault_at(const walk_product *p, int64_t row, int64_t column) {
    double found;
    memset(&fault, 0, sizeof fault);
    assert_int_equal(walk_verify_exact(&fault, p, 5), 0);
    assert_int_equal(fault.row, row);
    assert_int_equal(fault.column, column);
    assert_true(fault.expected == sum_at(p, row, column));
    found = c_at(p, row, column);
    assert_true(fault.found == found || (isnan(fault.found) && isnan(found)));
}

TEST(right_products_pass) {
    static const int64_t SIZES[][3] = {{1, 1, 1},   {7, 13, 5},  {100, 100, 100}, {1, 500, 1}, {1, 1, 300},
                                       {300, 1, 1}, {300, 7, 1}, {3, 20000, 4},   {64, 64, 64}};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        for (int32_t type = CLUE_FLOAT; type <= CLUE_DOUBLE; type++) {
            walk_product p = computed(type, SIZES[i][0], SIZES[i][1], SIZES[i][2]);
            for (int seed = 0; seed < 10; seed++) {
                assert_int_equal(walk_verify_exact(&fault, &p, seed), 1);
                assert_int_equal(fault.row, -1);
            }
            product_free(&p);
        }
    }
}

TEST(every_layout_is_read) {
    walk_product p = product_make(CLUE_FLOAT, 20, 30, 10);
    product_fill(&p, -9, 9, 1, 1);
    p.b_row = 1;
    p.b_column = 30;
    p.c_row = 1;
    p.c_column = 20;
    product_compute(&p);
    assert_int_equal(walk_verify_exact(&fault, &p, 1), 1);
    c_store(&p, 19, 3, c_at(&p, 19, 3) - 1);
    expect_fault_at(&p, 19, 3);
    product_free(&p);
}

TEST(zero_matrices_pass_and_a_one_in_them_does_not) {
    walk_product p = product_make(CLUE_DOUBLE, 5, 6, 7);
    assert_int_equal(walk_verify_exact(&fault, &p, 1), 1);
    c_store(&p, 4, 6, 1);
    expect_fault_at(&p, 4, 6);
    c_store(&p, 4, 6, -0.0);
    assert_int_equal(walk_verify_exact(&fault, &p, 1), 1);
    product_free(&p);
}

TEST(one_wrong_element_is_found_at_size_2000) {
    walk_product p = computed(CLUE_FLOAT, LARGE, LARGE, LARGE);
    int64_t row = LARGE / 3, column = LARGE / 7;
    assert_int_equal(walk_verify_exact(&fault, &p, 1), 1);
    c_store(&p, row, column, c_at(&p, row, column) + 1);
    expect_fault_at(&p, row, column);
    product_free(&p);
}

/* C without the last term of each sum, as a kernel makes it whose loop ends one short. */
static void leave_out_the_last_term(walk_product *p) {
    p->k--;
    product_compute(p);
    p->k++;
}

TEST(a_missing_last_term_is_found_at_size_2000) {
    walk_product p = computed(CLUE_FLOAT, LARGE, LARGE, LARGE);
    int64_t row = 0, column = 0;
    leave_out_the_last_term(&p);
    while (a_at(&p, row, LARGE - 1) == 0)
        row++;
    while (b_at(&p, LARGE - 1, column) == 0)
        column++;
    expect_fault_at(&p, row, column);
    product_free(&p);
}

TEST(a_missing_last_column_is_found_at_size_2000) {
    walk_product p = computed(CLUE_FLOAT, LARGE, LARGE, LARGE);
    int64_t first = 0;
    while (c_at(&p, first, LARGE - 1) == 0)
        first++;
    for (int64_t row = 0; row < LARGE; row++)
        c_store(&p, row, LARGE - 1, 0);
    expect_fault_at(&p, first, LARGE - 1);
    product_free(&p);
}

TEST(one_wrong_tile_is_found_at_size_2000) {
    walk_product p = computed(CLUE_FLOAT, LARGE, LARGE, LARGE);
    for (int64_t i = 0; i < 16; i++)
        for (int64_t j = 0; j < 16; j++)
            c_store(&p, 160 + i, 64 + j, c_at(&p, 160 + i, 64 + j) - 3);
    expect_fault_at(&p, 160, 64);
    product_free(&p);
}

TEST(errors_that_cancel_in_a_row_are_found) {
    walk_product p = computed(CLUE_DOUBLE, 20, 20, 20);
    c_store(&p, 7, 3, c_at(&p, 7, 3) + 2);
    c_store(&p, 7, 11, c_at(&p, 7, 11) - 2);
    for (int seed = 0; seed < 2000; seed++) {
        assert_int_equal(walk_verify_exact(&fault, &p, seed), 0);
        assert_int_equal(fault.column, 3);
    }
    product_free(&p);
}

TEST(a_number_that_is_not_whole_is_a_fault_at_its_place) {
    static const double WRONG[] = {0.5, NAN, INFINITY, -INFINITY, 1e30};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        walk_product p = computed(CLUE_FLOAT, 6, 7, 8);
        c_store(&p, 2, 5, WRONG[i]);
        expect_fault_at(&p, 2, 5);
        product_free(&p);
    }
}

static void is_misused(const walk_product *p, const char *because) {
    walk_last = (walk_failure){.call = ""};
    assert_int_equal(walk_verify_exact(&fault, p, 1), -30);
    assert_non_null(strstr(walk_last.detail, because));
    assert_string_equal(walk_last.call, "walk_verify_exact");
}

static void fill_with(const walk_product *p, double a, double b) {
    assert_int_equal(clue_array_fill((void *)p->a, p->type, p->m * p->k, a), 1);
    assert_int_equal(clue_array_fill((void *)p->b, p->type, p->k * p->n, b), 1);
}

TEST(sums_that_are_not_exact_are_refused) {
    walk_product p = product_make(CLUE_FLOAT, 2, 16, 2);
    fill_with(&p, 1024, 1024);
    is_misused(&p, "can reach 16777216, but float sums are exact only below 16777216");
    fill_with(&p, 1024, 1023);
    product_compute(&p);
    assert_int_equal(walk_verify_exact(&fault, &p, 1), 1);
    fill_with(&p, 0, 1e30); /* the products are 0, but 1e30 is not exact */
    is_misused(&p, "fill A and B with smaller numbers");
    product_free(&p);
    p = product_make(CLUE_DOUBLE, 2, 16, 2);
    fill_with(&p, 0x1p24, 0x1p24);
    product_compute(&p);
    assert_int_equal(walk_verify_exact(&fault, &p, 1), 1);
    fill_with(&p, 0x1p25, 0x1p24);
    is_misused(&p, "double sums are exact only below 9007199254740992");
    product_free(&p);
}

TEST(inputs_that_are_not_whole_are_refused) {
    walk_product p = product_make(CLUE_FLOAT, 2, 3, 4);
    fill_with(&p, 1, 1);
    ((float *)p.b)[6] = 0.5F;
    is_misused(&p, "B[1][2] is 0.5");
    fill_with(&p, 1, 1);
    ((float *)p.a)[5] = INFINITY;
    is_misused(&p, "A[1][2] is inf");
    ((float *)p.a)[5] = NAN;
    is_misused(&p, "A[1][2] is");
    p.n = 0;
    is_misused(&p, "matrix B is 3 x 0");
    product_free(&p);
}
