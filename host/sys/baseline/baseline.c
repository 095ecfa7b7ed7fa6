/* baseline.c - the host's matrix products by number: checks the arguments and passes them on. These are what
 * devices are compared with; they verify nothing (verify.c does). */
#include "baseline.h"

#include "../../core/core.h"
#include "../product.h"
#include "parallel.h"

int64_t clue_baseline_extent(const clue_product *product, int32_t variant) {
    switch (variant) {
    case CLUE_LOOPS_CRK:
    case CLUE_LOOPS_CKR:
        return product->n;
    case CLUE_LOOPS_KRC:
    case CLUE_LOOPS_KCR:
        return product->k;
    default:
        return product->m;
    }
}

const char *clue_baseline_compiler(int32_t variant) {
    if (variant < CLUE_LOOPS_RCK || variant > CLUE_OPTIMISED) return "";
    if (variant == CLUE_OPTIMISED) return baseline_optimised_compiler;
    return variant >= CLUE_LINEAR_ROWS ? baseline_linear_compiler : baseline_loops_compiler;
}

static int32_t refuse_layout(const char *name, const char *wanted) {
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_baseline_product",
                        "matrix %s must lie by %s for this variant; the optimised one takes any layout", name,
                        wanted);
}

/* By rows: the columns of a row are neighbours. A matrix of one row or column lies both ways. */
static int32_t check_layout(const clue_product *product, int32_t variant) {
    if (variant == CLUE_OPTIMISED) return CL_SUCCESS;
    if (product->a_column != 1 && product->k > 1) return refuse_layout("A", "rows");
    if (product->c_column != 1 && product->n > 1) return refuse_layout("C", "rows");
    if (variant == CLUE_LINEAR_COLUMNS) {
        return product->b_row != 1 && product->k > 1 ? refuse_layout("B", "columns") : CL_SUCCESS;
    }
    return product->b_column != 1 && product->n > 1 ? refuse_layout("B", "rows") : CL_SUCCESS;
}

int32_t baseline_check_range(int64_t extent, int64_t first, int64_t count, const char *call) {
    if (first >= 0 && count >= 0 && first <= extent && count <= extent - first) return CL_SUCCESS;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                        "%lld iterations from %lld on; the outermost loop has %lld, counted from 0",
                        (long long)count, (long long)first, (long long)extent);
}

static int32_t check(const clue_product *product, int32_t variant, int64_t first, int64_t count) {
    const char *call = "clue_baseline_product";
    if (variant < CLUE_LOOPS_RCK || variant > CLUE_OPTIMISED) {
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "there is no variant %d; %d to %d are",
                            (int)variant, CLUE_LOOPS_RCK, CLUE_OPTIMISED);
    }
    int32_t code = product_check(product, call);
    if (code == CL_SUCCESS) code = check_layout(product, variant);
    if (code != CL_SUCCESS) return code;
    return baseline_check_range(clue_baseline_extent(product, variant), first, count, call);
}

typedef struct task {
    const clue_product *product;
    int32_t variant;
} task;

static int32_t run_part(void *data, int64_t first, int64_t end) {
    const task *t = data;
    if (t->variant == CLUE_OPTIMISED) return baseline_optimised(t->product, first, end);
    if (t->variant >= CLUE_LINEAR_ROWS) return baseline_linear(t->product, t->variant, first, end);
    return baseline_loops(t->product, t->variant, first, end);
}

/* Iterations of the loop over the sum add to the same elements of C. */
static int32_t check_threads(int32_t variant, int32_t threads) {
    if (threads == 1 || (variant != CLUE_LOOPS_KRC && variant != CLUE_LOOPS_KCR)) return CL_SUCCESS;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_baseline_product",
                        "this order of loops runs on one thread only, not on %d: its outermost loop is the sum's",
                        (int)threads);
}

int32_t clue_baseline_product(const clue_product *product, int32_t variant, int32_t threads, int64_t first,
                              int64_t count) {
    task t = {product, variant};
    int32_t code = check(product, variant, first, count);
    if (code == CL_SUCCESS) code = check_threads(variant, threads);
    if (code != CL_SUCCESS) return code;
    code = parallel_run(first, first + count, threads, run_part, &t);
    return code == CL_SUCCESS ? code : error_out_of_memory("clue_baseline_product");
}
