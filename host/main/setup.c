/* setup.c - prepares a Lua state for scripts, and ends a run.
 *
 * Loads nothing of clue: a script that uses none of it runs in a plain interpreter. The first missing global
 * installs the MQL5 names. os.exit is wrapped, so that a run that ends by it ends like any other. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clue.h"
#include "main.h"

bool clue_setup_same(const char *text, const char *small, size_t count) {
    size_t i = 0;
    while (i < count && tolower((unsigned char)text[i]) == small[i])
        i++;
    return i == count;
}

void clue_setup_push_loaded(lua_State *L, const char *name) {
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

void clue_setup_require(lua_State *L, const char *name) {
    lua_getglobal(L, "require");
    lua_pushstring(L, name);
    lua_call(L, 1, 1);
}

/* ---- the end ------------------------------------------------------------------------------------------------ */

static bool run_exit_module(lua_State *L) {
    bool good = true;
    clue_setup_push_loaded(L, "clue.exit");
    if (lua_istable(L, -1)) {
        lua_getfield(L, -1, "run");
        good = clue_report_call(L, 0, 0);
    }
    lua_pop(L, 1);
    return good;
}

bool clue_setup_flush(void) {
    bool failed_before = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) == 0 && !failed_before) return true;
    clue_report_say("standard output could not be written%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
    return false;
}

bool clue_setup_finish(lua_State *L, int status) {
    static bool done;
    bool good;
    if (done) return true;
    done = true;
    good = run_exit_module(L);
    if (status != 0) clue_time_limit_end(status);
    clue_finish();
    return clue_setup_flush() && good;
}

/* os.exit; Lua's own (upvalue 1) follows it and may close the state, which no signal handler may touch then. If a
 * success cannot be written out, it is a failure. */
static int exit_script(lua_State *L) {
    const bool success = lua_isnoneornil(L, 1) || (lua_isboolean(L, 1) && lua_toboolean(L, 1)) ||
                         (lua_isnumber(L, 1) && lua_tonumber(L, 1) == 0);
    const int status = lua_isnumber(L, 1) ? (int)lua_tointeger(L, 1) : CLUE_STATUS_FAILED;
    if (!clue_setup_finish(L, success ? 0 : status) && success) {
        if (lua_gettop(L) == 0) lua_pushnil(L);
        lua_pushinteger(L, CLUE_STATUS_FAILED);
        lua_replace(L, 1);
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    clue_signal_release();
    lua_call(L, lua_gettop(L) - 1, 0);
    return 0;
}

static void wrap_exit(lua_State *L) {
    lua_getglobal(L, "os");
    lua_getfield(L, -1, "exit");
    lua_pushcclosure(L, exit_script, 1);
    lua_setfield(L, -2, "exit");
    lua_pop(L, 1);
}

/* ---- the MQL5 names ----------------------------------------------------------------------------------------- */

static int install_mql5(lua_State *L) {
    clue_setup_require(L, "clue.mql5");
    lua_getfield(L, -1, "install");
    lua_getglobal(L, "_G");
    lua_call(L, 1, 0);
    return 0;
}

/* __index of the globals after that has failed; upvalue 1 is the error. A second attempt would only report a
 * loop. */
static int global_lost(lua_State *L) {
    lua_pushvalue(L, lua_upvalueindex(1));
    return lua_error(L);
}

/* __index of the globals until the first miss; upvalue 1 is their metatable. It is removed while the names are
 * installed, because clue's own modules ask for globals that only some Luas have. */
static int global_missed(lua_State *L) {
    lua_settop(L, 2);
    lua_pushnil(L);
    lua_setfield(L, lua_upvalueindex(1), "__index");
    lua_pushcfunction(L, install_mql5);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK) {
        lua_pushvalue(L, -1);
        lua_pushcclosure(L, global_lost, 1);
        lua_setfield(L, lua_upvalueindex(1), "__index");
        return lua_error(L);
    }
    lua_gettable(L, 1);
    return 1;
}

static void watch_globals(lua_State *L) {
    lua_getglobal(L, "_G");
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, global_missed, 1);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

/* ---- what scripts read -------------------------------------------------------------------------------------- */

/* Puts a folder first in package.path or package.cpath. */
static void prepend(lua_State *L, const char *field, const char *format, const char *folder) {
    lua_getglobal(L, "package");
    lua_pushfstring(L, format, folder, folder);
    lua_getfield(L, -2, field);
    lua_concat(L, 2);
    lua_setfield(L, -2, field);
    lua_pop(L, 1);
}

static void prepend_folders(lua_State *L, const char *lua, const char *c_modules) {
    prepend(L, "path", "%s/?.lua;%s/?/init.lua;", lua);
    prepend(L, "cpath", "%s/" CLUE_C_MODULE ";", c_modules);
}

/* Finds the modules that clue itself needs: in the folder of those that came with it, if there is one; else
 * everywhere but in the working folder, and in all of package.cpath before the working folder's Lua files.
 * Otherwise, in a folder that others may write, their lfs.lua would be run in place of the system's lfs.so. If such
 * a module is nowhere else, or is another one, the search goes on as usual. */
