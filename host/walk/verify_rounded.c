/* verify_rounded.c - the check of a matrix product with rounding errors, for any finite matrices.
 *
 * Freivalds' method with random signs compares C x with A (B x), and y^T C with (y^T A) B, all in long double. The
 * columns are divided into GROUPS groups, and for each row every group's signed sum is compared separately: sums of
 * fewer elements have less noise and show smaller faults. Two errors in one row may cancel in x, but y sees them in
 * their columns.
 *
 * How large may a difference be? Rounding to nearest moves a value s by at most u |s| (u = 2^-24 for float, 2^-53
 * for double). If the error is spread evenly over that range, its variance is u^2 s^2 / 3. An element is a sum of k
 * products p, and each p and each partial sum s is rounded. The products contribute the sum of p^2, called Q. A
 * partial sum of l terms is its share of the whole sum c plus a random walk: s^2 is expected to be (l/k)^2 c^2 +
 * (l/k) Q. Summed over l:
 *
 *     variance of one element = u^2/3 (k/3 c^2 + k/2 Q + Q)
 *
 * This holds for products of any mean: if the mean is 0, c^2 is about Q; otherwise c^2 grows like k Q. (If the sum
 * is computed in sequence, the walk is tied to c at its end, which makes it k/6 Q; sums of vector lanes are not.)
 * Rounding errors are independent, so the variance of a signed sum is the sum over its elements. It needs sums of
 * c^2 and of Q. c^2 is read from C itself: a wrong c widens its own limit by u sqrt(k) of its error, which hides
 * nothing. Q is the product of A and B with squared elements, and is summed with a vector of ones, like A (B x).
 * The estimate is on the safe side: u |s| is reached only just above a power of two, so it is a third too large on
 * average; a tree, tile or vector lane has smaller partial sums; and fma does not round products.
 *
 * Factors that are themselves rounded, to TF32's 11 bits, move each product by up to 2 v of itself (v = 2^-11). The
 * errors of two factors add 2/3 v^2 Q to the variance of one element.
 *
 * Three things that it does not cover are added:
 * - One element's walk may stray far, and its errors with it; in a sum of many elements that averages out. So the
 *   variance of a sum of n elements is multiplied by 1 + STRAYING / n.
 * - Devices may replace denormal numbers by 0, in input and output: that adds k times the smallest normal number
 *   times (1 + max|a| + max|b|) for each element. It also keeps the deviation above 0 for zero matrices.
 * - In data without randomness, with all elements 0.1 for example, the same error happens at each step and grows
 *   with k instead of sqrt(k). So some elements are computed as kernels do, in several orders. If their errors are
 *   larger than estimated, the estimate is widened to fit. */
#include "../sys/random.h"
#include "failure.h"
#include "product.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 8, STRAYING = 4, SAMPLES = 64, MOST_LANES = 16 };
static const long double MOST_SIGMAS = 6;

/* What the limits depend on, besides the element. */
typedef struct tolerance {
    long double unit;     /* u */
    long double factors;  /* v; 0: factors are not rounded */
    long double denormal; /* for one element */
    long double widening; /* 1 for random data */
    int64_t k;
} tolerance;

/* One side of the check, and its largest difference so far, as row and group of that side. */
typedef struct side {
    matrix left, right, result;
    int32_t factor_bits; /* as of the product */
    uint64_t start;      /* the start of its random signs */
    double *signs;       /* one for each column */
    double *line;        /* k: a row of left */
    long double *images; /* GROUPS x k: right times signs */
    double
        *squares; /* GROUPS x k: right squared, times ones; divided by right_scale, so that they do not overflow */
    double left_scale, right_scale;
    long double worst, found, expected;
    int64_t row, group;
} side;

/* The deviation of a sum of count elements, computed from the sums of their c^2 and Q. */
static long double tolerance_sigma(const tolerance *self, long double c_squares, long double q, int64_t count) {
    long double k = (long double)self->k, n = (long double)count;
    long double of_sums = self->unit * self->unit * (k / 3 * c_squares + (k / 2 + 1) * q);
    long double of_factors = 2 * self->factors * self->factors * q;
    long double variance = (of_sums + of_factors) / 3 * (1 + STRAYING / n);
    return hypotl(self->widening * sqrtl(variance), self->denormal * sqrtl(n));
}

/* ---- one element ---- */

