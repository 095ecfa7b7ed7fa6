/* element.c - the element types: their names and sizes, and the conversion of an element from and to numbers and
 * decimal text.
 *
 * Defines, for all of clue, what "a type can hold a value" means:
 * - whole-number types hold whole numbers in their range: no fraction, no NaN, no infinity, nothing wraps;
 * - half, float and double hold every number, NaN and infinity, rounded to nearest, ties to even; but a finite
 *   number so large that it would round to infinity is refused. Numbers pass through long double, which holds each
 *   of these types exactly. The decimal point of texts is that of the process's locale, which clue leaves at
 * "C". */
#include "element.h"

#include "../core/base/base.h"
#include "system.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 32, MOST_DIGITS = 17 };

/* For whole numbers: low <= value < limit. For the others, limit is the least magnitude that rounds to infinity. */
static const struct element_type {
    const char *name;
    int64_t size;
    long double low, limit;
} TYPES[] = {
    [CLUE_CHAR] = {"char", 1, -0x1p7L, 0x1p7L},
    [CLUE_UCHAR] = {"uchar", 1, 0, 0x1p8L},
    [CLUE_SHORT] = {"short", 2, -0x1p15L, 0x1p15L},
    [CLUE_USHORT] = {"ushort", 2, 0, 0x1p16L},
    [CLUE_INT] = {"int", 4, -0x1p31L, 0x1p31L},
    [CLUE_UINT] = {"uint", 4, 0, 0x1p32L},
    [CLUE_LONG] = {"long", 8, -0x1p63L, 0x1p63L},
    [CLUE_ULONG] = {"ulong", 8, 0, 0x1p64L},
    [CLUE_HALF] = {"half", 2, 0, 65520},
    [CLUE_FLOAT] = {"float", 4, 0, 0x1.ffffffp127L},
    [CLUE_DOUBLE] = {"double", 8, 0, 0x1.fffffffffffff8p1023L},
};

static bool type_exists(int32_t type) {
    return type >= CLUE_CHAR && type <= CLUE_DOUBLE;
}

int64_t clue_type_size(int32_t type) {
    return type_exists(type) ? TYPES[type].size : 0;
}

const char *clue_type_name(int32_t type) {
    return type_exists(type) ? TYPES[type].name : "unknown";
}

bool element_type_is_whole(int32_t type) {
    return type >= CLUE_CHAR && type <= CLUE_ULONG;
}

/* ---- half: 1 bit of sign, 5 of exponent, 10 of fraction; C has no such type ---- */

/* Counted in units of the last place, the magnitude is 0 to 2047 at the lowest exponent, and 1024 to 2047 at all
 * others. So adding it to the exponent's field gives the bits, and rounding up to 2048 carries correctly. */
static uint16_t half_bits(long double value) {
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    long double magnitude = fabsl(value);
    int exponent = 0, unit;
    long units;
    if (isnan(value)) return sign | 0x7e00;
    if (isinf(value)) return sign | 0x7c00;
    (void)frexpl(magnitude, &exponent);
    unit = magnitude < 0x1p-14L ? -24 : exponent - 11;
    units = lrintl(ldexpl(magnitude, -unit));
    return (uint16_t)(sign | (((unit + 24) << 10) + units));
}

static double half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double magnitude = 0;
    if (exponent == 31)
        magnitude = fraction ? NAN : INFINITY;
    else
        magnitude = exponent ? ldexp(fraction + 1024, exponent - 25) : ldexp(fraction, -24);
    return bits & 0x8000 ? -magnitude : magnitude;
}

/* ---- numbers ---- */

#define LOAD(ctype, convert)                                                                                       \
    do {                                                                                                           \
        ctype stored;                                                                                              \
        memcpy(&stored, element, sizeof stored);                                                                   \
        return convert(stored);                                                                                    \
    } while (0)

long double element_read(const void *element, int32_t type) {
    switch (type) {
    case CLUE_CHAR:
        LOAD(int8_t, (long double));
    case CLUE_UCHAR:
        LOAD(uint8_t, (long double));
    case CLUE_SHORT:
        LOAD(int16_t, (long double));
    case CLUE_USHORT:
        LOAD(uint16_t, (long double));
    case CLUE_INT:
        LOAD(int32_t, (long double));
    case CLUE_UINT:
        LOAD(uint32_t, (long double));
    case CLUE_LONG:
        LOAD(int64_t, (long double));
    case CLUE_ULONG:
        LOAD(uint64_t, (long double));
    case CLUE_HALF:
        LOAD(uint16_t, half_value);
    case CLUE_FLOAT:
        LOAD(float, (long double));
    case CLUE_DOUBLE:
        LOAD(double, (long double));
    default:
        return NAN;
    }
}

static bool type_holds(int32_t type, long double value) {
    const struct element_type *limits;
    if (!type_exists(type)) return false;
    limits = &TYPES[type];
    if (element_type_is_whole(type)) return value >= limits->low && value < limits->limit && value == truncl(value);
    return isinf(value) || isnan(value) || fabsl(value) < limits->limit;
}

