/* main.c - the clue executable: a complete Lua interpreter whose scripts have OpenCL. This file holds the order of
 * a run. The parts are in main/: command line, places, the Lua state, error reports, Ctrl-C, the prompt.
 *
 * The first word of the command line is a subcommand if clue/command/WORD.lua exists, otherwise a script. A
 * subcommand hides a file of its name in the working folder; run that as ./NAME. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clue.h"
#include "main/main.h"

struct run {
    struct clue_options options;
    struct clue_place place;
    int status;
};

/* ---- options that are executed in their order ---------------------------------------------------------------- */

/* Gets the letter and the text of -j or -O. Returns a message if there is nothing to call. */
static const char control_jit[] =
    "local letter, text = ...\n"
    "local jit = rawget(_G, 'jit')\n"
    "if not jit then return 'option -' .. letter .. ' needs LuaJIT; this clue runs ' .. _VERSION end\n"
    "local name, rest = text:match('^([^=]*)=?(.*)$')\n"
    "if letter == 'O' then rest = text end\n"
    "local values = {}\n"
    "for value in rest:gmatch('[^,]+') do values[#values + 1] = value end\n"
    "if letter == 'O' then\n"
    "  local known, why = pcall(require('jit.opt').start, unpack(values))\n"
    "  return not known and 'option -O: ' .. why or nil\n"
    "end\n"
    "if type(jit[name]) == 'function' then jit[name](unpack(values)) return end\n"
    "local found, module = pcall(require, 'jit.' .. name)\n"
    "if not found or type(module) ~= 'table' or not module.start then\n"
    "  return \"option -j: unknown command '\" .. name .. \"'; there are on, off, flush, v, dump, p, ...\"\n"
    "end\n"
    "module.start(unpack(values))\n";

static void load_text(lua_State *L, const char *text, const char *name) {
    if (luaL_loadbuffer(L, text, strlen(text), name) != LUA_OK) lua_error(L);
}

/* Runs -l NAME and -l short=NAME. The result becomes a global, unless its name has a dot, which no script could
 * reach. */
static void require_library(lua_State *L, const char *text) {
    const char *equals = strchr(text, '=');
    clue_setup_require(L, equals ? equals + 1 : text);
    lua_pushlstring(L, text, equals ? (size_t)(equals - text) : strlen(text));
    if (strchr(lua_tostring(L, -1), '.')) return;
    lua_insert(L, -2);
    lua_setglobal(L, lua_tostring(L, -2));
}

static int run_action(lua_State *L) {
    const struct clue_action *action = lua_touserdata(L, 1);
    if (action->letter == 'e') {
        load_text(L, action->text, "=(command line)");
        lua_call(L, 0, 0);
    } else if (action->letter == 'l') {
        require_library(L, action->text);
    } else {
        load_text(L, control_jit, "=(option)");
        lua_pushlstring(L, &action->letter, 1);
        lua_pushstring(L, action->text);
        lua_call(L, 2, 1);
        if (lua_isstring(L, -1)) return lua_error(L);
    }
    return 0;
}

static bool run_actions(lua_State *L, const struct clue_options *options) {
    for (int i = 0; i < options->action_count; i++) {
        lua_pushcfunction(L, run_action);
        lua_pushlightuserdata(L, &options->actions[i]);
        if (!clue_report_call(L, 1, 0)) return false;
    }
    return true;
}

/* Under Lua 5.2 and later, LUA_INIT_5_2 and so on come first. */
static const char *init_variable(void) {
#if LUA_VERSION_NUM >= 502
    static char versioned[32];
    snprintf(versioned, sizeof versioned, "LUA_INIT_%d_%d", LUA_VERSION_NUM / 100, LUA_VERSION_NUM % 100);
    if (getenv(versioned)) return versioned;
#endif
    return "LUA_INIT";
}

