/* The rounded check: products that were rounded as kernels round them stay far below its limit of six deviations,
 * whatever the data. Planted faults exceed it, and are named by their place.
 *
 * suite: quick
 * cost: 2 */
#include "product_support.h"

#include <string.h>

#ifdef __SANITIZE_ADDRESS__
enum { LARGE = 500, SEEDS = 1 };
#else
enum { LARGE = 2000, SEEDS = 3 };
#endif

static walk_fault fault;

/* ---- sums as kernels make them ---- */

enum { SEQUENCE, BACKWARDS, FUSED, TILES, LANES, TWO_LANES, ORDERS };

static float term(const walk_product *p, int64_t row, int64_t k, int64_t column) {
    return ((const float *)p->a)[row * p->k + k] * ((const float *)p->b)[k * p->n + column];
}

static float sum_in_tiles(const walk_product *p, int64_t row, int64_t column) {
    float sum = 0;
    for (int64_t start = 0; start < p->k; start += 16) {
        float tile = 0;
        for (int64_t k = start; k < p->k && k < start + 16; k++)
            tile += term(p, row, k, column);
        sum += tile;
    }
    return sum;
}

static float sum_in_lanes(const walk_product *p, int64_t row, int64_t column, int lanes) {
    float sums[8] = {0}, sum = 0;
    for (int64_t k = 0; k < p->k; k++)
        sums[k % lanes] += term(p, row, k, column);
    for (int lane = 0; lane < lanes; lane++)
        sum += sums[lane];
    return sum;
}

static float sum_fused(const walk_product *p, int64_t row, int64_t column) {
    const float *a = (const float *)p->a + row * p->k, *b = (const float *)p->b + column;
    float sum = 0;
    for (int64_t k = 0; k < p->k; k++)
        sum = fmaf(a[k], b[k * p->n], sum);
    return sum;
}

static float sum_backwards(const walk_product *p, int64_t row, int64_t column) {
    float sum = 0;
    for (int64_t k = p->k - 1; k >= 0; k--)
        sum += term(p, row, k, column);
    return sum;
}

static float sum_in_order(const walk_product *p, int64_t row, int64_t column, int order) {
    switch (order) {
    case SEQUENCE:
        return sum_in_lanes(p, row, column, 1);
    case TILES:
        return sum_in_tiles(p, row, column);
    case LANES:
        return sum_in_lanes(p, row, column, 8);
    case TWO_LANES:
        return sum_in_lanes(p, row, column, 2);
    case FUSED:
        return sum_fused(p, row, column);
    default:
        return sum_backwards(p, row, column);
    }
}

static void compute_in_order(const walk_product *p, int order) {
    float *c = p->c;
    for (int64_t row = 0; row < p->m; row++)
        for (int64_t column = 0; column < p->n; column++)
            c[row * p->n + column] = sum_in_order(p, row, column, order);
}

/* ---- many kinds of data ---- */

enum { CENTRED, POSITIVE, FAR_FROM_ZERO, MIXED_SCALES, CONSTANT, ALTERNATING, DECAYING, TINY, DATA };

static void fill_data(const walk_product *p, int data, int seed) {
    static const double RANGES[][2] = {{-0.5, 0.5},       {0, 1},  {100, 101}, {-1, 1},
                                       {0.1, 0.1 + 1e-8}, {-1, 1}, {-1, 1},    {-1e-38, 1e-38}};
    float *a = (float *)p->a, *b = (float *)p->b;
    product_fill(p, RANGES[data][0], RANGES[data][1], seed, 0);
    for (int64_t i = 0; i < p->m * p->k; i++) {
        int64_t k = i % p->k;
        if (data == MIXED_SCALES) a[i] = powf(a[i], 15);
        if (data == ALTERNATING) a[i] = (k % 2 ? 1.0F : -1.0F) * (1 + a[i] / 8);
        if (data == DECAYING) a[i] *= expf(-(float)k / 30);
    }
    for (int64_t i = 0; i < p->k * p->n; i++) {
        if (data == MIXED_SCALES) b[i] = powf(b[i], 15);
        if (data == ALTERNATING) b[i] = 1 + b[i] / 8;
        if (data == TINY) b[i] *= 1e38F;
    }
}

