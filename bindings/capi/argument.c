/* argument.c - checks Lua arguments before C sees them, in Lua's standard wording.
 *
 * It checks only what C cannot check itself. A whole number may be a Lua integer or a float; if the parameter
 * cannot hold it, it is refused and never truncated. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capi.h"

static const double INT_LIMIT = 2147483648.0;        /* 2^31 */
static const double LONG_LIMIT = 9007199254740992.0; /* 2^53, where a double has every whole number */

static const char *const reporter = "clue.capi.refusal";

int capi_refusal_setup(lua_State *L) {
    lua_settop(L, 1);
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_setfield(L, LUA_REGISTRYINDEX, reporter);
    return 0;
}

/* Raises the result of refusal_setup's function for a problem, if there is one, else Lua's standard error.
 * expected: what the value on top should have been; NULL if that is not the problem. */
static _Noreturn void raise(lua_State *L, int position, const char *call, const char *problem,
                            const char *expected) {
    luaL_checkstack(L, 6, NULL);
    lua_getfield(L, LUA_REGISTRYINDEX, reporter);
    if (lua_isfunction(L, -1)) {
        lua_pushstring(L, call);
        capi_push_whole(L, position);
        lua_pushstring(L, problem);
        lua_pushstring(L, expected);
        lua_pushvalue(L, -6);
        lua_call(L, 5, 1);
        if (!lua_isnil(L, -1)) lua_error(L);
    }
    luaL_error(L, "bad argument #%d to '%s' (%s)", position, call, problem);
    abort(); /* not reached: Lua's headers do not say that luaL_error never returns */
}

_Noreturn void capi_refuse(lua_State *L, int position, const char *call, const char *format, ...) {
    char problem[256];
    va_list values;
    va_start(values, format);
    vsnprintf(problem, sizeof problem, format, values); /* NOLINT(clang-analyzer-valist.Uninitialized): it is set */
    va_end(values);
    lua_pushnil(L);
    raise(L, position, call, problem, NULL);
}

const char *capi_found(lua_State *L, int index) {
    if (lua_isnoneornil(L, index)) return "no value";
    return capi_array_test(L, index) ? "array" : luaL_typename(L, index);
}

_Noreturn void capi_mismatch(lua_State *L, int index, const char *expected, int position, const char *call) {
    char problem[64];
    snprintf(problem, sizeof problem, "%s expected, got %s", expected, capi_found(L, index));
    if (lua_isnoneornil(L, index))
        lua_pushnil(L);
    else
        lua_pushvalue(L, index);
    raise(L, position, call, problem, expected);
}

/* The sign of a NaN means nothing, so it is not shown. */
static _Noreturn void refuse_number(lua_State *L, double value, int bits, int position, const char *call) {
    char problem[64];
    if (isnan(value)) value = NAN;
    snprintf(problem, sizeof problem, "%.14g is not a whole number of %d bits", value, bits);
    lua_pushnumber(L, value);
    raise(L, position, call, problem, "whole number");
}

bool capi_exact_at(lua_State *L, int index, double *value_out) {
#if LUA_VERSION_NUM >= 503
    if (lua_isinteger(L, index)) {
        const lua_Integer value = lua_tointeger(L, index);
        *value_out = (double)value;
        return *value_out < 0x1p63 && (lua_Integer)*value_out == value;
    }
#endif
    *value_out = lua_tonumber(L, index);
    return true;
}

bool capi_is_exact(lua_State *L, int index) {
    double value;
    return capi_exact_at(L, index, &value);
}

bool capi_is_size(lua_State *L, int index, int64_t *size_out) {
    double value;
#if LUA_VERSION_NUM >= 503
    if (lua_isinteger(L, index)) {
        *size_out = lua_tointeger(L, index);
        return *size_out >= 0 && *size_out < (int64_t)LONG_LIMIT;
    }
#endif
    value = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : -1;
    if (!(value >= 0 && value < LONG_LIMIT)) return false;
    *size_out = (int64_t)value;
    return (double)*size_out == value;
}