/* LUA_INIT holds a statement, or '@' and the name of a file. */
static int run_init(lua_State *L) {
    const char *name = init_variable();
    const char *text = getenv(name);
    if (!text) return 0;
    if (*text != '@') {
        lua_pushfstring(L, "=%s", name);
        load_text(L, text, lua_tostring(L, -1));
    } else if (luaL_loadfile(L, text + 1) != LUA_OK)
        return lua_error(L);
    lua_call(L, 0, 0);
    return 0;
}

/* ---- scripts and subcommands -------------------------------------------------------------------------------- */

/* A number that is not an exit status must not be cut to one that means success. */
static int pop_status(lua_State *L) {
    lua_Number number = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : 0;
    bool is_status = number >= 0 && number <= 255 && number == (int)number;
    lua_pop(L, 1);
    return is_status ? (int)number : CLUE_STATUS_LARGEST;
}

/* Pushes the words after the script. */
static int push_words(lua_State *L, const struct clue_options *options) {
    int count = options->count > options->word ? options->count - options->word - 1 : 0;
    luaL_checkstack(L, count + LUA_MINSTACK, "too many arguments to the script");
    for (int i = 0; i < count; i++)
        lua_pushstring(L, options->arguments[options->word + 1 + i]);
    return count;
}

/* Pushes the words after the subcommand, in a table. */
static void push_word_table(lua_State *L, const struct clue_options *options) {
    lua_newtable(L);
    for (int i = options->word + 1; i < options->count; i++) {
        lua_pushstring(L, options->arguments[i]);
        lua_rawseti(L, -2, i - options->word);
    }
}

static int run_command(lua_State *L) {
    const struct clue_options *options = lua_touserdata(L, 1);
    lua_pushfstring(L, "clue.command.%s", options->arguments[options->word]);
    clue_setup_require(L, lua_tostring(L, -1));
    lua_getfield(L, -1, "run");
    push_word_table(L, options);
    lua_call(L, 1, 1);
    return 1;
}

/* True if a function among the globals has a name like one of MQL5's event handlers: OnStart, onInit, ... */
static bool has_handler(lua_State *L) {
    bool found = false;
    lua_getglobal(L, "_G");
    lua_pushnil(L);
    while (!found && lua_next(L, -2)) {
        found = lua_isfunction(L, -1) && lua_type(L, -2) == LUA_TSTRING &&
                clue_setup_same(lua_tostring(L, -2), "on", 2);
        lua_pop(L, found ? 2 : 1);
    }
    lua_pop(L, 1);
    return found;
}

/* True if the script's text has a word in it. */
static bool text_has(const char *name, const char *word) {
    char line[4096];
    bool found = false;
    FILE *file = fopen(name, "r");
    while (file && !found && fgets(line, sizeof line, file))
        found = strstr(line, word) != NULL;
    if (file) fclose(file);
    return found;
}

/* True if the chunk that has run uses MQL5: it defined OnStart, something like it, or used one of the names. Other
 * scripts run without any of clue's Lua. */
static bool speaks_mql5(lua_State *L, const char *name) {
    bool found;
    lua_getglobal(L, "_G");
    lua_pushliteral(L, "OnStart");
    lua_rawget(L, -2);
    clue_setup_push_loaded(L, "clue.mql5");
    found = !lua_isnil(L, -2) || lua_istable(L, -1);
    lua_pop(L, 3);
    return found || has_handler(L) || (name && text_has(name, "OnStart"));
}

static int run_script(lua_State *L) {
    const struct clue_options *options = lua_touserdata(L, 1);
    bool has_name = options->word < options->count && !options->standard_input;
    const char *name = has_name ? options->arguments[options->word] : NULL;
    if (name) clue_characters_check(L, name);
    if (has_name) clue_script_word(options->word);
    if (luaL_loadfile(L, name) != LUA_OK) return lua_error(L);
    lua_call(L, push_words(L, options), 0);
    if (!speaks_mql5(L, name)) return 0;
    clue_setup_require(L, "clue.mql5.run_script");
    lua_getfield(L, -1, "run");
    lua_pushstring(L, name ? name : "stdin");
    lua_call(L, 1, 1);
    return 1;
}

