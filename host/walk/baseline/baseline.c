/* baseline.c - the host's matrix products by number: checks the arguments and passes them on. Devices are compared
 * with these products; verify.c verifies results. */
#include "baseline.h"

#include "../failure.h"
#include "../parallel.h"
#include "../product.h"

int64_t walk_baseline_extent(const walk_product *product, int32_t variant) {
    switch (variant) {
    case WALK_LOOPS_CRK:
    case WALK_LOOPS_CKR:
        return product->n;
    case WALK_LOOPS_KRC:
    case WALK_LOOPS_KCR:
        return product->k;
    default:
        return product->m;
    }
}

const char *walk_baseline_compiler(int32_t variant) {
    if (variant < WALK_LOOPS_RCK || variant > WALK_OPTIMISED) return "";
    if (variant == WALK_OPTIMISED) return baseline_optimised_compiler;
    return variant >= WALK_LINEAR_ROWS ? baseline_linear_compiler : baseline_loops_compiler;
}

static int32_t refuse_layout(const char *name, const char *wanted) {
    return failure_record("walk_baseline_product",
                          "matrix %s must be stored by %s for this variant; the optimised one accepts any layout",
                          name, wanted);
}

/* By rows means that the elements of a row are neighbours. A matrix of one row or column is stored both ways. */
static int32_t check_layout(const walk_product *product, int32_t variant) {
    if (variant == WALK_OPTIMISED) return WALK_DONE;
    if (product->a_column != 1 && product->k > 1) return refuse_layout("A", "rows");
    if (product->c_column != 1 && product->n > 1) return refuse_layout("C", "rows");
    if (variant == WALK_LINEAR_COLUMNS)
        return product->b_row != 1 && product->k > 1 ? refuse_layout("B", "columns") : WALK_DONE;
    return product->b_column != 1 && product->n > 1 ? refuse_layout("B", "rows") : WALK_DONE;
}

int32_t baseline_check_range(int64_t extent, int64_t first, int64_t count, const char *call) {
    if (first >= 0 && count >= 0 && first <= extent && count <= extent - first) return WALK_DONE;
    return failure_record(call, "%lld iterations from %lld on: the outermost loop has %lld, counted from 0",
                          (long long)count, (long long)first, (long long)extent);
}

static int32_t check(const walk_product *product, int32_t variant, int64_t first, int64_t count) {
    const char *call = "walk_baseline_product";
    int32_t code;
    if (variant < WALK_LOOPS_RCK || variant > WALK_OPTIMISED) {
        return failure_record(call, "there is no variant %d: they are %d to %d", (int)variant, WALK_LOOPS_RCK,
                              WALK_OPTIMISED);
    }
    code = product_check(product, call);
    if (code == WALK_DONE) code = check_layout(product, variant);
    if (code != WALK_DONE) return code;
    return baseline_check_range(walk_baseline_extent(product, variant), first, count, call);
}

typedef struct task {
    const walk_product *product;
    int32_t variant;
} task;

static int32_t run_part(void *data, int64_t first, int64_t end) {
    const task *t = data;
    if (t->variant == WALK_OPTIMISED) return baseline_optimised(t->product, first, end);
    if (t->variant >= WALK_LINEAR_ROWS) return baseline_linear(t->product, t->variant, first, end);
    return baseline_loops(t->product, t->variant, first, end);
}

/* Refuses several threads if the outermost loop is that of the sum: its iterations add to the same elements of
 * C. */
static int32_t check_threads(int32_t variant, int32_t threads) {
    if (threads == 1 || (variant != WALK_LOOPS_KRC && variant != WALK_LOOPS_KCR)) return WALK_DONE;
    return failure_record(
        "walk_baseline_product",
        "this order of loops can run only on one thread, not on %d: its outermost loop is that of the sum",
        (int)threads);
}

int32_t walk_baseline_product(const walk_product *product, int32_t variant, int32_t threads, int64_t first,
                              int64_t count) {
    task t = {product, variant};
    int32_t code = check(product, variant, first, count);
    if (code == WALK_DONE) code = check_threads(variant, threads);
    if (code != WALK_DONE) return code;
    code = parallel_run(first, first + count, threads, run_part, &t);
    return code == WALK_DONE ? code : failure_out_of_memory("walk_baseline_product");
}
