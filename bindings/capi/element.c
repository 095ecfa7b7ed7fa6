/* element.c - reading and writing the elements of an array: a[i], a[i] = v.
 *
 * If there is no element to read or write, hooks from clue.array report it: functions that return a message. A
 * valid index calls no Lua. A 64-bit element that a double cannot hold exactly is not read: the same on every Lua,
 * although some have integers that could hold it. What is stored from an integer is stored exactly. */
#include <math.h>
#include <string.h>

#include "capi.h"

int capi_element_raise(lua_State *L, int hook, int arguments) {
    luaL_where(L, 1);
    lua_pushvalue(L, lua_upvalueindex(hook));
    for (int i = 1; i <= arguments; i++)
        lua_pushvalue(L, i);
    lua_call(L, arguments, 1);
    if (lua_isnil(L, -1)) return 0; /* bad_value stored it */
    lua_concat(L, 2);
    return lua_error(L);
}

/* The element for the key at 2, NULL if there is none. */
static char *element_at(lua_State *L, const struct capi_array *self) {
    double key;
    int64_t index;
    if (lua_type(L, 2) != LUA_TNUMBER) return NULL;
    key = lua_tonumber(L, 2);
    if (!(key >= 0 && key < (double)self->count)) return NULL;
    index = (int64_t)key;
    return (double)index == key ? self->data + index * capi_array_size(self) : NULL;
}

/* ---- reading: upvalues are the methods, bad_index, inexact ---- */

enum { METHODS = 1, BAD_INDEX = 2, INEXACT = 3 };

static bool push_long(lua_State *L, int64_t value) {
    double number = (double)value;
    if (number >= 0x1p63 || (int64_t)number != value) return false;
    capi_push_whole(L, value);
    return true;
}

static bool push_ulong(lua_State *L, uint64_t value) {
    double number = (double)value;
    if (number >= 0x1p64 || (uint64_t)number != value) return false;
    if (value <= INT64_MAX)
        capi_push_whole(L, (int64_t)value);
    else
        lua_pushnumber(L, number);
    return true;
}

#define PUSH(type, push)                                                                                           \
    {                                                                                                              \
        type value;                                                                                                \
        memcpy(&value, element, sizeof value);                                                                     \
        push;                                                                                                      \
        return true;                                                                                               \
    }

static bool push_wide(lua_State *L, int32_t code, const char *element) {
    int64_t value;
    memcpy(&value, element, sizeof value);
    return code == CLUE_LONG ? push_long(L, value) : push_ulong(L, (uint64_t)value);
}

bool capi_element_push(lua_State *L, const char *element, int32_t code) {
    switch (code) {
    case CLUE_CHAR:
        PUSH(int8_t, lua_pushinteger(L, value))
    case CLUE_UCHAR:
        PUSH(uint8_t, lua_pushinteger(L, value))
    case CLUE_SHORT:
        PUSH(int16_t, lua_pushinteger(L, value))
    case CLUE_USHORT:
        PUSH(uint16_t, lua_pushinteger(L, value))
    case CLUE_INT:
        PUSH(int32_t, lua_pushinteger(L, value))
    case CLUE_UINT:
        PUSH(uint32_t, capi_push_whole(L, value))
    case CLUE_LONG:
    case CLUE_ULONG:
        return push_wide(L, code, element);
    case CLUE_FLOAT:
        PUSH(float, lua_pushnumber(L, (double)value))
    case CLUE_DOUBLE:
        PUSH(double, lua_pushnumber(L, value))
    default:
        PUSH(uint16_t, lua_pushnumber(L, clue_element_load(&value, code)))
    }
}

static int read_element(lua_State *L) {
    const struct capi_array *self;
    const char *element;
    lua_settop(L, 2);
    self = capi_array_any(L, 1, "__index");
    element = element_at(L, self);
    if (element) return capi_element_push(L, element, self->code) ? 1 : capi_element_raise(L, INEXACT, 2);
    if (lua_type(L, 2) != LUA_TSTRING) return capi_element_raise(L, BAD_INDEX, 2);
    lua_gettable(L, lua_upvalueindex(METHODS));
    return 1;
}

/* ---- writing: upvalues are bad_value, bad_index ---- */

enum { BAD_VALUE = 1, WRITE_BAD_INDEX = 2 };

#define STORE(type, holds)                                                                                         \
    {                                                                                                              \
        type stored = (type)value;                                                                                 \
        if (!(holds)) return false;                                                                                \
        memcpy(element, &stored, sizeof stored);                                                                   \
        return true;                                                                                               \
    }

static bool store_whole(char *element, int32_t code, int64_t value) {
    switch (code) {
    case CLUE_CHAR:
        STORE(int8_t, value >= INT8_MIN && value <= INT8_MAX)
    case CLUE_UCHAR:
        STORE(uint8_t, value >= 0 && value <= UINT8_MAX)
    case CLUE_SHORT:
        STORE(int16_t, value >= INT16_MIN && value <= INT16_MAX)
    case CLUE_USHORT:
        STORE(uint16_t, value >= 0 && value <= UINT16_MAX)
    case CLUE_INT:
        STORE(int32_t, value >= INT32_MIN && value <= INT32_MAX)
    case CLUE_UINT:
        STORE(uint32_t, value >= 0 && value <= UINT32_MAX)
    case CLUE_LONG:
        STORE(int64_t, true)
    case CLUE_ULONG:
        STORE(uint64_t, value >= 0)
    default:
        return false;
    }
}

/* Common values are stored here, all others by the library, which rounds and refuses. */
static bool store_double(char *element, int32_t code, double value) {
    if (code == CLUE_DOUBLE) STORE(double, true)
    if (code == CLUE_FLOAT && fabs(value) <= 3.4e38) STORE(float, true)
    if (code < CLUE_HALF && fabs(value) <= 0x1p53 && value == floor(value))
        return store_whole(element, code, (int64_t)value);
    return clue_element_store(element, code, value) == 1;
}

bool capi_element_store(lua_State *L, int index, char *element, int32_t code) {
#if LUA_VERSION_NUM >= 503
    if (code < CLUE_HALF && lua_isinteger(L, index)) return store_whole(element, code, lua_tointeger(L, index));
#endif
    return capi_is_exact(L, index) && store_double(element, code, lua_tonumber(L, index));
}

static bool store_text(lua_State *L, int index, char *element, int32_t code) {
    size_t length;
    const char *text = lua_tolstring(L, index, &length);
    bool wide = code == CLUE_LONG || code == CLUE_ULONG;
    return wide && strlen(text) == length && clue_element_parse(element, code, text) == 1;
}

bool capi_element_set(lua_State *L, int index, char *element, int32_t code) {
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        return capi_element_store(L, index, element, code);
    case LUA_TSTRING:
        return store_text(L, index, element, code);
    default:
        return false;
    }
}

static int write_element(lua_State *L) {
    const struct capi_array *self;
    char *element;
    lua_settop(L, 3);
    self = capi_array_any(L, 1, "__newindex");
    element = element_at(L, self);
    if (!element) return capi_element_raise(L, WRITE_BAD_INDEX, 2);
    return capi_element_set(L, 3, element, self->code) ? 0 : capi_element_raise(L, BAD_VALUE, 3);
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