static int run_body(lua_State *L, lua_CFunction body, struct run *run) {
    lua_pushcfunction(L, body);
    lua_pushlightuserdata(L, &run->options);
    return clue_report_call(L, 1, 1) ? pop_status(L) : CLUE_STATUS_FAILED;
}

/* ---- words that are neither a script nor a subcommand -------------------------------------------------------- */

/* Pushes a table of names, and frees them. */
static void push_commands(lua_State *L, const struct clue_place *place) {
    int count;
    char **names = clue_place_commands(place, &count);
    lua_newtable(L);
    for (int i = 0; i < count; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, i + 1);
        free(names[i]);
    }
    free(names);
}

static void push_option_names(lua_State *L) {
    lua_newtable(L);
    for (int i = 0; clue_options_name(i); i++) {
        lua_pushstring(L, clue_options_name(i));
        lua_rawseti(L, -2, i + 1);
    }
}

/* Says what a function of clue.manual.command_line makes of the word and of the value on top, which is popped. */
static void say_of_word(lua_State *L, const char *function, const char *word) {
    clue_setup_require(L, "clue.manual.command_line");
    lua_getfield(L, -1, function);
    lua_pushstring(L, word);
    lua_pushvalue(L, -4);
    lua_call(L, 2, 1);
    clue_report_say("%s", lua_tostring(L, -1));
    lua_pop(L, 3);
}

/* True if the word can be read as a script; otherwise the reason has been printed. */
static bool script_opens(lua_State *L, const struct run *run, const char *word) {
    path_facts facts;
    FILE *file = file_open(word, "r");
    int why = file ? 0 : errno;
    if (file && path_look(&facts, word, true) == PATH_FOLDER) why = EISDIR;
    if (file) (void)fclose(file);
    if (why == ENOENT) {
        push_commands(L, &run->place);
        say_of_word(L, "missing_word", word);
    } else if (why == EISDIR) {
        lua_pushnil(L);
        say_of_word(L, "folder", word);
    } else if (why != 0)
        clue_report_say("cannot open '%s': %s", word, strerror(why));
    return why == 0;
}

/* True for .mq5 and .mqh, as MetaTrader names its sources. */
static bool is_mql5(const char *word) {
    const char *dot = strrchr(word, '.');
    return dot && (clue_setup_same(dot, ".mq5", sizeof ".mq5") || clue_setup_same(dot, ".mqh", sizeof ".mqh"));
}

static bool names_command(const struct run *run) {
    const struct clue_options *options = &run->options;
    return options->word < options->count && !options->standard_input &&
           clue_place_has_command(&run->place, options->arguments[options->word]);
}

static int run_word(lua_State *L, struct run *run) {
    const struct clue_options *options = &run->options;
    const char *word = options->arguments[options->word];
    if (options->standard_input) return run_body(L, run_script, run);
    if (names_command(run)) return run_body(L, run_command, run);
    if (!script_opens(L, run, word)) return CLUE_STATUS_FAILED;
    if (!is_mql5(word)) return run_body(L, run_script, run);
    lua_pushnil(L);
    say_of_word(L, "mql5", word);
    return CLUE_STATUS_FAILED;
}

/* Says what is wrong with an unknown option. */
static int say_unknown(lua_State *L, const struct clue_options *options) {
    push_option_names(L);
    say_of_word(L, "option", options->unknown);
    return CLUE_STATUS_USAGE;
}

/* ---- a run -------------------------------------------------------------------------------------------------- */

static void print_help(lua_State *L) {
    clue_setup_require(L, "clue.manual.overview");
    lua_getfield(L, -1, "print");
    lua_call(L, 0, 0);
    lua_pop(L, 1);
}