/* The right value of an element, and the deviation of a rounded one. */
static long double element_expect(long double *sigma_out, const side *self, int64_t row, int64_t column,
                                  const tolerance *limits) {
    long double c = 0, q = 0;
    for (int64_t k = 0; k < self->left.columns; k++) {
        long double term = (long double)matrix_at(&self->left, row, k) * matrix_at(&self->right, k, column);
        c += term;
        q += term * term;
    }
    *sigma_out = tolerance_sigma(limits, c * c, q, 1);
    return c;
}

static double round_to(int32_t type, double value) {
    return type == CLUE_FLOAT ? (double)(float)value : value;
}

/* A factor as the device has it: to nearest, ties away from 0. Floats have 24 bits. */
static double factor_at(const matrix *of, int64_t row, int64_t column, int32_t bits) {
    float value = (float)matrix_at(of, row, column);
    uint32_t word;
    if (bits == 0) return matrix_at(of, row, column);
    memcpy(&word, &value, sizeof word);
    word = (word + (UINT32_C(1) << (23 - bits))) & ~((UINT32_C(1) << (24 - bits)) - 1);
    memcpy(&value, &word, sizeof value);
    return value;
}

/* Computes an element as a kernel would: in the type's own precision, with so many partial sums, added at the
 * end. */
static double element_as_kernel(const side *self, int64_t row, int64_t column, int lanes, bool fused) {
    int32_t bits = self->factor_bits;
    double sums[MOST_LANES] = {0};
    int32_t type = self->left.type;
    for (int64_t k = 0; k < self->left.columns; k++) {
        double a = factor_at(&self->left, row, k, bits), b = factor_at(&self->right, k, column, bits);
        double *sum = &sums[k % lanes];
        if (type == CLUE_FLOAT)
            *sum = fused ? fmaf((float)a, (float)b, (float)*sum) : (float)*sum + (float)a * (float)b;
        else
            *sum = fused ? fma(a, b, *sum) : *sum + a * b;
    }
    for (int lane = 1; lane < lanes; lane++)
        sums[0] = round_to(type, sums[0] + sums[lane]);
    return sums[0];
}

/* The root mean square of the samples' errors, in units of the estimated deviation, for the order in which it is
 * largest. */
static long double sampled_widening(const side *self, const tolerance *limits) {
    static const struct {
        int lanes;
        bool fused;
    } ORDERS[] = {{1, false}, {1, true}, {2, false}, {4, false}, {8, true}, {16, false}};
    enum { COUNT = sizeof ORDERS / sizeof ORDERS[0] };
    long double totals[COUNT] = {0}, largest = 1;
    uint64_t rows = (uint64_t)self->left.rows, columns = (uint64_t)self->right.columns;
    uint64_t samples = rows < SAMPLES && rows * columns < SAMPLES ? rows * columns : SAMPLES;
    for (uint64_t sample = 0; sample < samples; sample++) {
        int64_t row = (int64_t)(random_at(self->start, 2 * sample) % rows);
        int64_t column = (int64_t)(random_at(self->start, 2 * sample + 1) % columns);
        long double sigma = 0, expected = element_expect(&sigma, self, row, column, limits);
        sigma /= sqrtl(1 + STRAYING); /* as in a large sum, because there are many samples */
        for (int i = 0; i < COUNT; i++) {
            long double error = element_as_kernel(self, row, column, ORDERS[i].lanes, ORDERS[i].fused) - expected;
            if (isfinite(error)) totals[i] += error / sigma * (error / sigma);
        }
    }
    for (int i = 0; i < COUNT; i++)
        largest = fmaxl(largest, sqrtl(totals[i] / (long double)samples));
    return largest;
}

/* ---- one side ---- */

/* Computes images and squares: rows for groups, columns for rows of `right`. */
static void side_project(side *self) {
    const matrix *right = &self->right;
    bool by_rows = right->column_stride <= right->row_stride;
    int64_t outer_end = by_rows ? right->rows : right->columns, inner_end = by_rows ? right->columns : right->rows;
    memset(self->images, 0, (size_t)(right->rows * GROUPS) * sizeof *self->images);
    memset(self->squares, 0, (size_t)(right->rows * GROUPS) * sizeof *self->squares);
    for (int64_t outer = 0; outer < outer_end; outer++) {
        for (int64_t inner = 0; inner < inner_end; inner++) {
            int64_t row = by_rows ? outer : inner, column = by_rows ? inner : outer;
            int64_t place = column % GROUPS * right->rows + row;
            double value = matrix_at(right, row, column), scaled = value / self->right_scale;
            self->images[place] += self->signs[column] * value;
            self->squares[place] += scaled * scaled;
        }
    }
}

