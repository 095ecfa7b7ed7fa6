/* test_clock.c - the monotonic clock and its sleep, the processors' time, and how often the process was suspended.
 *
 * suite: quick */
#include "clue.h"

#include "unit.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

TEST(never_goes_back) {
    double last = clue_clock_now();
    for (int i = 0; i < 100000; i++) {
        double now = clue_clock_now();
        assert_true(now >= last);
        last = now;
    }
}

TEST(resolves_microseconds) {
    double smallest = 1;
    for (int i = 0; i < 1000; i++) {
        double start = clue_clock_now(), now = start;
        while (now <= start)
            now = clue_clock_now();
        smallest = fmin(smallest, now - start);
    }
    assert_true(smallest < 1e-5);
}

static void *work(void *seconds) {
    const double end = clue_clock_cpu() + *(double *)seconds;
    while (clue_clock_cpu() < end)
        ;
    return NULL;
}

TEST(cpu_time_counts_all_threads) {
    pthread_t thread;
    double seconds = 0.02, start = clue_clock_cpu();
    assert_int_equal(pthread_create(&thread, NULL, work, &seconds), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(clue_clock_cpu() - start >= seconds);
}

TEST(cpu_time_does_not_count_a_sleep) {
    double start = clue_clock_cpu();
    clue_clock_sleep(0.5);
    assert_true(clue_clock_cpu() - start < 0.25);
}

TEST(sleeps_as_long_as_asked) {
    const double lengths[] = {0.001, 0.05, 1.1};
    for (int i = 0; i < 3; i++) {
        double start = clue_clock_now();
        double slept;
        clue_clock_sleep(lengths[i]);
        slept = clue_clock_now() - start;
        assert_true(slept >= lengths[i]);
        assert_true(slept < lengths[i] + 5);
    }
}

TEST(does_not_sleep_for_nothing) {
    const double lengths[] = {0, -1, -INFINITY, NAN};
    double start = clue_clock_now();
    for (int i = 0; i < 4; i++)
        clue_clock_sleep(lengths[i]);
    assert_true(clue_clock_now() - start < 1);
}

static void do_nothing(int number) {
    (void)number;
}

/* The sleep is endless, so only the signal can end it. */
TEST(a_signal_ends_a_sleep_early) {
    struct sigaction action = {.sa_handler = do_nothing}, before;
    /* repeatedly, since the first signal may come before the sleep has begun */
    const struct itimerval soon = {{0, 100000}, {0, 100000}}, never = {{0, 0}, {0, 0}};
    const double lengths[] = {30, 1e9, 1e300, INFINITY};
    sigaction(SIGALRM, &action, &before);
    for (int i = 0; i < 4; i++) {
        double start = clue_clock_now();
        double slept;
        setitimer(ITIMER_REAL, &soon, NULL);
        clue_clock_sleep(lengths[i]);
        slept = clue_clock_now() - start;
        setitimer(ITIMER_REAL, &never, NULL);
        assert_true(slept > 0.09);
        assert_true(slept < 20);
    }
    sigaction(SIGALRM, &before, NULL);
}

/* SIGCONT alone, as it comes after a stop: a test that stops itself would need another process to go on. */
TEST(counts_suspensions) {
    const int32_t before = clue_suspension_count();
    assert_int_equal(clue_suspension_count(), before);
    raise(SIGCONT);
    raise(SIGCONT);
    assert_int_equal(clue_suspension_count(), before + 2);
}
