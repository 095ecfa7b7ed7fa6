/* time.c - the system's clocks, and a sleep. */
#include "../system.h"

#include <math.h>
#include <time.h>

/* Longer sleeps are cut, because time_t may have 32 bits. */
#define LONGEST_SLEEP 1e9

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double time_monotonic(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double time_processors(void) {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

void time_pause(double seconds) {
    struct timespec until;
    double whole;
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
