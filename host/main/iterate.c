/* iterate.c - versions of next() and pairs() that LuaJIT does not compile.
 *
 * LuaJIT 2.1.0-beta3 of September 2021 to April 2022, which Debian 12 has, compiles next() to code that sometimes
 * loses the upper half of a pointer (LuaJIT issue 829) and ends the process. The interpreter calls our function
 * instead. A loop over it is not compiled; neither were loops over pairs() before. LuaJIT's own next() stays in the
 * registry, as "clue.next", for functions that are never compiled. */
#include "main.h"

#if defined(LUAJIT_VERSION_NUM) &&                                                                                 \
    LUAJIT_VERSION_NUM < 20199 /* the end of numbered releases, the beginning of rolling ones */

static int next_entry(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    if (lua_next(L, 1)) return 2;
    lua_pushnil(L);
    return 1;
}

/* Upvalues: LuaJIT's own pairs, for objects with their own __pairs; next_entry. */
static int pairs_of(lua_State *L) {
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs")) {
        lua_pushvalue(L, lua_upvalueindex(1));
        lua_pushvalue(L, 1);
        lua_call(L, 1, 3);
        return 3;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

void clue_iterate_install(lua_State *L) {
    lua_getglobal(L, "next");
    lua_setfield(L, LUA_REGISTRYINDEX, "clue.next");
    lua_getglobal(L, "pairs");
    lua_pushcfunction(L, next_entry);
    lua_pushvalue(L, -1);
    lua_setglobal(L, "next");
    lua_pushcclosure(L, pairs_of, 2);
    lua_setglobal(L, "pairs");
}

#else

void clue_iterate_install(lua_State *L) {
    (void)L;
}

#endif
