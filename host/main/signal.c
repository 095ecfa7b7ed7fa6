/* signal.c - how a run is ended from outside: Ctrl-C, and the signals that end a process at once. No child outlives
 * it either way.
 *
 * Ctrl-C: in Lua code the first press raises "interrupted!" at the next instruction, a second one before
 * that ends the process. While the library waits for a driver, where nothing can be raised, the first one does.
 *
 * The second press is what ends a loop that LuaJIT has compiled: compiled code looks at no hook. Under Lua 5.4 the
 * same holds for a loop in a coroutine, which has hooks of its own. Ending means by the signal itself, so that a
 * shell sees 130. SIGINT stays ignored where the process was started that way; SIGCHLD does not, since the system
 * then forgets how children ended. A crash is told with the kernels that may be why, and so is a driver that ends
 * the process by itself. */
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
static bool on_terminal;

static void say(const char *text) {
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written; /* there is nobody left to tell */
}

/* The signal itself ends the process, so that whoever started it sees which: it arrives when the handler returns.
 */
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

/* A kernel out of bounds on a CPU, most likely. A driver's threads may crash at once: one of them tells, and the
 * others leave it the time to, be the machine ever so busy. */
static void crash(int number) {
    static atomic_flag taken = ATOMIC_FLAG_INIT;
    static atomic_bool told;
    const char *name = number == SIGSEGV  ? "SIGSEGV"
                       : number == SIGBUS ? "SIGBUS"
                       : number == SIGILL ? "SIGILL"
                       : number == SIGFPE ? "SIGFPE"
                                          : "SIGABRT";
    if (!atomic_flag_test_and_set(&taken)) {
        clue_crash_tell(STDERR_FILENO, name);
        told = 1;
    } else {
        for (int seconds = 0; seconds < 10 && !told; seconds++)
            sleep(1);
    }
    end_by(number);
}

static const char raised_key; /* its address is the registry's key of what was raised last */

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
    bool told;
    lua_pushvalue(L, index);
    lua_pushlightuserdata(L, (void *)&raised_key);
    lua_rawget(L, LUA_REGISTRYINDEX);
    told = lua_type(L, -1) == LUA_TSTRING && lua_type(L, -2) == LUA_TSTRING &&
           strstr(lua_tostring(L, -2), lua_tostring(L, -1));
    lua_pop(L, 2);
    return told;
}

static void handle(int number) {
    const char *waiting_for = clue_waiting();
    (void)number;
    if (waiting_for || pressed || !state) {
        end_process(waiting_for);
        return;
    }
    pressed = 1;
    /* Setting a hook is what Lua's API allows in a signal handler. */
    lua_sethook(state, raise_interrupt, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
}

/* A driver that gives up calls exit(): LLVM in PoCL does where it cannot write a file. Whatever ends a run
 * otherwise has released the state by then. */
static void tell_exit(void) {
    const char *waiting_for = clue_waiting();
    if (!state) return;
    say("clue: the process was ended by a driver, or by another library");
    if (waiting_for) {
        say(", while clue was waiting for ");
        say(waiting_for);
    }
    say("; why, it may have said above. \"IO failure on output stream\": there is no room for what it compiles, or "
        "a "
        "limit on files (ulimit -f); PoCL keeps that in POCL_CACHE_DIR, else ~/.cache/pocl\n");
}

/* What the starter has set to be ignored stays so. No SA_RESTART: io.read and the prompt shall return when the key
 * is pressed. */
static void install(int number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler};
    struct sigaction before;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

void clue_signal_install(lua_State *L) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    on_terminal = isatty(STDERR_FILENO) == 1;
    state = L;
    install(SIGINT, handle);
    install(SIGTERM, end_by);
    install(SIGHUP, end_by);
    install(SIGXFSZ, SIG_IGN); /* a file at its limit is an error that is told */
    (void)atexit(tell_exit);
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        install(crashes[i], crash);
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
