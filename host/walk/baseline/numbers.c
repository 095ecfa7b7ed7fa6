/* numbers.c - prefix sums and a histogram on the host, with which the device's kernels are compared.
 * Compiled with the flags of loops.c, so that the loops stay plain. */
#include "baseline.h"

#include "../failure.h"

static const char COMPILER[] = BASELINE_COMPILER " " WALK_FLAGS;

const char *walk_numbers_compiler(void) {
    return COMPILER;
}

static int32_t check(const walk_numbers *numbers, int64_t first, int64_t count, const char *call) {
    if (!numbers->from || !numbers->to) return failure_record(call, "the numbers or the result have no data");
    return baseline_check_range(numbers->count, first, count, call);
}

int32_t walk_scan_baseline(const walk_numbers *numbers, int64_t first, int64_t count) {
    int32_t code = check(numbers, first, count, "walk_scan_baseline");
    uint32_t sum;
    if (code != WALK_DONE) return code;
    sum = first > 0 ? numbers->to[first - 1] : 0;
    for (int64_t i = first; i < first + count; i++) {
        sum += numbers->from[i];
        numbers->to[i] = sum;
    }
    return WALK_DONE;
}

int32_t walk_histogram_baseline(const walk_numbers *numbers, int64_t first, int64_t count) {
    int32_t code = check(numbers, first, count, "walk_histogram_baseline");
    if (code != WALK_DONE) return code;
    for (int64_t i = first; i < first + count; i++)
        numbers->to[numbers->from[i] % WALK_BINS]++;
    return WALK_DONE;
}
