/* table.c - arrays from Lua tables, and the other way. */
#include <limits.h>

#include "capi.h"

#if LUA_VERSION_NUM < 503
typedef int slot; /* what counts a table's elements */
#else
typedef lua_Integer slot;
#endif

enum { AT_ONCE = 256, ON_THE_STACK = 16 };

/* Reads numbers that a double holds from the table at 2, from an index on. Returns how many stand before anything
 * else. Many are on the stack at once, which takes fewer calls. */
static int64_t read_numbers(lua_State *L, double *numbers_out, int64_t first, int64_t count) {
    for (int64_t i = 0; i < count; i += ON_THE_STACK) {
        const int top = count - i < ON_THE_STACK ? (int)(count - i) : ON_THE_STACK;
        int read = 0;
        for (int j = 0; j < top; j++)
            lua_rawgeti(L, 2, (slot)first + (slot)i + j);
        while (read < top && lua_type(L, 4 + read) == LUA_TNUMBER && capi_is_exact(L, 4 + read)) {
            numbers_out[i + read] = lua_tonumber(L, 4 + read);
            read++;
        }
        lua_settop(L, 3);
        if (read < top) return i + read;
    }
    return count;
}

static bool store_one(lua_State *L, const struct capi_array *self, int64_t index) {
    bool stored;
    lua_rawgeti(L, 2, (slot)index);
    stored = lua_type(L, 4) == LUA_TNUMBER && capi_element_store(L, 4, capi_array_at(self, index - 1), self->code);
    lua_settop(L, 3);
    return stored;
}

/* Stores the numbers of a table from an index on, from 1, as long as the type holds them. Returns the index of the
 * first that it did not store; nil if there is none. */
static int array_load_table(lua_State *L) {
    static const char call[] = "array_load_table";
    const struct capi_array *self = capi_array(L, 1, call);
    int64_t i;
    capi_table(L, 2, call);
    i = capi_long(L, 3, call);
    capi_array_inside(L, self, i - 1, self->count - i + 1, 3, call);
    if (self->count > INT_MAX) capi_refuse(L, 1, call, "a table does not have so many elements");
    lua_settop(L, 3);
    while (i <= self->count) {
        double numbers[AT_ONCE];
        const int64_t left = self->count - i + 1, wanted = left < AT_ONCE ? left : AT_ONCE;
        const int64_t read = read_numbers(L, numbers, i, wanted);
        const int64_t stored =
            clue_array_convert(capi_array_at(self, i - 1), self->code, numbers, CLUE_DOUBLE, read);
        i += stored < 0 ? read : stored;
        if (stored < 0 && read == wanted) continue;
        if (!store_one(L, self, i)) {
            capi_push_whole(L, i);
            return 1;
        }
        i++;
    }
    return capi_push_nil(L);
}

/* A table of the elements. If a double cannot hold one: nil, and its index, from 0. */
static int array_to_table(lua_State *L) {
    static const char call[] = "array_to_table";
    const struct capi_array *self = capi_array(L, 1, call);
    const int64_t size = capi_array_size(self);
    const char *element;
    if (self->count > INT_MAX) capi_refuse(L, 1, call, "a table does not have so many elements");
    lua_createtable(L, (int)self->count, 0);
    element = self->data; /* now: this calls finalizers, which may change the array */
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
