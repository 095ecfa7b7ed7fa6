/* iterate.c - next() and pairs() that LuaJIT does not compile.
 *
 * LuaJIT 2.1.0-beta3 of September 2021 to April 2022, Debian 12's among them, compiles next() to code that now and
 * then loses the upper half of a pointer (LuaJIT issue 829) and ends the process. A function of ours is called by
 * the interpreter instead; a loop over it is not compiled, as no loop over pairs() was before that. */
#include "main.h"

#if defined(LUAJIT_VERSION_NUM) && LUAJIT_VERSION_NUM < 20199 /* numbered releases end, rolling ones begin */

static int next_entry(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    if (lua_next(L, 1)) return 2;
    lua_pushnil(L);
    return 1;
}

/* Upvalues: LuaJIT's own pairs, for objects that bring their own; next_entry. */
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
