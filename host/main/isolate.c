/* isolate.c - --isolate: the run happens in a child process, and this process stays well whatever it does.
 *
 * The child has the terminal, the input and the output, and gets Ctrl-C. It keeps the time limit itself, since it
 * knows which kernels are running; it is ended from here only if it cannot. After its end, what it started ends,
 * and the terminal is as it was. */
#include <signal.h>

#include "clue.h"
#include "main.h"

/* In seconds: what the child gets after its time limit, or after a signal, to end by itself; how long what it left
 * may take to end; and a limit that has passed at once. */
#define GRACE 3.0
#define LEFT_GRACE 1.0
#define AT_ONCE 1e-9
/* Between two looks at signals_asked(): a signal may come just before a wait, which it does not end then. */
#define LOOK 0.2

/* Ends this process as the signal ended the child, so that a shell sees the same. */
static void end_by(int number) {
    (void)fflush(NULL);
    signal_end_by(number);
}

/* Follows the child to its end; a signal to this process is passed on, and the child must end by it. */
static int32_t follow(int32_t child) {
    int32_t state;
    bool told = false;
    while ((state = clue_child_wait(child, LOOK)) == CLUE_CHILD_RUNNING) {
        const int asked = signals_asked();
        if (asked && !told) clue_child_limit(child, group_tell_children(asked) ? GRACE : AT_ONCE);
        told = asked != 0;
    }
    return state;
}

static void say_signal(int number) {
    const char *name = signal_name(number);
    if (name)
        clue_report_say("the isolated run was ended by %s%s", name,
                        number == GROUP_KILLED ? ": by the system for lack of memory, or by another program" : "");
    else
        clue_report_say("the isolated run was ended by signal %d", number);
}

static int status_of(const struct clue_options *options, int32_t state, int32_t value) {
    if (signals_asked()) end_by(signals_asked());
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
    const bool background = signals_ignore_interrupt(); /* a shell starts commands behind & so */
    int32_t child, state, value;
    options->arguments[0] = program; /* the path: the word may be a name that the shell found in PATH */
    terminal_note();
    group_adopt_orphans();
    signals_note();
    child = clue_child_start(&how);
    if (!background) signals_note_interrupt(); /* the library ignores it while the child is in the foreground */
    if (child < 0) {
        clue_report_say("--isolate: %s", clue_error_text());
        return CLUE_STATUS_FAILED;
    }
    state = follow(child);
    value = state >= 0 ? clue_child_value(child) : 0;
    clue_child_close(child);
    group_kill_orphans(LEFT_GRACE);
    if (terminal_is(STANDARD_ERROR)) fputs("\033[?25h\033[0m", stderr); /* shows the cursor, ends colours */
    terminal_restore();
    return status_of(options, state, value);
}
