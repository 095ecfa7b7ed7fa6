/* array_compare.c - comparison of arrays, and norms, which say how much they differ.
 *
 * For any caller, who must check the ranges. Elements are compared as doubles, a block at a time. In the blocks
 * that do not pass, and for 64-bit integers, they are compared one by one. Long doubles, which hold every type
 * exactly, are used for 64-bit integers, and for differences to a tolerance, which doubles round. */
#include "array/loops.h"
#include "element.h"

#include <math.h>
#include <string.h>

struct closeness {
    double relative, absolute;
    bool equal_nan;
};

/* At most a block. */
static const double *as_doubles(double *room, const void *source, int32_t type, int64_t count) {
    if (type == CLUE_DOUBLE) return source;
    (void)clue_array_convert(room, CLUE_DOUBLE, source, type, count); /* a double holds them all, rounded */
    return room;
}

static bool is_wide(int32_t type) {
    return type == CLUE_LONG || type == CLUE_ULONG; /* a double does not hold them all */
}

static bool differ(long double left, long double right, long double tolerance) {
    if (left == right || (isnan(left) && isnan(right))) return false; /* equal infinities have no difference */
    return !(fabsl(left - right) <= tolerance);
}

/* True if the elements are surely equal within the tolerance. */
static bool block_is_near(const char *left, const char *right, int32_t type, int64_t count, double tolerance) {
    double room[2][LOOPS_BLOCK];
    if (memcmp(left, right, (size_t)(count * clue_type_size(type))) == 0) return true;
    if (is_wide(type)) return false;
    return loops()->near(as_doubles(room[0], left, type, count), as_doubles(room[1], right, type, count), count,
                         tolerance);
}

int64_t clue_array_compare(const void *left, const void *right, int32_t type, int64_t count, double tolerance) {
    const char *a = left, *b = right;
    const int64_t size = clue_type_size(type);
    for (int64_t first = 0; first < count; first += LOOPS_BLOCK) {
        const int64_t stop = count - first < LOOPS_BLOCK ? count : first + LOOPS_BLOCK;
        if (block_is_near(a + first * size, b + first * size, type, stop - first, tolerance)) continue;
        for (int64_t i = first; i < stop; i++) {
            const char *x = a + i * size, *y = b + i * size;
            if (differ(element_read(x, type), element_read(y, type), tolerance)) return i;
        }
    }
    return -1;
}

/* The same as for a block, with 64-bit integers. */
static bool are_close(long double a, long double b, const struct closeness *within) {
    if (isnan(a) || isnan(b)) return within->equal_nan && isnan(a) && isnan(b);
    return a == b || (isfinite(b) && fabsl(a - b) <= within->absolute + within->relative * fabsl(b));
}

/* False for 64-bit integers, too. */
static bool block_is_close(const char *left, int32_t type, const char *right, int32_t right_type, int64_t count,
                           const struct closeness *within) {
    double room[2][LOOPS_BLOCK];
    if (is_wide(type) || is_wide(right_type)) return false;
    return loops()->close(as_doubles(room[0], left, type, count), as_doubles(room[1], right, right_type, count),
                          count, within->relative, within->absolute, within->equal_nan);
}

/* An element by itself is judged as in a block, so the result does not depend on what is beside it. */
static bool is_close(const char *left, int32_t type, const char *right, int32_t right_type,
                     const struct closeness *within) {
    if (is_wide(type) || is_wide(right_type))
        return are_close(element_read(left, type), element_read(right, right_type), within);
    return block_is_close(left, type, right, right_type, 1, within);
}

int64_t clue_array_allclose(const void *left, int32_t type, const void *right, int32_t right_type, int64_t count,
                            double relative, double absolute, int32_t equal_nan) {
    const struct closeness within = {relative, absolute, equal_nan != 0};
    const char *a = left, *b = right;
    const int64_t size = clue_type_size(type), right_size = clue_type_size(right_type);
    for (int64_t first = 0; first < count; first += LOOPS_BLOCK) {
        const int64_t stop = count - first < LOOPS_BLOCK ? count : first + LOOPS_BLOCK;
        const char *x = a + first * size, *y = b + first * right_size;
        if (block_is_close(x, type, y, right_type, stop - first, &within)) continue;
        for (int64_t i = first; i < stop; i++, x += size, y += right_size)
            if (!is_close(x, type, y, right_type, &within)) return i;
    }
    return -1;
}

/* ---- norms ---- */

enum { SQUARES = 8 * LOOPS_BLOCK }; /* so many squares are added without rounding their sum more often */

static double norm_1(const char *data, int32_t type, int64_t count) {
    double room[LOOPS_BLOCK], magnitudes[LOOPS_BLOCK], total = 0;
    for (int64_t first = 0; first < count; first += LOOPS_BLOCK) {
        const int64_t held = count - first < LOOPS_BLOCK ? count - first : LOOPS_BLOCK;
        const double *values = as_doubles(room, data + first * clue_type_size(type), type, held);
        for (int64_t i = 0; i < held; i++)
            magnitudes[i] = fabs(values[i]);
        total += clue_array_sum(magnitudes, CLUE_DOUBLE, held);
    }
    return total;
}

static double norm_infinite(const void *data, int32_t type, int64_t count) {
    const int64_t size = clue_type_size(type);
    const char *bytes = data;
    int64_t least, greatest;
    if (clue_array_extremes(&least, &greatest, data, type, count) > 0) return NAN;
    if (least < 0) return 0;
    return fmax(fabs(clue_element_load(bytes + least * size, type)),
                fabs(clue_element_load(bytes + greatest * size, type)));
}

/* The sum of the squares of value / scale. */
static double squares(const char *data, int32_t type, int64_t count, double scale) {
    double room[LOOPS_BLOCK], total = 0;
    const int64_t block = scale == 1 && (type == CLUE_FLOAT || type == CLUE_DOUBLE) ? SQUARES : LOOPS_BLOCK;
    for (int64_t first = 0; first < count; first += block) {
        const int64_t held = count - first < block ? count - first : block;
        const char *part = data + first * clue_type_size(type);
        if (block == SQUARES && type == CLUE_FLOAT) {
            total += loops()->squares_of_floats((const float *)(const void *)part, held);
        } else if (block == SQUARES) {
            total += loops()->squares_of_doubles((const double *)(const void *)part, held);
        } else {
            const double *values = as_doubles(room, part, type, held);
            for (int64_t i = 0; i < held; i++)
                room[i] = values[i] / scale;
            total += loops()->squares_of_doubles(room, held);
        }
    }
    return total;
}

/* Divides by the greatest magnitude only if squares could overflow, or lose digits because they are so small. */
static double norm_2(const void *data, int32_t type, int64_t count) {
    const double total = squares(data, type, count, 1);
    double largest;
    if (total >= 0x1p-900 && total <= DBL_MAX) return sqrt(total);
    largest = norm_infinite(data, type, count);
    return largest > 0 && largest <= DBL_MAX ? largest * sqrt(squares(data, type, count, largest)) : largest;
}

static double norm_of(const void *data, int32_t type, int64_t count, double order) {
    if (clue_type_size(type) == 0) return NAN;
    if (order == 1) return norm_1(data, type, count);
    if (order == 2) return norm_2(data, type, count);
    return order == (double)INFINITY ? norm_infinite(data, type, count) : NAN;
}

double clue_array_norm(const void *data, int32_t type, int64_t count, double order) {
    return element_number(norm_of(data, type, count, order));
}
