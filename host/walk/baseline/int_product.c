/* int_product.c - the host's int products by number, on one or several cores: checks the arguments and passes them
 * on. verify_int.c verifies results. */
#include "baseline.h"

#include "../failure.h"
#include "../parallel.h"
#include "../product.h"

static const char CALL[] = "walk_int_product_baseline";

typedef int32_t int_loop(const walk_product *product, int64_t first, int64_t end);

static int_loop *const LOOPS[] = {
    [WALK_INT_NAIVE] = baseline_int_naive,
    [WALK_INT_BUFFERED] = baseline_int_buffered,
    [WALK_INT_VECTOR] = baseline_int_vector,
};

typedef struct task {
    const walk_product *product;
    int_loop *loop;
} task;

static int32_t run_part(void *data, int64_t first, int64_t end) {
    const task *t = data;
    return t->loop(t->product, first, end);
}

int64_t walk_int_product_extent(const walk_product *product, int32_t variant) {
    return variant == WALK_INT_NAIVE ? product->m : product->n;
}

const char *walk_int_product_compiler(int32_t variant) {
    if (variant < WALK_INT_NAIVE || variant > WALK_INT_VECTOR) return "";
    return variant == WALK_INT_VECTOR ? baseline_int_vector_compiler : baseline_int_compiler;
}

static int32_t check_layout(const walk_product *p) {
    const bool by_rows =
        (p->a_column == 1 || p->k == 1) && (p->b_column == 1 || p->n == 1) && (p->c_column == 1 || p->n == 1);
    int32_t code;
    if (p->type != CLUE_INT)
        return failure_record(CALL, "elements of type %s: these loops are for int", clue_type_name(p->type));
    code = product_check_matrices(p, CALL);
    if (code != WALK_DONE || by_rows) return code;
    return failure_record(CALL, "A, B and C must be stored by rows");
}

static int32_t check(const walk_product *product, int32_t variant, int64_t first, int64_t count) {
    int32_t code;
    if (variant < WALK_INT_NAIVE || variant > WALK_INT_VECTOR) {
        return failure_record(CALL, "there is no variant %d: they are %d to %d", (int)variant, WALK_INT_NAIVE,
                              WALK_INT_VECTOR);
    }
    code = check_layout(product);
    if (code != WALK_DONE) return code;
    return baseline_check_range(walk_int_product_extent(product, variant), first, count, CALL);
}

int32_t walk_int_product_baseline(const walk_product *product, int32_t variant, int32_t threads, int64_t first,
                                  int64_t count) {
    int32_t code = check(product, variant, first, count);
    task t;
    if (code != WALK_DONE) return code;
    t = (task){product, LOOPS[variant]};
    code = parallel_run(first, first + count, threads, run_part, &t);
    return code == WALK_DONE ? code : failure_out_of_memory(CALL);
}
