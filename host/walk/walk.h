/* walk.h - the walkthroughs' arithmetic on the host: the loops that a device is compared with, and the checks of
 * its results. It is no part of libclue: the module that walkthroughs load (lua/) and the C tests call it.
 *
 * A call that can fail returns WALK_DONE or a negative code, and walk_last says why; results come first, as
 * parameters named *_out. That the arrays are as large as the sizes say is the caller's business: only the caller
 * knows how much memory there is. */
#ifndef WALK_WALK_H
#define WALK_WALK_H

#include "clue.h"

#include <stdbool.h>

/* The failures are OpenCL's codes, since they are raised as what scripts know. */
enum { WALK_DONE = 0, WALK_NO_MEMORY = -6, WALK_REFUSED = -30 };

typedef struct walk_failure {
    int32_t code;
    const char *call; /* "walk_verify_exact" */
    char detail[512];
} walk_failure;
extern walk_failure walk_last;

/* ---- the matrix product on the host: baselines and checks -------------------------------------------------------
 */

/* C = A B with A m x k, B k x n, C m x n; strides in elements, so that any layout can be told. */
typedef struct walk_product {
    int32_t type; /* CLUE_FLOAT or CLUE_DOUBLE */
    int64_t m, k, n;
    const void *a, *b;
    void *c;
    int64_t a_row, a_column, b_row, b_column, c_row, c_column;
} walk_product;

/* The six orders of the three loops over rows of pointers (article: 2-D arrays); then over linear memory, B by rows
 * and B by columns; and the best form (vectors, register blocks), which reads any layout. */
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

/* Runs the iterations [first, first + count) of the OUTERMOST loop; C is zeroed by the caller. threads: cores to
 * use, 0 for all; 1 only where the outermost loop is that of the sum. 0, or a negative code. */
int32_t walk_baseline_product(const walk_product *product, int32_t variant, int32_t threads, int64_t first,
                              int64_t count);
int64_t walk_baseline_extent(const walk_product *product, int32_t variant); /* iterations of the outermost loop */
const char *walk_baseline_compiler(int32_t variant); /* "gcc 12.2.0 -O2 -fno-tree-vectorize ..." */

/* Where a check failed: an element of C, what stands there and what should. Row and column are -1 where nothing
 * did; one of them is where the rounded check finds a whole row or column wrong and no element that stands out:
 * then found and expected are sums of its elements with random signs. */
typedef struct walk_fault {
    int64_t row, column;
    double found, expected;
    double sigmas; /* rounded check: the largest difference in units of one standard deviation, on success too */
} walk_fault;

/* Whole-valued inputs, every sum below 2^24 (float) or 2^53: C must be exactly A B. 1 right, 0 wrong, < 0 misuse.
 */
int32_t walk_verify_exact(walk_fault *fault_out, const walk_product *product, double seed);
/* Any inputs: differences against random +-1 vectors stay within six standard deviations of rounding. */
int32_t walk_verify_rounded(walk_fault *fault_out, const walk_product *product, double seed);

/* int matrices, by rows, modulo 2^32 whatever the sums are: type CLUE_INT. Each variant writes C and does not add.
 */
enum {
    WALK_INT_NAIVE = 0,    /* the triple loop; its outermost loop runs over the rows of C */
    WALK_INT_BUFFERED = 1, /* each column of B is copied first; its outermost loop runs over the columns */
    WALK_INT_VECTOR = 2    /* the same, compiled for speed */
};
/* threads: cores to use, 0 for all. 0, or a negative code. */
int32_t walk_int_product_baseline(const walk_product *product, int32_t variant, int32_t threads, int64_t first,
                                  int64_t count);
int64_t walk_int_product_extent(const walk_product *product, int32_t variant);
const char *walk_int_product_compiler(int32_t variant);
/* As walk_verify_exact, for any ints and any sums: C is A B modulo 2^32. */
int32_t walk_int_product_verify(walk_fault *fault_out, const walk_product *product, double seed);

/* C[x] = sum over y of A[x] B[y], in float. */
typedef struct walk_outer_sum {
    int64_t x, y;
    const float *a, *b;
    float *c;
} walk_outer_sum;

/* The plain loops for x from first on; threads as above. 0, or a negative code. */
int32_t walk_outer_sum_baseline(const walk_outer_sum *sum, int32_t threads, int64_t first, int64_t count);
const char *walk_outer_sum_compiler(void);
/* Whole-valued A and B, |A[x]| (|B[0]| + |B[1]| + ...) below 2^24: each element must be exact. 1 right, 0 wrong and
 * where (row is x), < 0 misuse. */
int32_t walk_outer_sum_verify_exact(walk_fault *fault_out, const walk_outer_sum *sum);
/* Any finite A and B: each element within six standard deviations of rounding. */
int32_t walk_outer_sum_verify_rounded(walk_fault *fault_out, const walk_outer_sum *sum);

/* ---- gravity on the host: baselines, a reference, and what is conserved -----------------------------------------
 */

/* Four numbers a body: x, y, z and the mass; x, y and z of the velocity and one that is passed on. The results go
 * to memory of their own. floats, but doubles for the reference and for what is conserved. */
typedef struct walk_bodies {
    int64_t count;
    const void *position, *velocity;
    void *position_out, *velocity_out;
    double *scale_out;      /* reference only, NULL or two numbers a body: see there */
    double step, softening; /* softening: added to the square of each distance, more than 0 */
} walk_bodies;

/* One core with a plain loop; the same on all cores; all cores with vectors; and in double, on all cores, what the
 * others are judged by: with it come sum_j m_j r / (r^2 + softening)^(3/2), in which the rounding of a body's
 * acceleration is measured, and sum_j 2 m_j / (r^2 + softening)^(3/2), by which that of positions grows. */
enum { WALK_NBODY_SERIAL = 0, WALK_NBODY_PARALLEL = 1, WALK_NBODY_OPTIMISED = 2, WALK_NBODY_REFERENCE = 3 };

/* A step of the bodies [first, first + count), attracted by all: a = sum_j m_j d / (d^2 + softening)^(3/2), new
 * position p + v step + a step^2 / 2, new velocity v + a step. 0, or a negative code. */
int32_t walk_nbody_step(const walk_bodies *bodies, int32_t variant, int64_t first, int64_t count);
const char *walk_nbody_compiler(int32_t variant); /* as walk_baseline_compiler() */

/* Of bodies in double; in the order of walk_conserved. */
typedef struct walk_conserved {
    double kinetic, potential;      /* energy; the potential is softened as the force is */
    double momentum[3], magnitudes; /* the sum of m v; the sum of m |v| */
} walk_conserved;
int32_t walk_nbody_conserved(walk_conserved *out, const walk_bodies *bodies);

#endif