static int run_rest(lua_State *L, struct run *run) {
    const struct clue_options *options = &run->options;
    bool has_word = options->word < options->count;
    bool idle = !has_word && !options->executes && !options->show_version;
    int status;
    if (idle && options->device && path_is_readable(options->device)) {
        clue_report_say("--device was given '%s', but no script is named after it", options->device);
        return CLUE_STATUS_USAGE;
    }
    if (options->show_version) clue_place_print_version(&run->place, false);
    if (!options->ignore_environment && run_body(L, run_init, run) != 0) return CLUE_STATUS_FAILED;
    if (!run_actions(L, options)) return CLUE_STATUS_FAILED;
    status = has_word ? run_word(L, run) : 0;
    if (status != 0) return status;
    if (options->interactive || (idle && terminal_is(STANDARD_INPUT))) {
        if (!options->show_version) clue_place_print_version(&run->place, false);
        clue_repl_run(L);
        return 0;
    }
    return idle ? run_body(L, run_script, run) : 0;
}

static int run_protected(lua_State *L) {
    struct run *run = lua_touserdata(L, 1);
    clue_setup_state(L, &run->options, &run->place);
    if (run->options.unknown)
        run->status = say_unknown(L, &run->options);
    else if (run->options.help)
        print_help(L);
    else
        run->status = run_rest(L, run);
    if (!clue_setup_finish(L, run->status) && run->status == 0) run->status = CLUE_STATUS_FAILED;
    return 0;
}

static int run_state(struct run *run) {
    lua_State *L = luaL_newstate();
    if (!L) {
        clue_report_say("not enough memory for a Lua state");
        return CLUE_STATUS_FAILED;
    }
    clue_report_hide(run->place.lua);
    if (names_command(run)) clue_report_interrupts_briefly();
    clue_signal_install(L);
    if (run->options.time_limit > 0) clue_time_limit_start(L, run->options.time_limit);
    lua_pushcfunction(L, run_protected);
    lua_pushlightuserdata(L, run);
    if (!clue_report_call(L, 1, 0)) run->status = CLUE_STATUS_FAILED;
    if (run->status == CLUE_STATUS_FAILED && names_command(run) && clue_report_interrupted())
        run->status = CLUE_STATUS_INTERRUPTED;
    if (run->status == CLUE_STATUS_FAILED && clue_time_limit_passed()) run->status = CLUE_STATUS_TIME_LIMIT;
    clue_time_limit_stop();
    clue_signal_release();
    lua_close(L);
    return run->status;
}

/* True, and the reason is printed, if a set-user-ID or set-group-ID bit gives the process rights that its user does
 * not have. Any script, LUA_INIT or a driver's variable would be code with those rights. */
static bool has_borrowed_rights(void) {
    if (!process_has_borrowed_rights()) return false;
    clue_report_say("scripts are code, so clue does not run with another user's rights: remove its set-user-ID and "
                    "set-group-ID "
                    "bits (chmod ug-s)");
    return true;
}

int main(int count, char **arguments) {
    static struct run run;
    process_take_words(count, arguments);
    process_reserve_descriptors();
    if (has_borrowed_rights()) return CLUE_STATUS_USAGE;
    process_keep_freed_memory();
    if (!clue_options_parse(&run.options, count, arguments)) {
        clue_options_free(&run.options);
        return CLUE_STATUS_USAGE;
    }
    clue_place_find(&run.place, count > 0 ? arguments[0] : "clue");
    if (run.options.version_only && !run.options.help && !run.options.unknown) {
        clue_place_print_version(&run.place, true);
        if (!clue_setup_flush()) run.status = CLUE_STATUS_FAILED;
    } else if (run.options.isolate && !run.options.help && !run.options.unknown)
        run.status = clue_isolate_run(&run.options, run.place.program);
    else
        run.status = run_state(&run);
    clue_options_free(&run.options);
    return run.status;
}
