/* signal.c - ends a run from outside: Ctrl-C, and the signals that end a process at once. In either case no child
 * outlives it.
 *
 * Ctrl-C in Lua code: the first press raises "interrupted!" at the next instruction, and a second press before that
 * ends the process. While the library waits for a driver, nothing can be raised, so the first press ends the
 * process.
 *
 * A script that calls IsStopped() wants to end by itself: from then on, the first press only makes IsStopped()
 * true, and the next ones do what the first would have done.
 *
 * The second press is needed for a loop that LuaJIT has compiled, because compiled code checks no hook; and in Lua
 * 5.4 for a loop in a coroutine, which has hooks of its own. The process ends by the signal itself, so that a shell
 * sees 130. After a crash, the message names the kernels that may be the reason; there is also a message if a
 * driver ends the process. */
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "clue.h"
#include "main.h"

static lua_State *volatile state;
static volatile sig_atomic_t pressed;
static volatile sig_atomic_t polled, stopped; /* IsStopped() was called; Ctrl-C was pressed after that */
static bool on_terminal;

static void say(const char *text) {
    (void)output_write(STANDARD_ERROR, text, strlen(text));
}

/* Lets the signal end the process when the handler returns, so that the parent sees which signal it was. */
static void end_by(int number) {
    clue_child_kill_all();
    clue_temporary_remove_all();
    signal_end_by(number);
}

static void end_process(const char *waiting_for) {
    say("\nclue: interrupted");
    if (waiting_for) {
        say(" while waiting for ");
        say(waiting_for);
    }
    say("\n");
    if (on_terminal) say("\033[?25h"); /* a progress line may have hidden the cursor */
    end_by(SIGINT);
}

/* What a kernel has overwritten may be a lock that the end waits for: it takes so many seconds at most. */
#define LONGEST_END 20

static volatile sig_atomic_t crashed_by;

static void end_late(void) {
    signal_end_by(crashed_by);
}

static const char full_stack[] = "SIGSEGV, since the stack of a thread is full (by recursion, or by the private "
                                 "memory of a whole work-group: try "
                                 "a smaller local size),";

/* Most likely, a kernel on a CPU went out of bounds. Several of a driver's threads may crash at once: the first
 * prints the message, and the others wait until it is done, however busy the machine is. If it crashes while it
 * does so, it tries again with what cannot be overwritten. */
static void crash(int number, const char *name, bool stack_is_full) {
    static atomic_flag taken = ATOMIC_FLAG_INIT;
    static atomic_bool finished;
    static _Thread_local int depth;
    const bool again = depth++ == 1;
    crashed_by = number;
    if (depth == 1) timer_start(LONGEST_END, end_late);
    if ((again && !finished) || !atomic_flag_test_and_set(&taken)) {
        clue_crash_tell(STANDARD_ERROR, stack_is_full ? full_stack : name);
        finished = 1;
    } else if (depth == 1) {
        for (int seconds = 0; seconds < 10 && !finished; seconds++)
            clue_clock_sleep(1);
    }
    end_by(number);
}

static const char raised_key; /* its address is the registry's key for the last raised value */

static void raise_interrupt(lua_State *L, lua_Debug *event) {
    (void)event;
    clue_signal_take();
    lua_pushlightuserdata(L, (void *)&raised_key);
    clue_report_push_place(L);
    lua_pushliteral(L, "interrupted!");
    lua_concat(L, 2);
    lua_pushvalue(L, -1);
    lua_insert(L, -3);
    lua_rawset(L, LUA_REGISTRYINDEX);
    lua_error(L);
}

bool clue_signal_raised(lua_State *L, int index) {
    bool matches;
    lua_pushvalue(L, index);
    lua_pushlightuserdata(L, (void *)&raised_key);
    lua_rawget(L, LUA_REGISTRYINDEX);
    matches = lua_type(L, -1) == LUA_TSTRING && lua_type(L, -2) == LUA_TSTRING &&
              strstr(lua_tostring(L, -2), lua_tostring(L, -1));
    lua_pop(L, 2);
    return matches;
}

int clue_signal_interrupted(lua_State *L) {
    lua_settop(L, 1);
    if (luaL_callmeta(L, 1, "__tostring")) lua_replace(L, 1);
    lua_pushboolean(L, clue_signal_raised(L, 1));
    return 1;
}

int clue_signal_stopped(lua_State *L) {
    polled = 1;
    lua_pushboolean(L, stopped != 0);
    return 1;
}

void clue_signal_forget_stop(void) {
    polled = 0;
    stopped = 0;
}

static void handle(int number) {
    const char *waiting_for = clue_waiting();
    (void)number;
    if (polled && !stopped) {
        stopped = 1;
        say("\nclue: IsStopped() is now true; Ctrl-C again ends the script at once\n");
        return;
    }
    if (waiting_for || pressed || !state) {
        end_process(waiting_for);
        return;
    }
    pressed = 1;
    /* Lua's API allows a signal handler to set a hook. */
    lua_sethook(state, raise_interrupt, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
}

/* A driver may give up and call exit(), as LLVM in PoCL does if it cannot write a file. Runs that end normally have
 * released the state before this. */
static void report_exit(void) {
    const char *waiting_for = clue_waiting(), *call = clue_calling();
    if (!state) return;
    say("clue: the process was ended by a driver, or by another library");
    if (call) {
        say(", in ");
        say(call);
    }
    if (waiting_for) {
        say(", while clue was waiting for ");
        say(waiting_for);
    }
    say("; it may have printed the reason above. \"IO failure on output stream\": the disk with its compiled files "
        "is full, or the size of files is limited (ulimit -f); PoCL's are in POCL_CACHE_DIR or ~/.cache/pocl\n");
}

/* Drivers may end the process without a word after this. */
static void tell_refused_thread(void) {
    if (clue_waiting()) clue_crash_tell(STANDARD_ERROR, "pthread_create fails");
}

void clue_signal_install(lua_State *L) {
    static const signal_actions actions = {.interrupt = handle, .end = end_by, .crash = crash};
    on_terminal = terminal_is(STANDARD_ERROR);
    state = L;
    thread_stack_add(tell_refused_thread);
    (void)atexit(report_exit);
    signals_handle(&actions);
}

void clue_signal_release(void) {
    state = NULL;
}

bool clue_signal_take(void) {
    bool taken = pressed != 0;
    if (taken && state) lua_sethook(state, NULL, 0, 0);
    pressed = 0;
    return taken;
}
