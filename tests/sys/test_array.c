/* Arrays: memory, random numbers, conversion, comparison, sums.
 *
 * suite: quick */
#include "clue.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 100000, PAGE = 4096, HUGE_PAGE = 2 << 20 };

TEST(memory_is_zero_and_starts_a_page) {
    static const int64_t SIZES[] = {0, 1, 63, 4096, 1000003};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
        for (int round = 0; round < 2; round++) { /* the second may get the memory of the first */
            unsigned char *data = clue_array_allocate(SIZES[i]);
            assert_non_null(data);
            assert_int_equal((uintptr_t)data % PAGE, 0);
            for (int64_t byte = 0; byte < SIZES[i]; byte++)
                assert_int_equal(data[byte], 0);
            memset(data, 0xff, (size_t)SIZES[i]);
            clue_array_free(data);
        }
    clue_array_free(NULL);
}

TEST(too_much_memory_is_an_error) {
#ifdef __SANITIZE_ADDRESS__ /* its calloc ends the process instead of failing */
    static const int64_t SIZES[] = {-1, INT64_MIN, INT64_MAX, INT64_MAX - 4096};
#else
    static const int64_t SIZES[] = {-1, INT64_MIN, INT64_MAX, INT64_MAX - 4096, INT64_C(1) << 60};
#endif
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        clue_error_clear();
        assert_null(clue_array_allocate(SIZES[i]));
        assert_int_equal(clue_error_cause(), CLUE_CAUSE_MEMORY);
        assert_string_equal(clue_error_call(), "clue_array_allocate");
    }
}

TEST(fill_writes_every_element_and_no_other) {
    unsigned char one = 7;
    for (int32_t type = CLUE_CHAR; type <= CLUE_DOUBLE; type++) {
        int64_t size = clue_type_size(type), count = 70001;
        unsigned char *data = calloc((size_t)count + 1, (size_t)size);
        assert_int_equal(clue_array_fill(data, type, count, 5), 1);
        for (int64_t i = 0; i < count; i++)
            assert_true(clue_element_load(data + i * size, type) == 5);
        assert_true(clue_element_load(data + count * size, type) == 0);
        assert_int_equal(clue_array_fill(data, type, 0, 6), 1);
        assert_true(clue_element_load(data, type) == 5);
        free(data);
    }
    assert_int_equal(clue_array_fill(&one, CLUE_UCHAR, 1, 300), 0);
    assert_int_equal(one, 7);
}

TEST(one_seed_gives_one_sequence) {
    static double left[1000], right[1000];
    assert_int_equal(clue_array_random(left, CLUE_DOUBLE, 1000, 0, 1, 42), 1);
    assert_int_equal(clue_array_random(right, CLUE_DOUBLE, 10, 0, 1, 42), 1);
    assert_memory_equal(left, right, 10 * sizeof *left); /* a longer sequence begins like a shorter one */
    assert_int_equal(clue_array_random(right, CLUE_DOUBLE, 1000, 0, 1, 43), 1);
    assert_int_equal(clue_array_compare(left, right, CLUE_DOUBLE, 1000, 1e-6), 0);
    assert_int_equal(clue_array_random(left, CLUE_DOUBLE, 1000, 0, 1, 0.0), 1);
    assert_int_equal(clue_array_random(right, CLUE_DOUBLE, 1000, 0, 1, -0.0), 1);
    assert_memory_equal(left, right, sizeof left);
}

/* On every machine and with every compiler, so that results published with a seed can be repeated. The numbers come
 * from a program in another language, written from the comment in clue.h. */