TEST(rounding_stays_below_four_and_a_half_deviations) {
    static const int64_t SIZES[][3] = {{1, 1, 1},    {7, 13, 5},    {60, 60, 60},  {100, 1, 100}, {1, 1000, 30},
                                       {30, 999, 1}, {2, 20000, 3}, {400, 150, 3}, {1, 20000, 1}};
    double worst = 0;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        walk_product p = product_make(CLUE_FLOAT, SIZES[i][0], SIZES[i][1], SIZES[i][2]);
        const int seeds = SIZES[i][1] < 10000 ? SEEDS : 1; /* long sums take long */
        for (int test = 0; test < DATA * ORDERS * seeds; test++) {
            int data = test % DATA, order = test / DATA % ORDERS, seed = test / DATA / ORDERS;
            fill_data(&p, data, seed);
            compute_in_order(&p, order);
            assert_int_equal(walk_verify_rounded(&fault, &p, seed), 1);
            assert_int_equal(fault.row, -1);
            if (fault.sigmas > worst) worst = fault.sigmas;
        }
        product_free(&p);
    }
    print_message("largest of right products: %.2f deviations\n", worst);
    assert_true(worst < 4.5);
    assert_true(worst > 1); /* otherwise the limit is too wide to find anything */
}

TEST(the_estimate_fits_at_size_500_and_at_2000) {
    static const int64_t SIZES[][3] = {{500, 500, 500}, {LARGE, LARGE, LARGE}};
    for (int i = 0; i < 2; i++) {
        for (int32_t type = CLUE_FLOAT; type <= (i == 0 ? CLUE_DOUBLE : CLUE_FLOAT); type++) {
            walk_product p = product_make(type, SIZES[i][0], SIZES[i][1], SIZES[i][2]);
            product_fill(&p, i == 0 ? -0.5 : 0, i == 0 ? 0.5 : 1, 1, 0);
            product_compute(&p);
            assert_int_equal(walk_verify_rounded(&fault, &p, 1), 1);
            assert_true(fault.sigmas < 4 && fault.sigmas > 0.1);
            product_free(&p);
        }
    }
}

TEST(right_sums_in_sequence_pass_at_size_500) {
    walk_product p = product_make(CLUE_FLOAT, LARGE / 4, LARGE / 4, LARGE / 4);
    for (int data = CENTRED; data <= POSITIVE; data++) {
        product_fill(&p, data == CENTRED ? -0.5 : 0, data == CENTRED ? 0.5 : 1, 1, 0);
        assert_int_equal(clue_array_fill(p.c, p.type, p.m * p.n, 0), 1);
        assert_int_equal(walk_baseline_product(&p, WALK_LOOPS_RKC, 1, 0, p.m), 0);
        assert_int_equal(walk_verify_rounded(&fault, &p, 1), 1);
        assert_true(fault.sigmas < 4 && fault.sigmas > 1);
    }
    product_free(&p);
}

/* ---- faults ---- */

/* Large products are checked with one seed: it takes a quarter of a second. */
static void expect_fault_in(const walk_product *p, int64_t row, int64_t column, int64_t rows, int64_t columns) {
    for (int seed = p->m > 1000; seed < 2; seed++) {
        memset(&fault, 0, sizeof fault);
        assert_int_equal(walk_verify_rounded(&fault, p, seed), 0);
        assert_true(fault.sigmas > 6);
        assert_in_range(fault.row, row, row + rows - 1);
        assert_in_range(fault.column, column, column + columns - 1);
        assert_true(fabs(fault.expected - sum_at(p, fault.row, fault.column)) < 1e-9 * (1 + fabs(fault.expected)));
        assert_true(fault.found == c_at(p, fault.row, fault.column));
    }
}

/* One element lacks one typical product. */
static void lack_one_product(walk_product *p) {
    c_store(p, 77, 55, c_at(p, 77, 55) - 0.06);
    expect_fault_in(p, 77, 55, 1, 1);
    c_store(p, 77, 55, sum_at(p, 77, 55));
}

static void get_one_tile_wrong(walk_product *p) {
    for (int64_t i = 0; i < 256; i++)
        c_store(p, 160 + i / 16, 64 + i % 16, c_at(p, 160 + i / 16, 32 + i % 16));
    expect_fault_in(p, 160, 64, 16, 16);
    for (int64_t i = 0; i < 256; i++)
        c_store(p, 160 + i / 16, 64 + i % 16, sum_at(p, 160 + i / 16, 64 + i % 16));
}

