/* walk.h - the walkthroughs' arithmetic on the host: the loops with which a device is compared, and the checks of
 * its results. It is not a part of libclue; the walkthroughs' Lua module (lua/) and the C tests call it.
 *
 * A call that can fail returns WALK_DONE or a negative code, and walk_last holds the reason. Results come first, as
 * parameters named *_out. The caller must ensure that the arrays are as large as the sizes say, because only the
 * caller knows how much memory there is. */
#ifndef WALK_WALK_H
#define WALK_WALK_H

#include "clue.h"

#include <stdbool.h>

/* The failures are OpenCL's codes, because scripts know these. */
enum { WALK_DONE = 0, WALK_NO_MEMORY = -6, WALK_REFUSED = -30 };

typedef struct walk_failure {
    int32_t code;
    const char *call; /* "walk_verify_exact" */
    char detail[512];
} walk_failure;
extern walk_failure walk_last;

/* ---- the matrix product on the host: baselines and checks -------------------------------------------------------
 */

/* C = A B; A is m x k, B is k x n, C is m x n. Strides are in elements, so that they can describe any layout. */
typedef struct walk_product {
    int32_t type; /* CLUE_FLOAT or CLUE_DOUBLE */
    int64_t m, k, n;
    const void *a, *b;
    void *c;
    int64_t a_row, a_column, b_row, b_column, c_row, c_column;
    int32_t factor_bits; /* the rounded check: floats of A and B are rounded to so many bits; 0: to none */
} walk_product;

/* The six orders of the three loops over rows of pointers (the article's 2-D arrays); then the loops over linear
 * memory, with B by rows and B by columns; then the fastest form (vectors, register blocks), which accepts any
 * layout. */
enum {
    WALK_LOOPS_RCK = 0,
    WALK_LOOPS_RKC = 1,
    WALK_LOOPS_CRK = 2,
    WALK_LOOPS_CKR = 3,
    WALK_LOOPS_KRC = 4,
    WALK_LOOPS_KCR = 5,
    WALK_LINEAR_ROWS = 6,
    WALK_LINEAR_COLUMNS = 7,
    WALK_OPTIMISED = 8
};

/* Runs the iterations [first, first + count) of the OUTERMOST loop. The caller sets C to zero. threads: the number
 * of cores, 0 for all; must be 1 if the outermost loop is that of the sum. 0, or a negative code. */
int32_t walk_baseline_product(const walk_product *product, int32_t variant, int32_t threads, int64_t first,
                              int64_t count);
int64_t walk_baseline_extent(const walk_product *product, int32_t variant); /* iterations of the outermost loop */
const char *walk_baseline_compiler(int32_t variant); /* "gcc 12.2.0 -O2 -fno-tree-vectorize ..." */

/* Where a check failed: an element of C, its value and the right value. Row and column are -1 if nothing failed.
 * One of them is -1 if the rounded check finds a whole row or column wrong but no element that stands out: then
 * found and expected are sums of its elements with random signs. */
typedef struct walk_fault {
    int64_t row, column;
    double found, expected;
    double sigmas; /* rounded check: the largest difference, in standard deviations; on success, too */
} walk_fault;

/* For whole-valued inputs with every sum below 2^24 (float) or 2^53: C must be exactly A B. 1 right, 0 wrong, < 0
 * misuse. */
int32_t walk_verify_exact(walk_fault *fault_out, const walk_product *product, double seed);
/* For any inputs: compares with random vectors of +-1; differences must be within six standard deviations of
 * rounding. */
int32_t walk_verify_rounded(walk_fault *fault_out, const walk_product *product, double seed);

/* For int matrices by rows, modulo 2^32 whatever the sums are: type CLUE_INT. Each variant overwrites C. */
enum {
    WALK_INT_NAIVE = 0,    /* the triple loop; its outermost loop runs over the rows of C */
    WALK_INT_BUFFERED = 1, /* each column of B is copied first; its outermost loop runs over the columns */
    WALK_INT_VECTOR = 2    /* the same, compiled for speed */
};
/* threads: the number of cores, 0 for all. 0, or a negative code. */
int32_t walk_int_product_baseline(const walk_product *product, int32_t variant, int32_t threads, int64_t first,
                                  int64_t count);