TEST(the_sequence_never_changes) {
    static const int32_t DICE[2][8] = {{6, 6, 4, 5, 5, 6, 3, 4}, {3, 4, 1, 6, 2, 1, 1, 4}};
    static const int64_t LONGS[6] = {-4, 3, 1, 1, 3, -2};
    static const float FLOATS[4] = {-0x1.5bc9f00p-3F, -0x1.58ac4a0p-3F, 0x1.ff51ac0p-2F, -0x1.02c9fe0p-3F};
    static const uint16_t HALFS[4] = {16079, 16373, 17357, 15972};
    double numbers[3];
    int32_t dice[8];
    int64_t longs[6];
    float floats[4];
    uint16_t halfs[4];
    assert_int_equal(clue_array_random(numbers, CLUE_DOUBLE, 3, -0.5, 0.5, 1), 1);
    assert_true(numbers[0] == 0x1.94283af38fa00p-2 && numbers[1] == 0x1.b0ad513caf910p-3 &&
                numbers[2] == 0x1.7f1732fab0204p-2);
    assert_int_equal(clue_array_random(dice, CLUE_INT, 8, 1, 6, 1), 1);
    assert_memory_equal(dice, DICE[0], sizeof dice);
    assert_int_equal(clue_array_random(dice, CLUE_INT, 8, 1, 6, 0.5), 1);
    assert_memory_equal(dice, DICE[1], sizeof dice);
    assert_int_equal(clue_array_random(longs, CLUE_LONG, 6, -5, 5, 3), 1);
    assert_memory_equal(longs, LONGS, sizeof longs);
    assert_int_equal(clue_array_random(floats, CLUE_FLOAT, 4, -0.25, 0.5, -7), 1);
    assert_memory_equal(floats, FLOATS, sizeof floats);
    assert_int_equal(clue_array_random(halfs, CLUE_HALF, 4, 0, 4, 2), 1);
    assert_memory_equal(halfs, HALFS, sizeof halfs);
}

static void check_uniform(int32_t type, double low, double high) {
    char *data = clue_array_allocate(COUNT * clue_type_size(type));
    double squares = 0, middle = (low + high) / 2, width = high - low, mean;
    assert_int_equal(clue_array_random(data, type, COUNT, low, high, 7), 1);
    for (int64_t i = 0; i < COUNT; i++) {
        double value = clue_element_load(data + i * clue_type_size(type), type);
        assert_true(value >= low && value < high);
        squares += (value - middle) * (value - middle);
    }
    mean = clue_array_sum(data, type, COUNT) / COUNT;
    assert_true(fabs(mean - middle) < 5 * width / sqrt(12.0 * COUNT));
    assert_true(fabs(squares / COUNT / (width * width) - 1.0 / 12) < 0.002);
    clue_array_free(data);
}

TEST(floats_are_uniform_from_low_to_below_high) {
    check_uniform(CLUE_FLOAT, -0.5, 0.5);
    check_uniform(CLUE_FLOAT, 0, 1);
    check_uniform(CLUE_FLOAT, 1, 1 + 0x1p-12);
    check_uniform(CLUE_DOUBLE, -1e6, 3e6);
    check_uniform(CLUE_HALF, 0, 4);
}

TEST(rounding_never_reaches_high_nor_falls_below_low) {
    static float data[20000];
    static const double RANGES[][2] = {{1, 1 + 0x1p-22}, {0.1, 0.1 + 1e-8}, {0.3, 0.3 + 4e-8}, {-1, -1 + 0x1p-23}};
    double widest[1000];
    for (size_t i = 0; i < sizeof RANGES / sizeof *RANGES; i++) {
        assert_int_equal(clue_array_random(data, CLUE_FLOAT, 20000, RANGES[i][0], RANGES[i][1], 1), 1);
        for (int j = 0; j < 20000; j++)
            assert_true((double)data[j] >= RANGES[i][0] && (double)data[j] < RANGES[i][1]);
    }
    assert_int_equal(clue_array_random(widest, CLUE_DOUBLE, 1000, -1.7e308, 1.7e308, 1), 1);
    for (int j = 0; j < 1000; j++)
        assert_true(isfinite(widest[j]));
}

TEST(whole_numbers_reach_both_ends_evenly) {
    static signed char dice[COUNT];
    int hits[7] = {0};
    uint64_t large[1000], all = 0;
    int32_t same[4];
    assert_int_equal(clue_array_random(dice, CLUE_CHAR, COUNT, -3, 3, 11), 1);
    for (int i = 0; i < COUNT; i++) {
        assert_true(dice[i] >= -3 && dice[i] <= 3);
        hits[dice[i] + 3]++;
    }
    for (int face = 0; face < 7; face++)
        assert_true(fabs(hits[face] - COUNT / 7.0) < 5 * sqrt(COUNT / 7.0));
    assert_int_equal(clue_array_random(large, CLUE_ULONG, 1000, 0, nextafter(0x1p64, 0), 1), 1);
    for (int i = 0; i < 1000; i++)
        all |= large[i];
    assert_true(all == UINT64_MAX);
    assert_int_equal(clue_array_random(same, CLUE_INT, 4, 5, 5, 1), 1);
    assert_int_equal(same[3], 5);
}

