/* time.c - the system's clocks, and a sleep. */
#include "room.h"

#include <math.h>

#ifndef CREATE_WAITABLE_TIMER_HIGH_RESOLUTION
#define CREATE_WAITABLE_TIMER_HIGH_RESOLUTION 2
#endif

#define LONGEST_SLEEP 1e9
#define TICKS 1e7 /* a second's, of 100 ns */

double time_monotonic(void) {
    static double seconds;
    LARGE_INTEGER now;
    if (seconds == 0) {
        (void)QueryPerformanceFrequency(&now);
        seconds = 1 / (double)now.QuadPart;
    }
    (void)QueryPerformanceCounter(&now);
    return (double)now.QuadPart * seconds;
}

static double ticks_of(FILETIME time) {
    return (double)((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime);
}

double time_processors(void) {
    FILETIME made, ended, kernel, user;
    if (!GetProcessTimes(GetCurrentProcess(), &made, &ended, &kernel, &user)) return 0;
    return (ticks_of(kernel) + ticks_of(user)) / TICKS;
}

/* Sleep() counts in steps of 15 ms. Before Windows 10 1803 there is no finer timer. */
bool pause_is_woken(double seconds) {
    DWORD first = WAIT_FAILED;
    const LARGE_INTEGER due = {.QuadPart = -(int64_t)(fmin(seconds, LONGEST_SLEEP) * TICKS)};
    HANDLE awaited[] = {
        wake_event(), CreateWaitableTimerExW(NULL, NULL, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, TIMER_ALL_ACCESS)};
    if (!awaited[1]) awaited[1] = CreateWaitableTimerExW(NULL, NULL, 0, TIMER_ALL_ACCESS);
    if (awaited[1] && SetWaitableTimer(awaited[1], &due, 0, NULL, NULL, FALSE))
        first = WaitForMultipleObjects(2, awaited, FALSE, INFINITE);
    if (awaited[1]) (void)CloseHandle(awaited[1]);
    return first == WAIT_OBJECT_0;
}

void time_pause(double seconds) {
    (void)pause_is_woken(seconds);
}
