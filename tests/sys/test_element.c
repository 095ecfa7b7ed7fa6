/* Element types: the numbers that each can hold, the rounding of half, and numbers as decimal text.
 *
 * suite: quick */
#include "clue.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TYPES = CLUE_DOUBLE, HALF_INFINITY = 0x7c00 };

static uint16_t half_of(double value) {
    uint16_t bits = 0xdead;
    assert_int_equal(clue_element_store(&bits, CLUE_HALF, value), 1);
    return bits;
}

static double half_value(uint16_t bits) {
    return clue_element_load(&bits, CLUE_HALF);
}

/* The value after a store and a load in this type; 12345 if the type refuses it. */
static double through(int32_t type, double value) {
    double element = 0;
    return clue_element_store(&element, type, value) ? clue_element_load(&element, type) : 12345;
}

static int takes(int32_t type, double value) {
    unsigned char element[16], before[16];
    int taken;
    size_t size;
    memset(element, 0xa5, sizeof element);
    memset(before, 0xa5, sizeof before);
    taken = clue_element_store(element, type, value);
    size = taken ? (size_t)clue_type_size(type) : 0;
    assert_memory_equal(element + size, before + size,
                        sizeof element - size); /* the bytes after the element stay */
    return taken;
}

static int parses(int32_t type, const char *text) {
    double element = 0;
    return clue_element_parse(&element, type, text);
}

static const char *printed(int32_t type, const char *text) {
    static char out[32];
    double element = 0;
    assert_int_equal(clue_element_parse(&element, type, text), 1);
    assert_int_equal(clue_element_print(out, &element, type), 1);
    return out;
}

