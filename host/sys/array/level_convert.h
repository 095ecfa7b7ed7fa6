/* level_convert.h - conversion between types. Part of level.h. */

#define IS_FLOATING(type) ((type)0.5 > 0)
#define IS_SIGNED(type) ((type)-1 < 1)
#define IS_INFINITE(value) ((value) > (__typeof__(value))FLT_MAX || (value) < -(__typeof__(value))FLT_MAX)
/* The greatest number of a floating type below LIMIT. */
#define MOST(type) (LIMIT * ((type)1 - (sizeof(type) == sizeof(float) ? 0x1p-24F : (type)0x1p-53)))
/* A number of a floating type whose last digit counts ones, with room below and above for narrower whole numbers.
 */
#define LAST_IS_ONE(type) (sizeof(type) == sizeof(float) ? 0x1.8p23F : (type)0x1.8p52)
/* The greatest whole number of a type: all bits but the sign. */
#define GREATEST(type) (UINT64_MAX >> (64 - 8 * sizeof(type) + IS_SIGNED(type)))

#define ALWAYS_FITS(to, from)                                                                                      \
    (IS_FLOATING(to)     ? !IS_FLOATING(from) || sizeof(to) >= sizeof(from)                                        \
     : IS_FLOATING(from) ? false                                                                                   \
                         : (sizeof(to) > sizeof(from) && (IS_SIGNED(to) || !IS_SIGNED(from))) ||                   \
                               (sizeof(to) == sizeof(from) && IS_SIGNED(to) == IS_SIGNED(from)))

#define NAME_OF(word, code) JOIN(JOIN(word, TO_CODE), code)

enum { GROUP_BYTES = 8 * LOOPS_VECTOR };

#define TO_CODE CHAR
#define TO int8_t
#define LOW (-0x1p7F)
#define LIMIT 0x1p7F
#include "convert_template.h"

#define TO_CODE UCHAR
#define TO uint8_t
#define LOW 0.0F
#define LIMIT 0x1p8F
#include "convert_template.h"

#define TO_CODE SHORT
#define TO int16_t
#define LOW (-0x1p15F)
#define LIMIT 0x1p15F
#include "convert_template.h"

#define TO_CODE USHORT
#define TO uint16_t
#define LOW 0.0F
#define LIMIT 0x1p16F
#include "convert_template.h"

#define TO_CODE INT
#define TO int32_t
#define LOW (-0x1p31F)
#define LIMIT 0x1p31F
#include "convert_template.h"

#define TO_CODE UINT
#define TO uint32_t
#define LOW 0.0F
#define LIMIT 0x1p32F
#include "convert_template.h"

#define TO_CODE LONG
#define TO int64_t
#define LOW (-0x1p63F)
#define LIMIT 0x1p63F
#include "convert_template.h"

#define TO_CODE ULONG
#define TO uint64_t
#define LOW 0.0F
#define LIMIT 0x1p64F
#include "convert_template.h"

#define TO_CODE FLOAT
#define TO float
#define LOW 0.0F
#define LIMIT 0.0F
#include "convert_template.h"

#define TO_CODE DOUBLE
#define TO double
#define LOW 0.0F
#define LIMIT 0.0F
#include "convert_template.h"

/* ---- half, which passes through float: all integers that half holds, and all halfs, are floats ---- */

static float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void half_to_float(float *data_out, const uint16_t *source, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        const uint32_t magnitude = source[i] & 0x7fffU, sign = (uint32_t)(source[i] & 0x8000U) << 16;
        const uint32_t bias = (magnitude >= 0x7c00 ? 224U : 112U) << 23; /* 224: infinity and NaN */
        const uint32_t small = bits_of_float((float)(int32_t)magnitude * 0x1p-24F);
        data_out[i] = float_of_bits(sign | (magnitude < 0x400 ? small : (magnitude << 13) + bias));
    }
}

/* Below the normal halfs, adding 0.5 rounds to their last place, which is that of 0.5 as a float. */
static bool float_to_half(uint16_t *data_out, const float *source, int64_t count) {
    const uint32_t least_normal = 0x38800000, limit = 0x477ff000 /* 65520 */, infinite = 0x7f800000;
    const uint32_t half = 0x3f000000 /* 0.5 */;
    uint16_t made[LOOPS_BLOCK] = {0};
    uint32_t wrong = 0;
    for (int64_t i = 0; i < count; i++) {
        const uint32_t bits = bits_of_float(source[i]), magnitude = bits & 0x7fffffff;
        const uint32_t small = bits_of_float(float_of_bits(magnitude) + 0.5F) - half;
        const uint32_t normal = (magnitude + 0xfff + (magnitude >> 13 & 1) - (112U << 23)) >> 13;
        const uint32_t rounded = magnitude < least_normal ? small : normal;
        const uint32_t special = magnitude == infinite ? 0x7c00U : 0x7e00U;
        made[i] = (uint16_t)((bits >> 16 & 0x8000) | (magnitude >= infinite ? special : rounded));
        wrong |= (magnitude >= limit) & (magnitude < infinite);
    }
    if (wrong) return false;
    memcpy(data_out, made, (size_t)count * sizeof *made);
    return true;
}

/* Rounds towards zero; what is then inexact ends in a 1. This keeps which side of each half, and of each number
 * midway between two, the double is on. */
static void double_to_odd_float(float *data_out, const double *source, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        const double value = source[i];
        const float rounded = (float)value;
        const bool above = fabs((double)rounded) > fabs(value), below = fabs((double)rounded) < fabs(value);
        const uint32_t bits = bits_of_float(rounded) - (above ? 1U : 0U);
        data_out[i] = float_of_bits(bits | (above || below ? 1U : 0U));
    }
}