static void not_compute_the_last_column(walk_product *p) {
    for (int64_t row = 0; row < p->m; row++)
        c_store(p, row, p->n - 1, 0);
    expect_fault_in(p, 0, p->n - 1, p->m, 1);
}

static void leave_out_the_last_k(walk_product *p) {
    p->k--;
    product_compute(p);
    p->k++;
    expect_fault_in(p, 0, 0, p->m, p->n);
}

/* The larger the product, the better small faults are hidden. */
static void plant_faults(int64_t size, double low, double high) {
    walk_product p = product_make(CLUE_FLOAT, size, size, size);
    product_fill(&p, low, high, 9, 0);
    product_compute(&p);
    lack_one_product(&p);
    get_one_tile_wrong(&p);
    if (size < LARGE) {
        not_compute_the_last_column(&p);
        leave_out_the_last_k(&p);
    }
    product_free(&p);
}

TEST(faults_are_found_in_centred_data) {
    plant_faults(LARGE / 4 + 200, -0.5, 0.5);
    plant_faults(LARGE, -0.5, 0.5);
}

TEST(faults_are_found_in_positive_data) {
    plant_faults(LARGE / 4 + 200, 0, 1);
    plant_faults(LARGE, 0, 1);
}

TEST(errors_that_cancel_in_a_row_are_found_in_their_columns) {
    walk_product p = product_make(CLUE_DOUBLE, 40, 40, 40);
    product_fill(&p, -1, 1, 1, 0);
    product_compute(&p);
    c_store(&p, 7, 3, c_at(&p, 7, 3) + 0.5);
    c_store(&p, 7, 11, c_at(&p, 7, 11) - 0.5); /* the same group of columns, since 11 = 3 + 8 */
    for (int seed = 0; seed < 200; seed++) {
        assert_int_equal(walk_verify_rounded(&fault, &p, seed), 0);
        assert_int_equal(fault.row, 7);
        assert_true(fault.column == 3 || fault.column == 11);
    }
    product_free(&p);
}

TEST(single_rows_columns_and_elements_are_checked) {
    static const int64_t SIZES[][3] = {{1, 1, 1}, {1, 300, 1}, {1, 20, 30}, {30, 20, 1}, {1, 1, 30}};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        walk_product p = product_make(CLUE_FLOAT, SIZES[i][0], SIZES[i][1], SIZES[i][2]);
        product_fill(&p, 0, 1, 1, 0);
        product_compute(&p);
        assert_int_equal(walk_verify_rounded(&fault, &p, 1), 1);
        c_store(&p, p.m - 1, p.n - 1, c_at(&p, p.m - 1, p.n - 1) * 1.001);
        expect_fault_in(&p, p.m - 1, p.n - 1, 1, 1);
        product_free(&p);
    }
}

/* Each error is within three deviations, but their sum is not. Then a whole row or column is named. */
TEST(many_small_errors_are_found_together) {
    walk_product p = product_make(CLUE_FLOAT, 400, 50, 400);
    product_fill(&p, 0, 1, 1, 0);
    product_compute(&p);
    for (int64_t row = 0; row < 400; row++)
        for (int64_t column = 0; column < 400; column++)
            c_store(&p, row, column, c_at(&p, row, column) * (1 + 0x1p-20));
    assert_int_equal(walk_verify_rounded(&fault, &p, 1), 0);
    assert_true((fault.row == -1) != (fault.column == -1));
    assert_true(fault.sigmas > 6 && fault.found != fault.expected);
    product_free(&p);
}

TEST(zero_and_denormal_products_pass) {
    walk_product p = product_make(CLUE_FLOAT, 6, 7, 8);
    assert_int_equal(walk_verify_rounded(&fault, &p, 1), 1);
    assert_true(fault.sigmas == 0);
    c_store(&p, 5, 7, 1e-30);
    expect_fault_in(&p, 5, 7, 1, 1);
    product_fill(&p, 1e-22, 2e-22, 1, 0); /* products of 1e-44 */
    product_compute(&p);
    assert_int_equal(walk_verify_rounded(&fault, &p, 1), 1);
    assert_int_equal(clue_array_fill(p.c, CLUE_FLOAT, 48, 0),
                     1); /* as on a device that treats denormal numbers as 0 */
    assert_int_equal(walk_verify_rounded(&fault, &p, 1), 1);
    product_free(&p);
}

