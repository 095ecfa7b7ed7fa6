/* reduce.c - the sum of values on the host, with which the device's kernels are compared.
 * Compiled with the flags of loops.c, so that the sum stays one chain of additions. */
#include "baseline.h"

#include "../failure.h"

static const char COMPILER[] = BASELINE_COMPILER " " WALK_FLAGS;

const char *walk_reduce_compiler(void) {
    return COMPILER;
}

int32_t walk_reduce_baseline(const walk_values *values, int64_t first, int64_t count) {
    static const char call[] = "walk_reduce_baseline";
    int32_t code = WALK_DONE;
    float sum;
    if (!values->from || !values->sum) return failure_record(call, "the values or the sum have no data");
    code = baseline_check_range(values->count, first, count, call);
    if (code != WALK_DONE) return code;
    sum = *values->sum;
    for (int64_t i = first; i < first + count; i++)
        sum += values->from[i];
    *values->sum = sum;
    return WALK_DONE;
}
