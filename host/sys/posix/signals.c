/* signals.c - signal handlers that any process with the library has. */
#include "../system.h"

#include <signal.h>

/* ---- the process's own handlers, around calls that make drivers start or compile ----
 *
 * Most drivers compile with LLVM. It replaces the process's signal handlers with its own, and removes them when a
 * signal comes. If two of PoCL's threads crash at once, the second one ends the process before the first has
 * removed LLVM's handlers, and nobody learns which kernel it was. SIGFPE's handler is not put back, because PoCL
 * handles that signal for kernels that divide by 0. Signals for which the process had no handler stay as the driver
 * set them. */

static const int watched[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGHUP, SIGPIPE};
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

/* ---- suspensions ---- */

static void (*resumed)(void);

static void note_resumed(int number) {
    (void)number;
    resumed();
}

/* SIGSTOP itself cannot be seen, but the process gets SIGCONT before anything else of it runs. A handler that the
 * program has installed stays. */
void signals_watch_suspensions(void (*after)(void)) {
    struct sigaction action = {.sa_handler = note_resumed, .sa_flags = SA_RESTART}, before;
    resumed = after;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGCONT, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL)
        sigaction(SIGCONT, &action, NULL);
}
