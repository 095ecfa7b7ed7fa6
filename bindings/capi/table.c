/* table.c - arrays from Lua tables, and the other way. */
#include <limits.h>

#include "capi.h"

#if LUA_VERSION_NUM < 503
typedef int slot; /* what counts a table's elements */
#else
typedef lua_Integer slot;
#endif

/* Stores the numbers of a table from an index on, from 1, as long as the type holds them. Returns the index of the
 * first that it did not store; nil if there is none. */
static int array_load_table(lua_State *L) {
    static const char call[] = "array_load_table";
    const struct capi_array *self = capi_array(L, 1, call);
    const int64_t size = capi_array_size(self);
    int64_t first;
    char *element;
    capi_table(L, 2, call);
    first = capi_long(L, 3, call);
    capi_array_inside(L, self, first - 1, self->count - first + 1, 3, call);
    if (self->count > INT_MAX) capi_refuse(L, 1, call, "a table does not have so many elements");
    lua_settop(L, 3);
    element = capi_array_at(self, first - 1);
    for (int64_t i = first; i <= self->count; i++, element += size) {
        lua_rawgeti(L, 2, (slot)i);
        if (lua_type(L, 4) != LUA_TNUMBER || !capi_element_store(L, 4, element, self->code)) {
            capi_push_whole(L, i);
            return 1;
        }
        lua_settop(L, 3);
    }
    return capi_push_nil(L);
}

/* A table of the elements. If a double cannot hold one: nil, and its index, from 0. */
static int array_to_table(lua_State *L) {
    static const char call[] = "array_to_table";
    const struct capi_array *self = capi_array(L, 1, call);
    const int64_t size = capi_array_size(self);
    const char *element = self->data;
    if (self->count > INT_MAX) capi_refuse(L, 1, call, "a table does not have so many elements");
    lua_createtable(L, (int)self->count, 0);
    for (slot i = 1; i <= (slot)self->count; i++, element += size) {
        if (!capi_element_push(L, element, self->code)) {
            lua_pushnil(L);
            capi_push_whole(L, i - 1);
            return 2;
        }
        lua_rawseti(L, -2, i);
    }
    return 1;
}

/* How many keys a table has. */
static int table_keys(lua_State *L) {
    int64_t count = 0;
    capi_table(L, 1, "table_keys");
    lua_settop(L, 1);
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1))
        count++;
    capi_push_whole(L, count);
    return 1;
}

const luaL_Reg capi_table_functions[] = {
    {"array_load_table", array_load_table},
    {"array_to_table", array_to_table},
    {"table_keys", table_keys},
    {NULL, NULL},
};
