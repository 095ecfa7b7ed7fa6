/* clock.c - the monotonic clock, which measures every duration in clue, a sleep by it, the processors' time, and
 * how often the process was suspended, while the clocks ran on. Neither clock goes back, even if the system's does.
 */
#include "clue.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

/* Longer sleeps are cut, because time_t may have 32 bits. */
#define LONGEST_SLEEP 1e9

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A duration below 0 would become a speed below 0. Drivers' threads ask, too. */
static double never_back(clockid_t clock, _Atomic double *latest) {
    const double now = seconds_of(clock);
    double before = atomic_load_explicit(latest, memory_order_relaxed);
    while (now > before)
        if (atomic_compare_exchange_weak_explicit(latest, &before, now, memory_order_relaxed, memory_order_relaxed))
            return now;
    return before;
}

double clue_clock_now(void) {
    static _Atomic double latest;
    return never_back(CLOCK_MONOTONIC, &latest);
}

double clue_clock_cpu(void) {
    static _Atomic double latest;
    return never_back(CLOCK_PROCESS_CPUTIME_ID, &latest);
}

/* ---- suspensions ---- */

static atomic_int suspensions;

static void note_suspension(int number) {
    (void)number;
    atomic_fetch_add(&suspensions, 1);
}

/* SIGSTOP itself cannot be seen, but the process gets SIGCONT before anything else of it runs. A handler that the
 * program has installed stays. */
static void watch_suspensions(void) {
    struct sigaction action = {.sa_handler = note_suspension, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGCONT, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL)
        sigaction(SIGCONT, &action, NULL);
}

int32_t clue_suspension_count(void) {
    static atomic_flag watched = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&watched)) watch_suspensions();
    return atomic_load(&suspensions);
}

/* Sleeps once: a signal ends it early, so that Ctrl-C in a script's Sleep() reaches the interpreter at once. A
 * caller that must sleep to the end looks at the clock and calls again. */
void clue_clock_sleep(double seconds) {
    struct timespec until;
    double whole;
    if (!(seconds > 0)) return; /* NaN as well */
    clock_gettime(CLOCK_MONOTONIC, &until);
    whole = floor(fmin(seconds, LONGEST_SLEEP));
    until.tv_sec += (time_t)whole;
    until.tv_nsec += (long)((fmin(seconds, LONGEST_SLEEP) - whole) * 1e9);
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}
