/* product.c - the host's matrix products and their checks, for Lua.
 *
 * A product is a table {type = "float"|"double"|"int", m =, k =, n =, a =, b =, c = arrays, b_layout =
 * "rows"|"columns", precision = nil or "tf32"}; walk.h trusts the sizes of the arrays, so they are checked here. */
#include "module.h"

static const struct word variants[] = {
    {"rck", WALK_LOOPS_RCK},           {"rkc", WALK_LOOPS_RKC},
    {"crk", WALK_LOOPS_CRK},           {"ckr", WALK_LOOPS_CKR},
    {"krc", WALK_LOOPS_KRC},           {"kcr", WALK_LOOPS_KCR},
    {"linear_rows", WALK_LINEAR_ROWS}, {"linear_columns", WALK_LINEAR_COLUMNS},
    {"optimised", WALK_OPTIMISED},     {NULL, 0},
};

static const struct word int_variants[] = {
    {"naive", WALK_INT_NAIVE}, {"buffered", WALK_INT_BUFFERED}, {"vector", WALK_INT_VECTOR}, {NULL, 0}};

/* ---- reading the table ---- */

static void *read_array(lua_State *L, const char *name, int32_t type, int64_t rows, int64_t columns,
                        const char *call) {
    int64_t count;
    void *data = field_array(L, name, type, &count, call);
    double needed = (double)rows * (double)columns;
    if ((double)count < needed)
        argument_refuse(L, 1, call, "%s has %lld elements, but %lld x %lld needs %.0f", name, (long long)count,
                        (long long)rows, (long long)columns, needed);
    return data;
}

static int32_t read_real_type(lua_State *L, const char *call) {
    if (field_is(L, "type", "float")) return CLUE_FLOAT;
    if (field_is(L, "type", "double")) return CLUE_DOUBLE;
    argument_refuse(L, 1, call, "type must be 'float' or 'double'");
}

static int32_t read_int_type(lua_State *L, const char *call) {
    if (field_is(L, "type", "int")) return CLUE_INT;
    argument_refuse(L, 1, call, "type must be 'int'");
}

static walk_product read_product(lua_State *L, int32_t read_type(lua_State *, const char *), const char *call) {
    static const char least[] = "m, k and n must be at least 1";
    walk_product p = {0};
    bool by_columns;
    argument_table(L, 1, call);
    p.type = read_type(L, call);
    by_columns = field_is(L, "b_layout", "columns");
    if (!by_columns && !field_is(L, "b_layout", "rows"))
        argument_refuse(L, 1, call, "b_layout must be 'rows' or 'columns'");
    p.m = field_extent(L, "m", least, call);
    p.k = field_extent(L, "k", least, call);
    p.n = field_extent(L, "n", least, call);
    p.a = read_array(L, "a", p.type, p.m, p.k, call);
    p.b = read_array(L, "b", p.type, p.k, p.n, call);
    p.c = read_array(L, "c", p.type, p.m, p.n, call);
    p.a_row = p.k;
    p.b_row = by_columns ? 1 : p.n;
    p.b_column = by_columns ? p.k : 1;
    p.c_row = p.n;
    p.a_column = p.c_column = 1;
    if (field_is(L, "precision", "tf32")) p.factor_bits = 11;
    return p;
}

walk_product product_read(lua_State *L, const char *call) {
    return read_product(L, read_real_type, call);
}

/* ---- float and double ---- */

static int baseline_product(lua_State *L) {
    static const char call[] = "baseline_product";
    int32_t variant = argument_word(L, 2, variants, "baseline", call);
    walk_product p = product_read(L, call);
    int32_t threads = argument_int(L, 3, call);
    int64_t first = argument_long(L, 4, call), count = argument_long(L, 5, call);
    return module_done(L, walk_baseline_product(&p, variant, threads, first, count));
}

static int baseline_extent(lua_State *L) {
    static const char call[] = "baseline_extent";
    int32_t variant = argument_word(L, 2, variants, "baseline", call);
    walk_product p = product_read(L, call);
    module_push_whole(L, walk_baseline_extent(&p, variant));
    return 1;
}

static int baseline_compiler(lua_State *L) {
    int32_t variant = argument_word(L, 1, variants, "baseline", "baseline_compiler");
    lua_pushstring(L, walk_baseline_compiler(variant));
    return 1;
}

static int verify_exact(lua_State *L) {
    static const char call[] = "verify_exact";
    walk_fault fault = {0};
    double seed = argument_number(L, 2, call);
    walk_product p = product_read(L, call);
    return module_verdict(L, walk_verify_exact(&fault, &p, seed), &fault);
}

static int verify_rounded(lua_State *L) {
    static const char call[] = "verify_rounded";
    walk_fault fault = {0};
    double seed = argument_number(L, 2, call);
    walk_product p = product_read(L, call);
    return module_verdict(L, walk_verify_rounded(&fault, &p, seed), &fault);
}

/* ---- int ---- */

static int int_product_baseline(lua_State *L) {
    static const char call[] = "int_product_baseline";
    int32_t variant = argument_word(L, 2, int_variants, "baseline", call);
    walk_product p = read_product(L, read_int_type, call);
    int32_t threads = argument_int(L, 3, call);
    int64_t first = argument_long(L, 4, call), count = argument_long(L, 5, call);
    return module_done(L, walk_int_product_baseline(&p, variant, threads, first, count));
}

static int int_product_extent(lua_State *L) {
    static const char call[] = "int_product_extent";
    int32_t variant = argument_word(L, 2, int_variants, "baseline", call);
    walk_product p = read_product(L, read_int_type, call);
    module_push_whole(L, walk_int_product_extent(&p, variant));
    return 1;
}

static int int_product_compiler(lua_State *L) {
    int32_t variant = argument_word(L, 1, int_variants, "baseline", "int_product_compiler");
    lua_pushstring(L, walk_int_product_compiler(variant));
    return 1;
}

static int int_product_verify(lua_State *L) {
    static const char call[] = "int_product_verify";
    walk_fault fault = {0};
    double seed = argument_number(L, 2, call);
    walk_product p = read_product(L, read_int_type, call);
    return module_verdict(L, walk_int_product_verify(&fault, &p, seed), &fault);
}

const luaL_Reg module_product[] = {
    {"baseline_compiler", baseline_compiler},
    {"baseline_extent", baseline_extent},
    {"baseline_product", baseline_product},
    {"int_product_baseline", int_product_baseline},
    {"int_product_compiler", int_product_compiler},
    {"int_product_extent", int_product_extent},
    {"int_product_verify", int_product_verify},
    {"verify_exact", verify_exact},
    {"verify_rounded", verify_rounded},
    {NULL, NULL},
};
