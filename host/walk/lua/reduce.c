/* reduce.c - the sum of values on the host, for Lua.
 *
 * Values are a table {count =, from = array of float, sum = array of one float}. walk.h trusts the sizes of the
 * arrays, so they are checked here. */
#include "module.h"

static walk_values read_values(lua_State *L, const char *call) {
    walk_values values = {0};
    int64_t given, sums;
    argument_table(L, 1, call);
    values.count = field_extent(L, "count", "count must be at least 1", call);
    values.from = field_array(L, "from", CLUE_FLOAT, &given, call);
    values.sum = field_array(L, "sum", CLUE_FLOAT, &sums, call);
    if (given < values.count)
        argument_refuse(L, 1, call, "from has %lld elements, not %lld", (long long)given, (long long)values.count);
    if (sums < 1) argument_refuse(L, 1, call, "sum has no element");
    return values;
}

static int reduce_baseline(lua_State *L) {
    static const char call[] = "reduce_baseline";
    walk_values values = read_values(L, call);
    int64_t first = argument_long(L, 2, call), count = argument_long(L, 3, call);
    return module_done(L, walk_reduce_baseline(&values, first, count));
}

static int reduce_compiler(lua_State *L) {
    lua_pushstring(L, walk_reduce_compiler());
    return 1;
}

const luaL_Reg module_reduce[] = {
    {"reduce_baseline", reduce_baseline},
    {"reduce_compiler", reduce_compiler},
    {NULL, NULL},
};
