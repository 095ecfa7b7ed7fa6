/* The loops of every instruction set that this processor has: all give the results of loops of one element.
 *
 * suite: quick */
#include "array/loops.h"
#include "element.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 777 }; /* not a multiple of any vector */

static const struct loops *level;

/* Bits of every kind: small and large numbers of both signs, fractions, NaN and infinity among the floating ones.
 */
static void fill_with_bits(void *data_out, int32_t type, int64_t count, uint64_t seed) {
    const int64_t size = clue_type_size(type);
    static const double SPECIAL[] = {0,     -0.0,   1,       -1,         0.5,      255,      256,       65519,
                                     65520, -65520, 0x1p31,  -0x1p31,    0x1p32,   0x1p63,   -0x1p63,   0x1p64,
                                     1e-8,  6e-8,   3.4e38,  0x1.ffp127, 1e300,    INFINITY, -INFINITY, NAN,
                                     127,   128,    -128.25, 2049,       0x1p-149, 0x1p-24,  0x1p-25,   0x1.8p-25};
    char *data = data_out;
    uint32_t words[4];
    for (int64_t i = 0; i < count; i++) {
        level->words(words, (uint64_t)i, 0, 1, seed);
        memcpy(data + i * size, words, (size_t)size);
        if (words[2] % 4 < 3) (void)clue_element_store(data + i * size, type, (double)((int32_t)words[3] % 300));
        if (words[2] % 4 == 0) (void)clue_element_store(data + i * size, type, SPECIAL[words[3] % 32]);
    }
}