static const char search_elsewhere[] =
    "local bundled = ...\n"
    "local package, pcall, type, error = package, pcall, type, error\n"
    "local needed = {argparse = true, clue = true, lfs = true, pl = true}\n"
    "local list = package.searchers or package.loaders\n"
    "local find_lua, find_c = list[2], list[3]\n"
    "local function elsewhere(path) return ((';' .. path):gsub(';%.[/\\\\][^;]*', '')) end\n"
    "table.insert(list, 2, function(name)\n"
    "  local path, cpath = package.path, package.cpath\n"
    "  if not needed[name:match('^[^.]*')] or type(path) ~= 'string' or type(cpath) ~= 'string' then return nil "
    "end\n"
    "  local done, found, place\n"
    "  local function search(lua, c)\n"
    "    package.path, package.cpath = lua, c\n"
    "    done, found, place = pcall(find_lua, name)\n"
    "    if done and type(found) ~= 'function' then done, found, place = pcall(find_c, name) end\n"
    "  end\n"
    "  if bundled then search(bundled .. '/?.lua;' .. bundled .. '/?/init.lua', bundled .. '/" CLUE_C_MODULE
    "') end\n"
    "  if not bundled or done and type(found) ~= 'function' then search(elsewhere(path), elsewhere(cpath)) end\n"
    "  package.path, package.cpath = path, cpath\n"
    "  if not done then error(found, 0) end\n"
    "  if type(found) == 'function' then return found, place end\n"
    "end)\n";

/* Its name puts it among clue's own files, which tracebacks leave out. */
static void add_searcher(lua_State *L, const struct clue_place *place) {
    const char *name = lua_pushfstring(L, "@%s/search", place->lua);
    if (luaL_loadbuffer(L, search_elsewhere, sizeof search_elsewhere - 1, name) != LUA_OK) lua_error(L);
    if (*place->bundled)
        lua_pushstring(L, place->bundled);
    else
        lua_pushnil(L);
    lua_call(L, 1, 0);
    lua_pop(L, 1);
}

/* arg[0] is the script, and the words before it have negative indexes; without a script, arg[0] is clue. */
static void set_arguments(lua_State *L, const struct clue_options *options) {
    int zero = options->word < options->count ? options->word : 0;
    lua_createtable(L, options->count - zero, zero + 1);
    for (int i = 0; i < options->count; i++) {
        lua_pushstring(L, options->arguments[i]);
        lua_rawseti(L, -2, i - zero);
    }
    lua_setglobal(L, "arg");
}

static int print_version(lua_State *L) {
    clue_place_print_version(lua_touserdata(L, lua_upvalueindex(1)), true);
    return 0;
}

static void set_options(lua_State *L, const struct clue_options *options, const struct clue_place *place) {
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    lua_newtable(L);
    lua_pushboolean(L, options->quiet);
    lua_setfield(L, -2, "quiet");
    lua_pushboolean(L, options->strict);
    lua_setfield(L, -2, "strict");
    lua_pushstring(L, options->device);
    lua_setfield(L, -2, "device");
    lua_pushstring(L, place->program);
    lua_setfield(L, -2, "program");
    lua_pushstring(L, CLUE_VERSION);
    lua_setfield(L, -2, "version");
    lua_pushcfunction(L, clue_options_described);
    lua_setfield(L, -2, "described");
    lua_pushlightuserdata(L, (void *)place);
    lua_pushcclosure(L, print_version, 1);
    lua_setfield(L, -2, "print_version");
    lua_pushcfunction(L, clue_signal_interrupted);
    lua_setfield(L, -2, "interrupted");
    lua_pushcfunction(L, clue_signal_stopped);
    lua_setfield(L, -2, "stopped");
    lua_setfield(L, -2, "clue.options");
    lua_pop(L, 1);
}

/* Loads the choice of devices before any driver starts, if the choice names Oclgrind, whose driver it then adds. */
static void want_oclgrind(lua_State *L, const struct clue_options *options) {
    const char *device = options->device ? options->device : getenv("CLUE_DEVICE");
    while (device && *device && !clue_setup_same(device, "oclgrind", strlen("oclgrind")))
        device++;
    if (!device || !*device) return;
    clue_setup_require(L, "clue.device");
    lua_pop(L, 1);
}

void clue_setup_state(lua_State *L, const struct clue_options *options, const struct clue_place *place) {
    if (options->ignore_environment) {
        lua_pushboolean(L, 1);
        lua_setfield(L, LUA_REGISTRYINDEX, "LUA_NOENV"); /* the libraries look there before they read LUA_PATH */
    }
    lua_gc(L, LUA_GCSTOP, 0); /* there is no garbage while the libraries open */
    luaL_openlibs(L);
    clue_iterate_install(L);
    lua_gc(L, LUA_GCRESTART, 0);
    if (*place->bundled) prepend_folders(L, place->bundled, place->bundled);
    prepend_folders(L, place->lua, place->c_modules);
    add_searcher(L, place);
    clue_bytecode_install(L, place);
    set_options(L, options, place);
    set_arguments(L, options);
    wrap_exit(L);
    watch_globals(L);
    want_oclgrind(L, options);
}
