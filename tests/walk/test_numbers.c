/* Prefix sums and a histogram on the host: right in slices too, modulo 2^32. Misuse is an error.
 *
 * suite: quick */
#include "walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void slices_continue_the_sums(void **state) {
    uint32_t from[1000], to[1000], expected = 0;
    walk_numbers numbers = {.count = 1000, .from = from, .to = to};
    (void)state;
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

static void slices_add_to_the_bins(void **state) {
    uint32_t from[1000], bins[WALK_BINS] = {0};
    walk_numbers numbers = {.count = 1000, .from = from, .to = bins};
    (void)state;
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

static void misuse_is_refused(void **state) {
    uint32_t from[4] = {0}, to[WALK_BINS] = {0};
    walk_numbers numbers = {.count = 4, .from = from, .to = to}, bad = numbers;
    (void)state;
    refused(walk_scan_baseline(&numbers, 0, 5), "walk_scan_baseline",
            "5 iterations from 0 on: the outermost loop has 4");
    refused(walk_histogram_baseline(&numbers, -1, 1), "walk_histogram_baseline", "1 iterations from -1");
    bad.to = NULL;
    refused(walk_scan_baseline(&bad, 0, 1), "walk_scan_baseline", "no data");
    refused(walk_histogram_baseline(&bad, 0, 1), "walk_histogram_baseline", "no data");
}

static void the_compiler_and_its_flags_are_named(void **state) {
    (void)state;
    assert_non_null(strstr(walk_numbers_compiler(), "-O2 -fno-"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_continue_the_sums),
        cmocka_unit_test(slices_add_to_the_bins),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(the_compiler_and_its_flags_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