TEST(ranges_that_hold_no_number_are_refused) {
    double data[1];
    assert_int_equal(clue_array_random(data, CLUE_FLOAT, 1, 1, 1, 1), 0);
    assert_int_equal(clue_array_random(data, CLUE_FLOAT, 1, 2, 1, 1), 0);
    assert_int_equal(clue_array_random(data, CLUE_FLOAT, 1, 1 + 1e-9, 1 + 2e-9, 1), 0);
    assert_int_equal(clue_array_random(data, CLUE_FLOAT, 1, 0, INFINITY, 1), 0);
    assert_int_equal(clue_array_random(data, CLUE_FLOAT, 1, NAN, 1, 1), 0);
    assert_int_equal(clue_array_random(data, CLUE_FLOAT, 1, 0, 1e39, 1), 0);
    assert_int_equal(clue_array_random(data, CLUE_INT, 1, 0, 0.5, 1), 0);
    assert_int_equal(clue_array_random(data, CLUE_INT, 1, 6, 1, 1), 0);
    assert_int_equal(clue_array_random(data, CLUE_UCHAR, 1, 0, 256, 1), 0);
    assert_int_equal(clue_array_random(data, CLUE_AUTO, 1, 0, 1, 1), 0);
}

TEST(conversion_keeps_what_the_target_can_hold) {
    const double source[5] = {1, -2, 255, 0.1, 1e39};
    float floats[5] = {0};
    int16_t shorts[5] = {0};
    uint8_t bytes[5] = {0};
    assert_int_equal(clue_array_convert(floats, CLUE_FLOAT, source, CLUE_DOUBLE, 5), 4);
    assert_true(floats[3] == 0.1F);
    assert_int_equal(clue_array_convert(shorts, CLUE_SHORT, source, CLUE_DOUBLE, 5), 3);
    assert_int_equal(shorts[2], 255);
    assert_int_equal(clue_array_convert(bytes, CLUE_UCHAR, shorts, CLUE_SHORT, 5), 1);
    assert_int_equal(clue_array_convert(shorts, CLUE_SHORT, source, CLUE_DOUBLE, 3), -1);
    assert_int_equal(clue_array_convert(shorts, CLUE_SHORT, source, CLUE_DOUBLE, 0), -1);
    assert_int_equal(clue_array_convert(shorts, CLUE_AUTO, source, CLUE_DOUBLE, 1), 0);
}

TEST(conversion_of_64_bits_is_exact) {
    const int64_t source[3] = {INT64_C(9007199254740993), INT64_MAX, INT64_MIN};
    /* conversion by way of double would round twice, to a wrong number */
    const int64_t tie[1] = {(INT64_C(1) << 53) + (INT64_C(1) << 29) + 1};
    uint64_t target[3] = {0};
    float rounded = 0;
    int32_t shifted[4] = {1, 2, 3, 4};
    assert_int_equal(clue_array_convert(target, CLUE_ULONG, source, CLUE_LONG, 3), 2);
    assert_true(target[0] == UINT64_C(9007199254740993) && target[1] == (uint64_t)INT64_MAX);
    assert_int_equal(clue_array_convert(&rounded, CLUE_FLOAT, tie, CLUE_LONG, 1), -1);
    assert_true(rounded == 0x1p53F + 0x1p30F);
    assert_int_equal(clue_array_convert(shifted + 1, CLUE_INT, shifted, CLUE_INT, 3), -1);
    assert_int_equal(shifted[3], 3);
}