static bool same_bits_or_nan(const void *left, const void *right, int32_t type) {
    const long double a = element_read(left, type), b = element_read(right, type);
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

TEST(words_are_those_of_the_published_vectors) {
    static const struct {
        uint64_t first, stream, key;
        uint32_t words[4];
    } VECTORS[] = {
        {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {UINT64_C(0x85a308d3243f6a88),
         UINT64_C(0x0370734413198a2e),
         UINT64_C(0x299f31d0a4093822),
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof VECTORS / sizeof *VECTORS; i++) {
        uint32_t words[4];
        level->words(words, VECTORS[i].first, VECTORS[i].stream, 1, VECTORS[i].key);
        assert_memory_equal(words, VECTORS[i].words, sizeof words);
    }
}

TEST(many_blocks_are_those_made_one_by_one) {
    static uint32_t words[4 * MANY], one[4];
    const uint64_t first = UINT32_MAX - 5U; /* the counter's low half overflows */
    level->words(words, first, 7, MANY, 42);
    for (int i = 0; i < MANY; i++) {
        loops_level(0)->words(one, first + (uint64_t)i, 7, 1, 42);
        assert_memory_equal(words + (ptrdiff_t)4 * i, one, sizeof one);
    }
}

TEST(whole_sums_are_exact) {
    static uint64_t data[MANY];
    for (int32_t type = CLUE_CHAR; type <= CLUE_ULONG; type++) {
        long double sum = 0; /* of at most 777 * 2^64: not exact, but nearly */
        fill_with_bits(data, type, MANY, 3);
        for (int i = 0; i < MANY; i++)
            sum += element_read((char *)data + i * clue_type_size(type), type);
        assert_true(fabsl((long double)level->sum[type](data, MANY) - sum) <= fabsl(sum) * 0x1p-52L);
        if (type < CLUE_LONG) assert_true(level->sum[type](data, MANY) == (double)sum);
    }
}

/* Longer than what is added up in one partial sum. */
TEST(whole_sums_of_several_blocks_are_exact) {
    enum { COUNT = 100001 };
    static uint64_t data[COUNT];
    for (int32_t type = CLUE_CHAR; type <= CLUE_ULONG; type++) {
        double sum = 0;
        for (int i = 0; i < COUNT; i++) {
            (void)clue_element_store((char *)data + i * clue_type_size(type), type, i % 100 + 1);
            sum += i % 100 + 1;
        }
        assert_true(level->sum[type](data, COUNT) == sum);
    }
}

/* In each lane, fifteen large numbers and a small one, whose last digits the sum of sixteen must not lose: then the
 * large ones cancel. The exponents differ by 25 to 30. */
TEST(small_floats_are_not_lost_among_large_ones) {
    enum { EACH = 16, COUNT = 2 * EACH * LOOPS_LANES };
    static float floats[COUNT];
    for (int apart = 25; apart <= 30; apart++) {
        struct loops_sums sums = {{0}, {0}};
        const float small = 1 + 0x1p-23F, large = ldexpf(2 - 0x1p-23F, apart);
        double total = 0;
        for (int i = 0; i < COUNT; i++)
            floats[i] =
                i < COUNT / 2 ? (i < LOOPS_LANES ? small : large) : (i < COUNT / 2 + LOOPS_LANES ? 0 : -large);
        level->add_floats(&sums, floats, COUNT);
        for (int lane = 0; lane < LOOPS_LANES; lane++)
            total += sums.sum[lane] + sums.lost[lane];
        assert_true(total == LOOPS_LANES * (double)small);
    }
}

TEST(all_levels_round_sums_alike) {
    static float floats[MANY];
    static double doubles[MANY];
    struct loops_sums sums[2] = {{{0}, {0}}, {{0}, {0}}};
    assert_int_equal(clue_array_random(floats, CLUE_FLOAT, MANY, -1e9, 1e9, 1), 1);
    assert_int_equal(clue_array_random(doubles, CLUE_DOUBLE, MANY, -1e9, 1e9, 1), 1);
    level->add_floats(&sums[0], floats, MANY);
    level->add_doubles(&sums[0], doubles, MANY);
    loops_level(0)->add_floats(&sums[1], floats, MANY);
    loops_level(0)->add_doubles(&sums[1], doubles, MANY);
    assert_memory_equal(&sums[0], &sums[1], sizeof sums[0]);
    assert_true(level->squares_of_floats(floats, MANY) == loops_level(0)->squares_of_floats(floats, MANY));
    assert_true(level->squares_of_doubles(doubles, MANY) == loops_level(0)->squares_of_doubles(doubles, MANY));
}

/* Floats are added without loss where their exponents allow it, else with loss: both give what doubles give. */
TEST(sums_of_floats_of_any_range_are_exact) {
    enum { COUNT = 1000 };
    static float floats[COUNT];
    static const float RANGES[][2] = {{1, 1}, {1, 0x1p-24F}, {1, 0x1p-26F}, {0x1p30F, 1}, {0x1p-149F, 0x1p-126F}};
    for (size_t range = 0; range < sizeof RANGES / sizeof *RANGES; range++)
        for (int zeros = 0; zeros < 2; zeros++) {
            struct loops_sums sums = {{0}, {0}};
            long double total = 0, expected = 0;
            for (int i = 0; i < COUNT; i++) {
                floats[i] = (float)(i % 2 ? -1 : 1) * RANGES[range][i % 7 == 0] * (1 + (float)i * 0x1p-23F);
                if (zeros && i % 3 == 0) floats[i] = 0;
            }
            for (int pass = 0; pass < 2; pass++) /* large ones first, which cancel */
                for (int i = 0; i < COUNT; i++)
                    if ((i % 7 == 0) == (pass == 1)) expected += (long double)floats[i];
            level->add_floats(&sums, floats, COUNT);
            for (int lane = 0; lane < LOOPS_LANES; lane++)
                total += (long double)sums.sum[lane] + (long double)sums.lost[lane];
            assert_true(fabsl(total - expected) <= fabsl(expected) * 0x1p-60L);
        }
}

static void check_extremes(const void *data, int32_t type, int64_t count) {
    const int64_t size = clue_type_size(type);
    struct loops_extremes found, expected = {-1, -1, 0};
    long double least = 0, greatest = 0;
    for (int64_t i = 0; i < count; i++) {
        const long double value = element_read((const char *)data + i * size, type);
        expected.unordered += isnan(value) ? 1 : 0;
        if (isnan(value)) continue;
        if (expected.least < 0 || value < least) expected.least = i, least = value;
        if (expected.greatest < 0 || value > greatest) expected.greatest = i, greatest = value;
    }
    level->extremes[type](&found, data, count);
    assert_int_equal(found.least, expected.least);
    assert_int_equal(found.greatest, expected.greatest);
    assert_int_equal(found.unordered, expected.unordered);
}

/* Long ones have several blocks; the extremes of some are zeros of both signs. */
TEST(extremes_are_the_first_of_equal_ones) {
    enum { LONG = 20000 };
    static uint64_t data[LONG];
    static const int64_t COUNTS[] = {0, 1, 2, 63, 64, 65, MANY, LONG};
    for (int32_t type = CLUE_CHAR; type <= CLUE_DOUBLE; type++)
        for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
            fill_with_bits(data, type, COUNTS[i], (uint64_t)type);
            check_extremes(data, type, COUNTS[i]);
        }
    for (int32_t type = CLUE_HALF; type <= CLUE_DOUBLE; type++)
        for (int round = 0; round < 4; round++) {
            const int64_t size = clue_type_size(type);
            memset(data, 0, sizeof data);
            (void)clue_element_store((char *)data + 15000 * size, type, -0.0);
            (void)clue_element_store((char *)data + 5 * size, type, round < 2 ? 1 : -1);
            if (round % 2) (void)clue_element_store((char *)data, type, NAN);
            check_extremes(data, type, LONG);
        }
}

/* All elements have one sign, and none is NaN. */
TEST(extremes_of_one_sign_are_found) {
    static uint64_t data[MANY];
    for (int32_t type = CLUE_HALF; type <= CLUE_DOUBLE; type++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const int64_t size = clue_type_size(type);
            fill_with_bits(data, type, MANY, (uint64_t)type);
            for (int i = 0; i < MANY; i++) {
                char *element = (char *)data + i * size;
                const double magnitude = fabs((double)element_read(element, type));
                (void)clue_element_store(element, type, copysign(isnan(magnitude) ? 1 : magnitude, sign));
            }
            check_extremes(data, type, MANY);
        }
}

/* Elements one by one. */
static void check_conversion(int32_t type, int32_t source_type, const char *source) {
    const int64_t size = clue_type_size(type), source_size = clue_type_size(source_type);
    static uint64_t to[MANY], expected[MANY];
    char *const made = (char *)to, *const wanted = (char *)expected;
    for (int64_t i = 0; i < MANY; i++) {
        const bool fits =
            element_write(wanted + i * size, type, element_read(source + i * source_size, source_type));
        const bool passed = level->convert[type][source_type](made + i * size, source + i * source_size, 1);
        const bool suspicious = type == CLUE_FLOAT && isinf(element_read(source + i * source_size, source_type));
        assert_true(passed == fits || suspicious);
        if (passed) assert_true(same_bits_or_nan(made + i * size, wanted + i * size, type));
    }
}

/* All elements that fit, as one block; and each of the others within zeros. */
static void check_blocks(int32_t type, int32_t source_type, const char *source) {
    const int64_t size = clue_type_size(type), source_size = clue_type_size(source_type);
    static uint64_t fitting[MANY], to[MANY], expected[MANY];
    char *const one = (char *)fitting, *const made = (char *)to, *const wanted = (char *)expected;
    int64_t count = 0;
    for (int64_t i = 0; i < MANY; i++) {
        const long double value = element_read(source + i * source_size, source_type);
        if (type == CLUE_FLOAT && isinf(value)) continue;
        if (element_write(wanted + count * size, type, value))
            memcpy(one + count++ * source_size, source + i * source_size, (size_t)source_size);
    }
    assert_in_range(count, MANY / 8, MANY);
    assert_true(level->convert[type][source_type](made, one, count));
    for (int64_t i = 0; i < count; i++)
        assert_true(same_bits_or_nan(made + i * size, wanted + i * size, type));
    memset(fitting, 0, sizeof fitting);
    for (int64_t i = 0; i < MANY; i++) {
        if (element_write(wanted, type, element_read(source + i * source_size, source_type))) continue;
        memcpy(one + i * source_size, source + i * source_size, (size_t)source_size);
        assert_false(level->convert[type][source_type](made, one, MANY));
        memset(one + i * source_size, 0, (size_t)source_size);
    }
}

TEST(conversions_are_those_of_one_element) {
    static uint64_t data[MANY];
    for (int32_t from = CLUE_CHAR; from <= CLUE_DOUBLE; from++) {
        if (from == CLUE_HALF) continue;
        fill_with_bits(data, from, MANY, (uint64_t)from);
        for (int32_t to = CLUE_CHAR; to <= CLUE_DOUBLE; to++)
            if (to != from && to != CLUE_HALF) {
                check_conversion(to, from, (const char *)data);
                check_blocks(to, from, (const char *)data);
            }
    }
}

TEST(a_misfit_and_what_follows_it_are_not_written) {
    int32_t source[MANY] = {0};
    int8_t target[MANY];
    for (int at = 0; at < MANY; at++) {
        memset(target, 7, sizeof target);
        source[at] = 128;
        assert_false(level->convert[CLUE_CHAR][CLUE_INT](target, source, MANY));
        for (int i = 0; i < MANY; i++)
            assert_true(target[i] == 7 || (i < at && target[i] == -128));
        source[at] = -128;
    }
    assert_true(level->convert[CLUE_CHAR][CLUE_INT](target, source, MANY));
}

/* All halfs, and around each the floats at which rounding changes. */
TEST(halfs_are_rounded_as_one_by_one) {
    for (uint32_t bits = 0; bits <= UINT16_MAX; bits++) {
        const uint16_t half = (uint16_t)bits;
        float value, near[3];
        level->half_to_float(&value, &half, 1);
        assert_true((isnan(value) && isnan(element_read(&half, CLUE_HALF))) ||
                    value == element_read(&half, CLUE_HALF));
        if (!isfinite(value)) continue;
        near[0] = value + (nextafterf(value, 1e5F) == value ? 0 : fmaxf(fabsf(value) * 0x1p-11F, 0x1p-25F));
        near[1] = nextafterf(near[0], 1e9F);
        near[2] = nextafterf(near[0], -1e9F);
        for (int i = 0; i < 3; i++) {
            uint16_t made = 0, expected = 0;
            const bool fits = element_write(&expected, CLUE_HALF, near[i]);
            assert_true(level->float_to_half(&made, &near[i], 1) == fits);
            if (fits) assert_int_equal(made, expected);
        }
    }
}

TEST(doubles_become_halfs_in_one_rounding) {
    static const double TIES[] = {2049,
                                  2049 + 0x1p-40,
                                  2051 - 0x1p-40,
                                  0x1p-25,
                                  0x1.0000000000001p-25,
                                  0x1.7ffffffffffffp-24,
                                  65519.9999999999,
                                  INFINITY,
                                  -INFINITY,
                                  1e-300,
                                  -2049 - 0x1p-40};
    for (size_t i = 0; i < sizeof TIES / sizeof *TIES; i++) {
        float odd;
        uint16_t made, expected;
        level->double_to_odd_float(&odd, &TIES[i], 1);
        assert_true(level->float_to_half(&made, &odd, 1));
        assert_true(element_write(&expected, CLUE_HALF, TIES[i]));
        assert_int_equal(made, expected);
    }
}

TEST(order_is_that_of_one_element) {
    static uint8_t data[8 * MANY], turned[8 * MANY];
    for (int64_t size = 1; size <= 8; size *= 2) {
        const int64_t rows = 7, columns = 111;
        level->words((uint32_t *)(void *)data, 0, 0, MANY / 2, 5);
        level->transpose[size](turned, data, rows, columns);
        for (int64_t row = 0; row < rows; row++)
            for (int64_t column = 0; column < columns; column++)
                assert_memory_equal(turned + (column * rows + row) * size, data + (row * columns + column) * size,
                                    (size_t)size);
        memcpy(turned, data, sizeof data);
        level->swap[size](turned, MANY);
        for (int64_t i = 0; i < MANY * size; i++)
            assert_int_equal(turned[i], data[i / size * size + size - 1 - i % size]);
        level->fill[size](turned, data + 8, MANY - 1);
        assert_memory_equal(turned + (MANY - 2) * size, data + 8, (size_t)size);
        assert_int_equal(turned[(MANY - 1) * size], data[(MANY - 1) * size + size - 1]);
    }
}

TEST(random_numbers_are_alike_on_all_levels) {
    static uint32_t words[2 * MANY];
    static uint64_t made[2][MANY];
    const struct loops_interval in = {-0.1, 0.3, 2, -0.15, 0.2};
    level->words(words, 0, 0, MANY / 2, 9);
    for (int32_t type = CLUE_CHAR; type <= CLUE_ULONG; type++)
        for (int i = 0; i < 2; i++) {
            level->random[type](made[0], words, MANY, 3, i ? 100 : UINT64_C(1) << 32);
            loops_level(0)->random[type](made[1], words, MANY, 3, i ? 100 : UINT64_C(1) << 32);
            assert_memory_equal(made[0], made[1], (size_t)(MANY * clue_type_size(type)));
        }
    level->random_floats((float *)(void *)made[0], words, MANY, &in);
    loops_level(0)->random_floats((float *)(void *)made[1], words, MANY, &in);
    assert_memory_equal(made[0], made[1], MANY * sizeof(float));
    level->random_doubles((double *)(void *)made[0], words, MANY, &in);
    loops_level(0)->random_doubles((double *)(void *)made[1], words, MANY, &in);
    assert_memory_equal(made[0], made[1], sizeof made[0]);
}

TEST(nearness_and_closeness_are_strict) {
    static double left[MANY], right[MANY];
    for (int at = 0; at < MANY; at += 97) {
        right[at] = 1;
        assert_false(level->near(left, right, MANY, 1));
        assert_true(level->near(left, right, MANY, 1.5));
        assert_true(level->close(left, right, MANY, 0, 1, false));
        assert_false(level->close(left, right, MANY, 0.5, 0.25, false));
        left[at] = right[at] = NAN;
        assert_true(level->near(left, right, MANY, 0));
        assert_false(level->close(left, right, MANY, 1, 1, false));
        assert_true(level->close(left, right, MANY, 0, 0, true));
        right[at] = INFINITY;
        left[at] = 5;
        assert_false(level->close(left, right, MANY, 1, 1, true));
        left[at] = INFINITY;
        assert_true(level->close(left, right, MANY, 0, 0, true));
        left[at] = right[at] = 0;
    }
}

int main(void) {
    int failed = 0;
    for (int i = 0; (level = loops_level(i)); i++)
        failed += unit_run();
    return failed;
}
