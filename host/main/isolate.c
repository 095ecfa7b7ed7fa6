/* isolate.c - --isolate: the run happens in a child process, and this process stays well whatever it does.
 *
 * The child has the terminal, the input and the output, and gets Ctrl-C. It keeps the time limit itself, since it
 * knows which kernels are running; it is ended from here only if it cannot. After its end, what it started ends,
 * and the terminal is as it was. */
#include <signal.h>
#include <stdio.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "clue.h"
#include "main.h"

/* In seconds: what the child gets after its time limit, or after a signal, to end by itself; how long what it left
 * may take to end; and a limit that has passed at once. */
#define GRACE 3.0
#define LEFT_GRACE 1.0
#define AT_ONCE 1e-9
/* Between two looks at `asked`: a signal may come just before a wait, which it does not end then. */
#define LOOK 0.2

/* ---- the terminal ---- */

static struct {
    bool known;
    struct termios modes;
} terminal;

static void terminal_note(void) {
    terminal.known = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &terminal.modes) == 0;
}

/* SIGTTOU would stop this process if the child had left it in the background. */
static void terminal_restore(void) {
    sigset_t blocked, before;
    if (isatty(STDERR_FILENO)) fputs("\033[?25h\033[0m", stderr); /* shows the cursor, ends colours */
    if (!terminal.known) return;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTTOU);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal.modes);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ---- what the child started ---- */

/* From here on, a process whose parent has ended becomes a child of this one. */
static void adopt_orphans(void) {
#ifdef __linux__
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

/* Sends a signal to the processes that this one has now. False if there are none, or the system does not list them.
 */
static bool signal_children(int number) {
    FILE *list = fopen("/proc/thread-self/children", "re");
    bool found = false;
    long process;
    while (list && fscanf(list, "%ld", &process) == 1)
        found = kill((pid_t)process, number) == 0 || found;
    if (list) (void)fclose(list);
    return found;
}

/* A killed process passes its own children on to this one, so this goes on until there are none. */
static void end_orphans(void) {
    const double until = clue_clock_now() + LEFT_GRACE;
    while (signal_children(SIGKILL) && clue_clock_now() < until) {
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
        clue_clock_sleep(0.001);
    }
}

/* ---- signals to this process ---- */

static volatile sig_atomic_t asked; /* the signal that is to end the run; 0: none */

/* The terminal sends Ctrl-C to the child as well, but `kill` only to this process. */
static void ask(int number, siginfo_t *info, void *context) {
    (void)context;
    if (number != SIGINT || info->si_code == SI_USER) asked = number;
}

static bool is_ignored(int number) {
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void install(int number) {
    struct sigaction action = {.sa_sigaction = ask, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* Ends this process as the signal ended the child, so that a shell sees the same. */
static void end_by(int number) {
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    (void)fflush(NULL);
    sigaction(number, &standard, NULL);
    raise(number);
}

/* ---- the run ---- */

/* Follows the child to its end; a signal to this process is passed on, and the child must end by it. */
static int32_t follow(int32_t child) {
    int32_t state;
    bool told = false;
    while ((state = clue_child_wait(child, LOOK)) == CLUE_CHILD_RUNNING) {
        if (asked && !told) clue_child_limit(child, signal_children(asked) ? GRACE : AT_ONCE);
        told = asked != 0;
    }
    return state;
}

static void say_signal(int number) {
    const char *name = clue_signal_name(number);
    if (name)
        clue_report_say("the isolated run was ended by %s", name);
    else if (number == SIGKILL)
        clue_report_say(
            "the isolated run was ended by SIGKILL: by the system for lack of memory, or by another program");
    else
        clue_report_say("the isolated run was ended by signal %d", number);
}

static int status_of(const struct clue_options *options, int32_t state, int32_t value) {
    if (asked) end_by(asked);
    switch (state) {
    case CLUE_CHILD_EXITED:
        return value;
    case CLUE_CHILD_SIGNALLED:
        if (value == SIGINT) end_by(SIGINT);
        say_signal(value);
        return CLUE_STATUS_SIGNALLED + value;
    case CLUE_CHILD_TIMEOUT:
        clue_report_say("the time limit of %g s has passed, and the isolated run did not end by itself: it was "
                        "killed, so no kernel can be named",
                        options->time_limit);
        return CLUE_STATUS_TIME_LIMIT;
    default:
        clue_report_say("the isolated run: %s", clue_error_text());
        return CLUE_STATUS_FAILED;
    }
}

int clue_isolate_run(const struct clue_options *options, char *program) {
    const clue_child_options how = {.arguments = (const char *const *)options->arguments,
                                    .seconds = options->time_limit > 0 ? options->time_limit + GRACE : 0,
                                    .foreground = 1};
    const bool background = is_ignored(SIGINT); /* a shell starts commands behind & so */
    int32_t child, state, value;
    options->arguments[0] = program; /* the path: the word may be a name that the shell found in PATH */
    terminal_note();
    adopt_orphans();
    if (!is_ignored(SIGTERM)) install(SIGTERM);
    if (!is_ignored(SIGHUP)) install(SIGHUP);
    child = clue_child_start(&how);
    if (!background) install(SIGINT); /* the library ignores it while the child is in the foreground */
    if (child < 0) {
        clue_report_say("--isolate: %s", clue_error_text());
        return CLUE_STATUS_FAILED;
    }
    state = follow(child);
    value = state >= 0 ? clue_child_value(child) : 0;
    clue_child_close(child);
    end_orphans();
    terminal_restore();
    return status_of(options, state, value);
}
