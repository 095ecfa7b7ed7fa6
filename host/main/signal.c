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
 * sees 130. If the process was started with SIGINT ignored, that stays so; but not SIGCHLD, because then the system
 * forgets how children ended. After a crash, the message names the kernels that may be the reason; there is also a
 * message if a driver ends the process. */
#define _XOPEN_SOURCE 700 /* SA_ONSTACK: NOLINT(bugprone-reserved-identifier) */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clue.h"
#include "main.h"

static lua_State *volatile state;
static volatile sig_atomic_t pressed;
static volatile sig_atomic_t polled, stopped; /* IsStopped() was called; Ctrl-C was pressed after that */
static bool on_terminal;

static void say(const char *text) {
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written; /* nobody can read it */
}

/* Lets the signal end the process when the handler returns, so that the parent sees which signal it was. */
static void end_by(int number) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    clue_child_kill_all();
    clue_temporary_remove_all();
    sigaction(number, &standard, NULL);
    raise(number);
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

static const char full_stack[] = "SIGSEGV, since the stack of a thread is full (by recursion, or by the private "
                                 "memory of a whole work-group: try "
                                 "a smaller local size),";

const char *clue_signal_name(int number) {
    switch (number) {
    case SIGSEGV:
        return "SIGSEGV";
    case SIGBUS:
        return "SIGBUS";
    case SIGILL:
        return "SIGILL";
    case SIGFPE:
        return "SIGFPE";
    case SIGABRT:
        return "SIGABRT";
    default:
        return NULL;
    }
}

/* Most likely, a kernel on a CPU went out of bounds. Several of a driver's threads may crash at once: the first
 * prints the message, and the others wait until it is done, however busy the machine is. */
static void crash(int number, siginfo_t *info, void *context) {
    static atomic_flag taken = ATOMIC_FLAG_INIT;
    static atomic_bool finished;
    const char *name = clue_thread_stack_full(info, context) ? full_stack : clue_signal_name(number);
    if (!atomic_flag_test_and_set(&taken)) {
        clue_crash_tell(STDERR_FILENO, name);
        finished = 1;
    } else {
        for (int seconds = 0; seconds < 10 && !finished; seconds++)
            sleep(1);
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

static void install_action(int number, struct sigaction *action) {
    struct sigaction before;
    sigemptyset(&action->sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, action, NULL);
}

/* Signals that the parent process ignores stay ignored. No SA_RESTART: io.read and the prompt must return when the
 * key is pressed. */
static void install(int number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler};
    install_action(number, &action);
}

static void install_crash(int number) {
    struct sigaction action = {.sa_sigaction = crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    install_action(number, &action);
}

void clue_signal_install(lua_State *L) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    on_terminal = isatty(STDERR_FILENO) == 1;
    state = L;
    clue_thread_stack_add();
    install(SIGINT, handle);
    install(SIGTERM, end_by);
    install(SIGHUP, end_by);
    install(SIGPIPE, end_by);  /* nobody reads any more: `clue trace script.lua | head` */
    install(SIGXFSZ, SIG_IGN); /* a file at its size limit is an error with a message */
    (void)atexit(report_exit);
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        install_crash(crashes[i]);
    sigaction(SIGCHLD, &standard, NULL);
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
