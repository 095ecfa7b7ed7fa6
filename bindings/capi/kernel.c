/* kernel.c - sets the arguments of a kernel, all at once. */
#include "capi.h"

enum { KINDS = 3, HELD = 4, FIRST = 5 }; /* positions on the stack */

/* True if the argument on the stack is an object with a field "handle", which is an upvalue. */
static bool find_handle(lua_State *L, int position, int32_t *handle_out) {
    bool found = false;
    if (!lua_getmetatable(L, position)) return false;
    lua_rawget(L, KINDS);
    if (lua_istable(L, position) && lua_toboolean(L, -1)) {
        lua_pushvalue(L, lua_upvalueindex(1));
        lua_rawget(L, position);
        found = lua_type(L, -1) == LUA_TNUMBER;
        if (found) *handle_out = (int32_t)lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return found;
}

enum { DONE, NOT_TAKEN, REFUSED };

static int set(lua_State *L, int32_t kernel, int32_t index, int position) {
    int32_t handle, code;
    if (lua_type(L, position) == LUA_TNUMBER && capi_is_exact(L, position))
        code = clue_kernel_set_number(kernel, index, CLUE_AUTO, lua_tonumber(L, position));
    else if (find_handle(L, position, &handle))
        code = clue_kernel_set_object(kernel, index, handle, 0);
    else
        return NOT_TAKEN;
    if (code) return REFUSED;
    lua_pushvalue(L, position);
    lua_rawseti(L, HELD, index);
    return DONE;
}

/* (kernel, first, kinds, held, ...): see bindings/ffi/kernel.lua. */
static int set_arguments(lua_State *L) {
    static const char call[] = "kernel_set_arguments";
    const int32_t kernel = capi_int(L, 1, call);
    const int last = lua_gettop(L);
    int32_t index = capi_int(L, 2, call);
    int how = DONE;
    capi_table(L, KINDS, call);
    capi_table(L, HELD, call);
    luaL_checkstack(L, 3, NULL);
    for (int position = FIRST; position <= last && how == DONE; position++)
        if ((how = set(L, kernel, index, position)) == DONE) index++;
    if (how == REFUSED) lua_pushnil(L);
    capi_push_whole(L, index);
    return how == REFUSED ? 2 : 1;
}

void capi_set_kernel_functions(lua_State *L) {
    lua_pushliteral(L, "handle");
    lua_pushcclosure(L, set_arguments, 1);
    lua_setfield(L, -2, "kernel_set_arguments");
}
