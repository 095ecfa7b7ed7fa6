/* The host's int products and their check: every variant, on one thread and several, at any size. Every planted
 * fault is named by its place, even if it differs by 2^31 only.
 *
 * suite: quick */
#include "product_support.h"

#include <string.h>

static const int64_t SIZES[][3] = {{1, 1, 1}, {7, 13, 5}, {17, 1, 33}, {1, 64, 1}, {40, 30, 50}, {29, 213, 65}};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

static walk_fault fault;

/* The numbers are so large that sums wrap. */
static walk_product filled(int64_t m, int64_t k, int64_t n) {
    walk_product p = product_make(CLUE_INT, m, k, n);
    product_fill(&p, -2147483648.0, 2147483647.0, (double)(m + k + n), 1);
    return p;
}

static int32_t at(const void *matrix, int64_t index) {
    return ((const int32_t *)matrix)[index];
}

static int32_t wrapped_sum(const walk_product *p, int64_t row, int64_t column) {
    uint32_t sum = 0;
    for (int64_t k = 0; k < p->k; k++)
        sum += (uint32_t)at(p->a, row * p->k + k) * (uint32_t)at(p->b, k * p->n + column);
    return (int32_t)sum;
}

static void compute(const walk_product *p, int32_t variant, int32_t threads) {
    int64_t extent = walk_int_product_extent(p, variant);
    assert_int_equal(walk_int_product_baseline(p, variant, threads, 0, extent / 3), 0);
    assert_int_equal(walk_int_product_baseline(p, variant, threads, extent / 3, extent - extent / 3), 0);
}

TEST(every_variant_multiplies) {
    for (int i = 0; i < SIZE_COUNT * 9; i++) {
        const int64_t *size = SIZES[i % SIZE_COUNT];
        walk_product p = filled(size[0], size[1], size[2]);
        compute(&p, i / SIZE_COUNT % 3, i / SIZE_COUNT / 3 * 2);
        for (int64_t element = 0; element < p.m * p.n; element++)
            assert_int_equal(at(p.c, element), wrapped_sum(&p, element / p.n, element % p.n));
        assert_int_equal(walk_int_product_verify(&fault, &p, i), 1);
        assert_int_equal(fault.row, -1);
        product_free(&p);
    }
}

TEST(one_wrong_element_is_found_whatever_the_difference) {
    walk_product p = filled(61, 50, 73);
    compute(&p, WALK_INT_VECTOR, 0);
    for (int bit = 0; bit < 32; bit++) {
        int64_t row = bit, column = 72 - bit;
        int32_t *element = (int32_t *)p.c + row * p.n + column, right = *element;
        *element = (int32_t)((uint32_t)right ^ UINT32_C(1) << bit);
        assert_int_equal(walk_int_product_verify(&fault, &p, bit), 0);
        assert_int_equal(fault.row, row);
        assert_int_equal(fault.column, column);
        assert_true(fault.found == *element && fault.expected == right);
        *element = right;
    }
    assert_int_equal(walk_int_product_verify(&fault, &p, 1), 1);
    product_free(&p);
}

TEST(a_product_without_its_last_term_is_found) {
    walk_product p = filled(20, 21, 22), shorter = p;
    shorter.k = 20;
    compute(&shorter, WALK_INT_NAIVE, 1);
    assert_int_equal(walk_int_product_verify(&fault, &p, 1), 0);
    product_free(&p);
}

TEST(the_other_order_of_factors_is_found) {
    walk_product p = filled(16, 16, 16), other = p;
    other.a = p.b;
    other.b = p.a;
    compute(&other, WALK_INT_NAIVE, 1);
    assert_int_equal(walk_int_product_verify(&fault, &p, 1), 0);
    product_free(&p);
}

static void refuses(const walk_product *p, int32_t variant, int64_t first, int64_t count, const char *because) {
    walk_last = (walk_failure){.call = ""};
    assert_int_equal(walk_int_product_baseline(p, variant, 1, first, count), -30);
    assert_non_null(strstr(walk_last.detail, because));
    assert_string_equal(walk_last.call, "walk_int_product_baseline");
}

TEST(impossible_products_are_refused) {
    walk_product p = filled(4, 5, 6), bad = p;
    refuses(&p, -1, 0, 1, "no variant -1");
    refuses(&p, WALK_INT_VECTOR + 1, 0, 1, "no variant 3");
    refuses(&p, WALK_INT_NAIVE, 0, 5, "5 iterations from 0 on: the outermost loop has 4");
    refuses(&p, WALK_INT_BUFFERED, 1, 6, "the outermost loop has 6");
    bad.type = CLUE_FLOAT;
    refuses(&bad, WALK_INT_NAIVE, 0, 1, "elements of type float");
    assert_int_equal(walk_int_product_verify(&fault, &bad, 1), -30);
    bad = p;
    bad.b_row = 1;
    bad.b_column = 5;
    refuses(&bad, WALK_INT_NAIVE, 0, 1, "must be stored by rows");
    bad = p;
    bad.c = NULL;
    refuses(&bad, WALK_INT_NAIVE, 0, 1, "matrix C has no data");
    assert_int_equal(walk_int_product_verify(&fault, &bad, 1), -30);
    product_free(&p);
}

TEST(the_compiler_and_its_flags_are_named) {
    assert_non_null(strstr(walk_int_product_compiler(WALK_INT_NAIVE), "-O2 -fno-"));
    assert_non_null(strstr(walk_int_product_compiler(WALK_INT_BUFFERED), "-O2 -fno-"));
    assert_non_null(strstr(walk_int_product_compiler(WALK_INT_VECTOR), "-O3"));
    assert_string_equal(walk_int_product_compiler(3), "");
}
