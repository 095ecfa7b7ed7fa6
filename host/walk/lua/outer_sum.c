/* outer_sum.c - the outer sum on the host and its checks, for Lua.
 *
 * A sum is a table {x =, y =, a =, b =, c = arrays of float}: c[i] = sum over j of a[i] b[j]. walk.h trusts the
 * sizes of the arrays, so they are checked here. */
#include "module.h"

/* ---- reading the table ---- */

static float *read_array(lua_State *L, const char *name, int64_t needed, const char *call) {
    int64_t count;
    void *data = field_array(L, name, CLUE_FLOAT, &count, call);
    if (count < needed)
        argument_refuse(L, 1, call, "%s has %lld elements, not %lld", name, (long long)count, (long long)needed);
    return data;
}

static walk_outer_sum read_sum(lua_State *L, const char *call) {
    static const char least[] = "x and y must be at least 1";
    walk_outer_sum sum = {0};
    argument_table(L, 1, call);
    sum.x = field_extent(L, "x", least, call);
    sum.y = field_extent(L, "y", least, call);
    sum.a = read_array(L, "a", sum.x, call);
    sum.b = read_array(L, "b", sum.y, call);
    sum.c = read_array(L, "c", sum.x, call);
    return sum;
}

/* ---- the loops and the checks ---- */

static int outer_sum_baseline(lua_State *L) {
    static const char call[] = "outer_sum_baseline";
    walk_outer_sum sum = read_sum(L, call);
    int32_t threads = argument_int(L, 2, call);
    int64_t first = argument_long(L, 3, call), count = argument_long(L, 4, call);
    return module_done(L, walk_outer_sum_baseline(&sum, threads, first, count));
}

static int outer_sum_compiler(lua_State *L) {
    lua_pushstring(L, walk_outer_sum_compiler());
    return 1;
}

static int outer_sum_verify_exact(lua_State *L) {
    walk_fault fault = {0};
    walk_outer_sum sum = read_sum(L, "outer_sum_verify_exact");
    return module_verdict(L, walk_outer_sum_verify_exact(&fault, &sum), &fault);
}

static int outer_sum_verify_rounded(lua_State *L) {
    walk_fault fault = {0};
    walk_outer_sum sum = read_sum(L, "outer_sum_verify_rounded");
    return module_verdict(L, walk_outer_sum_verify_rounded(&fault, &sum), &fault);
}

const luaL_Reg module_outer_sum[] = {
    {"outer_sum_baseline", outer_sum_baseline},
    {"outer_sum_compiler", outer_sum_compiler},
    {"outer_sum_verify_exact", outer_sum_verify_exact},
    {"outer_sum_verify_rounded", outer_sum_verify_rounded},
    {NULL, NULL},
};
