/* linear.c - the single-core loops over linear memory with which walkthroughs compare a device. With B by rows,
 * they add to the element of C at each step, as the article does; with B by columns, both inputs are read
 * consecutively and the sum is a local variable. Called only by baseline.c; compiled with the flags of loops.c. */
#include "baseline.h"

const char baseline_linear_compiler[] = BASELINE_COMPILER " " WALK_FLAGS;

/* NOLINTBEGIN(bugprone-macro-parentheses): a type and a part of a name cannot have any */
#define LINEAR(name, real)                                                                                         \
    static void by_rows_##name(const walk_product *p, int64_t first, int64_t end) {                                \
        const real *a = p->a, *b = p->b;                                                                           \
        real *c = p->c;                                                                                            \
        for (int64_t row = first; row < end; row++) {                                                              \
            for (int64_t column = 0; column < p->n; column++) {                                                    \
                for (int64_t k = 0; k < p->k; k++) {                                                               \
                    c[row * p->c_row + column] += a[row * p->a_row + k] * b[k * p->b_row + column];                \
                }                                                                                                  \
            }                                                                                                      \
        }                                                                                                          \
    }                                                                                                              \
    static void by_columns_##name(const walk_product *p, int64_t first, int64_t end) {                             \
        const real *a = p->a, *b = p->b;                                                                           \
        real *c = p->c;                                                                                            \
        for (int64_t row = first; row < end; row++) {                                                              \
            for (int64_t column = 0; column < p->n; column++) {                                                    \
                real sum = 0;                                                                                      \
                for (int64_t k = 0; k < p->k; k++) {                                                               \
                    sum += a[row * p->a_row + k] * b[column * p->b_column + k];                                    \
                }                                                                                                  \
                c[row * p->c_row + column] += sum;                                                                 \
            }                                                                                                      \
        }                                                                                                          \
    }

/* NOLINTEND(bugprone-macro-parentheses) */

LINEAR(float, float)
LINEAR(double, double)

int32_t baseline_linear(const walk_product *product, int32_t variant, int64_t first, int64_t end) {
    bool by_rows = variant == WALK_LINEAR_ROWS;
    if (product->type == CLUE_FLOAT)
        (by_rows ? by_rows_float : by_columns_float)(product, first, end);
    else
        (by_rows ? by_rows_double : by_columns_double)(product, first, end);
    return WALK_DONE;
}
