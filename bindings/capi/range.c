/* range.c - the range of a kernel's execution, from Lua tables or arrays. */
#include "capi.h"

static void array_sizes(lua_State *L, int64_t *sizes_out, int dimensions, const struct capi_array *from,
                        int position, const char *call) {
    for (int d = 0; d < dimensions; d++) {
        lua_pushnumber(L, clue_element_load(from->data + d * capi_array_size(from), from->code));
        sizes_out[d] = capi_long_at(L, -1, position, call);
        lua_pop(L, 1);
    }
}

static void table_sizes(lua_State *L, int64_t *sizes_out, int dimensions, int position, const char *call) {
    for (int d = 0; d < dimensions; d++) {
        lua_rawgeti(L, position, d + 1);
        sizes_out[d] = capi_long_at(L, -1, position, call);
        lua_pop(L, 1);
    }
}

/* Copies sizes out of a Lua table (from 1) or an array (from 0), or one size. */
const int64_t *capi_sizes(lua_State *L, int64_t *sizes_out, int dimensions, int position, const char *call) {
    const struct capi_array *array;
    int64_t count;
    if (dimensions == 1 && lua_type(L, position) == LUA_TNUMBER) {
        sizes_out[0] = capi_long(L, position, call);
        return sizes_out;
    }
    array = capi_array_test(L, position) ? capi_array(L, position, call) : NULL;
    if (!array) capi_table(L, position, call);
    count = array ? array->count : (int64_t)lua_rawlen(L, position);
    if (count < dimensions) capi_refuse(L, position, call, "%d sizes expected, got %d", dimensions, (int)count);
    if (array)
        array_sizes(L, sizes_out, dimensions, array, position, call);
    else
        table_sizes(L, sizes_out, dimensions, position, call);
    return sizes_out;
}

void capi_range(lua_State *L, struct capi_range *range_out, int32_t dimensions, int position, const char *call) {
    struct capi_range *r = range_out;
    int held = dimensions < 3 ? dimensions : 3; /* C refuses more, so they are not read */
    r->offset = lua_isnoneornil(L, position) ? NULL : capi_sizes(L, r->room[0], held, position, call);
    r->global = capi_sizes(L, r->room[1], held, position + 1, call);
    r->local = lua_isnoneornil(L, position + 2) ? NULL : capi_sizes(L, r->room[2], held, position + 2, call);
}
