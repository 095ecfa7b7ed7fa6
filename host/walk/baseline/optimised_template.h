/* optimised_template.h - optimised.c for one element type: REAL is the type, and NAME(word) makes a name for it. */

#ifdef __x86_64__
#define KERNEL NAME(multiply_avx512)
#define ROWS 14
#define BYTES 64
#define TARGET __attribute__((target("avx512f")))
#include "optimised_kernel.h"

#define KERNEL NAME(multiply_avx2)
#define ROWS 6
#define BYTES 32
#define TARGET __attribute__((target("avx2,fma")))
#include "optimised_kernel.h"
#endif

#define KERNEL NAME(multiply_any)
#define ROWS 4
#define BYTES 16
#define TARGET
#include "optimised_kernel.h"

static tile_shape NAME(shape)(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f")) return (tile_shape){14, 128 / sizeof(REAL), NAME(multiply_avx512)};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return (tile_shape){6, 64 / sizeof(REAL), NAME(multiply_avx2)};
#endif
    return (tile_shape){4, 32 / sizeof(REAL), NAME(multiply_any)};
}

/* Copies `width` rows of the source side by side into each strip, depth elements long; the last strip is filled up
 * with zeros. */
static void NAME(pack)(REAL *strips_out, const REAL *source, int64_t rows, int64_t row_stride, int64_t width,
                       int64_t depth, int64_t depth_stride) {
    for (int64_t strip = 0; strip < rows; strip += width) {
        int64_t filled = rows - strip < width ? rows - strip : width;
        for (int64_t k = 0; k < depth; k++, strips_out += width) {
            const REAL *from = source + strip * row_stride + k * depth_stride;
            for (int64_t row = 0; row < width; row++)
                strips_out[row] = row < filled ? from[row * row_stride] : 0;
        }
    }
}

/* Adds the part of a tile that is inside C. */
static void NAME(add)(const matrix *c, int64_t row, int64_t column, const REAL *tile, const tile_shape *shape) {
    int64_t rows = c->rows - row < shape->rows ? c->rows - row : shape->rows;
    int64_t columns = c->columns - column < shape->columns ? c->columns - column : shape->columns;
    for (int64_t i = 0; i < rows; i++, tile += shape->columns) {
        REAL *out = (REAL *)c->data + (row + i) * c->row_stride + column * c->column_stride;
        for (int64_t j = 0; j < columns; j++)
            out[j * c->column_stride] += tile[j];
    }
}

/* c += a packed block of A times a packed panel of B. */
static void NAME(block)(const matrix *c, int64_t depth, const REAL *a_block, const REAL *b_panel,
                        const tile_shape *shape) {
    REAL tile[MOST_TILE_BYTES / sizeof(REAL)] __attribute__((aligned(ALIGNMENT)));
    for (int64_t column = 0; column < c->columns; column += shape->columns) {
        for (int64_t row = 0; row < c->rows; row += shape->rows) {
            shape->multiply(depth, a_block + row * depth, b_panel + column * depth, tile);
            NAME(add)(c, row, column, tile, shape);
        }
    }
}

static void NAME(optimised)(const walk_product *p, REAL *panels) {
    tile_shape shape = NAME(shape)();
    REAL *b_panel = panels, *a_block = panels + (ptrdiff_t)WIDTH * DEPTH;
    const REAL *a = p->a, *b = p->b;
    for (int64_t column = 0; column < p->n; column += WIDTH) {
        int64_t columns = p->n - column < WIDTH ? p->n - column : WIDTH;
        for (int64_t k = 0; k < p->k; k += DEPTH) {
            int64_t depth = p->k - k < DEPTH ? p->k - k : DEPTH;
            NAME(pack)
            (b_panel, b + k * p->b_row + column * p->b_column, columns, p->b_column, shape.columns, depth,
             p->b_row);
            for (int64_t row = 0; row < p->m; row += HEIGHT) {
                int64_t rows = p->m - row < HEIGHT ? p->m - row : HEIGHT;
                REAL *corner = (REAL *)p->c + row * p->c_row + column * p->c_column;
                matrix c = {corner, p->type, rows, columns, p->c_row, p->c_column};
                NAME(pack)
                (a_block, a + row * p->a_row + k * p->a_column, rows, p->a_row, shape.rows, depth, p->a_column);
                NAME(block)(&c, depth, a_block, b_panel, &shape);
            }
        }
    }
}
