/* The sum of values on the host: one chain of additions, in slices too. Misuse is an error.
 *
 * suite: quick */
#include "unit.h"
#include "walk.h"

#include <string.h>

TEST(slices_continue_the_chain) {
    float from[1000], sum = 0, expected = 0;
    walk_values values = {.count = 1000, .from = from, .sum = &sum};
    for (int i = 0; i < 1000; i++) {
        from[i] = 1.0F / (float)(i + 1);
        expected += from[i];
    }
    assert_int_equal(walk_reduce_baseline(&values, 0, 1), 0);
    assert_true(sum == 1);
    assert_int_equal(walk_reduce_baseline(&values, 1, 699), 0);
    assert_int_equal(walk_reduce_baseline(&values, 700, 300), 0);
    assert_true(sum == expected);
}

static void refused(int32_t code, const char *because) {
    assert_int_equal(code, -30);
    assert_string_equal(walk_last.call, "walk_reduce_baseline");
    assert_non_null(strstr(walk_last.detail, because));
}

TEST(misuse_is_refused) {
    float from[4] = {0}, sum = 0;
    walk_values values = {.count = 4, .from = from, .sum = &sum}, bad = values;
    refused(walk_reduce_baseline(&values, 0, 5), "5 iterations from 0 on: the outermost loop has 4");
    refused(walk_reduce_baseline(&values, -1, 1), "1 iterations from -1");
    bad.sum = NULL;
    refused(walk_reduce_baseline(&bad, 0, 1), "no data");
}

TEST(the_compiler_and_its_flags_are_named) {
    assert_non_null(strstr(walk_reduce_compiler(), "-O2 -fno-"));
}
