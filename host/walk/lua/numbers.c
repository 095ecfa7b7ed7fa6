/* numbers.c - prefix sums and a histogram on the host, for Lua.
 *
 * Numbers are a table {count =, from = array of uint, to = array of uint}. walk.h trusts the sizes of the arrays,
 * so they are checked here. */
#include "module.h"

/* results: the elements that `to` needs, 0 for as many as there are numbers */
static walk_numbers read_numbers(lua_State *L, int64_t results, const char *call) {
    walk_numbers numbers = {0};
    int64_t given, room;
    argument_table(L, 1, call);
    numbers.count = field_extent(L, "count", "count must be at least 1", call);
    numbers.from = field_array(L, "from", CLUE_UINT, &given, call);
    numbers.to = field_array(L, "to", CLUE_UINT, &room, call);
    if (results == 0) results = numbers.count;
    if (given < numbers.count)
        argument_refuse(L, 1, call, "from has %lld elements, not %lld", (long long)given, (long long)numbers.count);
    if (room < results)
        argument_refuse(L, 1, call, "to has %lld elements, not %lld", (long long)room, (long long)results);
    return numbers;
}

static int scan_baseline(lua_State *L) {
    static const char call[] = "scan_baseline";
    walk_numbers numbers = read_numbers(L, 0, call);
    int64_t first = argument_long(L, 2, call), count = argument_long(L, 3, call);
    return module_done(L, walk_scan_baseline(&numbers, first, count));
}

static int histogram_baseline(lua_State *L) {
    static const char call[] = "histogram_baseline";
    walk_numbers numbers = read_numbers(L, WALK_BINS, call);
    int64_t first = argument_long(L, 2, call), count = argument_long(L, 3, call);
    return module_done(L, walk_histogram_baseline(&numbers, first, count));
}

static int numbers_compiler(lua_State *L) {
    lua_pushstring(L, walk_numbers_compiler());
    return 1;
}

const luaL_Reg module_numbers[] = {
    {"scan_baseline", scan_baseline},
    {"histogram_baseline", histogram_baseline},
    {"numbers_compiler", numbers_compiler},
    {NULL, NULL},
};
