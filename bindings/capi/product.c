/* product.c - the host's own matrix products and the checks of a product.
 *
 * A product is a table {type = "float"|"double"|"int", m =, k =, n =, a =, b =, c = arrays, b_layout =
 * "rows"|"columns"}; C trusts the sizes of the arrays, so they are checked here. */
#include <string.h>

#include "capi.h"

static const struct capi_word variants[] = {
    {"rck", CLUE_LOOPS_RCK},           {"rkc", CLUE_LOOPS_RKC},
    {"crk", CLUE_LOOPS_CRK},           {"ckr", CLUE_LOOPS_CKR},
    {"krc", CLUE_LOOPS_KRC},           {"kcr", CLUE_LOOPS_KCR},
    {"linear_rows", CLUE_LINEAR_ROWS}, {"linear_columns", CLUE_LINEAR_COLUMNS},
    {"optimised", CLUE_OPTIMISED},     {NULL, 0},
};

static const struct capi_word int_variants[] = {
    {"naive", CLUE_INT_NAIVE}, {"buffered", CLUE_INT_BUFFERED}, {"vector", CLUE_INT_VECTOR}, {NULL, 0}};

static int32_t check_variant(lua_State *L, int position, const char *call) {
    return capi_word(L, position, variants, "baseline", call);
}

/* ---- reading the table; what is read stays in it, and so alive ---- */

/* Pushes the field. */
static bool field_is(lua_State *L, const char *name, const char *text) {
    lua_getfield(L, 1, name);
    const char *given = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    bool same = strcmp(given, text) == 0;
    lua_pop(L, 1);
    return same;
}

static int64_t read_extent(lua_State *L, const char *name, const char *call) {
    lua_getfield(L, 1, name);
    int64_t extent = capi_long_at(L, -1, 1, call);
    if (extent < 1) capi_refuse(L, 1, call, "m, k and n are at least 1");
    lua_pop(L, 1);
    return extent;
}

static void *read_array(lua_State *L, const char *name, int32_t type, int64_t rows, int64_t columns,
                        const char *call) {
    lua_getfield(L, 1, name);
    const struct capi_array *array = capi_array_at(L, -1, 1, call);
    if (array->code != type) capi_refuse(L, 1, call, "%s is no array of %s", name, clue_type_name(type));
    double needed = (double)rows * (double)columns;
    if ((double)array->count < needed)
        capi_refuse(L, 1, call, "%s has %lld elements, %lld x %lld needs %.0f", name, (long long)array->count,
                    (long long)rows, (long long)columns, needed);
    lua_pop(L, 1);
    return array->data;
}

static int32_t read_real_type(lua_State *L, const char *call) {
    if (field_is(L, "type", "float")) return CLUE_FLOAT;
    if (field_is(L, "type", "double")) return CLUE_DOUBLE;
    capi_refuse(L, 1, call, "type is 'float' or 'double'");
}

static int32_t read_int_type(lua_State *L, const char *call) {
    if (field_is(L, "type", "int")) return CLUE_INT;
    capi_refuse(L, 1, call, "type is 'int'");
}

static clue_product read_product_of(lua_State *L, int32_t read_type(lua_State *, const char *), const char *call) {
    clue_product p = {0};
    capi_table(L, 1, call);
    p.type = read_type(L, call);
    bool by_columns = field_is(L, "b_layout", "columns");
    if (!by_columns && !field_is(L, "b_layout", "rows")) capi_refuse(L, 1, call, "b_layout is 'rows' or 'columns'");
    p.m = read_extent(L, "m", call);
    p.k = read_extent(L, "k", call);
    p.n = read_extent(L, "n", call);
    p.a = read_array(L, "a", p.type, p.m, p.k, call);
    p.b = read_array(L, "b", p.type, p.k, p.n, call);
    p.c = read_array(L, "c", p.type, p.m, p.n, call);
    p.a_row = p.k;
    p.b_row = by_columns ? 1 : p.n;
    p.b_column = by_columns ? p.k : 1;
    p.c_row = p.n;
    p.a_column = p.c_column = 1;
    return p;
}

static clue_product read_product(lua_State *L, const char *call) {
    return read_product_of(L, read_real_type, call);
}

/* ---- baselines ---- */

static int baseline_product(lua_State *L) {
    static const char call[] = "baseline_product";
    int32_t variant = check_variant(L, 2, call);
    clue_product p = read_product(L, call);
    int32_t threads = capi_int(L, 3, call);
    int64_t first = capi_long(L, 4, call), count = capi_long(L, 5, call);
    return capi_push_done(L, clue_baseline_product(&p, variant, threads, first, count));
}

static int baseline_extent(lua_State *L) {
    static const char call[] = "baseline_extent";
    int32_t variant = check_variant(L, 2, call);
    clue_product p = read_product(L, call);
    capi_push_whole(L, clue_baseline_extent(&p, variant));
    return 1;
}

static int baseline_compiler(lua_State *L) {
    lua_pushstring(L, clue_baseline_compiler(check_variant(L, 1, "baseline_compiler")));
    return 1;
}

/* ---- checks ---- */

typedef int32_t verifier(clue_fault *fault_out, const clue_product *product, double seed);

static void set_number(lua_State *L, const char *name, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

int capi_push_verdict(lua_State *L, int32_t status, const clue_fault *fault) {
    if (status < 0) return 0;
    lua_pushboolean(L, status == 1);
    lua_createtable(L, 0, 5);
    capi_set_whole(L, "row", fault->row);
    capi_set_whole(L, "column", fault->column);
    set_number(L, "found", fault->found);
    set_number(L, "expected", fault->expected);
    set_number(L, "sigmas", fault->sigmas);
    return 2;
}

static int verify(lua_State *L, verifier *check, const char *call) {
    clue_fault fault = {0};
    double seed = capi_number(L, 2, call);
    clue_product p = read_product(L, call);
    return capi_push_verdict(L, check(&fault, &p, seed), &fault);
}

static int verify_exact(lua_State *L) {
    return verify(L, clue_verify_exact, "verify_exact");
}

static int verify_rounded(lua_State *L) {
    return verify(L, clue_verify_rounded, "verify_rounded");
}

/* ---- int ---- */

static int int_product_baseline(lua_State *L) {
    static const char call[] = "int_product_baseline";
    int32_t variant = capi_word(L, 2, int_variants, "baseline", call);
    clue_product p = read_product_of(L, read_int_type, call);
    int32_t threads = capi_int(L, 3, call);
    int64_t first = capi_long(L, 4, call), count = capi_long(L, 5, call);
    return capi_push_done(L, clue_int_product_baseline(&p, variant, threads, first, count));
}

static int int_product_extent(lua_State *L) {
    static const char call[] = "int_product_extent";
    int32_t variant = capi_word(L, 2, int_variants, "baseline", call);
    clue_product p = read_product_of(L, read_int_type, call);
    capi_push_whole(L, clue_int_product_extent(&p, variant));
    return 1;
}

static int int_product_compiler(lua_State *L) {
    int32_t variant = capi_word(L, 1, int_variants, "baseline", "int_product_compiler");
    lua_pushstring(L, clue_int_product_compiler(variant));
    return 1;
}

static int int_product_verify(lua_State *L) {
    static const char call[] = "int_product_verify";
    clue_fault fault = {0};
    double seed = capi_number(L, 2, call);
    clue_product p = read_product_of(L, read_int_type, call);
    return capi_push_verdict(L, clue_int_product_verify(&fault, &p, seed), &fault);
}

const luaL_Reg capi_product_functions[] = {
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
