/* clock.c - the monotonic clock, which measures every duration in clue, a sleep by it, the processors' time, and
 * how often the process was suspended, while the clocks ran on. Neither clock goes back, even if the system's does.
 */
#include "clue.h"
#include "system.h"

#include <stdatomic.h>

/* A duration below 0 would become a speed below 0. Drivers' threads ask, too. */
static double never_back(double now, _Atomic double *latest) {
    double before = atomic_load_explicit(latest, memory_order_relaxed);
    while (now > before)
        if (atomic_compare_exchange_weak_explicit(latest, &before, now, memory_order_relaxed, memory_order_relaxed))
            return now;
    return before;
}

double clue_clock_now(void) {
    static _Atomic double latest;
    return never_back(time_monotonic(), &latest);
}

double clue_clock_cpu(void) {
    static _Atomic double latest;
    return never_back(time_processors(), &latest);
}

/* ---- suspensions ---- */

static atomic_int suspensions;

static void note_suspension(void) {
    atomic_fetch_add(&suspensions, 1);
}

int32_t clue_suspension_count(void) {
    static atomic_flag watched = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&watched)) signals_watch_suspensions(note_suspension);
    return atomic_load(&suspensions);
}

/* Sleeps once: a signal ends it early, so that Ctrl-C in a script's Sleep() reaches the interpreter at once. A
 * caller that must sleep to the end looks at the clock and calls again. */
void clue_clock_sleep(double seconds) {
    if (seconds > 0) time_pause(seconds); /* NaN is not */
}