/* Computes four sums at a time, because each addition waits for the one before. */
static long double line_times(const double *line, const long double *image, int64_t count) {
    long double sums[4] = {0};
    int64_t k = 0;
    for (; k + 4 <= count; k += 4) {
        sums[0] += line[k] * image[k];
        sums[1] += line[k + 1] * image[k + 1];
        sums[2] += line[k + 2] * image[k + 2];
        sums[3] += line[k + 3] * image[k + 3];
    }
    for (; k < count; k++)
        sums[0] += line[k] * image[k];
    return sums[0] + sums[1] + (sums[2] + sums[3]);
}

static double squares_times(const double *line, double scale, const double *squares, int64_t count) {
    double sum = 0;
    for (int64_t k = 0; k < count; k++) {
        double scaled = line[k] / scale;
        sum += scaled * scaled * squares[k];
    }
    return sum;
}

static void side_compare_group(side *self, int64_t row, int64_t group, long double found, long double c_squares,
                               const tolerance *limits) {
    int64_t k = self->left.columns, count = (self->result.columns - group + GROUPS - 1) / GROUPS;
    long double scale = (long double)self->left_scale * self->right_scale;
    long double expected = line_times(self->line, self->images + group * k, k);
    long double q = squares_times(self->line, self->left_scale, self->squares + group * k, k) * scale * scale;
    long double sigmas = fabsl(found - expected) / tolerance_sigma(limits, c_squares, q, count);
    if (sigmas <= self->worst) return;
    self->worst = sigmas;
    self->found = found;
    self->expected = expected;
    self->row = row;
    self->group = group;
}

static void side_compare_row(side *self, int64_t row, const tolerance *limits) {
    long double found[GROUPS] = {0}, c_squares[GROUPS] = {0};
    int64_t columns = self->result.columns;
    for (int64_t column = 0; column < columns; column++) {
        long double c = matrix_at(&self->result, row, column);
        found[column % GROUPS] += self->signs[column] * c;
        c_squares[column % GROUPS] += c * c;
    }
    for (int64_t k = 0; k < self->left.columns; k++)
        self->line[k] = matrix_at(&self->left, row, k);
    for (int64_t group = 0; group < GROUPS && group < columns; group++)
        side_compare_group(self, row, group, found[group], c_squares[group], limits);
}

static void side_compare(side *self, const tolerance *limits) {
    for (int64_t column = 0; column < self->result.columns; column++)
        self->signs[column] = random_at(self->start, (uint64_t)column) >> 63 ? 1 : -1;
    side_project(self);
    self->worst = -1;
    for (int64_t row = 0; row < self->left.rows; row++)
        side_compare_row(self, row, limits);
}

/* Finds the element that makes the worst sum wrong; if no element stands out, gives column -1 and the sum. */
static void side_find_fault(walk_fault *fault_out, const side *self, const tolerance *limits) {
    long double worst = MOST_SIGMAS;
    *fault_out = (walk_fault){self->row, -1, (double)self->found, (double)self->expected, (double)self->worst};
    for (int64_t column = self->group; column < self->result.columns; column += GROUPS) {
        long double found = matrix_at(&self->result, self->row, column);
        long double sigma = 0, expected = element_expect(&sigma, self, self->row, column, limits);
        long double sigmas = fabsl(found - expected) / sigma;
        if (sigmas <= worst) continue;
        worst = sigmas;
        fault_out->column = column;
        fault_out->found = (double)found;
        fault_out->expected = (double)expected;
    }
}

/* ---- the whole ---- */

static int32_t require_finite(const matrix *self, double *largest_out, const char *name) {
    *largest_out = 0;
    for (int64_t row = 0; row < self->rows; row++) {
        for (int64_t column = 0; column < self->columns; column++) {
            double value = matrix_at(self, row, column);
            if (!isfinite(value)) {
                return failure_record("walk_verify_rounded",
                                      "%s[%lld][%lld] is %g, but only finite matrices can be verified", name,
                                      (long long)row, (long long)column, value);
            }
            if (fabs(value) > *largest_out) *largest_out = fabs(value);
        }
    }
    return WALK_DONE;
}

