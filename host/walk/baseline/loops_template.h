/* loops_template.h - loops.c for one element type: REAL is the type, and NAME(word) makes a name for it. */

typedef struct NAME(tables) {
    const REAL **a, **b;
    REAL **c;
    int64_t m, k, n;
} NAME(tables);

/* The names of the loops' variables, from the outermost to the innermost, and the ends of the inner two. Row and
 * column are those of C, and inner is the index of the sum. */
/* NOLINTBEGIN(bugprone-macro-parentheses): names of variables and fields cannot have any */
#define ORDER(name, outermost, middle, middle_end, innermost, innermost_end)                                       \
    static void NAME(name)(const NAME(tables) * t, int64_t first, int64_t end) {                                   \
        for (int64_t outermost = first; outermost < end; outermost++) {                                            \
            for (int64_t middle = 0; middle < t->middle_end; middle++)                                             \
                for (int64_t innermost = 0; innermost < t->innermost_end; innermost++)                             \
                    t->c[row][column] += t->a[row][inner] * t->b[inner][column];                                   \
        }                                                                                                          \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

ORDER(loops_rck, row, column, n, inner, k)
ORDER(loops_rkc, row, inner, k, column, n)
ORDER(loops_crk, column, row, m, inner, k)
ORDER(loops_ckr, column, inner, k, row, m)
ORDER(loops_krc, inner, row, m, column, n)
ORDER(loops_kcr, inner, column, n, row, m)
#undef ORDER

static void NAME(loops_run)(const NAME(tables) * t, int32_t variant, int64_t first, int64_t end) {
    static void (*const ORDERS[])(const NAME(tables) *, int64_t, int64_t) = {
        [WALK_LOOPS_RCK] = NAME(loops_rck), [WALK_LOOPS_RKC] = NAME(loops_rkc), [WALK_LOOPS_CRK] = NAME(loops_crk),
        [WALK_LOOPS_CKR] = NAME(loops_ckr), [WALK_LOOPS_KRC] = NAME(loops_krc), [WALK_LOOPS_KCR] = NAME(loops_kcr),
    };
    ORDERS[variant](t, first, end);
}

static const REAL **NAME(table_of)(const void *data, int64_t rows, int64_t stride) {
    const REAL **table = calloc((size_t)rows, sizeof *table);
    for (int64_t row = 0; table && row < rows; row++)
        table[row] = (const REAL *)data + row * stride;
    return table;
}

/* 0; any other number means that there is no memory. */
static int32_t NAME(loops)(const walk_product *product, int32_t variant, int64_t first, int64_t end) {
    NAME(tables) t = {.m = product->m, .k = product->k, .n = product->n};
    bool ready;
    t.a = NAME(table_of)(product->a, product->m, product->a_row);
    t.b = NAME(table_of)(product->b, product->k, product->b_row);
    t.c = (REAL **)NAME(table_of)(product->c, product->m, product->c_row);
    ready = t.a && t.b && t.c;
    if (ready) NAME(loops_run)(&t, variant, first, end);
    free((void *)t.a);
    free((void *)t.b);
    free((void *)t.c);
    return ready ? WALK_DONE : WALK_NO_MEMORY;
}
