/* element.c - reading and writing the elements of an array: a[i], a[i] = v.
 *
 * What reads or writes no element is told by the hooks that clue.array brings: functions that give a message. On
 * the way of a good index no Lua is called. An element of 64 bits that a double does not hold exactly is not read:
 * on every Lua alike, though some have integers that would. What is stored from an integer is stored exactly. */
#include <math.h>
#include <string.h>

#include "capi.h"

/* Raises hook(array, index[, value]) at the line of the access; the first three stack slots are these. */
static int raise(lua_State *L, int hook, int arguments) {
    luaL_where(L, 1);
    lua_pushvalue(L, lua_upvalueindex(hook));
    for (int i = 1; i <= arguments; i++)
        lua_pushvalue(L, i);
    lua_call(L, arguments, 1);
    lua_concat(L, 2);
    return lua_error(L);
}

/* The element that the key at 2 means, NULL where there is none. */
static char *element_at(lua_State *L, const struct capi_array *self) {
    if (lua_type(L, 2) != LUA_TNUMBER) return NULL;
    double key = lua_tonumber(L, 2);
    if (!(key >= 0 && key < (double)self->count)) return NULL;
    int64_t index = (int64_t)key;
    return (double)index == key ? self->data + index * capi_array_size(self) : NULL;
}

/* ---- reading: upvalues are the methods, bad_index, inexact ---- */

enum { METHODS = 1, BAD_INDEX = 2, INEXACT = 3 };

static int push_long(lua_State *L, int64_t value) {
    double number = (double)value;
    if (number >= 0x1p63 || (int64_t)number != value) return raise(L, INEXACT, 2);
    capi_push_whole(L, value);
    return 1;
}

static int push_ulong(lua_State *L, uint64_t value) {
    double number = (double)value;
    if (number >= 0x1p64 || (uint64_t)number != value) return raise(L, INEXACT, 2);
    if (value <= INT64_MAX)
        capi_push_whole(L, (int64_t)value);
    else
        lua_pushnumber(L, number);
    return 1;
}

#define READ(type, from)                                                                                           \
    type value;                                                                                                    \
    memcpy(&value, from, sizeof value)

#define PUSH_WHOLE(type)                                                                                           \
    {                                                                                                              \
        READ(type, element);                                                                                       \
        capi_push_whole(L, value);                                                                                 \
        return 1;                                                                                                  \
    }

static int push_element(lua_State *L, int32_t code, const char *element) {
    switch (code) {
    case CLUE_CHAR:
        PUSH_WHOLE(int8_t)
    case CLUE_UCHAR:
        PUSH_WHOLE(uint8_t)
    case CLUE_SHORT:
        PUSH_WHOLE(int16_t)
    case CLUE_USHORT:
        PUSH_WHOLE(uint16_t)
    case CLUE_INT:
        PUSH_WHOLE(int32_t)
    case CLUE_UINT:
        PUSH_WHOLE(uint32_t)
    case CLUE_LONG: {
        READ(int64_t, element);
        return push_long(L, value);
    }
    case CLUE_ULONG: {
        READ(uint64_t, element);
        return push_ulong(L, value);
    }
    default:
        lua_pushnumber(L, clue_element_load(element, code));
        return 1;
    }
}

static int read_element(lua_State *L) {
    lua_settop(L, 2);
    const struct capi_array *self = capi_array(L, 1, "__index");
    const char *element = element_at(L, self);
    if (element) return push_element(L, self->code, element);
    if (lua_type(L, 2) != LUA_TSTRING) return raise(L, BAD_INDEX, 2);
    lua_gettable(L, lua_upvalueindex(METHODS));
    return 1;
}

/* ---- writing: upvalues are bad_value, bad_index ---- */

enum { BAD_VALUE = 1, WRITE_BAD_INDEX = 2 };

#if LUA_VERSION_NUM >= 503
/* An integer beyond what a double holds exactly; false where the type does not hold it. */
static bool store_integer(char *element, int32_t code, lua_Integer value) {
    if (code == CLUE_LONG || (code == CLUE_ULONG && value >= 0)) {
        memcpy(element, &value, sizeof value);
        return true;
    }
    return clue_element_store(element, code, (double)value) == 1;
}
#endif

static bool store_number(lua_State *L, char *element, int32_t code) {
#if LUA_VERSION_NUM >= 503
    if (lua_isinteger(L, 3)) return store_integer(element, code, lua_tointeger(L, 3));
#endif
    double value = lua_tonumber(L, 3);
    if (code == CLUE_DOUBLE) {
        memcpy(element, &value, sizeof value);
        return true;
    }
    return clue_element_store(element, code, value) == 1;
}

static bool store_text(lua_State *L, char *element, int32_t code) {
    size_t length;
    const char *text = lua_tolstring(L, 3, &length);
    bool wide = code == CLUE_LONG || code == CLUE_ULONG;
    return wide && strlen(text) == length && clue_element_parse(element, code, text) == 1;
}

static int write_element(lua_State *L) {
    lua_settop(L, 3);
    const struct capi_array *self = capi_array(L, 1, "__newindex");
    char *element = element_at(L, self);
    if (!element) return raise(L, WRITE_BAD_INDEX, 2);
    int type = lua_type(L, 3);
    bool stored = type == LUA_TNUMBER   ? store_number(L, element, self->code)
                  : type == LUA_TSTRING ? store_text(L, element, self->code)
                                        : false;
    return stored ? 0 : raise(L, BAD_VALUE, 3);
}

void capi_element_open(lua_State *L, int hooks) {
    lua_getfield(L, hooks, "methods");
    lua_getfield(L, hooks, "bad_index");
    lua_getfield(L, hooks, "inexact");
    lua_pushcclosure(L, read_element, 3);
    lua_setfield(L, -2, "__index");
    lua_getfield(L, hooks, "bad_value");
    lua_getfield(L, hooks, "bad_index");
    lua_pushcclosure(L, write_element, 2);
    lua_setfield(L, -2, "__newindex");
}
