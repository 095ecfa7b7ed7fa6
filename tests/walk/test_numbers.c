/* Prefix sums and a histogram on the host: right in slices too, modulo 2^32. Misuse is an error.
 *
 * suite: quick */
#include "unit.h"
#include "walk.h"

#include <string.h>

TEST(slices_continue_the_sums) {
    uint32_t from[1000], to[1000], expected = 0;
    walk_numbers numbers = {.count = 1000, .from = from, .to = to};
    for (uint32_t i = 0; i < 1000; i++)
        from[i] = 4000000007U * (i + 1);
    assert_int_equal(walk_scan_baseline(&numbers, 0, 1), 0);
    assert_int_equal(walk_scan_baseline(&numbers, 1, 699), 0);
    assert_int_equal(walk_scan_baseline(&numbers, 700, 300), 0);
    for (uint32_t i = 0; i < 1000; i++) {
        expected += from[i];
        assert_int_equal(to[i], expected);
    }
}

TEST(slices_add_to_the_bins) {
    uint32_t from[1000], bins[WALK_BINS] = {0};
    walk_numbers numbers = {.count = 1000, .from = from, .to = bins};
    for (uint32_t i = 0; i < 1000; i++)
        from[i] = 512 * i + i % 3; /* bins 0, 1 and 2 */
    assert_int_equal(walk_histogram_baseline(&numbers, 0, 10), 0);
    assert_int_equal(walk_histogram_baseline(&numbers, 10, 990), 0);
    assert_int_equal(bins[0], 334);
    assert_int_equal(bins[1], 333);
    assert_int_equal(bins[2], 333);
    for (int i = 3; i < WALK_BINS; i++)
        assert_int_equal(bins[i], 0);
}

static void refused(int32_t code, const char *call, const char *because) {
    assert_int_equal(code, -30);
    assert_string_equal(walk_last.call, call);
    assert_non_null(strstr(walk_last.detail, because));
}

TEST(misuse_is_refused) {
    uint32_t from[4] = {0}, to[WALK_BINS] = {0};
    walk_numbers numbers = {.count = 4, .from = from, .to = to}, bad = numbers;
    refused(walk_scan_baseline(&numbers, 0, 5), "walk_scan_baseline",
            "5 iterations from 0 on: the outermost loop has 4");
    refused(walk_histogram_baseline(&numbers, -1, 1), "walk_histogram_baseline", "1 iterations from -1");
    bad.to = NULL;
    refused(walk_scan_baseline(&bad, 0, 1), "walk_scan_baseline", "no data");
    refused(walk_histogram_baseline(&bad, 0, 1), "walk_histogram_baseline", "no data");
}

TEST(the_compiler_and_its_flags_are_named) {
    assert_non_null(strstr(walk_numbers_compiler(), "-O2 -fno-"));
}
