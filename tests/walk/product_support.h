/* product_support.h - makes matrix products to test with, fills their matrices, and multiplies them by plain loops.
 * For test_baseline.c and the tests of verification. */
#ifndef WALK_PRODUCT_SUPPORT_H
#define WALK_PRODUCT_SUPPORT_H

#include "unit.h"
#include "walk.h"

#include <math.h>
#include <stdlib.h>

static inline walk_product product_make(int32_t type, int64_t m, int64_t k, int64_t n) {
    int64_t size = clue_type_size(type);
    walk_product p = {.type = type,
                      .m = m,
                      .k = k,
                      .n = n,
                      .a_row = k,
                      .a_column = 1,
                      .b_row = n,
                      .b_column = 1,
                      .c_row = n,
                      .c_column = 1};
    p.a = clue_array_allocate(m * k * size);
    p.b = clue_array_allocate(k * n * size);
    p.c = clue_array_allocate(m * n * size);
    assert_true(p.a && p.b && p.c);
    return p;
}

static inline void product_free(const walk_product *p) {
    clue_array_free((void *)p->a);
    clue_array_free((void *)p->b);
    clue_array_free(p->c);
}

/* Fills A and B with uniform random numbers, or with whole ones in [low, high] if whole is set. */
static inline void product_fill(const walk_product *p, double low, double high, double seed, int whole) {
    int64_t counts[2] = {p->m * p->k, p->k * p->n};
    void *matrices[2] = {(void *)p->a, (void *)p->b};
    for (int i = 0; i < 2; i++) {
        int32_t from = whole ? CLUE_INT : p->type;
        void *numbers = clue_array_allocate(counts[i] * clue_type_size(from));
        assert_int_equal(clue_array_random(numbers, from, counts[i], low, high, 2 * seed + i), 1);
        assert_int_equal(clue_array_convert(matrices[i], p->type, numbers, from, counts[i]), -1);
        clue_array_free(numbers);
    }
}

static inline void *element_at(const walk_product *p, const void *data, int64_t index) {
    return (char *)data + index * clue_type_size(p->type);
}

static inline double a_at(const walk_product *p, int64_t row, int64_t column) {
    return clue_element_load(element_at(p, p->a, row * p->a_row + column * p->a_column), p->type);
}

static inline double b_at(const walk_product *p, int64_t row, int64_t column) {
    return clue_element_load(element_at(p, p->b, row * p->b_row + column * p->b_column), p->type);
}

static inline double c_at(const walk_product *p, int64_t row, int64_t column) {
    return clue_element_load(element_at(p, p->c, row * p->c_row + column * p->c_column), p->type);
}

static inline void c_store(const walk_product *p, int64_t row, int64_t column, double value) {
    void *element = element_at(p, p->c, row * p->c_row + column * p->c_column);
    assert_int_equal(clue_element_store(element, p->type, value), 1);
}

static inline double sum_at(const walk_product *p, int64_t row, int64_t column) {
    long double sum = 0;
    for (int64_t k = 0; k < p->k; k++)
        sum += (long double)a_at(p, row, k) * b_at(p, k, column);
    return (double)sum;
}

static inline void product_compute(const walk_product *p) {
    assert_int_equal(clue_array_fill(p->c, p->type, p->m * p->n, 0), 1);
    assert_int_equal(walk_baseline_product(p, WALK_OPTIMISED, 1, 0, p->m), 0);
}

#endif
