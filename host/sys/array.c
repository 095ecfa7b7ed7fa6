/* array.c - bulk work on typed memory: fill, convert, sum, extremes.
 *
 * For any caller, who must check the ranges. array/ has the loops, by type; here types are chosen, and work that
 * takes two loops is done block by block, so that the second finds its data in the nearest cache. Where a block
 * does not pass as a whole, its elements go one by one through element.h, which defines what fits. */
#include "array/loops.h"
#include "element.h"

#include <math.h>
#include <string.h>

int32_t clue_array_fill(void *data_out, int32_t type, int64_t count, double value) {
    double element = 0; /* large enough for every type */
    if (!clue_element_store(&element, type, value)) return 0;
    clue_array_repeat(data_out, type, count, &element);
    return 1;
}

void clue_array_repeat(void *data_out, int32_t type, int64_t count, const void *element) {
    const int64_t size = clue_type_size(type);
    if (size > 0) loops()->fill[size](data_out, element, count);
}

/* ---- conversion ---- */

static bool half_block(void *data_out, const void *source, int32_t source_type, int64_t count) {
    float floats[LOOPS_BLOCK];
    if (source_type == CLUE_FLOAT) return loops()->float_to_half(data_out, source, count);
    if (source_type == CLUE_DOUBLE)
        loops()->double_to_odd_float(floats, source, count);
    else
        (void)loops()->convert[CLUE_FLOAT][source_type](floats, source, count);
    return loops()->float_to_half(data_out, floats, count);
}

/* Converts a block. Returns false, and writes nothing, if an element may not fit. */
static bool convert_block(void *data_out, int32_t type, const void *source, int32_t source_type, int64_t count) {
    float floats[LOOPS_BLOCK];
    if (type == CLUE_HALF) return half_block(data_out, source, source_type, count);
    if (source_type != CLUE_HALF) return loops()->convert[type][source_type](data_out, source, count);
    loops()->half_to_float(floats, source, count);
    if (type != CLUE_FLOAT) return loops()->convert[type][CLUE_FLOAT](data_out, floats, count);
    memcpy(data_out, floats, (size_t)count * sizeof *floats);
    return true;
}

int64_t clue_array_convert(void *data_out, int32_t type, const void *source, int32_t source_type, int64_t count) {
    const int64_t size = clue_type_size(type), source_size = clue_type_size(source_type);
    char *to = data_out;
    const char *from = source;
    if (size == 0 || source_size == 0) return count > 0 ? 0 : -1;
    if (type == source_type) {
        if (count > 0) memmove(data_out, source, (size_t)(count * size)); /* source and target may overlap */
        return -1;
    }
    for (int64_t first = 0; first < count; first += LOOPS_BLOCK) {
        const int64_t stop = count - first < LOOPS_BLOCK ? count : first + LOOPS_BLOCK;
        if (convert_block(to + first * size, type, from + first * source_size, source_type, stop - first)) continue;
        for (int64_t i = first; i < stop; i++)
            if (!element_write(to + i * size, type, element_read(from + i * source_size, source_type))) return i;
    }
    return -1;
}

/* ---- figures ---- */

/* Neumaier's compensated summation. Returns false if the sum overflows, or an element is not finite. */
static bool total_of(double *total_out, const struct loops_sums *sums) {
    double total = 0, lost = 0;
    for (int lane = 0; lane < LOOPS_LANES; lane++) {
        const double value = sums->sum[lane], next = total + value;
        lost += fabs(total) >= fabs(value) ? total - next + value : value - next + total;
        lost += sums->lost[lane];
        total = next;
    }
    *total_out = total + lost;
    return isfinite(*total_out);
}

/* For partial sums that overflow, and for infinities and NaNs. */
static double slow_sum(const double *data, int64_t count) {
    long double sum = 0, lost = 0;
    for (int64_t i = 0; i < count; i++) {
        const long double value = data[i], next = sum + value;
        lost += fabsl(sum) >= fabsl(value) ? sum - next + value : value - next + sum;
        sum = next;
    }
    return (double)(isfinite(sum) ? sum + lost : sum); /* `lost` would be infinity minus infinity */
}

/* Partial sums of floats cannot overflow. So infinities and NaNs were in the data, and say what the sum is. */
static double special_sum(const struct loops_sums *sums) {
    double total = 0;
    for (int lane = 0; lane < LOOPS_LANES; lane++)
        total += sums->sum[lane];
    return total;
}

static void add_halfs(struct loops_sums *sums, const uint16_t *data, int64_t count) {
    float floats[LOOPS_BLOCK];
    for (int64_t first = 0; first < count; first += LOOPS_BLOCK) {
        const int64_t held = count - first < LOOPS_BLOCK ? count - first : LOOPS_BLOCK;
        loops()->half_to_float(floats, data + first, held);
        loops()->add_floats(sums, floats, held);
    }
}

static double sum_of(const void *data, int32_t type, int64_t count) {
    struct loops_sums sums = {{0}, {0}};
    double total = 0;
    if (element_type_is_whole(type)) return loops()->sum[type](data, count);
    switch (type) {
    case CLUE_HALF:
        add_halfs(&sums, data, count);
        break;
    case CLUE_FLOAT:
        loops()->add_floats(&sums, data, count);
        break;
    case CLUE_DOUBLE:
        loops()->add_doubles(&sums, data, count);
        break;
    default:
        return NAN;
    }
    if (total_of(&total, &sums)) return total;
    return type == CLUE_DOUBLE ? slow_sum(data, count) : special_sum(&sums);
}

double clue_array_sum(const void *data, int32_t type, int64_t count) {
    return element_number(sum_of(data, type, count));
}

int64_t clue_array_extremes(int64_t *least_out, int64_t *greatest_out, const void *data, int32_t type,
                            int64_t count) {
    struct loops_extremes found = {-1, -1, 0};
    if (clue_type_size(type) > 0) loops()->extremes[type](&found, data, count);
    *least_out = found.least;
    *greatest_out = found.greatest;
    return found.unordered;
}
