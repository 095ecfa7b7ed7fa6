/* wrong_clock.c - preloaded, it makes the system's clocks wrong: CLUE_CLOCK says how.
 *
 *   real    the time of day jumps at every look, by up to eleven days forwards and back
 *   still   the monotonic clock stands still from its CLUE_CLOCK_AFTER-th look on (default: the first)
 *   back    the monotonic clock runs backwards from then on
 *   jitter  every third look at the monotonic clock from then on is a second early
 *
 * Any other value ends the process, so that no test passes because of a typing mistake. */
#define _GNU_SOURCE /* syscall(): NOLINT(clang-diagnostic-reserved-macro-identifier) */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static enum { RIGHT, REAL, STILL, BACK, JITTER } how;
static long after;
static atomic_long looks;
static struct timespec since;

__attribute__((constructor)) static void begin(void) {
    static const char *const names[] = {"right", "real", "still", "back", "jitter"};
    const char *wanted = getenv("CLUE_CLOCK"), *from = getenv("CLUE_CLOCK_AFTER");
    for (how = RIGHT; wanted && how <= JITTER && strcmp(names[how], wanted) != 0; how++)
        ;
    if (how > JITTER) {
        (void)fprintf(stderr, "wrong_clock: CLUE_CLOCK=%s: real, still, back or jitter\n", wanted);
        _exit(70);
    }
    after = from ? strtol(from, NULL, 10) : 1;
}

/* A jump that differs from look to look: the seconds, from -10^6 to 10^6. */
static long jump(void) {
    return (long)(atomic_fetch_add(&looks, 1) * 7919 % 17 - 8) * 125000;
}

static void change_monotonic(struct timespec *now) {
    const long look = atomic_fetch_add(&looks, 1) + 1;
    if (look < after) return;
    if (since.tv_sec == 0) since = *now;
    if (how == STILL) *now = since;
    if (how == BACK) {
        now->tv_sec = 2 * since.tv_sec - now->tv_sec;
        now->tv_nsec = 999999999 - now->tv_nsec;
    }
    if (how == JITTER && look % 3 == 0) now->tv_sec--;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    const int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result != 0) return result;
    if (clock == CLOCK_REALTIME && how == REAL) now->tv_sec += jump();
    if (how > REAL && (clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW)) change_monotonic(now);
    return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &precise);
    *now = (struct timeval){.tv_sec = precise.tv_sec, .tv_usec = precise.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *now) {
    struct timespec precise;
    (void)clock_gettime(CLOCK_REALTIME, &precise);
    if (now) *now = precise.tv_sec;
    return precise.tv_sec;
}