TEST(numbers_near_the_ends_of_double_do_no_harm) {
    static const double ENDS[] = {1e153, 1e-160, 1e-320};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        walk_product p = product_make(CLUE_DOUBLE, 12, 9, 10);
        product_fill(&p, 0, ENDS[i], 1, 0);
        product_compute(&p);
        assert_int_equal(walk_verify_rounded(&fault, &p, 1), 1);
        assert_true(isfinite(fault.sigmas));
        product_free(&p);
    }
}

TEST(infinity_and_nan_in_the_result_are_faults) {
    static const double WRONG[] = {NAN, INFINITY, -INFINITY};
    walk_product p = product_make(CLUE_FLOAT, 5, 6, 7);
    product_fill(&p, 0, 1, 1, 0);
    for (int i = 0; i < 3; i++) {
        product_compute(&p);
        c_store(&p, 3, 4, WRONG[i]);
        assert_int_equal(walk_verify_rounded(&fault, &p, 1), 0);
        assert_int_equal(fault.row, 3);
        assert_int_equal(fault.column, 4);
        assert_true(fabs(fault.expected - sum_at(&p, 3, 4)) < 1e-12);
    }
    product_free(&p);
}

TEST(inputs_that_are_not_finite_are_refused) {
    walk_product p = product_make(CLUE_FLOAT, 5, 6, 7);
    ((float *)p.b)[9] = INFINITY;
    walk_last = (walk_failure){.call = ""};
    assert_int_equal(walk_verify_rounded(&fault, &p, 1), -30);
    assert_non_null(strstr(walk_last.detail, "B[1][2] is inf"));
    p.type = CLUE_HALF;
    assert_int_equal(walk_verify_rounded(&fault, &p, 1), -30);
    assert_non_null(strstr(walk_last.detail, "elements of type half"));
    p.type = CLUE_FLOAT;
    product_free(&p);
}

/* ---- rounded factors ---- */

/* The product of A's and B's elements, rounded to so many bits. */
static void compute_with_factors(walk_product *p, int bits) {
    const void *given[2] = {p->a, p->b};
    int64_t counts[2] = {p->m * p->k, p->k * p->n};
    float *rounded[2];
    for (int i = 0; i < 2; i++) {
        rounded[i] = clue_array_allocate(counts[i] * 4);
        for (int64_t j = 0; j < counts[i]; j++) {
            int exponent;
            double mantissa = frexp(((const float *)given[i])[j], &exponent);
            rounded[i][j] = (float)ldexp(round(ldexp(mantissa, bits)), exponent - bits);
        }
    }
    p->a = rounded[0], p->b = rounded[1];
    product_compute(p);
    p->a = given[0], p->b = given[1];
    for (int i = 0; i < 2; i++)
        clue_array_free(rounded[i]);
}

TEST(factors_of_11_bits_pass_if_the_product_says_so) {
    static const int64_t SIZES[][3] = {{1, 1, 1},     {7, 13, 5},    {60, 60, 60},
                                       {1, 1000, 30}, {100, 1, 100}, {300, 150, 3}};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        walk_product p = product_make(CLUE_FLOAT, SIZES[i][0], SIZES[i][1], SIZES[i][2]);
        for (int data = CENTRED; data < TINY; data++) {
            fill_data(&p, data, 3);
            compute_with_factors(&p, 11);
            p.factor_bits = 11;
            for (int seed = 0; seed < 4; seed++)
                assert_int_equal(walk_verify_rounded(&fault, &p, seed), 1);
            p.factor_bits = 0;
            if (p.k > 1 && p.m > 50 && data == CENTRED) assert_int_equal(walk_verify_rounded(&fault, &p, 1), 0);
        }
        product_free(&p);
    }
}

TEST(factors_of_8_bits_and_faults_are_found_among_factors_of_11) {
    walk_product p = product_make(CLUE_FLOAT, 200, 200, 200);
    p.factor_bits = 11;
    product_fill(&p, -0.5, 0.5, 9, 0);
    compute_with_factors(&p, 8);
    assert_int_equal(walk_verify_rounded(&fault, &p, 1), 0);
    compute_with_factors(&p, 11);
    assert_int_equal(walk_verify_rounded(&fault, &p, 1), 1);
    lack_one_product(&p);
    get_one_tile_wrong(&p);
    not_compute_the_last_column(&p);
    product_free(&p);
}
