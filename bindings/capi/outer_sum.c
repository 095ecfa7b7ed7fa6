/* outer_sum.c - the outer sum on the host and its checks.
 *
 * A sum is a table {x =, y =, a =, b =, c = arrays of float}: c[i] = sum over j of a[i] b[j]; C trusts the sizes of
 * the arrays, so they are checked here. */
#include "capi.h"

/* ---- reading the table; what is read stays in it, and so alive ---- */

static int64_t read_count(lua_State *L, const char *name, const char *call) {
    lua_getfield(L, 1, name);
    int64_t count = capi_long_at(L, -1, 1, call);
    if (count < 1) capi_refuse(L, 1, call, "x and y are at least 1");
    lua_pop(L, 1);
    return count;
}

static float *read_array(lua_State *L, const char *name, int64_t count, const char *call) {
    lua_getfield(L, 1, name);
    const struct capi_array *array = capi_array_at(L, -1, 1, call);
    if (array->code != CLUE_FLOAT) capi_refuse(L, 1, call, "%s is no array of float", name);
    if (array->count < count) {
        capi_refuse(L, 1, call, "%s has %lld elements, not %lld", name, (long long)array->count, (long long)count);
    }
    lua_pop(L, 1);
    return (float *)(void *)array->data;
}

static clue_outer_sum read_sum(lua_State *L, const char *call) {
    clue_outer_sum sum = {0};
    capi_table(L, 1, call);
    sum.x = read_count(L, "x", call);
    sum.y = read_count(L, "y", call);
    sum.a = read_array(L, "a", sum.x, call);
    sum.b = read_array(L, "b", sum.y, call);
    sum.c = read_array(L, "c", sum.x, call);
    return sum;
}

/* ---- the loops and the checks ---- */

static int outer_sum_baseline(lua_State *L) {
    static const char call[] = "outer_sum_baseline";
    clue_outer_sum sum = read_sum(L, call);
    int32_t threads = capi_int(L, 2, call);
    int64_t first = capi_long(L, 3, call), count = capi_long(L, 4, call);
    return capi_push_done(L, clue_outer_sum_baseline(&sum, threads, first, count));
}

static int outer_sum_compiler(lua_State *L) {
    lua_pushstring(L, clue_outer_sum_compiler());
    return 1;
}

static int outer_sum_verify_exact(lua_State *L) {
    clue_fault fault = {0};
    clue_outer_sum sum = read_sum(L, "outer_sum_verify_exact");
    return capi_push_verdict(L, clue_outer_sum_verify_exact(&fault, &sum), &fault);
}

static int outer_sum_verify_rounded(lua_State *L) {
    clue_fault fault = {0};
    clue_outer_sum sum = read_sum(L, "outer_sum_verify_rounded");
    return capi_push_verdict(L, clue_outer_sum_verify_rounded(&fault, &sum), &fault);
}

const luaL_Reg capi_outer_sum_functions[] = {
    {"outer_sum_baseline", outer_sum_baseline},
    {"outer_sum_compiler", outer_sum_compiler},
    {"outer_sum_verify_exact", outer_sum_verify_exact},
    {"outer_sum_verify_rounded", outer_sum_verify_rounded},
    {NULL, NULL},
};
