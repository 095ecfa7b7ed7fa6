/* outer_sum.c - the outer sum on the host, on one or several cores, with which the device's kernels are compared.
 * Compiled with the flags of loops.c, so that an element's sum stays one chain of additions. */
#include "baseline.h"

#include "../outer_sum.h"
#include "../parallel.h"

static const char COMPILER[] = BASELINE_COMPILER " " WALK_FLAGS;

const char *walk_outer_sum_compiler(void) {
    return COMPILER;
}

static int32_t run_part(void *data, int64_t first, int64_t end) {
    const walk_outer_sum *s = data;
    for (int64_t x = first; x < end; x++) {
        float sum = 0;
        for (int64_t y = 0; y < s->y; y++)
            sum += s->a[x] * s->b[y];
        s->c[x] = sum;
    }
    return WALK_DONE;
}

int32_t walk_outer_sum_baseline(const walk_outer_sum *sum, int32_t threads, int64_t first, int64_t count) {
    static const char call[] = "walk_outer_sum_baseline";
    int32_t code = outer_sum_check(sum, call);
    walk_outer_sum copy = *sum;
    if (code == WALK_DONE) code = baseline_check_range(sum->x, first, count, call);
    if (code != WALK_DONE) return code;
    return parallel_run(first, first + count, threads, run_part, &copy);
}
