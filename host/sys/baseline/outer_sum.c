/* outer_sum.c - the outer sum on the host, on one core or several: what the device's kernels are compared with.
 * Compiled with the flags of loops.c, so that one element's sum stays one chain of additions. */
#include "baseline.h"
#include "parallel.h"

#include "../../core/core.h"
#include "../outer_sum.h"

static const char COMPILER[] = BASELINE_COMPILER " " CLUE_BASELINE_FLAGS;

const char *clue_outer_sum_compiler(void) {
    return COMPILER;
}

static int32_t run_part(void *data, int64_t first, int64_t end) {
    const clue_outer_sum *s = data;
    for (int64_t x = first; x < end; x++) {
        float sum = 0;
        for (int64_t y = 0; y < s->y; y++) {
            sum += s->a[x] * s->b[y];
        }
        s->c[x] = sum;
    }
    return CL_SUCCESS;
}

int32_t clue_outer_sum_baseline(const clue_outer_sum *sum, int32_t threads, int64_t first, int64_t count) {
    static const char call[] = "clue_outer_sum_baseline";
    int32_t code = outer_sum_check(sum, call);
    if (code == CL_SUCCESS) code = baseline_check_range(sum->x, first, count, call);
    if (code != CL_SUCCESS) return code;
    clue_outer_sum copy = *sum;
    return parallel_run(first, first + count, threads, run_part, &copy);
}
