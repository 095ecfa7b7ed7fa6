/* array_order.c - changes the order of bytes, or of rows and columns, for files from other machines and languages.
 *
 * For any caller, who must check the ranges. */
#include "array/loops.h"

int32_t clue_array_swap(void *data, int32_t type, int64_t count) {
    const int64_t size = clue_type_size(type);
    if (size == 0) return 0;
    loops()->swap[size](data, count);
    return 1;
}

int32_t clue_array_transpose(void *data_out, const void *source, int32_t type, int64_t rows, int64_t columns) {
    const int64_t size = clue_type_size(type);
    if (size == 0) return 0;
    loops()->transpose[size](data_out, source, rows, columns);
    return 1;
}