#define STORE(ctype, convert)                                                                                      \
    do {                                                                                                           \
        ctype stored = convert(value);                                                                             \
        memcpy(element_out, &stored, sizeof stored);                                                               \
        return true;                                                                                               \
    } while (0)

bool element_write(void *element_out, int32_t type, long double value) {
    if (!type_holds(type, value)) return false;
    switch (type) {
    case CLUE_CHAR:
        STORE(int8_t, (int8_t));
    case CLUE_UCHAR:
        STORE(uint8_t, (uint8_t));
    case CLUE_SHORT:
        STORE(int16_t, (int16_t));
    case CLUE_USHORT:
        STORE(uint16_t, (uint16_t));
    case CLUE_INT:
        STORE(int32_t, (int32_t));
    case CLUE_UINT:
        STORE(uint32_t, (uint32_t));
    case CLUE_LONG:
        STORE(int64_t, (int64_t));
    case CLUE_ULONG:
        STORE(uint64_t, (uint64_t));
    case CLUE_HALF:
        STORE(uint16_t, half_bits);
    case CLUE_FLOAT:
        STORE(float, (float));
    default:
        STORE(double, (double));
    }
}

int32_t clue_element_store(void *element_out, int32_t type, double value) {
    return element_write(element_out, type, value);
}

double clue_element_load(const void *element, int32_t type) {
    return element_number((double)element_read(element, type));
}

/* ---- decimal text ---- */

/* A floating-point parser would also accept "1e3", "0x10" and "inf" as whole numbers. */
static bool parse_whole(long double *value_out, const char *text) {
    const char *digits = text + (*text == '-' || *text == '+');
    char *end = NULL;
    uint64_t magnitude;
    if (*digits < '0' || *digits > '9') return false;
    errno = 0;
    magnitude = strtoull(digits, &end, 10);
    *value_out = *text == '-' ? -(long double)magnitude : (long double)magnitude;
    return errno == 0 && *end == '\0';
}

/* Each type has its own parser, so that there is only one rounding; half has none and uses the most exact one. */
static bool parse_float(long double *value_out, int32_t type, const char *text) {
    char *end = NULL;
    bool overflow;
    void *const before = numbers_plain();
    errno = 0;
    switch (type) {
    case CLUE_FLOAT:
        *value_out = strtof(text, &end);
        break;
    case CLUE_DOUBLE:
        *value_out = strtod(text, &end);
        break;
    default:
        *value_out = strtold(text, &end);
        break;
    }
    overflow = errno == ERANGE && isinf(*value_out);
    numbers_back(before);
    return end != text && *end == '\0' && !overflow;
}

int32_t clue_element_parse(void *element_out, int32_t type, const char *text) {
    long double value = 0;
    bool whole = element_type_is_whole(type);
    bool parsed = whole ? parse_whole(&value, text) : parse_float(&value, type, text);
    return parsed && element_write(element_out, type, value);
}

/* The number of digits that every decimal number keeps in the type. So a number with fewer digits is found with
 * these: %g drops the zeros at its end. Not valid below the type's normal range. */
static int sure_digits(int32_t type, double magnitude) {
    if (type == CLUE_HALF) return magnitude < 0x1p-14 ? 1 : 3;
    if (type == CLUE_FLOAT) return magnitude < (double)FLT_MIN ? 1 : FLT_DIG;
    return magnitude < DBL_MIN ? 1 : DBL_DIG;
}

/* Prints the fewest digits that read back as the same element; whole numbers as people write them, 300 and not
 * 3e+02. */
static void print_shortest(char *text_out, const void *element, int32_t type) {
    double value = clue_element_load(element, type);
    if (isnan(value)) {
        (void)snprintf(text_out, TEXT_SIZE, "nan");
        return;
    }
    if (value == floor(value) && fabs(value) < 1e15) {
        (void)snprintf(text_out, TEXT_SIZE, "%.0f", value);
        return;
    }
    for (int digits = sure_digits(type, fabs(value)); digits <= MOST_DIGITS; digits++) {
        double again = 0; /* large enough for every type */
        void *const before = numbers_plain();
        (void)snprintf(text_out, TEXT_SIZE, "%.*g", digits, value);
        numbers_back(before);
        if (clue_element_parse(&again, type, text_out) && clue_element_load(&again, type) == value) return;
    }
}

int32_t clue_element_print(char *text_out, const void *element, int32_t type) {
    if (!type_exists(type)) return 0;
    if (type == CLUE_ULONG)
        (void)snprintf(text_out, TEXT_SIZE, "%" PRIu64, (uint64_t)element_read(element, type));
    else if (element_type_is_whole(type))
        (void)snprintf(text_out, TEXT_SIZE, "%" PRId64, (int64_t)element_read(element, type));
    else
        print_shortest(text_out, element, type);
    return 1;
}
