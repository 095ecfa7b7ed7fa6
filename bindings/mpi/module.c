/* module.c - opens the Lua module clue.mpi.luaNN. It starts nothing: MPI begins with the first call. */
#include "module.h"

static void push_hook(lua_State *L, const char *module, const char *name) {
    lua_getglobal(L, "require");
    lua_pushstring(L, module);
    lua_call(L, 1, 1);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

/* Adds functions to the table below the hooks, which are on top. */
static void set_functions(lua_State *L, const luaL_Reg *functions) {
    for (; functions->name; functions++) {
        for (int i = 0; i < HOOKS; i++)
            lua_pushvalue(L, -HOOKS);
        lua_pushcclosure(L, functions->func, HOOKS);
        lua_setfield(L, -HOOKS - 2, functions->name);
    }
}

/* The name contains the Lua version for which it is compiled. */
int CLUE_LUA_OPEN(lua_State *L);

__attribute__((visibility("default"))) int CLUE_LUA_OPEN(lua_State *L) {
    lua_newtable(L);
    push_hook(L, "clue.binding", "array_view");
    push_hook(L, "clue.error", "new");
    set_functions(L, world_functions);
    set_functions(L, message_functions);
    set_functions(L, collective_functions);
    set_functions(L, request_functions);
    lua_pop(L, HOOKS);
    return 1;
}