static bool has_infinite_element(walk_fault *fault_out, const side *rows, const tolerance *limits) {
    for (int64_t row = 0; row < rows->result.rows; row++) {
        for (int64_t column = 0; column < rows->result.columns; column++) {
            double found = matrix_at(&rows->result, row, column);
            long double sigma = 0, expected;
            if (isfinite(found)) continue;
            expected = element_expect(&sigma, rows, row, column, limits);
            *fault_out = (walk_fault){row, column, found, (double)expected, INFINITY};
            return true;
        }
    }
    return false;
}

static int32_t compare_sides(walk_fault *fault_out, side *rows, side *columns, tolerance *limits) {
    bool by_rows;
    side *worst;
    limits->widening = sampled_widening(rows, limits);
    side_compare(rows, limits);
    side_compare(columns, limits);
    by_rows = rows->worst >= columns->worst;
    worst = by_rows ? rows : columns;
    *fault_out = (walk_fault){.row = -1, .column = -1, .sigmas = (double)worst->worst};
    if (worst->worst <= MOST_SIGMAS) return 1;
    side_find_fault(fault_out, worst, limits);
    if (!by_rows) { /* this side's rows are columns of C */
        int64_t row = fault_out->column;
        fault_out->column = fault_out->row;
        fault_out->row = row;
    }
    return 0;
}

/* The sides use the memory one after the other. */
static long double *sides_allocate(side *rows, side *columns) {
    int64_t k = rows->left.columns, m = rows->result.rows, n = rows->result.columns;
    long double *memory = calloc((size_t)(k * GROUPS * 2 + k + (m > n ? m : n)), sizeof *memory);
    void *after_images;
    if (!memory) return NULL;
    rows->images = columns->images = memory;
    after_images = memory + GROUPS * k;
    rows->squares = columns->squares = after_images;
    rows->line = columns->line = rows->squares + GROUPS * k;
    rows->signs = columns->signs = rows->line + k;
    return memory;
}

static tolerance tolerance_of(const walk_product *product, double a_largest, double b_largest) {
    const bool single = product->type == CLUE_FLOAT;
    tolerance limits = {.unit = single ? FLT_EPSILON / 2 : DBL_EPSILON / 2, .widening = 1, .k = product->k};
    if (product->factor_bits > 0) limits.factors = ldexpl(1, -product->factor_bits);
    limits.denormal =
        (long double)product->k * (single ? FLT_MIN : DBL_MIN) * (1 + (long double)a_largest + b_largest);
    return limits;
}

/* A and B are finite; C may not be. */
static int32_t verify_within(walk_fault *fault_out, side *rows, side *columns, tolerance *limits) {
    long double *memory;
    int32_t right;
    if (has_infinite_element(fault_out, rows, limits)) return 0;
    memory = sides_allocate(rows, columns);
    if (!memory) return failure_out_of_memory("walk_verify_rounded");
    right = compare_sides(fault_out, rows, columns, limits);
    free(memory);
    return right;
}

int32_t walk_verify_rounded(walk_fault *fault_out, const walk_product *product, double seed) {
    const matrix a = product_left(product), b = product_right(product), c = product_result(product);
    side rows = {.left = a, .right = b, .result = c, .factor_bits = product->factor_bits};
    side columns = {.left = matrix_transposed(&b), .right = matrix_transposed(&a), .result = matrix_transposed(&c)};
    double a_largest = 0, b_largest = 0;
    tolerance limits;
    int32_t code = product_check(product, "walk_verify_rounded");
    if (code == WALK_DONE) code = require_finite(&a, &a_largest, "A");
    if (code == WALK_DONE) code = require_finite(&b, &b_largest, "B");
    if (code != WALK_DONE) return code;
    rows.start = random_at(random_start(seed), 0);
    columns.start = random_at(random_start(seed), 1);
    rows.left_scale = columns.right_scale = a_largest > 0 ? a_largest : 1;
    rows.right_scale = columns.left_scale = b_largest > 0 ? b_largest : 1;
    limits = tolerance_of(product, a_largest, b_largest);
    return verify_within(fault_out, &rows, &columns, &limits);
}
