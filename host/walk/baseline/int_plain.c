/* int_plain.c - the int products with which walkthroughs compare a device: the triple loop, and the one that copies
 * columns. Called only by int_product.c; compiled with the flags of loops.c. */
#include "baseline.h"

#define BUFFERED baseline_int_buffered
#include "int_buffered.h"

const char baseline_int_compiler[] = BASELINE_COMPILER " " WALK_FLAGS;

int32_t baseline_int_naive(const walk_product *p, int64_t first, int64_t end) {
    const uint32_t *a = p->a, *b = p->b;
    uint32_t *c = p->c;
    for (int64_t row = first; row < end; row++) {
        for (int64_t column = 0; column < p->n; column++) {
            uint32_t sum = 0;
            for (int64_t k = 0; k < p->k; k++)
                sum += a[row * p->a_row + k] * b[k * p->b_row + column];
            c[row * p->c_row + column] = sum;
        }
    }
    return WALK_DONE;
}