TEST(names_and_sizes_are_opencls) {
    static const char *const NAMES[] = {"char", "uchar", "short", "ushort", "int",   "uint",
                                        "long", "ulong", "half",  "float",  "double"};
    static const int SIZES[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
    for (int32_t type = 1; type <= TYPES; type++) {
        assert_string_equal(clue_type_name(type), NAMES[type - 1]);
        assert_int_equal(clue_type_size(type), SIZES[type - 1]);
    }
    assert_int_equal(clue_type_size(CLUE_AUTO), 0);
    assert_int_equal(clue_type_size(TYPES + 1), 0);
    assert_int_equal(clue_type_size(-1), 0);
    assert_int_equal(takes(0, 1), 0);
}

TEST(integer_types_hold_their_range_and_nothing_else) {
    static const double LIMITS[][2] = {{-0x1p7, 0x1p7},   {0, 0x1p8},  {-0x1p15, 0x1p15}, {0, 0x1p16},
                                       {-0x1p31, 0x1p31}, {0, 0x1p32}, {-0x1p63, 0x1p63}, {0, 0x1p64}};
    for (int32_t type = CLUE_CHAR; type <= CLUE_ULONG; type++) {
        double low = LIMITS[type - 1][0], end = LIMITS[type - 1][1];
        double high = fmin(end - 1, nextafter(end, 0));
        assert_true(through(type, low) == low);
        assert_true(through(type, high) == high);
        assert_true(through(type, -0.0) == 0);
        assert_false(takes(type, end));
        assert_false(takes(type, low == 0 ? -1 : nextafter(low * 1.01, low)));
        assert_false(takes(type, 0.5));
        assert_false(takes(type, NAN));
        assert_false(takes(type, INFINITY));
        assert_false(takes(type, -INFINITY));
        assert_false(takes(type, 1e300));
    }
}

TEST(floats_round_and_refuse_what_would_become_infinite) {
    assert_true(through(CLUE_FLOAT, 0.1) == (double)0.1F);
    assert_true(through(CLUE_FLOAT, 0x1.fffffeffp127) == FLT_MAX);
    assert_false(takes(CLUE_FLOAT, 0x1.ffffffp127));
    assert_false(takes(CLUE_FLOAT, -1e300));
    assert_true(through(CLUE_FLOAT, 1e-300) == 0);
    assert_true(through(CLUE_DOUBLE, DBL_MAX) == DBL_MAX);
    for (int32_t type = CLUE_HALF; type <= CLUE_DOUBLE; type++) {
        assert_true(through(type, INFINITY) == (double)INFINITY);
        assert_true(through(type, -INFINITY) == (double)-INFINITY);
        assert_true(isnan(through(type, NAN)));
        assert_true(signbit(through(type, -0.0)));
    }
}

TEST(every_half_survives_a_load_and_a_store) {
    for (uint32_t bits = 0; bits <= 0xffff; bits++) {
        double value = half_value((uint16_t)bits);
        if ((bits & 0x7fff) > HALF_INFINITY)
            assert_true(isnan(value));
        else
            assert_int_equal(half_of(value), bits);
    }
    assert_true(half_value(0x3c00) == 1);
    assert_true(half_value(0x0001) == 0x1p-24);
    assert_true(half_value(0x7bff) == 65504);
    assert_int_equal(half_of(NAN) & 0x7fff, 0x7e00);
}

TEST(halves_round_to_the_nearest_and_ties_to_even) {
    for (int bits = 0; bits < HALF_INFINITY - 1; bits++) {
        uint16_t below = (uint16_t)bits, above = (uint16_t)(bits + 1), even = bits & 1 ? above : below;
        double middle = (half_value(below) + half_value(above)) / 2;
        assert_int_equal(half_of(middle), even);
        assert_int_equal(half_of(nextafter(middle, 0)), below);
        assert_int_equal(half_of(nextafter(middle, 1e9)), above);
        assert_int_equal(half_of(-middle), even | 0x8000);
    }
    assert_int_equal(half_of(nextafter(65520, 0)), 0x7bff);
    assert_false(takes(CLUE_HALF, 65520));
    assert_false(takes(CLUE_HALF, -1e6));
}

TEST(text_is_exact_for_64_bits) {
    static const char *const LONGS[] = {"9007199254740993", "-9223372036854775808", "9223372036854775807", "0",
                                        "-1"};
    int64_t number = 0;
    for (size_t i = 0; i < sizeof LONGS / sizeof *LONGS; i++)
        assert_string_equal(printed(CLUE_LONG, LONGS[i]), LONGS[i]);
    assert_string_equal(printed(CLUE_ULONG, "18446744073709551615"), "18446744073709551615");
    assert_string_equal(printed(CLUE_ULONG, "+7"), "7");
    assert_string_equal(printed(CLUE_CHAR, "-128"), "-128");
    assert_int_equal(clue_element_parse(&number, CLUE_LONG, "9007199254740993"), 1);
    assert_true(number == INT64_C(9007199254740993));
}

TEST(text_that_is_not_a_number_of_the_type_is_refused) {
    static const char *const NO_WHOLE[] = {"",    "-",  "x",  "1.5", "1e3", "0x10",
                                           "12a", " 1", "1 ", "--1", "inf", "nan"};
    for (size_t i = 0; i < sizeof NO_WHOLE / sizeof *NO_WHOLE; i++) {
        assert_false(parses(CLUE_LONG, NO_WHOLE[i]));
        assert_false(parses(CLUE_ULONG, NO_WHOLE[i]));
    }
    assert_false(parses(CLUE_ULONG, "18446744073709551616"));
    assert_false(parses(CLUE_ULONG, "-1"));
    assert_false(parses(CLUE_LONG, "9223372036854775808"));
    assert_false(parses(CLUE_LONG, "-9223372036854775809"));
    assert_false(parses(CLUE_UCHAR, "256"));
    assert_false(parses(CLUE_FLOAT, ""));
    assert_false(parses(CLUE_FLOAT, "1,5"));
    assert_false(parses(CLUE_FLOAT, "1e39"));
    assert_false(parses(CLUE_HALF, "65520"));
    assert_false(parses(CLUE_DOUBLE, "1e309"));
    assert_false(parses(CLUE_AUTO, "1"));
    assert_true(parses(CLUE_DOUBLE, "1e-320")); /* it is denormal, not out of range */
    assert_true(parses(CLUE_HALF, "-inf"));
}

TEST(text_has_the_fewest_digits_that_read_back) {
    char text[32];
    assert_string_equal(printed(CLUE_FLOAT, "0.1"), "0.1");
    assert_string_equal(printed(CLUE_FLOAT, "0.333333333333"), "0.33333334");
    assert_string_equal(printed(CLUE_FLOAT, "1e-45"), "1e-45");
    assert_string_equal(printed(CLUE_FLOAT, "300"), "300");
    assert_string_equal(printed(CLUE_DOUBLE, "-123456789"), "-123456789");
    assert_string_equal(printed(CLUE_DOUBLE, "1e+20"), "1e+20");
    assert_string_equal(printed(CLUE_DOUBLE, "0.1"), "0.1");
    assert_string_equal(printed(CLUE_DOUBLE, "3.14159265358979323846"), "3.141592653589793");
    assert_string_equal(printed(CLUE_DOUBLE, "-1.7976931348623157e308"), "-1.7976931348623157e+308");
    assert_string_equal(printed(CLUE_HALF, "0.1"), "0.1");
    assert_string_equal(printed(CLUE_HALF, "65504"), "65504");
    assert_string_equal(printed(CLUE_DOUBLE, "-0"), "-0");
    assert_string_equal(printed(CLUE_FLOAT, "-nan"), "nan");
    assert_string_equal(printed(CLUE_FLOAT, "-inf"), "-inf");
    assert_int_equal(clue_element_print(text, "", CLUE_AUTO), 0);
}

TEST(text_of_any_float_reads_back) {
    uint64_t bits = 1;
    for (int i = 0; i < 20000; i++) {
        for (int32_t type = CLUE_HALF; type <= CLUE_DOUBLE; type++) {
            char text[32];
            double again = 0;
            size_t size = (size_t)clue_type_size(type);
            uint64_t upper;
            bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            upper = bits >> (64 - 8 * size); /* the highest bits are the most random */
            if (isnan(clue_element_load(&upper, type))) continue;
            assert_int_equal(clue_element_print(text, &upper, type), 1);
            assert_int_equal(clue_element_parse(&again, type, text), 1);
            assert_memory_equal(&again, &upper, size);
        }
    }
}

/* With one digit less than was printed, the text would give another number. */
TEST(no_text_of_a_half_could_be_shorter) {
    for (uint32_t bits = 0; bits < 0x7c00; bits++) {
        const uint16_t half = (uint16_t)bits;
        const double value = clue_element_load(&half, CLUE_HALF);
        char text[32], shorter[400];
        uint16_t again = half;
        int digits = 1;
        assert_int_equal(clue_element_print(text, &half, CLUE_HALF), 1);
        if (value == floor(value)) continue; /* whole numbers are printed in full: 2048, not 2.05e+03 */
        do
            (void)snprintf(shorter, sizeof shorter, "%.*g", digits++, value);
        while (!clue_element_parse(&again, CLUE_HALF, shorter) || again != half);
        assert_string_equal(text, shorter);
    }
}
