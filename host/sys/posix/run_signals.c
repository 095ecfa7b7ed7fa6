/* run_signals.c - signals that end, interrupt or crash a run of the executable, and those that one which only waits
 * for its child notes. */
#include "../system.h"
#include "crash.h"

#include <signal.h>

void signal_end_by(int number) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(number, &standard, NULL);
    raise(number);
}

const char *signal_name(int number) {
    switch (number) {
    case SIGSEGV:
        return "SIGSEGV";
    case SIGBUS:
        return "SIGBUS";
    case SIGILL:
        return "SIGILL";
    case SIGFPE:
        return "SIGFPE";
    case SIGABRT:
        return "SIGABRT";
    case SIGKILL:
        return "SIGKILL";
    default:
        return NULL;
    }
}

static bool is_ignored(int number) {
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void install_action(int number, struct sigaction *action) {
    sigemptyset(&action->sa_mask);
    if (!is_ignored(number)) sigaction(number, action, NULL);
}

/* No SA_RESTART: io.read and the prompt must return when the key is pressed. */
static void install(int number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler};
    install_action(number, &action);
}

/* ---- a run ---- */

static signal_actions actions;

static void crash(int number, siginfo_t *info, void *context) {
    actions.crash(number, signal_name(number), stack_is_full(info, context));
}

void signals_handle(const signal_actions *wanted) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    actions = *wanted;
    install(SIGINT, actions.interrupt);
    install(SIGTERM, actions.end);
    install(SIGHUP, actions.end);
    install(SIGPIPE, actions.end); /* nobody reads any more: `clue trace script.lua | head` */
    install(SIGXFSZ, SIG_IGN);     /* a file at its size limit is an error with a message */
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
        struct sigaction action = {.sa_sigaction = crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
        install_action(crashes[i], &action);
    }
    sigaction(SIGCHLD, &standard, NULL); /* ignored, the system would forget how children ended */
}

/* ---- a wait for a child ---- */

static volatile sig_atomic_t asked;

static void ask(int number, siginfo_t *info, void *context) {
    (void)context;
    if (number != SIGINT || info->si_code == SI_USER) asked = number;
}

static void note(int number) {
    struct sigaction action = {.sa_sigaction = ask, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void signals_note(void) {
    if (!is_ignored(SIGTERM)) note(SIGTERM);
    if (!is_ignored(SIGHUP)) note(SIGHUP);
}

/* The library ignores it while a child is in the foreground, so what it was before is not asked for here. */
void signals_note_interrupt(void) {
    note(SIGINT);
}

bool signals_ignore_interrupt(void) {
    return is_ignored(SIGINT);
}

int signals_asked(void) {
    return asked;
}