static double whole(lua_State *L, int index, double limit, int position, const char *call) {
    double value;
    bool held;
    if (lua_type(L, index) != LUA_TNUMBER) capi_mismatch(L, index, "number", position, call);
    value = lua_tonumber(L, index);
    held = value >= -limit && value < limit && (double)(int64_t)value == value; /* floor() would be a call */
    if (!held || (value == -limit && !capi_is_exact(L, index)))
        refuse_number(L, value, limit == INT_LIMIT ? 32 : 64, position, call);
    return value;
}

int32_t capi_int_at(lua_State *L, int index, int position, const char *call) {
    return (int32_t)whole(L, index, INT_LIMIT, position, call);
}

int64_t capi_long_at(lua_State *L, int index, int position, const char *call) {
    return (int64_t)whole(L, index, LONG_LIMIT, position, call);
}

double capi_number_at(lua_State *L, int index, int position, const char *call) {
    double value;
    if (lua_type(L, index) != LUA_TNUMBER) capi_mismatch(L, index, "number", position, call);
    if (!capi_exact_at(L, index, &value))
        capi_refuse(L, position, call, "a double cannot hold %lld exactly", (long long)lua_tointeger(L, index));
    return value;
}

int32_t capi_int(lua_State *L, int position, const char *call) {
    return capi_int_at(L, position, position, call);
}

int64_t capi_long(lua_State *L, int position, const char *call) {
    return capi_long_at(L, position, position, call);
}

double capi_number(lua_State *L, int position, const char *call) {
    return capi_number_at(L, position, position, call);
}

const int32_t *capi_ints(lua_State *L, int position, int32_t *count_out, const char *call) {
    size_t count;
    int32_t *numbers;
    capi_table(L, position, call);
    count = lua_rawlen(L, position);
    numbers = lua_newuserdata(L, (count + 1) * sizeof *numbers);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, position, (int)i + 1);
        numbers[i] = capi_int_at(L, -1, position, call);
        lua_pop(L, 1);
    }
    *count_out = (int32_t)count;
    return numbers;
}

const char **capi_pairs(lua_State *L, int position, int32_t *count_out, const char *call) {
    int32_t count;
    const char **texts;
    capi_table(L, position, call);
    count = (int32_t)lua_rawlen(L, position);
    if (count % 2) capi_refuse(L, position, call, "names and texts in pairs expected, got %d strings", (int)count);
    texts = lua_newuserdata(L, ((size_t)count + 1) * sizeof *texts);
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, position, i + 1);
        texts[i] = capi_text_at(L, -1, position, call);
        lua_pop(L, 1);
    }
    *count_out = count / 2;
    return texts;
}

void capi_colour(lua_State *L, double *colour_out, int position, const char *call) {
    capi_table(L, position, call);
    for (int i = 0; i < 4; i++) {
        lua_rawgeti(L, position, i + 1);
        colour_out[i] = capi_number_at(L, -1, position, call);
        lua_pop(L, 1);
    }
}

void capi_table(lua_State *L, int position, const char *call) {
    if (lua_type(L, position) != LUA_TTABLE) capi_mismatch(L, position, "table", position, call);
}

const char *capi_bytes(lua_State *L, int position, size_t *length_out, const char *call) {
    if (lua_type(L, position) != LUA_TSTRING) capi_mismatch(L, position, "string", position, call);
    return lua_tolstring(L, position, length_out);
}

const char *capi_text_at(lua_State *L, int index, int position, const char *call) {
    size_t length;
    const char *text;
    if (lua_type(L, index) != LUA_TSTRING) capi_mismatch(L, index, "string", position, call);
    text = lua_tolstring(L, index, &length);
    if (strlen(text) != length) capi_refuse(L, position, call, "string contains zeros");
    return text;
}

const char *capi_text(lua_State *L, int position, const char *call) {
    return capi_text_at(L, position, position, call);
}

int32_t capi_word(lua_State *L, int position, const struct capi_word *words, const char *what, const char *call) {
    const char *given = capi_text(L, position, call);
    for (; words->word; words++)
        if (strcmp(words->word, given) == 0) return words->code;
    capi_refuse(L, position, call, "no %s is called %s", what, given);
}

int capi_push_word(lua_State *L, const struct capi_word *words, int32_t code) {
    for (; words->word; words++)
        if (words->code == code) {
            lua_pushstring(L, words->word);
            return 1;
        }
    lua_pushnil(L);
    return 1;
}
