/* module.c - opens the Lua module clue.mpi.luaNN. It starts nothing: MPI begins with the first call. */
#include "module.h"

#include "../../host/module/hooks.h"

/* The name contains the Lua version for which it is compiled. */
int CLUE_LUA_OPEN(lua_State *L);

__attribute__((visibility("default"))) int CLUE_LUA_OPEN(lua_State *L) {
    static const struct hook hooks[HOOKS] = {
        [HOOK_ARRAY_VIEW - 1] = {"clue.binding", "array_view"},
        [HOOK_ERROR_NEW - 1] = {"clue.error", "new"},
    };
    static const luaL_Reg *const functions[] = {
        world_functions, message_functions, collective_functions, request_functions, NULL,
    };
    hooks_push_functions(L, hooks, HOOKS, functions);
    return 1;
}
