/* optimised.c - the fastest product of one core in portable C. A device should be compared with it if the plain
 * loops would flatter the device. Called only by baseline.c; accepts any layout.
 *
 * The method is Goto's and van de Geijn's (Anatomy of High-Performance Matrix Multiplication, 2008): it copies
 * panels of B (DEPTH x WIDTH, for the third cache level) and blocks of A (HEIGHT x DEPTH, for the second) into
 * strips, which the innermost kernel reads consecutively. The kernel keeps a tile of C in registers for DEPTH
 * steps. Strips are filled up with zeros, so that the kernel has only whole tiles. */
#include "baseline.h"

#include "../product.h"

#include <stdlib.h>
#include <string.h>

const char baseline_optimised_compiler[] = BASELINE_COMPILER " " WALK_FLAGS;

enum { DEPTH = 256, HEIGHT = 336, WIDTH = 3072, MOST_TILE_BYTES = 14 * 2 * 64, ALIGNMENT = 64 };

/* A kernel for rows x columns elements: tile = a strip of A times a strip of B, over depth steps. */
typedef void tile_kernel(int64_t depth, const void *a_strip, const void *b_strip, void *tile_out);
typedef struct tile_shape {
    int64_t rows, columns;
    tile_kernel *multiply;
} tile_shape;

/* The kernel is chosen at run time by the instructions that the processor has: 28, 12 or 8 sums in registers,
 * besides two of B and one of A. */
#define REAL float
#define NAME(word) word##_float
#include "optimised_template.h"
#undef REAL
#undef NAME

#define REAL double
#define NAME(word) word##_double
#include "optimised_template.h"

int32_t baseline_optimised(const walk_product *product, int64_t first, int64_t end) {
    walk_product rows = *product;
    int64_t size = clue_type_size(product->type);
    char *block = malloc((size_t)(size * DEPTH * (WIDTH + HEIGHT)) + ALIGNMENT);
    void *panels;
    rows.a = (const char *)product->a + first * product->a_row * size;
    rows.c = (char *)product->c + first * product->c_row * size;
    rows.m = end - first;
    if (!block) return WALK_NO_MEMORY;
    panels = block + (ALIGNMENT - (uintptr_t)block % ALIGNMENT);
    product->type == CLUE_FLOAT ? optimised_float(&rows, panels) : optimised_double(&rows, panels);
    free(block);
    return WALK_DONE;
}
