/* loops.c - the textbook product over arrays of row pointers, in all six orders of its three loops. Called only by
 * baseline.c. The compiler must not change the loops: see the flags in host/walk/CMakeLists.txt. The tables of
 * pointers are made in each call; compared with the product, they cost nothing. */
#include "baseline.h"

#include <stdlib.h>

const char baseline_loops_compiler[] = BASELINE_COMPILER " " WALK_FLAGS;

#define REAL float
#define NAME(word) word##_float
#include "loops_template.h"
#undef REAL
#undef NAME

#define REAL double
#define NAME(word) word##_double
#include "loops_template.h"

int32_t baseline_loops(const walk_product *product, int32_t variant, int64_t first, int64_t end) {
    return product->type == CLUE_FLOAT ? loops_float(product, variant, first, end)
                                       : loops_double(product, variant, first, end);
}
