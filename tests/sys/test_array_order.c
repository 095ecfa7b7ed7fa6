/* Elements in another order: reversed bytes, transposed matrices.
 *
 * suite: quick */
#include "clue.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

TEST(the_bytes_of_each_element_are_reversed) {
    uint16_t shorts[] = {0x0102, 0xfffe, 0};
    uint32_t ints[] = {0x01020304, 1};
    uint64_t longs[] = {UINT64_C(0x0102030405060708)};
    uint8_t bytes[] = {1, 2};
    assert_int_equal(clue_array_swap(shorts, CLUE_USHORT, 3), 1);
    assert_true(shorts[0] == 0x0201 && shorts[1] == 0xfeff && shorts[2] == 0);
    assert_int_equal(clue_array_swap(ints, CLUE_FLOAT, 2), 1);
    assert_true(ints[0] == 0x04030201 && ints[1] == 0x01000000);
    assert_int_equal(clue_array_swap(longs, CLUE_DOUBLE, 1), 1);
    assert_true(longs[0] == UINT64_C(0x0807060504030201));
    assert_int_equal(clue_array_swap(bytes, CLUE_UCHAR, 2), 1);
    assert_true(bytes[0] == 1 && bytes[1] == 2);
    assert_int_equal(clue_array_swap(ints, CLUE_INT, 0), 1);
    assert_int_equal(ints[0], 0x04030201);
    assert_int_equal(clue_array_swap(NULL, 99, 1), 0);
}

/* Sizes near those of the blocks that it works in, and single rows and columns. */
TEST(rows_become_columns) {
    static const int64_t SIZES[][2] = {{1, 1}, {2, 3}, {31, 33}, {32, 32}, {65, 64}, {1, 100}, {100, 1}, {0, 5}};
    static int32_t from[65 * 64], to[65 * 64];
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        const int64_t rows = SIZES[i][0], columns = SIZES[i][1];
        for (int64_t e = 0; e < rows * columns; e++)
            from[e] = (int32_t)e;
        memset(to, 0xff, sizeof to);
        assert_int_equal(clue_array_transpose(to, from, CLUE_INT, rows, columns), 1);
        for (int64_t row = 0; row < rows; row++)
            for (int64_t column = 0; column < columns; column++)
                assert_int_equal(to[column * rows + row], row * columns + column);
        for (size_t e = (size_t)(rows * columns); e < sizeof to / sizeof *to; e++)
            assert_int_equal(to[e], -1);
    }
    assert_int_equal(clue_array_transpose(to, from, 99, 1, 1), 0);
}

TEST(elements_of_every_size_are_moved_whole) {
    const int64_t longs[] = {1, 2, 3, 4, 5, 6}, by_columns[] = {1, 4, 2, 5, 3, 6};
    const int8_t chars[] = {1, 2, 3, 4, 5, 6}, chars_by_columns[] = {1, 4, 2, 5, 3, 6};
    int64_t to[6];
    int8_t few[6];
    assert_int_equal(clue_array_transpose(to, longs, CLUE_LONG, 2, 3), 1);
    assert_memory_equal(to, by_columns, sizeof to);
    assert_int_equal(clue_array_transpose(few, chars, CLUE_CHAR, 2, 3), 1);
    assert_memory_equal(few, chars_by_columns, sizeof few);
}
