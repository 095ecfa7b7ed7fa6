/* clock.c - the monotonic clock, which measures every duration in clue, a sleep by it, and the processors' time. */
#include "clue.h"

#include <math.h>
#include <time.h>

/* Longer sleeps are cut, because time_t may have 32 bits. */
#define LONGEST_SLEEP 1e9

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double clue_clock_now(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double clue_clock_cpu(void) {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
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
