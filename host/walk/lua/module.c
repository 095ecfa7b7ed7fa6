/* module.c - opens the Lua module clue.walk.arithmetic.luaNN: the host's loops and the checks, for clue's arrays.
 * host/lua/walk/arithmetic.lua loads it and documents the functions. */
#include "module.h"

#include <stdlib.h>

#include "../../module/hooks.h"

/* ---- results ---- */

void module_push_whole(lua_State *L, int64_t value) {
#if LUA_VERSION_NUM >= 503
    lua_pushinteger(L, (lua_Integer)value);
#else
    lua_pushnumber(L, (lua_Number)value);
#endif
}

static void set_text(lua_State *L, const char *name, const char *text) {
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

static void set_whole(lua_State *L, const char *name, int64_t value) {
    module_push_whole(L, value);
    lua_setfield(L, -2, name);
}

static void set_number(lua_State *L, const char *name, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

/* Raises an error object, which knows the script's line. */
_Noreturn static void raise(lua_State *L) {
    lua_pushvalue(L, lua_upvalueindex(HOOK_ERROR_NEW));
    lua_createtable(L, 0, 4);
    set_whole(L, "code", walk_last.code);
    set_text(L, "name", clue_error_name(walk_last.code));
    set_text(L, "call", walk_last.call);
    set_text(L, "detail", walk_last.detail);
    lua_call(L, 1, 1);
    lua_error(L);
    abort(); /* not reached: Lua's headers do not say that lua_error never returns */
}

int module_done(lua_State *L, int32_t code) {
    if (code != WALK_DONE) raise(L);
    return 0;
}

int module_verdict(lua_State *L, int32_t status, const walk_fault *fault) {
    if (status < 0) raise(L);
    lua_pushboolean(L, status == 1);
    lua_createtable(L, 0, 5);
    set_whole(L, "row", fault->row);
    set_whole(L, "column", fault->column);
    set_number(L, "found", fault->found);
    set_number(L, "expected", fault->expected);
    set_number(L, "sigmas", fault->sigmas);
    return 2;
}

/* ---- the module ---- */

/* The name contains the Lua version for which it is compiled. */
int CLUE_LUA_OPEN(lua_State *L);

__attribute__((visibility("default"))) int CLUE_LUA_OPEN(lua_State *L) {
    static const struct hook hooks[HOOKS] = {
        [HOOK_ARRAY_VIEW - 1] = {"clue.binding", "array_view"},
        [HOOK_ARRAY_CODE - 1] = {"clue.binding", "array_code"},
        [HOOK_ERROR_NEW - 1] = {"clue.error", "new"},
    };
    static const luaL_Reg *const functions[] = {
#define SUBJECT(name) module_##name,
#include "subjects.inc"
#undef SUBJECT
        NULL,
    };
    hooks_push_functions(L, hooks, HOOKS, functions);
    return 1;
}
