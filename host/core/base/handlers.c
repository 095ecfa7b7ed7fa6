/* handlers.c - the process's own signal handlers, around what has drivers start and compile.
 *
 * LLVM, which most drivers compile with, puts handlers of its own in their place, and takes them out again when a
 * signal comes. Where two of PoCL's threads crash at once, the second one ends the process before the first has
 * done so, and nobody is told which kernel it was. Not put back is SIGFPE's, which PoCL handles for kernels that
 * divide by 0. Signals that nobody had a handler for stay as the driver wants them. */
#include "base/base.h"

#include <signal.h>

static const int watched[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGHUP};
enum { WATCHED = sizeof watched / sizeof watched[0] };

static struct sigaction kept[WATCHED];

static bool is_handled(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

void handlers_keep(void) {
    for (int i = 0; i < WATCHED; i++)
        if (sigaction(watched[i], NULL, &kept[i]) != 0) kept[i] = (struct sigaction){.sa_handler = SIG_DFL};
}

void handlers_put_back(void) {
    for (int i = 0; i < WATCHED; i++)
        if (is_handled(&kept[i])) (void)sigaction(watched[i], &kept[i], NULL);
}
