/* array_random.c - random numbers in arrays: what bounds and seed mean, and how words become numbers.
 *
 * clue.h documents the mapping, since devices can make the same numbers. array/ has the generator and its loops. */
#include "../core/base/base.h"
#include "array/loops.h"
#include "element.h"

#include <math.h>
#include <string.h>

enum { WORDS = LOOPS_BLOCK, BLOCK_WORDS = 4 };

static uint64_t key_of(double seed) {
    uint64_t bits;
    const bool whole = seed == floor(seed);
    if (whole && fabs(seed) <= 0x1p63 && signbit(seed)) return (uint64_t)(int64_t)seed;
    if (whole && !signbit(seed) && seed < 0x1p64) return (uint64_t)seed;
    memcpy(&bits, &seed, sizeof bits);
    return bits;
}

/* The next number of the type in a direction: 1 is up, -1 is down. */
static double next_number(int32_t type, double value, int direction) {
    uint16_t bits;
    if (type == CLUE_DOUBLE) return nextafter(value, direction * (double)INFINITY);
    if (type == CLUE_FLOAT) return (double)nextafterf((float)value, (float)direction * INFINITY);
    if (value == 0) return direction * 0x1p-24;
    (void)clue_element_store(&bits, type, value);
    bits = (uint16_t)(bits + ((value > 0) == (direction > 0) ? 1 : -1));
    return clue_element_load(&bits, type);
}

/* The least number of the type that is not below a bound; infinity if there is none. */
static double least_from(int32_t type, double bound) {
    double room = 0, value;
    (void)clue_element_store(&room, type, bound);
    value = clue_element_load(&room, type);
    return value < bound ? next_number(type, value, 1) : value;
}

static double rounded(int32_t type, double value) {
    return type == CLUE_DOUBLE ? value : (double)(float)value;
}

/* Returns false if the type has no number in [low, high). */
static bool interval_of(struct loops_interval *out, int32_t type, double low, double high) {
    const double first = least_from(type, low), top = least_from(type, high);
    const double last = next_number(type, top, -1), ceiling = isinf(top) ? last : top;
    const double width = rounded(type, ceiling - first);
    if (first > last) return false;
    *out = (struct loops_interval){first, width, 1, first, last};
    if (isfinite(width)) return true;
    out->first = rounded(type, first / 2);
    out->width = rounded(type, rounded(type, ceiling / 2) - out->first);
    out->scale = 2;
    return true;
}

struct mapping {
    struct loops_interval interval;
    uint64_t low, span;
};

static bool mapping_of(struct mapping *out, int32_t type, double low, double high) {
    double probe = 0;
    bool held = clue_element_store(&probe, type, low) && clue_element_store(&probe, type, high);
    if (!held || !isfinite(low) || !isfinite(high) || low > high) return false;
    if (!element_type_is_whole(type)) return interval_of(&out->interval, type, low, high);
    out->low = low < 0 ? (uint64_t)(int64_t)low : (uint64_t)low;
    out->span = (high < 0 ? (uint64_t)(int64_t)high : (uint64_t)high) - out->low + 1;
    return true;
}

static void write_numbers(void *data_out, int32_t type, const uint32_t *words, int64_t count,
                          const struct mapping *to) {
    float floats[WORDS];
    if (type == CLUE_DOUBLE)
        loops()->random_doubles(data_out, words, count, &to->interval);
    else if (type == CLUE_FLOAT)
        loops()->random_floats(data_out, words, count, &to->interval);
    else if (element_type_is_whole(type))
        loops()->random[type](data_out, words, count, to->low, to->span);
    else {
        loops()->random_floats(floats, words, count, &to->interval);
        (void)loops()->float_to_half(data_out, floats, count);
    }
}

int32_t clue_array_random(void *data_out, int32_t type, int64_t count, double low, double high, double seed) {
    const int64_t size = clue_type_size(type), words_each = size == 8 ? 2 : 1;
    const uint64_t key = key_of(seed);
    struct mapping to = {{0, 0, 0, 0, 0}, 0, 0};
    char *data = data_out;
    if (!mapping_of(&to, type, low, high)) return 0;
    for (int64_t first = 0; first < count; first += WORDS / words_each) {
        uint32_t words[WORDS];
        const int64_t held = count - first < WORDS / words_each ? count - first : WORDS / words_each;
        const int64_t blocks = (held * words_each + BLOCK_WORDS - 1) / BLOCK_WORDS;
        loops()->words(words, (uint64_t)(first * words_each / BLOCK_WORDS), 0, blocks, key);
        write_numbers(data + first * size, type, words, held, &to);
    }
    return 1;
}

int32_t clue_random_interval(double *first_out, double *width_out, double *scale_out, double *least_out,
                             double *most_out, int32_t type, double low, double high) {
    struct mapping found = {{0, 0, 0, 0, 0}, 0, 0};
    if (clue_type_size(type) == 0 || element_type_is_whole(type) || !mapping_of(&found, type, low, high))
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_random_interval",
                            "%s has no random numbers from %.17g to %.17g", clue_type_name(type), low, high);
    *first_out = found.interval.first;
    *width_out = found.interval.width;
    *scale_out = found.interval.scale;
    *least_out = found.interval.least;
    *most_out = found.interval.most;
    return 0;
}
