/* waiting.c - what the library waits for at the moment.
 *
 * A driver's call cannot be given up, so a signal handler asks here whether one is under way before it decides how
 * to end the process. Kernels print while such a call is under way, PoCL past C's buffer: what the host printed
 * before leaves it first, which also outlives a kernel's crash. */
#include "base/base.h"

#include <stdio.h>

static const char *volatile waiting;

const char *clue_waiting(void) {
    return waiting;
}

void waiting_for(const char *what) {
    (void)fflush(stdout);
    waiting = what;
}

void waiting_is_over(void) {
    waiting = NULL;
}
