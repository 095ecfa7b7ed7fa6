/* main.h - what the files of the clue executable share. Only host/main.c and host/main/ read it.
 *
 * The executable is a Lua interpreter. From libclue it uses only what its signal handler and --isolate need. It
 * uses only the portable part of Lua's C API, so it builds with LuaJIT, Lua 5.1 and Lua 5.4. */
#ifndef CLUE_MAIN_H
#define CLUE_MAIN_H

#include <stdbool.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "../sys/system.h"

#ifndef LUA_OK
#define LUA_OK 0
#endif

#ifdef LUA_JITLIBNAME
#include <luajit.h>
#define CLUE_LUA_RELEASE LUAJIT_VERSION
#else
#define CLUE_LUA_RELEASE LUA_RELEASE
#endif

/* Exit statuses of our own; a subcommand or a script may use others. */
enum {
    CLUE_STATUS_FAILED = 1,
    CLUE_STATUS_USAGE = 2,
    CLUE_STATUS_TIME_LIMIT = 124,
    CLUE_STATUS_SIGNALLED = 128, /* plus the signal's number */
    CLUE_STATUS_INTERRUPTED = 130,
    CLUE_STATUS_LARGEST = 255
};

/* ---- options.c: the command line up to the script's name ---------------------------------------------------- */

/* An option that is executed in its turn: the letter 'e', 'l', 'j' or 'O', and its text. */
struct clue_action {
    char letter;
    const char *text;
};

struct clue_options {
    char **arguments; /* the whole command line */
    int count;
    int word; /* the index of the script or subcommand; count if there is none */
    struct clue_action *actions;
    int action_count;
    const char *device;  /* --device; NULL if not given */
    const char *unknown; /* a word that is no option of clue's; NULL if there is none. What follows was not read. */
    double time_limit;   /* --time-limit, in seconds; 0 if not given */
    bool standard_input, executes, interactive, ignore_environment;
    bool help, show_version, version_only, quiet, strict, isolate;
};

/* False after a usage error, which has been printed, except for an unknown option. */
bool clue_options_parse(struct clue_options *options_out, int count, char **arguments);
void clue_options_free(struct clue_options *options);
/* A function of Lua: a list of clue's own options, each with label ("--device SPEC"), value and help, and what
 * stands above and below them in --help: about, closing. */
int clue_options_described(lua_State *L);
/* The options by index from 0; NULL after the last. */
const char *clue_options_name(int index);

/* ---- time_limit.c: --time-limit ------------------------------------------------------------------------------ */

/* What is accepted, in seconds. */
#define CLUE_SHORTEST_TIME_LIMIT 0.001
#define CLUE_LONGEST_TIME_LIMIT 1e8

/* Ends the run in so many seconds: Lua code by an error, a wait for a driver by the end of the process. */
void clue_time_limit_start(lua_State *L, double seconds);
/* Must be called before the state is closed. */
void clue_time_limit_stop(void);
/* A run that has failed must end now, with this status: without a time limit of its own, it gets a short one. */
void clue_time_limit_end(int status);
bool clue_time_limit_passed(void);

/* ---- characters.c: scripts with characters that look like others --------------------------------------------- */

/* Raises an error that names the first one outside comments and strings, with its line and column. */
void clue_characters_check(lua_State *L, const char *path);

/* ---- isolate.c: --isolate ------------------------------------------------------------------------------------ */

/* Runs the command line, without --isolate, in a child process to its end. Returns the exit status. */
int clue_isolate_run(const struct clue_options *options, char *program);

/* ---- place.c: where the executable and its Lua files are ---------------------------------------------------- */

struct clue_place {
    char program[PATH_ROOM];
    char lua[PATH_ROOM + 32];
    char c_modules[PATH_ROOM + 32];
    char bundled[PATH_ROOM + 32]; /* the modules of others that came with clue; empty if none did */
};

void clue_place_find(struct clue_place *place_out, const char *invoked_as);
/* Prints the version, and below it, with the facts, what this clue was built from. */
void clue_place_print_version(const struct clue_place *place, bool facts);
bool clue_place_has_command(const struct clue_place *place, const char *word);
/* The subcommands' names in order; NULL and 0 if there are none. The caller frees each name and the list. */
char **clue_place_commands(const struct clue_place *place, int *count_out);

/* ---- iterate.c: next() and pairs(), if LuaJIT's own are not safe
 * ---------------------------------------------- */

void clue_iterate_install(lua_State *L);

/* ---- bytecode.c: clue's own modules, compiled when clue was built ------------------------------------------- */

/* Lets require find them there. */
void clue_bytecode_install(lua_State *L, const struct clue_place *place);

/* ---- setup.c: a Lua state as scripts find it, and its end --------------------------------------------------- */

void clue_setup_state(lua_State *L, const struct clue_options *options, const struct clue_place *place);
/* Called once per process: lets clue's modules print their last words, then flushes standard output. False if any
 * of that failed, which has been printed. */
bool clue_setup_finish(lua_State *L, int status);
/* Flushes standard output; false if that failed, which has been printed. */
bool clue_setup_flush(void);
/* Whether a text begins with so many characters of another, which has only small letters; capitals are the same. */
bool clue_setup_same(const char *text, const char *small, size_t count);
/* Pushes package.loaded[name]. */
void clue_setup_push_loaded(lua_State *L, const char *name);
/* Pushes what require(name) returns, or raises its error. */
void clue_setup_require(lua_State *L, const char *name);

/* ---- report.c: protected calls and the messages about their errors
 * -------------------------------------------- */

/* Leaves frames of files below this folder out of tracebacks. */
void clue_report_hide(const char *folder);
/* Pushes "script.lua:12: " for the innermost line in a file that is not left out; "" if there is none. */
void clue_report_push_place(lua_State *L);
/* Calls like lua_pcall. After an error, prints "clue: message" and the traceback on stderr, and leaves nothing
 * pushed. */
bool clue_report_call(lua_State *L, int arguments, int results);
/* Adds a hint to the message on top, if clue.hint knows one. text: what did not compile; NULL if it is in a file or
 * on the command line. */
void clue_report_add_hint(lua_State *L, const char *text);
/* From here on, a Ctrl-C that ends a protected call is reported in one word: there is no line of the user's to
 * show. */
void clue_report_interrupts_briefly(void);
/* True if Ctrl-C has ended one. */
bool clue_report_interrupted(void);
/* Writes "clue: text" on stderr, after flushing stdout. */
void clue_report_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- signal.c: Ctrl-C --------------------------------------------------------------------------------------- */

void clue_signal_install(lua_State *L);
/* From here on, Ctrl-C ends the process: the state is about to be closed. */
void clue_signal_release(void);
/* True if the value at this index is what Ctrl-C raised last, or a message made from it. */
bool clue_signal_raised(lua_State *L, int index);
/* The same as a function of Lua: interrupted(raised). */
int clue_signal_interrupted(lua_State *L);
/* A function of Lua, for IsStopped(): stopped() is true if Ctrl-C was pressed since its first call, which takes
 * over the first press. */
int clue_signal_stopped(lua_State *L);
/* Ctrl-C works again as before the first call of stopped(). */
void clue_signal_forget_stop(void);
/* Withdraws a Ctrl-C that no Lua code has seen yet; true if there was one. */
bool clue_signal_take(void);

/* ---- repl.c: the prompt ------------------------------------------------------------------------------------- */

void clue_repl_run(lua_State *L);

#endif