TEST(comparison_finds_the_first_difference) {
    const float left[5] = {1, 2, INFINITY, NAN, 0.0F}, right[5] = {1, 2.5F, INFINITY, NAN, -0.0F};
    const float other[2] = {NAN, 1}, number[2] = {1, NAN};
    const uint64_t large[2] = {UINT64_MAX, UINT64_MAX}, less[2] = {UINT64_MAX, UINT64_MAX - 1};
    assert_int_equal(clue_array_compare(left, right, CLUE_FLOAT, 5, 0), 1);
    assert_int_equal(clue_array_compare(left, right, CLUE_FLOAT, 5, 0.5), -1);
    assert_int_equal(clue_array_compare(left, right, CLUE_FLOAT, 5, 0.49), 1);
    assert_int_equal(clue_array_compare(other, number, CLUE_FLOAT, 1, 1e30), 0);
    assert_int_equal(clue_array_compare(other + 1, number + 1, CLUE_FLOAT, 1, INFINITY), 0);
    assert_int_equal(clue_array_compare(large, less, CLUE_ULONG, 2, 0), 1);
    assert_int_equal(clue_array_compare(large, less, CLUE_ULONG, 2, 1), -1);
}

TEST(comparison_finds_a_difference_far_from_the_start) {
    static float left[5000], right[5000];
    left[4097] = NAN, right[4097] = NAN;
    left[3000] = 0.0F, right[3000] = -0.0F;
    assert_int_equal(clue_array_compare(left, right, CLUE_FLOAT, 5000, 0), -1);
    for (int64_t at = 4999; at >= 0;
         at -= 499) { /* the first of several differences, inside blocks and at their edges */
        right[at] = 3;
        assert_int_equal(clue_array_compare(left, right, CLUE_FLOAT, 5000, 0), at);
        assert_int_equal(clue_array_compare(left, right, CLUE_FLOAT, at, 0), -1);
    }
}

TEST(sums_lose_nothing_on_the_way) {
    const double cancelling[5] = {1e30, 1, -1e30, 1e-3, 0}, infinite[2] = {INFINITY, 1};
    const int64_t whole[3] = {INT64_MAX, 5, -INT64_MAX};
    float *tenths;
    assert_true(clue_array_sum(cancelling, CLUE_DOUBLE, 5) == 1.001);
    assert_true(isinf(clue_array_sum(infinite, CLUE_DOUBLE, 2)));
    assert_true(clue_array_sum(cancelling, CLUE_DOUBLE, 0) == 0);
    assert_true(clue_array_sum(whole, CLUE_LONG, 3) == 5);
    tenths = clue_array_allocate(COUNT * (int64_t)sizeof(float));
    assert_int_equal(clue_array_fill(tenths, CLUE_FLOAT, COUNT, 0.1), 1);
    assert_true(clue_array_sum(tenths, CLUE_FLOAT, COUNT) == (double)0.1F * COUNT);
    clue_array_free(tenths);
}

TEST(extremes_are_found_and_nan_is_neither) {
    const float some[6] = {NAN, 2, -1, 5, -1, 5}, none[2] = {NAN, NAN}, far[2] = {INFINITY, -INFINITY};
    const int64_t whole[3] = {(INT64_C(1) << 53) + 1, INT64_C(1) << 53, (INT64_C(1) << 53) + 2};
    const uint64_t large[2] = {UINT64_MAX - 1, UINT64_MAX};
    int64_t least = 7, greatest = 7;
    assert_int_equal(clue_array_extremes(&least, &greatest, some, CLUE_FLOAT, 6), 1);
    assert_true(least == 2 && greatest == 3); /* of equal numbers, the first */
    assert_int_equal(clue_array_extremes(&least, &greatest, none, CLUE_FLOAT, 2), 2);
    assert_true(least == -1 && greatest == -1);
    assert_int_equal(clue_array_extremes(&least, &greatest, far, CLUE_FLOAT, 2), 0);
    assert_true(least == 1 && greatest == 0);
    assert_int_equal(clue_array_extremes(&least, &greatest, whole, CLUE_LONG, 3), 0);
    assert_true(least == 1 && greatest == 2); /* as doubles, the first two would be equal */
    assert_int_equal(clue_array_extremes(&least, &greatest, large, CLUE_ULONG, 2), 0);
    assert_true(least == 0 && greatest == 1);
    assert_int_equal(clue_array_extremes(&least, &greatest, NULL, CLUE_INT, 0), 0);
    assert_true(least == -1 && greatest == -1);
}

