/* int_product.c - the host's int products by number, on one core or several: checks the arguments and passes them
 * on. They verify nothing (verify_int.c does). */
#include "../product.h"
#include "baseline.h"
#include "parallel.h"

#include "../../core/core.h"

static const char CALL[] = "clue_int_product_baseline";

typedef int32_t int_loop(const clue_product *product, int64_t first, int64_t end);

static int_loop *const LOOPS[] = {
    [CLUE_INT_NAIVE] = baseline_int_naive,
    [CLUE_INT_BUFFERED] = baseline_int_buffered,
    [CLUE_INT_VECTOR] = baseline_int_vector,
};

typedef struct task {
    const clue_product *product;
    int_loop *loop;
} task;

static int32_t run_part(void *data, int64_t first, int64_t end) {
    const task *t = data;
    return t->loop(t->product, first, end);
}

int64_t clue_int_product_extent(const clue_product *product, int32_t variant) {
    return variant == CLUE_INT_NAIVE ? product->m : product->n;
}

const char *clue_int_product_compiler(int32_t variant) {
    if (variant < CLUE_INT_NAIVE || variant > CLUE_INT_VECTOR) return "";
    return variant == CLUE_INT_VECTOR ? baseline_int_vector_compiler : baseline_int_compiler;
}

static int32_t check_layout(const clue_product *p) {
    if (p->type != CLUE_INT) {
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, CALL, "elements of type %s; these are for int",
                            clue_type_name(p->type));
    }
    int32_t code = product_check_matrices(p, CALL);
    if (code != CL_SUCCESS) return code;
    bool by_rows =
        (p->a_column == 1 || p->k == 1) && (p->b_column == 1 || p->n == 1) && (p->c_column == 1 || p->n == 1);
    if (by_rows) return CL_SUCCESS;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, CALL, "A, B and C must lie by rows");
}

static int32_t check(const clue_product *product, int32_t variant, int64_t first, int64_t count) {
    if (variant < CLUE_INT_NAIVE || variant > CLUE_INT_VECTOR) {
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, CALL, "there is no variant %d; %d to %d are",
                            (int)variant, CLUE_INT_NAIVE, CLUE_INT_VECTOR);
    }
    int32_t code = check_layout(product);
    if (code != CL_SUCCESS) return code;
    return baseline_check_range(clue_int_product_extent(product, variant), first, count, CALL);
}

int32_t clue_int_product_baseline(const clue_product *product, int32_t variant, int32_t threads, int64_t first,
                                  int64_t count) {
    int32_t code = check(product, variant, first, count);
    if (code != CL_SUCCESS) return code;
    task t = {product, LOOPS[variant]};
    code = parallel_run(first, first + count, threads, run_part, &t);
    return code == CL_SUCCESS ? code : error_out_of_memory(CALL);
}