int64_t walk_int_product_extent(const walk_product *product, int32_t variant);
const char *walk_int_product_compiler(int32_t variant);
/* Like walk_verify_exact(), for any ints and any sums: C must be A B modulo 2^32. */
int32_t walk_int_product_verify(walk_fault *fault_out, const walk_product *product, double seed);

/* C[x] = sum over y of A[x] B[y], in float. */
typedef struct walk_outer_sum {
    int64_t x, y;
    const float *a, *b;
    float *c;
} walk_outer_sum;

/* The plain loops, for `count` values of x from `first` on; threads as above. 0, or a negative code. */
int32_t walk_outer_sum_baseline(const walk_outer_sum *sum, int32_t threads, int64_t first, int64_t count);
const char *walk_outer_sum_compiler(void);
/* For whole-valued A and B with |A[x]| (|B[0]| + |B[1]| + ...) below 2^24: each element must be exact. 1 right; 0
 * wrong, and where (row is x); < 0 misuse. */
int32_t walk_outer_sum_verify_exact(walk_fault *fault_out, const walk_outer_sum *sum);
/* For any finite A and B: each element must be within six standard deviations of rounding. */
int32_t walk_outer_sum_verify_rounded(walk_fault *fault_out, const walk_outer_sum *sum);

/* One sum of all values, in float. */
typedef struct walk_values {
    int64_t count;
    const float *from;
    float *sum;
} walk_values;

/* Adds `count` values from `first` on to *sum, one after the other. 0, or a negative code. */
int32_t walk_reduce_baseline(const walk_values *values, int64_t first, int64_t count);
const char *walk_reduce_compiler(void);

/* Whole numbers, whose sums are modulo 2^32: their prefix sums, or how many fall in each of WALK_BINS bins, the bin
 * being the number modulo WALK_BINS. */
enum { WALK_BINS = 256 };
typedef struct walk_numbers {
    int64_t count;
    const uint32_t *from;
    uint32_t *to; /* count sums, or WALK_BINS counts */
} walk_numbers;

/* `count` prefix sums from `first` on: to[i] = from[0] + ... + from[i]; those before must be there. 0, or a
 * negative code. */
int32_t walk_scan_baseline(const walk_numbers *numbers, int64_t first, int64_t count);
/* Adds `count` numbers from `first` on to their bins. 0, or a negative code. */
int32_t walk_histogram_baseline(const walk_numbers *numbers, int64_t first, int64_t count);
const char *walk_numbers_compiler(void);

/* ---- gravity on the host: baselines, a reference, and conserved quantities
 * --------------------------------------- */

/* Each body has four numbers for its position (x, y, z, mass) and four for its velocity (x, y, z, and one that is
 * passed on). The results need memory of their own. All are floats; doubles for the reference and for the conserved
 * quantities. */
typedef struct walk_bodies {
    int64_t count;
    const void *position, *velocity;
    void *position_out, *velocity_out;
    double *scale_out;      /* for the reference only: NULL, or two numbers a body (see there) */
    double step, softening; /* softening: more than 0, added to the square of each distance */
} walk_bodies;

/* A plain loop on one core; the same on all cores; vectors on all cores; and the reference, in double on all cores,
 * by which the others are judged. The reference also computes two numbers for each body: sum_j m_j r / (r^2 +
 * softening)^(3/2), the unit for the rounding error of its acceleration, and sum_j 2 m_j / (r^2 + softening)^(3/2),
 * by which the error of positions grows. */
enum { WALK_NBODY_SERIAL = 0, WALK_NBODY_PARALLEL = 1, WALK_NBODY_OPTIMISED = 2, WALK_NBODY_REFERENCE = 3 };

/* Computes a step of the bodies [first, first + count), attracted by all bodies: a = sum_j m_j d / (d^2 +
 * softening)^(3/2), new position p + v step + a step^2 / 2, new velocity v + a step. 0, or a negative code. */
int32_t walk_nbody_step(const walk_bodies *bodies, int32_t variant, int64_t first, int64_t count);
const char *walk_nbody_compiler(int32_t variant); /* like walk_baseline_compiler() */

/* The conserved quantities of bodies in double. */
typedef struct walk_conserved {
    double kinetic, potential;      /* energy; the potential is softened like the force */
    double momentum[3], magnitudes; /* the sum of m v; the sum of m |v| */
} walk_conserved;
int32_t walk_nbody_conserved(walk_conserved *out, const walk_bodies *bodies);

#endif
