/* int_buffered.h - the int product that copies each column of B before it uses it, so that both factors are read
 * consecutively. BUFFERED is its name; the including files differ only in their flags. The sums are unsigned: they
 * wrap, which is undefined for int, and the bits are the same. */

#include <stdlib.h>

static void copy_column(uint32_t *column_out, const walk_product *p, int64_t column) {
    const uint32_t *b = (const uint32_t *)p->b + column;
    for (int64_t k = 0; k < p->k; k++)
        column_out[k] = b[k * p->b_row];
}

static uint32_t row_times(const uint32_t *row, const uint32_t *column, int64_t count) {
    uint32_t sum = 0;
    for (int64_t k = 0; k < count; k++)
        sum += row[k] * column[k];
    return sum;
}

int32_t BUFFERED(const walk_product *p, int64_t first, int64_t end) {
    uint32_t *own = calloc((size_t)p->k, sizeof *own);
    const uint32_t *a = p->a;
    uint32_t *c = p->c;
    if (!own) return WALK_NO_MEMORY;
    for (int64_t column = first; column < end; column++) {
        copy_column(own, p, column);
        for (int64_t row = 0; row < p->m; row++)
            c[row * p->c_row + column] = row_times(a + row * p->a_row, own, p->k);
    }
    free(own);
    return WALK_DONE;
}
