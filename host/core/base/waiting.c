/* waiting.c - what the library is waiting for now.
 *
 * A driver's call cannot be cancelled, so a signal handler asks here whether one is running before it decides how
 * to end the process. Kernels print during such a call, and PoCL does so past C's buffer. So the host's own output
 * is flushed first; then it also survives a crash of the kernel. */
#include "base/base.h"

#include <stdio.h>

static const char *volatile waiting;

const char *clue_waiting(void) {
    return waiting;
}

const char *clue_calling(void) {
    return trace_running();
}

void waiting_for(const char *what) {
    (void)fflush(stdout);
    waiting = what;
}

void waiting_is_over(void) {
    waiting = NULL;
}
