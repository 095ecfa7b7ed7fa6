/* module.c - opens the binding: a table of plain functions, the same as in every binding. */
#include "capi.h"

/* ---- results ---- */

void capi_push_whole(lua_State *L, int64_t value) {
#if LUA_VERSION_NUM >= 503
    lua_pushinteger(L, (lua_Integer)value);
#else
    lua_pushnumber(L, (lua_Number)value);
#endif
}

int capi_push_done(lua_State *L, int32_t code) {
    if (code == 0)
        lua_pushboolean(L, 1);
    else
        lua_pushnil(L);
    return 1;
}

int capi_push_nil(lua_State *L) {
    lua_pushnil(L);
    return 1;
}

int capi_push_whole_or_nil(lua_State *L, int32_t code, int64_t value) {
    if (code == 0)
        capi_push_whole(L, value);
    else
        lua_pushnil(L);
    return 1;
}

int capi_push_transferred(lua_State *L, int32_t code, const int32_t *event) {
    return event ? capi_push_whole_or_nil(L, code, *event) : capi_push_done(L, code);
}

int32_t *capi_event_out(lua_State *L, int position, int32_t *event) {
    *event = 0;
    return lua_isboolean(L, position) && !lua_toboolean(L, position) ? event : NULL;
}

void capi_set_functions(lua_State *L, const luaL_Reg *functions) {
    for (; functions->name; functions++) {
        lua_pushcfunction(L, functions->func);
        lua_setfield(L, -2, functions->name);
    }
}

void capi_set_whole(lua_State *L, const char *name, int64_t value) {
    capi_push_whole(L, value);
    lua_setfield(L, -2, name);
}

void capi_set_text(lua_State *L, const char *name, const char *text) {
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

/* ---- the module ---- */

static int finish(lua_State *L) {
    (void)L;
    clue_finish();
    return 0;
}

/* Under a host that is not clue, the end of the Lua state is the last chance to wait for running commands. Each
 * state has one sentinel, however often this is opened: collecting an earlier one would give up user events. */
static void keep_sentinel(lua_State *L) {
    static const char name[] = "clue.capi.sentinel";
    lua_getfield(L, LUA_REGISTRYINDEX, name);
    if (!lua_isnil(L, -1)) {
        lua_pop(L, 1);
        return;
    }
    lua_pop(L, 1);
    lua_newuserdata(L, 1);
    lua_newtable(L);
    lua_pushcfunction(L, finish);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_setfield(L, LUA_REGISTRYINDEX, name);
}

/* The codes of the types by name, and the bytes of one element. */
static void set_types(lua_State *L) {
    lua_newtable(L);
    lua_newtable(L);
    for (int32_t code = CLUE_CHAR; code <= CLUE_DOUBLE; code++) {
        capi_set_whole(L, clue_type_name(code), clue_type_size(code));
        lua_insert(L, -2);
        capi_set_whole(L, clue_type_name(code), code);
        lua_insert(L, -2);
    }
    lua_setfield(L, -3, "type_sizes");
    lua_setfield(L, -2, "type_codes");
}

/* Named after the Lua for which it is compiled. */
int CLUE_LUA_OPEN(lua_State *L);

__attribute__((visibility("default"))) int CLUE_LUA_OPEN(lua_State *L) {
    const luaL_Reg *const parts[] = {
        capi_generated_functions, capi_error_functions, capi_opencl_functions,  capi_array_functions,
        capi_bulk_functions,      capi_cell_functions,  capi_mapping_functions, capi_system_functions,
        capi_png_functions,       capi_table_functions, capi_object_functions,  capi_buffer_functions,
    };
    if (clue_abi() != CLUE_ABI)
        return luaL_error(L,
                          "libclue has ABI %d, but these Lua modules need %d: they come from different versions of "
                          "clue; install both from the same one",
                          (int)clue_abi(), (int)CLUE_ABI);
    keep_sentinel(L);
    lua_newtable(L);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        capi_set_functions(L, parts[i]);
    capi_set_kernel_functions(L);
    set_types(L);
    capi_set_text(L, "name", "capi");
    capi_set_whole(L, "abi", CLUE_ABI);
    return 1;
}
