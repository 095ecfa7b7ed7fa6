/* verify_outer_sum.c - the checks of an outer sum: an exact one for whole numbers, a statistical one for others.
 *
 * Each element has one right value, A[x] times the sum of B, so every element is checked. The sum is computed in
 * long double: exact for whole numbers up to 2^64, and otherwise 2^11 times finer than double.
 *
 * How far may rounding move an element? The estimate is that of verify_rounded.c (see its head). With k = Y terms,
 * c the element and Q the sum of its squared products, the variance is u^2/3 (k/3 c^2 + k/2 Q + Q). B is the same
 * for all elements, so if its partial sums stray far, all errors are large: the variance counts 1 + STRAYING times,
 * as for a single element there. The effect of denormals that count as 0 is added. */
#include "outer_sum.h"

#include "failure.h"

#include <float.h>
#include <math.h>

enum { STRAYING = 4 };
static const long double MOST_SIGMAS = 6;

int32_t outer_sum_check(const walk_outer_sum *sum, const char *call) {
    if (sum->x < 1 || sum->y < 1) {
        return failure_record(call, "an outer sum of %lld x %lld: each must be at least 1", (long long)sum->x,
                              (long long)sum->y);
    }
    if (sum->a && sum->b && sum->c) return WALK_DONE;
    return failure_record(call, "A, B or C has no data");
}

/* ---- whole numbers ---- */

static int32_t require_whole(const float *data, int64_t count, const char *name) {
    for (int64_t i = 0; i < count; i++) {
        if (isfinite(data[i]) && data[i] == truncf(data[i])) continue;
        return failure_record("walk_outer_sum_verify_exact",
                              "%s[%lld] is %g, but the exact check needs whole numbers: fill A and B with whole "
                              "numbers, or use the rounded check",
                              name, (long long)i, (double)data[i]);
    }
    return WALK_DONE;
}

static long double largest_of(const float *data, int64_t count) {
    float largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest = fmaxf(largest, fabsf(data[i]));
    return largest;
}

static int32_t require_exact_sums(const walk_outer_sum *sum) {
    int32_t code = require_whole(sum->a, sum->x, "A");
    long double magnitudes = 0, largest;
    if (code == WALK_DONE) code = require_whole(sum->b, sum->y, "B");
    if (code != WALK_DONE) return code;
    largest = largest_of(sum->a, sum->x);
    for (int64_t y = 0; y < sum->y; y++)
        magnitudes += fabsf(sum->b[y]);
    if (largest * magnitudes < 0x1p24L) return WALK_DONE;
    return failure_record("walk_outer_sum_verify_exact",
                          "a sum can reach %.0Lf times %.0Lf, but float sums are exact only below %.0f: fill A and "
                          "B with smaller numbers",
                          largest, magnitudes, 0x1p24);
}

static long double total_of(const float *data, int64_t count) {
    long double total = 0;
    for (int64_t i = 0; i < count; i++)
        total += data[i];
    return total;
}

int32_t walk_outer_sum_verify_exact(walk_fault *fault_out, const walk_outer_sum *sum) {
    int32_t code = outer_sum_check(sum, "walk_outer_sum_verify_exact");
    long double total;
    if (code == WALK_DONE) code = require_exact_sums(sum);
    if (code != WALK_DONE) return code;
    total = total_of(sum->b, sum->y);
    for (int64_t x = 0; x < sum->x; x++) {
        long double expected = sum->a[x] * total;
        if (sum->c[x] == expected) continue;
        *fault_out = (walk_fault){.row = x, .found = sum->c[x], .expected = (double)expected};
        return 0;
    }
    *fault_out = (walk_fault){.row = -1, .column = -1};
    return 1;
}

/* ---- any numbers ---- */

/* The share of B in every element's limit. */
typedef struct limits {
    long double total;    /* the sum of B */
    long double variance; /* that of an element whose A[x] is 1 */
    long double denormal; /* for one element */
} limits;

static limits limits_of(const walk_outer_sum *sum) {
    long double squares = 0, k = (long double)sum->y, unit = FLT_EPSILON / 2;
    limits all = {.total = total_of(sum->b, sum->y)};
    for (int64_t y = 0; y < sum->y; y++)
        squares += (long double)sum->b[y] * sum->b[y];
    all.variance = unit * unit / 3 * (k / 3 * all.total * all.total + (k / 2 + 1) * squares) * (1 + STRAYING);
    all.denormal = k * FLT_MIN * (1 + largest_of(sum->a, sum->x) + largest_of(sum->b, sum->y));
    return all;
}

static int32_t require_finite(const float *data, int64_t count, const char *name) {
    for (int64_t i = 0; i < count; i++) {
        if (isfinite(data[i])) continue;
        return failure_record("walk_outer_sum_verify_rounded",
                              "%s[%lld] is %g, but only finite numbers can be verified", name, (long long)i,
                              (double)data[i]);
    }
    return WALK_DONE;
}

static void find_worst(walk_fault *worst_out, const walk_outer_sum *sum, const limits *all) {
    long double worst = -1;
    for (int64_t x = 0; x < sum->x; x++) {
        long double a = sum->a[x], expected = a * all->total;
        long double sigma = hypotl(a * sqrtl(all->variance), all->denormal);
        long double sigmas = isfinite(sum->c[x]) ? fabsl(sum->c[x] - expected) / sigma : INFINITY;
        if (sigmas <= worst) continue;
        worst = sigmas;
        *worst_out = (walk_fault){x, 0, sum->c[x], (double)expected, (double)sigmas};
    }
}

int32_t walk_outer_sum_verify_rounded(walk_fault *fault_out, const walk_outer_sum *sum) {
    int32_t code = outer_sum_check(sum, "walk_outer_sum_verify_rounded");
    limits all;
    if (code == WALK_DONE) code = require_finite(sum->a, sum->x, "A");
    if (code == WALK_DONE) code = require_finite(sum->b, sum->y, "B");
    if (code != WALK_DONE) return code;
    all = limits_of(sum);
    find_worst(fault_out, sum, &all);
    if (fault_out->sigmas > MOST_SIGMAS) return 0;
    fault_out->row = fault_out->column = -1;
    return 1;
}
