/* level_order.h - fills, byte order, rows and columns: by the size of an element. Part of level.h. */

/* Squares of a matrix, so that a column of a large one does not touch as many cache lines as it has rows. */
enum { SIDE = 32 };

/* NOLINTBEGIN(bugprone-macro-parentheses): a type and a part of a name cannot have any */
#define ORDER_LOOPS(size, type, swapped)                                                                           \
    static void fill_##size(void *data_out, const void *element, int64_t count) {                                  \
        type *data = data_out, value;                                                                              \
        memcpy(&value, element, sizeof value);                                                                     \
        for (int64_t i = 0; i < count; i++)                                                                        \
            data[i] = value;                                                                                       \
    }                                                                                                              \
    static void swap_##size(void *data, int64_t count) {                                                           \
        type *x = data;                                                                                            \
        for (int64_t i = 0; i < count && (size) > 1; i++)                                                          \
            x[i] = swapped(x[i]);                                                                                  \
    }                                                                                                              \
    static void transpose_##size(void *data_out, const void *source, int64_t rows, int64_t columns) {              \
        type *restrict to = data_out;                                                                              \
        const type *restrict from = source;                                                                        \
        for (int64_t top = 0; top < rows; top += SIDE)                                                             \
            for (int64_t left = 0; left < columns; left += SIDE) {                                                 \
                const int64_t bottom = rows - top < SIDE ? rows : top + SIDE;                                      \
                const int64_t right = columns - left < SIDE ? columns : left + SIDE;                               \
                for (int64_t column = left; column < right; column++)                                              \
                    for (int64_t row = top; row < bottom; row++)                                                   \
                        to[column * rows + row] = from[row * columns + column];                                    \
            }                                                                                                      \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

#define UNSWAPPED(x) (x)

ORDER_LOOPS(1, uint8_t, UNSWAPPED)
ORDER_LOOPS(2, uint16_t, __builtin_bswap16)
ORDER_LOOPS(4, uint32_t, __builtin_bswap32)
ORDER_LOOPS(8, uint64_t, __builtin_bswap64)
