/* system.c - time, files and temporary folders, the terminal and what is shown there. */
#include "capi.h"

static int now(lua_State *L) {
    lua_pushnumber(L, clue_clock_now());
    return 1;
}

static int sleep_seconds(lua_State *L) {
    clue_clock_sleep(capi_number(L, 1, "sleep"));
    return 0;
}

static int processor_count(lua_State *L) {
    lua_pushinteger(L, clue_processor_count());
    return 1;
}

static int terminal_width(lua_State *L) {
    int32_t columns = clue_terminal_width(capi_int(L, 1, "terminal_width"));
    return capi_push_whole_or_nil(L, columns <= 0, columns);
}

static int terminal_colour(lua_State *L) {
    lua_pushboolean(L, clue_terminal_colour(capi_int(L, 1, "terminal_colour")) == 1);
    return 1;
}

static int file_check(lua_State *L) {
    return capi_push_done(L, clue_file_check(capi_text(L, 1, "file_check")));
}

static int file_beside(lua_State *L) {
    const char *made, *target;
    if (clue_file_beside(&made, &target, capi_text(L, 1, "file_beside")) != 0) return 0;
    lua_pushstring(L, made);
    lua_pushstring(L, target);
    return 2;
}

static int temporary_folder(lua_State *L) {
    const char *path;
    if (clue_temporary_folder(&path)) return 0;
    lua_pushstring(L, path);
    return 1;
}

static int temporary_remove(lua_State *L) {
    clue_temporary_remove(capi_text(L, 1, "temporary_remove"));
    return 0;
}

static int text_visible(lua_State *L) {
    size_t size;
    const char *text = capi_bytes(L, 1, &size, "text_visible");
    char *out = lua_newuserdata(L, 4 * size + 1);
    lua_pushlstring(L, out, (size_t)clue_text_visible(out, text, (int64_t)size));
    return 1;
}

const luaL_Reg capi_system_functions[] = {
    {"file_beside", file_beside},
    {"file_check", file_check},
    {"now", now},
    {"processor_count", processor_count},
    {"sleep", sleep_seconds},
    {"temporary_folder", temporary_folder},
    {"temporary_remove", temporary_remove},
    {"terminal_colour", terminal_colour},
    {"terminal_width", terminal_width},
    {"text_visible", text_visible},
    {NULL, NULL},
};
