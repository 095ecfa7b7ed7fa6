/* verify.c - the exact check of a product of whole-valued matrices: either C is A B in every bit, or one wrong
 * element is named. verify_rounded.c has the rounded check.
 *
 * Freivalds' method compares C x with A (B x) for random vectors x. It computes modulo the prime 2^61 - 1, which is
 * above every possible difference. If a row of C is wrong, then for any wrong element exactly one of the prime's
 * values of x hides it. So one vector misses a wrong product with a chance of 2^-61, and errors that cancel each
 * other have no better chance. The second vector protects against a seed that was chosen on purpose. */
#include "../sys/random.h"
#include "failure.h"
#include "product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide; /* for products of two residues */

enum { VECTORS = 2 };
static const uint64_t PRIME = (UINT64_C(1) << 61) - 1;

/* ---- residues modulo PRIME; 2^61 is 1, so the upper bits are added to the lower ones ---- */

static uint64_t residue_of(double whole) {
    int64_t value = (int64_t)whole; /* at most 2^53 in magnitude: checked before */
    return value < 0 ? PRIME - (uint64_t)-value : (uint64_t)value;
}

static uint64_t residue_add(uint64_t left, uint64_t right) {
    uint64_t sum = left + right;
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t residue_multiply(uint64_t left, uint64_t right) {
    wide product = (wide)left * right;
    return residue_add((uint64_t)(product & PRIME), (uint64_t)(product >> 61));
}

/* y = self x, walking along the smaller stride. */
static void matrix_apply(uint64_t *y_out, const matrix *self, const uint64_t *x) {
    int64_t by_rows = self->column_stride <= self->row_stride;
    int64_t outer_end = by_rows ? self->rows : self->columns, inner_end = by_rows ? self->columns : self->rows;
    memset(y_out, 0, (size_t)self->rows * sizeof *y_out);
    for (int64_t outer = 0; outer < outer_end; outer++) {
        for (int64_t inner = 0; inner < inner_end; inner++) {
            int64_t row = by_rows ? outer : inner, column = by_rows ? inner : outer;
            uint64_t term = residue_multiply(residue_of(matrix_at(self, row, column)), x[column]);
            y_out[row] = residue_add(y_out[row], term);
        }
    }
}

/* ---- preconditions ---- */

/* Finds the largest magnitude. False, and the place, if a number is not whole (NaN and infinity are not). */
static bool matrix_is_whole(const matrix *self, double *largest_out, int64_t *row_out, int64_t *column_out) {
    *largest_out = 0;
    for (int64_t row = 0; row < self->rows; row++) {
        for (int64_t column = 0; column < self->columns; column++) {
            double value = matrix_at(self, row, column);
            if (isinf(value) || value != trunc(value)) {
                *row_out = row;
                *column_out = column;
                return false;
            }
            if (fabs(value) > *largest_out) *largest_out = fabs(value);
        }
    }
    return true;
}

static int32_t require_whole(const matrix *self, double *largest_out, const char *name) {
    int64_t row = 0, column = 0;
    if (matrix_is_whole(self, largest_out, &row, &column)) return WALK_DONE;
    return failure_record("walk_verify_exact",
                          "%s[%lld][%lld] is %g, but the exact check needs whole numbers: fill A and B with whole "
                          "numbers, or use the rounded check",
                          name, (long long)row, (long long)column, matrix_at(self, row, column));
}

/* The bound that no element of C can exceed. */
static int32_t require_exact_sums(double *bound_out, const walk_product *product) {
    const matrix a = product_left(product), b = product_right(product);
    double largest_a = 0, largest_b = 0;
    int32_t code = require_whole(&a, &largest_a, "A");
    const double limit = product->type == CLUE_FLOAT ? 0x1p24 : 0x1p53;
    if (code == WALK_DONE) code = require_whole(&b, &largest_b, "B");
    if (code != WALK_DONE) return code;
    *bound_out = (double)product->k * largest_a * largest_b;
    if (*bound_out < limit && largest_a < limit && largest_b < limit) return WALK_DONE;
    return failure_record("walk_verify_exact",
                          "a sum of %lld products of %.0f and %.0f can reach %.0f, but %s sums are exact only "
                          "below %.0f: fill A and B with smaller numbers",
                          (long long)product->k, largest_a, largest_b, *bound_out, clue_type_name(product->type),
                          limit);
}

/* ---- faults ---- */

static int64_t expected_at(const walk_product *product, int64_t row, int64_t column) {
    const matrix a = product_left(product), b = product_right(product);
    int64_t sum = 0;
    for (int64_t k = 0; k < product->k; k++)
        sum += (int64_t)matrix_at(&a, row, k) * (int64_t)matrix_at(&b, k, column);
    return sum;
}

static void fault_at(walk_fault *fault_out, const walk_product *product, int64_t row, int64_t column) {
    const matrix c = product_result(product);
    *fault_out = (walk_fault){.row = row,
                              .column = column,
                              .found = matrix_at(&c, row, column),
                              .expected = (double)expected_at(product, row, column)};
}

/* Finds an element that is wrong for any A and B: not whole, or beyond the bound. */
static bool has_impossible_element(walk_fault *fault_out, const walk_product *product, double bound) {
    const matrix c = product_result(product);
    for (int64_t row = 0; row < c.rows; row++) {
        for (int64_t column = 0; column < c.columns; column++) {
            double value = matrix_at(&c, row, column);
            if (value == trunc(value) && fabs(value) <= bound) continue;
            fault_at(fault_out, product, row, column);
            return true;
        }
    }
    return false;
}

static bool has_wrong_element(walk_fault *fault_out, const walk_product *product, int64_t row) {
    for (int64_t column = 0; column < product->n; column++) {
        fault_at(fault_out, product, row, column);
        if (fault_out->found != fault_out->expected) return true;
    }
    return false;
}

/* Tries one vector: gives the first row in which C x and A (B x) differ. memory: 2 m + k + n residues. */
static int64_t find_wrong_row(const walk_product *product, uint64_t *memory, uint64_t start) {
    const matrix a = product_left(product), b = product_right(product), c = product_result(product);
    uint64_t *x = memory, *bx = x + product->n, *abx = bx + product->k, *cx = abx + product->m;
    for (int64_t i = 0; i < product->n; i++)
        x[i] = random_at(start, (uint64_t)i) % PRIME;
    matrix_apply(bx, &b, x);
    matrix_apply(abx, &a, bx);
    matrix_apply(cx, &c, x);
    for (int64_t row = 0; row < product->m; row++)
        if (abx[row] != cx[row]) return row;
    return -1;
}

int32_t walk_verify_exact(walk_fault *fault_out, const walk_product *product, double seed) {
    double bound = 0;
    int32_t code = product_check(product, "walk_verify_exact");
    uint64_t *memory;
    int32_t right = 1;
    if (code == WALK_DONE) code = require_exact_sums(&bound, product);
    if (code != WALK_DONE) return code;
    if (has_impossible_element(fault_out, product, bound)) return 0;
    memory = calloc((size_t)(2 * product->m + product->k + product->n), sizeof *memory);
    if (!memory) return failure_out_of_memory("walk_verify_exact");
    for (uint64_t vector = 0; vector < VECTORS && right; vector++) {
        int64_t row = find_wrong_row(product, memory, random_at(random_start(seed), vector));
        right = row < 0 || !has_wrong_element(fault_out, product, row);
    }
    free(memory);
    if (right) *fault_out = (walk_fault){.row = -1, .column = -1};
    return right;
}
