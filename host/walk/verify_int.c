/* verify_int.c - the exact check of an int product: either C is A B modulo 2^32, or one wrong element is named.
 *
 * Freivalds' method, as in verify.c, with the arithmetic of ints. 2^32 is not a prime: a difference of 2^31
 * vanishes if it is multiplied by an even number, so one random vector may miss it with a chance of 1/2. VECTORS of
 * them, applied together, miss a wrong row with a chance of 2^-VECTORS at most, and most wrong rows with a far
 * smaller one. */
#include "../sys/random.h"
#include "failure.h"
#include "product.h"

#include <stdlib.h>
#include <string.h>

enum { VECTORS = 32 };
static const char CALL[] = "walk_int_product_verify";

static uint32_t int_at(const matrix *self, int64_t row, int64_t column) {
    return ((const uint32_t *)self->data)[row * self->row_stride + column * self->column_stride];
}

static void row_apply(uint32_t *image_out, const matrix *self, int64_t row, const uint32_t *vectors) {
    uint32_t sums[VECTORS] = {0};
    for (int64_t column = 0; column < self->columns; column++) {
        uint32_t element = int_at(self, row, column);
        for (int i = 0; i < VECTORS; i++)
            sums[i] += element * vectors[column * VECTORS + i];
    }
    memcpy(image_out, sums, sizeof sums);
}

static int32_t expected_at(const walk_product *product, int64_t row, int64_t column) {
    const matrix a = product_left(product), b = product_right(product);
    uint32_t sum = 0;
    for (int64_t k = 0; k < product->k; k++)
        sum += int_at(&a, row, k) * int_at(&b, k, column);
    return (int32_t)sum;
}

static bool has_wrong_element(walk_fault *fault_out, const walk_product *product, int64_t row) {
    const matrix c = product_result(product);
    for (int64_t column = 0; column < product->n; column++) {
        int32_t found = (int32_t)int_at(&c, row, column), expected = expected_at(product, row, column);
        if (found == expected) continue;
        *fault_out = (walk_fault){.row = row, .column = column, .found = found, .expected = expected};
        return true;
    }
    return false;
}

/* x: n elements of all vectors, side by side. bx: room for the same of B x. */
static int32_t find_fault(walk_fault *fault_out, const walk_product *product, const uint32_t *x, uint32_t *bx) {
    const matrix a = product_left(product), b = product_right(product), c = product_result(product);
    uint32_t abx[VECTORS], cx[VECTORS];
    for (int64_t k = 0; k < product->k; k++)
        row_apply(bx + k * VECTORS, &b, k, x);
    for (int64_t row = 0; row < product->m; row++) {
        row_apply(abx, &a, row, bx);
        row_apply(cx, &c, row, x);
        if (memcmp(abx, cx, sizeof abx) != 0 && has_wrong_element(fault_out, product, row)) return 0;
    }
    *fault_out = (walk_fault){.row = -1, .column = -1};
    return 1;
}

int32_t walk_int_product_verify(walk_fault *fault_out, const walk_product *product, double seed) {
    int32_t code, right;
    uint32_t *memory;
    uint64_t start;
    if (product->type != CLUE_INT)
        return failure_record(CALL, "elements of type %s: this check is for int", clue_type_name(product->type));
    code = product_check_matrices(product, CALL);
    if (code != WALK_DONE) return code;
    memory = calloc((size_t)(product->n + product->k) * VECTORS, sizeof *memory);
    if (!memory) return failure_out_of_memory(CALL);
    start = random_start(seed);
    for (int64_t i = 0; i < product->n * VECTORS; i++)
        memory[i] = (uint32_t)(random_at(start, (uint64_t)i) >> 32);
    right = find_fault(fault_out, product, memory, memory + product->n * VECTORS);
    free(memory);
    return right;
}