TEST(closeness_is_that_of_numpy) {
    const double left[4] = {1, 1 + 1e-6, 1e-9, 5}, right[4] = {1, 1, 0, 5.1};
    const float same[4] = {1, 1, 0, 5.1F};
    const int64_t large[2] = {INT64_MAX, INT64_MAX - 1}, larger[2] = {INT64_MAX, INT64_MAX};
    assert_int_equal(clue_array_allclose(left, CLUE_DOUBLE, right, CLUE_DOUBLE, 4, 1e-5, 1e-8, 0), 3);
    assert_int_equal(clue_array_allclose(left, CLUE_DOUBLE, right, CLUE_DOUBLE, 4, 1e-5, 0, 0), 2);
    assert_int_equal(clue_array_allclose(left, CLUE_DOUBLE, right, CLUE_DOUBLE, 4, 0.02, 0.001, 0), -1);
    assert_int_equal(clue_array_allclose(right, CLUE_DOUBLE, same, CLUE_FLOAT, 4, 1e-5, 1e-8, 0), -1);
    assert_int_equal(clue_array_allclose(right, CLUE_DOUBLE, same, CLUE_FLOAT, 4, 0, 0, 0), 3);
    assert_int_equal(clue_array_allclose(large, CLUE_LONG, larger, CLUE_LONG, 2, 0, 0, 0), 1);
    assert_int_equal(clue_array_allclose(large, CLUE_LONG, larger, CLUE_LONG, 2, 0, 1, 0), -1);
}

/* In double, the first pair is close; in long double, it is not. It must not matter what else is in the arrays. */
TEST(closeness_is_that_of_an_element_alone) {
    const double left[2] = {2.6386370000000001, 5}, right[2] = {2.636, 1};
    assert_int_equal(clue_array_allclose(left, CLUE_DOUBLE, right, CLUE_DOUBLE, 1, 1e-3, 1e-6, 0), -1);
    assert_int_equal(clue_array_allclose(left, CLUE_DOUBLE, right, CLUE_DOUBLE, 2, 1e-3, 1e-6, 0), 1);
}

TEST(norms_neither_overflow_nor_vanish) {
    const double some[3] = {3, -4, 0}, large[2] = {3e300, -4e300}, small[2] = {3e-300, 4e-300}, none[2] = {NAN, 1};
    const float floats[3] = {3, -4, 0};
    const int8_t chars[2] = {-128, 1};
    assert_true(clue_array_norm(some, CLUE_DOUBLE, 3, 1) == 7);
    assert_true(clue_array_norm(some, CLUE_DOUBLE, 3, 2) == 5);
    assert_true(clue_array_norm(some, CLUE_DOUBLE, 3, INFINITY) == 4);
    assert_true(clue_array_norm(floats, CLUE_FLOAT, 3, 2) == 5);
    assert_true(clue_array_norm(large, CLUE_DOUBLE, 2, 2) == 5e300);
    assert_true(fabs(clue_array_norm(small, CLUE_DOUBLE, 2, 2) - 5e-300) < 1e-315);
    assert_true(isnan(clue_array_norm(none, CLUE_DOUBLE, 2, 1)) && isnan(clue_array_norm(none, CLUE_DOUBLE, 2, 2)));
    assert_true(isnan(clue_array_norm(none, CLUE_DOUBLE, 2, INFINITY)));
    assert_true(clue_array_norm(chars, CLUE_CHAR, 2, INFINITY) == 128 &&
                clue_array_norm(chars, CLUE_CHAR, 2, 1) == 129);
    assert_true(clue_array_norm(some, CLUE_DOUBLE, 0, 2) == 0 &&
                clue_array_norm(some, CLUE_DOUBLE, 0, INFINITY) == 0);
    assert_true(isnan(clue_array_norm(some, CLUE_DOUBLE, 3, 3)));
}

