/* level.h - all loops, for one instruction set. Only loops_base.c and its siblings include it; they define LOOPS,
 * the name of the table, LOOPS_NAME and LOOPS_VECTOR, the bytes of a vector. */
#include "loops.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if LOOPS_VECTOR > 16
#include <immintrin.h>
#endif

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)

#include "level_order.h"

#include "level_sum.h"

#include "level_extremes.h"

#include "level_convert.h"

#include "level_compare.h"

#include "level_random.h"

extern const struct loops LOOPS;

#define SUM_ENTRY(code, type) [CLUE_##code] = sum_##code,
#define EXTREMES_ENTRY(code, type) [CLUE_##code] = extremes_##code,
#define CONVERT_ENTRY(to, from) [CLUE_##from] = convert_##to##_##from
#define CONVERT_TO(to)                                                                                             \
    [CLUE_##to] = {CONVERT_ENTRY(to, CHAR),   CONVERT_ENTRY(to, UCHAR), CONVERT_ENTRY(to, SHORT),                  \
                   CONVERT_ENTRY(to, USHORT), CONVERT_ENTRY(to, INT),   CONVERT_ENTRY(to, UINT),                   \
                   CONVERT_ENTRY(to, LONG),   CONVERT_ENTRY(to, ULONG), CONVERT_ENTRY(to, FLOAT),                  \
                   CONVERT_ENTRY(to, DOUBLE)}
#define RANDOM_ENTRY(code, type) [CLUE_##code] = random_##code,

const struct loops LOOPS = {
    .name = LOOPS_NAME,
    .fill = {[1] = fill_1, [2] = fill_2, [4] = fill_4, [8] = fill_8},
    .swap = {[1] = swap_1, [2] = swap_2, [4] = swap_4, [8] = swap_8},
    .transpose = {[1] = transpose_1, [2] = transpose_2, [4] = transpose_4, [8] = transpose_8},
    .sum = {LOOPS_WHOLE_TYPES(SUM_ENTRY)},
    .add_floats = add_floats,
    .add_doubles = add_DOUBLE,
    .squares_of_floats = squares_FLOAT,
    .squares_of_doubles = squares_DOUBLE,
    .extremes = {LOOPS_C_TYPES(EXTREMES_ENTRY)[CLUE_HALF] = extremes_HALF},
    .convert = {CONVERT_TO(CHAR), CONVERT_TO(UCHAR), CONVERT_TO(SHORT), CONVERT_TO(USHORT), CONVERT_TO(INT),
                CONVERT_TO(UINT), CONVERT_TO(LONG), CONVERT_TO(ULONG), CONVERT_TO(FLOAT), CONVERT_TO(DOUBLE)},
    .half_to_float = half_to_float,
    .float_to_half = float_to_half,
    .double_to_odd_float = double_to_odd_float,
    .near = near,
    .close = close,
    .words = words,
    .random = {LOOPS_WHOLE_TYPES(RANDOM_ENTRY)},
    .random_floats = random_FLOAT,
    .random_doubles = random_DOUBLE,
};
