/* product.c - the matrices of a walk_product as views, and the check that precedes every use of them. The caller
 * must ensure that the strides stay within the memory, because only the caller knows how much there is. */
#include "product.h"

#include "failure.h"

matrix product_left(const walk_product *product) {
    return (matrix){product->a, product->type, product->m, product->k, product->a_row, product->a_column};
}

matrix product_right(const walk_product *product) {
    return (matrix){product->b, product->type, product->k, product->n, product->b_row, product->b_column};
}

matrix product_result(const walk_product *product) {
    return (matrix){product->c, product->type, product->m, product->n, product->c_row, product->c_column};
}

matrix matrix_transposed(const matrix *self) {
    return (matrix){self->data, self->type, self->columns, self->rows, self->column_stride, self->row_stride};
}

static int32_t matrix_check(const matrix *self, const char *name, const char *call) {
    if (!self->data) return failure_record(call, "matrix %s has no data", name);
    if (self->rows < 1 || self->columns < 1) {
        return failure_record(call, "matrix %s is %lld x %lld: each must be at least 1", name,
                              (long long)self->rows, (long long)self->columns);
    }
    if (self->row_stride < 1 || self->column_stride < 1) {
        return failure_record(
            call,
            "matrix %s has strides of %lld from row to row and %lld from column to column: each must be at least 1",
            name, (long long)self->row_stride, (long long)self->column_stride);
    }
    return WALK_DONE;
}

int32_t product_check(const walk_product *product, const char *call) {
    if (product->type != CLUE_FLOAT && product->type != CLUE_DOUBLE) {
        return failure_record(call, "elements of type %s: the host multiplies only float and double",
                              clue_type_name(product->type));
    }
    return product_check_matrices(product, call);
}

int32_t product_check_matrices(const walk_product *product, const char *call) {
    const matrix a = product_left(product), b = product_right(product), c = product_result(product);
    int32_t code = matrix_check(&a, "A", call);
    if (code == WALK_DONE) code = matrix_check(&b, "B", call);
    if (code == WALK_DONE) code = matrix_check(&c, "C", call);
    return code;
}