TEST(sums_that_overflow_on_the_way_are_right) {
    const double large[3] = {1.7e308, 1.7e308, -1.7e308}, opposite[2] = {INFINITY, -INFINITY};
    const float infinite[2] = {INFINITY, 1}, nan[2] = {NAN, 1};
    const uint64_t ulongs[3] = {UINT64_MAX, UINT64_MAX, 2};
    assert_true(clue_array_sum(large, CLUE_DOUBLE, 3) == 1.7e308);
    assert_true(isnan(clue_array_sum(opposite, CLUE_DOUBLE, 2)));
    assert_true(clue_array_sum(infinite, CLUE_FLOAT, 2) == (double)INFINITY &&
                isnan(clue_array_sum(nan, CLUE_FLOAT, 2)));
    assert_true(clue_array_sum(ulongs, CLUE_ULONG, 3) == 0x1p65);
}

/* The elements of conversions that fail lie in several blocks; what follows them keeps its value. */
TEST(conversion_stops_at_the_first_misfit_of_many) {
    static double source[5000];
    static int16_t target[5000];
    for (int64_t at = 4999; at >= 0; at -= 611) {
        source[at] = at % 2 ? NAN : 0.5;
        memset(target, 0x11, sizeof target);
        assert_int_equal(clue_array_convert(target, CLUE_SHORT, source, CLUE_DOUBLE, 5000), at);
        for (int64_t i = 0; i < 5000; i++)
            assert_int_equal(target[i], i < at ? 0 : 0x1111);
    }
}

TEST(memory_has_the_alignment_asked_for) {
    for (int64_t alignment = 1; alignment <= INT64_C(1) << 24; alignment *= 2)
        for (int32_t huge = 0; huge <= 1; huge++) {
            unsigned char *data = clue_array_allocate_aligned(100000, alignment, huge);
            assert_non_null(data);
            assert_int_equal((uintptr_t)data % (uintptr_t)alignment, 0);
            assert_true(data[0] == 0 && data[99999] == 0);
            memset(data, 1, 100000);
            assert_in_range(clue_array_huge_bytes(data, 100000), 0, huge ? 100000 : 0);
            clue_array_free(data);
        }
    assert_null(clue_array_allocate_aligned(8, 48, 0));
    assert_null(clue_array_allocate_aligned(8, 0, 0));
    assert_int_equal(clue_error_cause(), CLUE_CAUSE_PARAMETER);
    assert_null(clue_array_allocate_aligned(INT64_MAX, 64, 1));
    assert_int_equal(clue_error_cause(), CLUE_CAUSE_MEMORY);
}

TEST(resized_memory_keeps_contents_and_alignment) {
    static const int64_t SIZES[] = {1, 5000, 0, 3 << 20};
    for (int64_t alignment = 1; alignment <= INT64_C(1) << 22; alignment *= 8)
        for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
            unsigned char *data = clue_array_allocate_aligned(5000, alignment, i % 2 ? 1 : 0), *resized;
            memset(data, 7, 5000);
            resized = clue_array_resized(data, SIZES[i]);
            assert_non_null(resized);
            assert_int_equal((uintptr_t)resized % (uintptr_t)alignment, 0);
            if (i % 2) assert_int_equal((uintptr_t)resized % HUGE_PAGE, 0);
            for (int64_t byte = 0; byte < SIZES[i]; byte++)
                assert_int_equal(resized[byte], byte < 5000 ? 7 : 0);
            assert_int_equal(data[4999], 7);
            assert_null(clue_array_resized(data, INT64_MAX));
            clue_array_release(data, 5000, 0);
            clue_array_free(resized);
        }
}

TEST(copies_start_a_page) {
    unsigned char *const data = clue_array_allocate_aligned(COUNT, 1, 1), *copy;
    memset(data, 7, COUNT);
    copy = clue_array_copy(data + 1, COUNT - 1);
    assert_non_null(copy);
    assert_int_equal((uintptr_t)copy % PAGE, 0);
    assert_memory_equal(copy, data, COUNT - 1);
    clue_array_free(copy);
    copy = clue_array_copy(NULL, 0);
    assert_non_null(copy);
    clue_array_free(copy);
    assert_null(clue_array_copy(data, INT64_MAX));
    assert_int_equal(clue_error_cause(), CLUE_CAUSE_MEMORY);
    clue_array_free(data);
}
