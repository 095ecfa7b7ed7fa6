/* product.h - the matrices of a walk_product as views; for the baselines and the checks. */
#ifndef WALK_PRODUCT_H
#define WALK_PRODUCT_H

#include "walk.h"

/* Element (row, column) is at row * row_stride + column * column_stride. */
typedef struct matrix {
    const void *data;
    int32_t type;
    int64_t rows, columns, row_stride, column_stride;
} matrix;

static inline double matrix_at(const matrix *self, int64_t row, int64_t column) {
    int64_t index = row * self->row_stride + column * self->column_stride;
    return self->type == CLUE_FLOAT ? (double)((const float *)self->data)[index]
                                    : ((const double *)self->data)[index];
}

matrix product_left(const walk_product *product);
matrix product_right(const walk_product *product);
matrix product_result(const walk_product *product);
matrix matrix_transposed(const matrix *self);

/* Records a failure if the type is neither float nor double, a size or stride is below 1, or there is no data; 0
 * otherwise. */
int32_t product_check(const walk_product *product, const char *call);
/* The same for elements of any type. */
int32_t product_check_matrices(const walk_product *product, const char *call);

#endif
