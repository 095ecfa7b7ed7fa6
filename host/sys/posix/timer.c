/* timer.c - a timer, and output that is flushed in its handler. */
#include "../system.h"

#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>

/* ---- the timer ---- */

static void (*passed)(void);

static void handle(int number) {
    (void)number;
    passed();
}

void timer_start(double seconds, void (*when_passed)(void)) {
    const double whole = floor(seconds);
    struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)((seconds - whole) * 1e6)}};
    if (seconds > 0) {
        struct sigaction action = {.sa_handler = handle};
        passed = when_passed;
        sigemptyset(&action.sa_mask);
        sigaction(SIGALRM, &action, NULL);
    }
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* ---- output ---- */

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
void output_prepare_flush(void) {
    sigset_t all, before;
    pthread_t thread;
    if (sem_init(&wakes_flusher, 0, 0) != 0) return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    has_flusher = pthread_create(&thread, NULL, flush_when_woken, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (has_flusher) pthread_detach(thread);
}

/* The run may have been stopped in the middle of a write. */
void output_flush(void) {
    const struct timespec pause = {.tv_nsec = 5000000};
    if (!has_flusher) return;
    sem_post(&wakes_flusher);
    for (int i = 0; i < 200 && !atomic_load(&flushed); i++)
        nanosleep(&pause, NULL);
}
