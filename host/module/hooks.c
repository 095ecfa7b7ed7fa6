/* hooks.c - puts clue's own Lua functions behind the functions of a Lua module of C. Each module that needs it
 * compiles it once for each Lua, so it uses only what all of them have. */
#include "hooks.h"

static void push_hook(lua_State *L, const struct hook *hook) {
    lua_getglobal(L, "require");
    lua_pushstring(L, hook->module);
    lua_call(L, 1, 1);
    lua_getfield(L, -1, hook->name);
    lua_remove(L, -2);
}

/* Adds functions to the table below the hooks, which are on top. */
static void set_functions(lua_State *L, const luaL_Reg *functions, int hook_count) {
    for (; functions->name; functions++) {
        for (int i = 0; i < hook_count; i++)
            lua_pushvalue(L, -hook_count);
        lua_pushcclosure(L, functions->func, hook_count);
        lua_setfield(L, -hook_count - 2, functions->name);
    }
}

void hooks_push_functions(lua_State *L, const struct hook *hooks, int hook_count, const luaL_Reg *const *lists) {
    lua_newtable(L);
    for (int i = 0; i < hook_count; i++)
        push_hook(L, &hooks[i]);
    for (; *lists; lists++)
        set_functions(L, *lists, hook_count);
    lua_pop(L, hook_count);
}
