/* time_limit.c - --time-limit: ends a run that takes too long, and says what it was doing.
 *
 * Lua code gets an error at its next instruction, which gives the line. A driver's call cannot be cancelled, so
 * while the library waits for one, the process ends; so it does a second after the error, if the script goes on,
 * because it caught the error, or because LuaJIT has compiled its loop, which then checks no hook. Before that, a
 * thread writes out what C's buffer still holds for a pipe or a file, unless nobody reads it. The exit status is
 * that of timeout(1). */
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "clue.h"
#include "main.h"

static lua_State *volatile state;
static volatile sig_atomic_t passed;
static char message[64];

/* A signal handler must not call fflush(), but it may wake a thread that does. */
static sem_t wakes_flusher;
static bool has_flusher;
static atomic_bool flushed;

static void *flush_when_woken(void *unused) {
    (void)unused;
    while (sem_wait(&wakes_flusher) != 0)
        continue;
    (void)fflush(stdout);
    atomic_store(&flushed, true);
    return NULL;
}

/* No signal must be handled by this thread: its handler would wait for the thread itself. */
static bool start_flusher(void) {
    sigset_t all, before;
    pthread_t thread;
    int code;
    if (sem_init(&wakes_flusher, 0, 0) != 0) return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&thread, NULL, flush_when_woken, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code == 0) pthread_detach(thread);
    return code == 0;
}

/* Waits for a second at most: the run may have been stopped in the middle of a write, or nobody reads the pipe. */
static void flush_output(void) {
    const struct timespec pause = {.tv_nsec = 5000000};
    if (!has_flusher) return;
    sem_post(&wakes_flusher);
    for (int i = 0; i < 200 && !atomic_load(&flushed); i++)
        nanosleep(&pause, NULL);
}

static void start_timer(double seconds) {
    const double whole = floor(seconds);
    struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)((seconds - whole) * 1e6)}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void raise_passed(lua_State *L, lua_Debug *event) {
    (void)event;
    lua_sethook(L, NULL, 0, 0);
    clue_report_push_place(L);
    lua_pushstring(L, message);
    lua_concat(L, 2);
    lua_error(L);
}

static void say(const char *text) {
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written; /* nobody can read it */
}

static void end_process(void) {
    if (clue_waiting()) {
        clue_hang_tell(STDERR_FILENO, message);
    } else {
        say("clue: ");
        say(message);
        say("; its error did not stop the script\n");
        flush_output();
    }
    clue_child_kill_all();
    clue_temporary_remove_all();
    _exit(CLUE_STATUS_TIME_LIMIT);
}

static void handle(int number) {
    (void)number;
    if (passed || clue_waiting() || !state) end_process();
    passed = 1;
    start_timer(1);
    /* Lua's API allows a signal handler to set a hook. */
    lua_sethook(state, raise_passed, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
}

void clue_time_limit_start(lua_State *L, double seconds) {
    struct sigaction action = {.sa_handler = handle};
    sigemptyset(&action.sa_mask);
    snprintf(message, sizeof message, "the time limit of %g s has passed", seconds);
    state = L;
    has_flusher = start_flusher();
    sigaction(SIGALRM, &action, NULL);
    start_timer(seconds);
}

void clue_time_limit_stop(void) {
    start_timer(0);
    state = NULL;
}

bool clue_time_limit_passed(void) {
    return passed != 0;
}
