/* timer.c - a timer, and output that is flushed when it has passed. Both in threads of their own. */
#include "room.h"

#include <math.h>

static void (*passed)(void);
static HANDLE timer;

static void CALLBACK handle(void *unused, BOOLEAN fired) {
    (void)unused;
    (void)fired;
    passed();
}

void timer_start(double seconds, void (*when_passed)(void)) {
    if (timer) (void)DeleteTimerQueueTimer(NULL, timer, NULL);
    timer = NULL;
    if (seconds <= 0) return;
    passed = when_passed;
    (void)CreateTimerQueueTimer(&timer, NULL, handle, NULL, (DWORD)fmin(ceil(seconds * 1000), 4e9), 0,
                                WT_EXECUTEONLYONCE | WT_EXECUTELONGFUNCTION);
}

void output_prepare_flush(void) {}

static DWORD WINAPI flush(void *unused) {
    (void)unused;
    (void)fflush(stdout);
    return 0;
}

/* The run may have been stopped in the middle of a write. */
void output_flush(void) {
    const HANDLE flusher = CreateThread(NULL, 0, flush, NULL, 0, NULL);
    if (!flusher) return;
    (void)WaitForSingleObject(flusher, 1000);
    (void)CloseHandle(flusher);
}
