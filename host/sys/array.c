/* array.c - bulk work on typed memory: fill, random, convert, compare, sum, extremes.
 *
 * For any caller, who must check the ranges. Elements go one by one through element.h, which keeps every type exact
 * and costs a few nanoseconds each. */
#include "clue.h"
#include "element.h"
#include "random.h"

#include <math.h>
#include <string.h>

enum { FILL_BLOCK = 65536, MOST_DRAWS = 200 };

/* Writes the first element, then doubles the filled part by copying it. */
int32_t clue_array_fill(void *data_out, int32_t type, int64_t count, double value) {
    double element = 0; /* large enough for every type */
    char *data = data_out;
    int64_t done = clue_type_size(type), total;
    if (!clue_element_store(&element, type, value)) return 0;
    if (count <= 0) return 1;
    total = count * done;
    memcpy(data, &element, (size_t)done);
    while (done < total) {
        int64_t step = done < FILL_BLOCK ? done : FILL_BLOCK;
        step = step < total - done ? step : total - done;
        memcpy(data + done, data, (size_t)step);
        done += step;
    }
    return 1;
}

/* ---- random numbers ---- */

/* Draws again if the bits are in the last, incomplete multiple of width below 2^64: they would favour some
 * numbers. */
static uint64_t random_offset(uint64_t bits, uint64_t width) {
    uint64_t unfair = (0 - width) % width;
    while (bits < unfair)
        bits = random_mix(bits + RANDOM_STEP);
    return bits % width;
}

static void random_whole(char *data, int32_t type, int64_t count, double low, double high, uint64_t start) {
    int64_t size = clue_type_size(type);
    /* at least 1, and below 2^64: the largest double below 2^64 is 2^64 - 2048 */
    uint64_t width = (uint64_t)((long double)high - low) + 1;
    for (int64_t i = 0; i < count; i++) {
        uint64_t offset = (uint64_t)random_offset(random_at(start, (uint64_t)i), width);
        (void)element_write(data + i * size, type, (long double)low + offset);
    }
}

/* Draws again if rounding to the type moved the number out of [low, high). If the type has any number in the
 * interval, at least one draw in three succeeds; if it has none, no draw does. */
static bool random_float(void *element_out, int32_t type, double low, double high, uint64_t bits) {
    for (int draw = 0; draw < MOST_DRAWS; draw++) {
        double unit = random_unit(bits);
        double value = high - low <= DBL_MAX ? low + unit * (high - low) : low * (1 - unit) + high * unit;
        if (element_write(element_out, type, value)) {
            double stored = clue_element_load(element_out, type);
            if (stored >= low && stored < high) return true;
        }
        bits = random_mix(bits + RANDOM_STEP);
    }
    return false;
}

int32_t clue_array_random(void *data_out, int32_t type, int64_t count, double low, double high, double seed) {
    char *data = data_out;
    uint64_t start = random_start(seed);
    double probe = 0;
    bool held = clue_element_store(&probe, type, low) && clue_element_store(&probe, type, high);
    int64_t size = clue_type_size(type);
    if (!held || !isfinite(low) || !isfinite(high) || low > high) return 0;
    if (element_type_is_whole(type)) {
        random_whole(data, type, count, low, high, start);
        return 1;
    }
    for (int64_t i = 0; i < count; i++)
        if (!random_float(data + i * size, type, low, high, random_at(start, (uint64_t)i))) return 0;
    return 1;
}

/* ---- several arrays ---- */

int64_t clue_array_convert(void *data_out, int32_t type, const void *source, int32_t source_type, int64_t count) {
    int64_t size = clue_type_size(type), source_size = clue_type_size(source_type);
    char *to = data_out;
    const char *from = source;
    if (size == 0 || source_size == 0) return count > 0 ? 0 : -1;
    if (type == source_type) {
        if (count > 0) memmove(data_out, source, (size_t)(count * size)); /* source and target may overlap */
        return -1;
    }
    for (int64_t i = 0; i < count; i++)
        if (!element_write(to + i * size, type, element_read(from + i * source_size, source_type))) return i;
    return -1;
}

static bool differ(long double left, long double right, long double tolerance) {
    if (left == right || (isnan(left) && isnan(right))) return false; /* equal infinities have no difference */
    return !(fabsl(left - right) <= tolerance);
}

int64_t clue_array_compare(const void *left, const void *right, int32_t type, int64_t count, double tolerance) {
    const char *a = left, *b = right;
    const int64_t size = clue_type_size(type), block = 1024;
    for (int64_t first = 0; first < count; first += block) {
        const int64_t stop = count - first < block ? count : first + block;
        if (memcmp(a + first * size, b + first * size, (size_t)((stop - first) * size)) == 0)
            continue; /* the fast way */
        for (int64_t i = first; i < stop; i++) {
            const char *x = a + i * size, *y = b + i * size;
            if (differ(element_read(x, type), element_read(y, type), tolerance)) return i;
        }
    }
    return -1;
}

/* Neumaier's compensated summation: adds up separately what each addition loses. The error does not grow with
 * count. Whole numbers are exact as long as every partial sum is below 2^64. */
double clue_array_sum(const void *data, int32_t type, int64_t count) {
    const char *bytes = data;
    int64_t size = clue_type_size(type);
    long double sum = 0, lost = 0;
    for (int64_t i = 0; i < count; i++) {
        long double value = element_read(bytes + i * size, type);
        long double next = sum + value;
        lost += fabsl(sum) >= fabsl(value) ? sum - next + value : value - next + sum;
        sum = next;
    }
    return (double)(isfinite(sum) ? sum + lost : sum); /* `lost` would be infinity minus infinity */
}

int64_t clue_array_extremes(int64_t *least_out, int64_t *greatest_out, const void *data, int32_t type,
                            int64_t count) {
    const char *bytes = data;
    const int64_t size = clue_type_size(type);
    long double least = 0, greatest = 0;
    int64_t unordered = 0;
    *least_out = *greatest_out = -1;
    for (int64_t i = 0; i < count; i++) {
        const long double value = element_read(bytes + i * size, type);
        if (isnan(value)) {
            unordered++;
            continue;
        }
        if (*least_out < 0 || value < least) {
            least = value;
            *least_out = i;
        }
        if (*greatest_out < 0 || value > greatest) {
            greatest = value;
            *greatest_out = i;
        }
    }
    return unordered;
}
