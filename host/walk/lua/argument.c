/* argument.c - checks Lua arguments before C sees them, with the messages of clue's bindings. */
#include "module.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void argument_refuse(lua_State *L, int position, const char *call, const char *format, ...) {
    char problem[256];
    va_list values;
    va_start(values, format);
    vsnprintf(problem, sizeof problem, format, values); /* NOLINT(clang-analyzer-valist.Uninitialized): it is set */
    va_end(values);
    luaL_error(L, "bad argument #%d to '%s' (%s)", position, call, problem);
    abort(); /* not reached: Lua's headers do not say that luaL_error never returns */
}

static bool is_array(lua_State *L, int index) {
    bool is;
    lua_pushvalue(L, index);
    lua_pushvalue(L, lua_upvalueindex(HOOK_ARRAY_CODE));
    lua_insert(L, -2);
    lua_call(L, 1, 1);
    is = !lua_isnil(L, -1);
    lua_pop(L, 1);
    return is;
}

_Noreturn static void mismatch(lua_State *L, int index, const char *expected, int position, const char *call) {
    const char *found = luaL_typename(L, index);
    if (lua_isnoneornil(L, index))
        found = "no value";
    else if (is_array(L, index))
        found = "array";
    argument_refuse(L, position, call, "%s expected, got %s", expected, found);
}

/* ---- arguments ---- */

void argument_table(lua_State *L, int position, const char *call) {
    if (lua_type(L, position) != LUA_TTABLE) mismatch(L, position, "table", position, call);
}

static double number_at(lua_State *L, int index, int position, const char *call) {
    double value;
    if (lua_type(L, index) != LUA_TNUMBER) mismatch(L, index, "number", position, call);
    lua_pushvalue(L, index);
    value = lua_tonumber(L, -1);
    lua_pushnumber(L, value);
    if (value == value && !lua_rawequal(L, -1, -2))
        argument_refuse(L, position, call, "a double does not hold %s exactly", lua_tostring(L, -2));
    lua_pop(L, 2);
    return value;
}

static double whole_at(lua_State *L, int index, int bits, int position, const char *call) {
    const double limit = bits == 32 ? 0x1p31 : 0x1p53; /* doubles hold all these whole numbers */
    double value;
    if (lua_type(L, index) != LUA_TNUMBER) mismatch(L, index, "number", position, call);
    value = lua_tonumber(L, index);
    if (!(floor(value) == value && value >= -limit && value < limit))
        argument_refuse(L, position, call, "%.14g is not a whole number of %d bits", value, bits);
    return value;
}

double argument_number(lua_State *L, int position, const char *call) {
    return number_at(L, position, position, call);
}

int32_t argument_int(lua_State *L, int position, const char *call) {
    return (int32_t)whole_at(L, position, 32, position, call);
}

int64_t argument_long(lua_State *L, int position, const char *call) {
    return (int64_t)whole_at(L, position, 64, position, call);
}

const char *argument_text(lua_State *L, int position, const char *call) {
    size_t length;
    const char *given;
    if (lua_type(L, position) != LUA_TSTRING) mismatch(L, position, "string", position, call);
    given = lua_tolstring(L, position, &length);
    if (strlen(given) != length) argument_refuse(L, position, call, "string contains zeros");
    return given;
}

int32_t argument_word(lua_State *L, int position, const struct word *words, const char *what, const char *call) {
    const char *given = argument_text(L, position, call);
    for (; words->word; words++)
        if (strcmp(words->word, given) == 0) return words->code;
    argument_refuse(L, position, call, "no %s is called %s", what, given);
}

/* ---- fields ---- */

/* Uses no metamethods: no code of a script may run while addresses are read. */
static void push_field(lua_State *L, const char *name) {
    lua_pushstring(L, name);
    lua_rawget(L, 1);
}

bool field_is(lua_State *L, const char *name, const char *text) {
    const char *given;
    bool same;
    push_field(L, name);
    given = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    same = strcmp(given, text) == 0;
    lua_pop(L, 1);
    return same;
}

bool field_is_nil(lua_State *L, const char *name) {
    bool is;
    push_field(L, name);
    is = lua_isnil(L, -1);
    lua_pop(L, 1);
    return is;
}

double field_number(lua_State *L, const char *name, const char *call) {
    double value;
    push_field(L, name);
    value = number_at(L, -1, 1, call);
    lua_pop(L, 1);
    return value;
}

int64_t field_extent(lua_State *L, const char *name, const char *least, const char *call) {
    int64_t value;
    push_field(L, name);
    value = (int64_t)whole_at(L, -1, 64, 1, call);
    if (value < 1) argument_refuse(L, 1, call, "%s", least);
    lua_pop(L, 1);
    return value;
}

/* Only the binding knows arrays: it gives an array's address, its number of elements and their type, or nil and
 * what is wrong. */
void *field_array(lua_State *L, const char *name, int32_t type, int64_t *count_out, const char *call) {
    uintptr_t address;
    lua_pushvalue(L, lua_upvalueindex(HOOK_ARRAY_VIEW));
    push_field(L, name);
    lua_call(L, 1, 3);
    if (lua_isnil(L, -3)) argument_refuse(L, 1, call, "%s", lua_tostring(L, -2));
    address = (uintptr_t)lua_tonumber(L, -3);
    *count_out = (int64_t)lua_tonumber(L, -2);
    if ((int32_t)lua_tonumber(L, -1) != type)
        argument_refuse(L, 1, call, "%s is not an array of %s", name, clue_type_name(type));
    lua_pop(L, 3);
    return (void *)address; /* NOLINT(performance-no-int-to-ptr): Lua has no other number for it */
}
