/* time_limit.c - --time-limit: ends a run that takes too long, and says what it was doing.
 *
 * Lua code gets an error at its next instruction, which gives the line. A driver's call cannot be cancelled, so
 * while the library waits for one, the process ends; so it does a second after the error, if the script goes on,
 * because it caught the error, or because LuaJIT has compiled its loop, which then checks no hook. Before that, a
 * thread writes out what C's buffer still holds for a pipe or a file, unless nobody reads it. The exit status is
 * that of timeout(1). */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "clue.h"
#include "main.h"

static lua_State *volatile state;
static volatile sig_atomic_t passed;
static char message[64];

static void raise_passed(lua_State *L, lua_Debug *event) {
    (void)event;
    lua_sethook(L, NULL, 0, 0);
    clue_report_push_place(L);
    lua_pushstring(L, message);
    lua_concat(L, 2);
    lua_error(L);
}

static void say(const char *text) {
    (void)output_write(STANDARD_ERROR, text, strlen(text));
}

static void leave(int status) {
    clue_child_kill_all();
    clue_temporary_remove_all();
    _Exit(status);
}

#ifdef LUAJIT_VERSION
#define IN_COMPILED_LOOP ", which caught it or is in a loop that LuaJIT compiled (clue -j off gives its line)"
#else
#define IN_COMPILED_LOOP ", which caught it"
#endif

static void end_process(void) {
    if (clue_waiting()) {
        clue_hang_tell(STANDARD_ERROR, message);
    } else {
        say("clue: ");
        say(message);
        say("; its error did not stop the script" IN_COMPILED_LOOP "\n");
        output_flush();
    }
    leave(CLUE_STATUS_TIME_LIMIT);
}

static void pass(void) {
    if (passed || clue_waiting() || !state) end_process();
    passed = 1;
    timer_start(1, pass);
    /* Lua's API allows a signal handler to set a hook. */
    lua_sethook(state, raise_passed, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
}

void clue_time_limit_start(lua_State *L, double seconds) {
    snprintf(message, sizeof message, "the time limit of %g s has passed", seconds);
    state = L;
    output_prepare_flush();
    timer_start(seconds, pass);
}

/* ---- the end of a run that failed ---- */

/* In seconds. What a kernel has overwritten may be a list that clue or a driver goes through: nothing good comes of
 * such a run, so nobody waits for its end. */
#define LONGEST_END 20

static int status_at_end;

static void end_late(void) {
    say("clue: the run failed, and what it left did not end within 20 s: a kernel still runs, or has written over "
        "memory that the end needs\n");
    leave(status_at_end);
}

void clue_time_limit_end(int status) {
    status_at_end = status;
    if (!state) timer_start(LONGEST_END, end_late);
}

void clue_time_limit_stop(void) {
    timer_start(0, NULL);
    state = NULL;
}

bool clue_time_limit_passed(void) {
    return passed != 0;
}
