/* array_order.c - changes the order of bytes, or of rows and columns, for files from other machines and languages.
 *
 * For any caller, who must check the ranges. */
#include "clue.h"

#include <string.h>

int32_t clue_array_swap(void *data, int32_t type, int64_t count) {
    const int64_t size = clue_type_size(type);
    char *element = data;
    if (size == 0) return 0;
    for (int64_t i = 0; i < count && size > 1; i++, element += size)
        for (int64_t low = 0, high = size - 1; low < high; low++, high--) {
            const char kept = element[low];
            element[low] = element[high];
            element[high] = kept;
        }
    return 1;
}

/* Works in squares that fit the cache: a column of a large matrix touches as many cache lines as it has rows. */
int32_t clue_array_transpose(void *data_out, const void *source, int32_t type, int64_t rows, int64_t columns) {
    enum { SIDE = 32 };
    const int64_t size = clue_type_size(type);
    char *to = data_out;
    const char *from = source;
    if (size == 0) return 0;
    for (int64_t top = 0; top < rows; top += SIDE)
        for (int64_t left = 0; left < columns; left += SIDE)
            for (int64_t row = top; row < rows && row < top + SIDE; row++)
                for (int64_t column = left; column < columns && column < left + SIDE; column++)
                    memcpy(to + (column * rows + row) * size, from + (row * columns + column) * size, (size_t)size);
    return 1;
}
