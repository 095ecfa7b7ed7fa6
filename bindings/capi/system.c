/* system.c - texts for the terminal, and child processes. */
#include <string.h>

#include "capi.h"

static int text_visible(lua_State *L) {
    size_t size;
    const char *text = capi_bytes(L, 1, &size, "text_visible");
    char *out = lua_newuserdata(L, 4 * size + 1);
    lua_pushlstring(L, out, (size_t)clue_text_visible(out, text, (int64_t)size));
    return 1;
}

/* ---- starting: options.NAME are in the table at 1 ---- */

/* A NULL-terminated array of C strings. It lives as long as what this leaves on the stack: itself and the strings.
 */
static const char *const *text_list(lua_State *L, const char *name, const char *call) {
    int list, count, i = 0;
    const char **pointers;
    lua_getfield(L, 1, name);
    if (lua_isnil(L, -1)) return NULL;
    if (!lua_istable(L, -1)) capi_mismatch(L, -1, "table", 1, call);
    list = lua_gettop(L);
    count = (int)lua_rawlen(L, list);
    luaL_checkstack(L, count + LUA_MINSTACK, "too many words");
    pointers = lua_newuserdata(L, ((size_t)count + 1) * sizeof *pointers);
    for (; i < count; i++) {
        const char *word;
        lua_rawgeti(L, list, i + 1);
        if (lua_isnil(L, -1)) break;
        word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
        if (!word || strlen(word) != lua_rawlen(L, -1))
            capi_refuse(L, 1, call, "%s[%d] must be a string without zeros", name, i + 1);
        pointers[i] = word;
    }
    pointers[i] = NULL;
    return pointers;
}

static double option(lua_State *L, const char *name, const char *call) {
    double value;
    lua_getfield(L, 1, name);
    value = lua_toboolean(L, -1) ? capi_number_at(L, -1, 1, call) : 0;
    lua_pop(L, 1);
    return value;
}

static int32_t descriptor_option(lua_State *L, const char *call) {
    int32_t value;
    lua_getfield(L, 1, "result_descriptor");
    value = lua_toboolean(L, -1) ? capi_int_at(L, -1, 1, call) : 0;
    lua_pop(L, 1);
    return value;
}

static int child_start(lua_State *L) {
    static const char call[] = "child_start";
    clue_child_options options = {0};
    int32_t child;
    capi_table(L, 1, call);
    options.arguments = text_list(L, "arguments", call);
    options.environment = text_list(L, "environment", call);
    if (!options.arguments || !options.arguments[0]) capi_refuse(L, 1, call, "arguments must name a program");
    options.seconds = option(L, "seconds", call);
    options.memory = option(L, "memory", call);
    options.result_descriptor = descriptor_option(L, call);
    lua_getfield(L, 1, "input");
    options.input = lua_toboolean(L, -1);
    lua_getfield(L, 1, "foreground");
    options.foreground = lua_toboolean(L, -1);
    child = clue_child_start(&options);
    return capi_push_whole_or_nil(L, child < 0, child);
}

static int child_take(lua_State *L) {
    static const char call[] = "child_take";
    const char *data = NULL;
    int32_t child = capi_int(L, 1, call);
    int32_t stream = capi_word(L, 2, capi_stream, "stream", call);
    int64_t size = clue_child_take(&data, child, stream);
    if (size < 0) return 0;
    lua_pushlstring(L, size > 0 ? data : "", (size_t)size);
    return 1;
}

static int child_send(lua_State *L) {
    static const char call[] = "child_send";
    int32_t child = capi_int(L, 1, call);
    size_t size = 0;
    const char *data = lua_isnoneornil(L, 2) ? NULL : capi_bytes(L, 2, &size, call);
    int64_t count = clue_child_send(child, data, (int64_t)size);
    return capi_push_whole_or_nil(L, count < 0, count);
}

const luaL_Reg capi_system_functions[] = {
    {"child_send", child_send},
    {"child_start", child_start},
    {"child_take", child_take},
    {"text_visible", text_visible},
    {NULL, NULL},
};
