/* test_child_end.c - the end of child processes: whatever happens, no process of their group is left.
 *
 * suite: quick */
#include "child_support.h"

#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>

static const clue_child_options no_options = {0};

/* ---- grandchildren ---- */

TEST(a_grandchild_that_holds_the_pipe_does_not_delay_the_end) {
    double start = clue_clock_now();
    captured result = finish(start_shell("sleep 60 & echo $!; exit 3", no_options));
    assert_true(clue_clock_now() - start < 10);
    assert_int_equal(result.state, CLUE_CHILD_EXITED);
    assert_int_equal(result.value, 3);
    assert_true(is_gone(strtol(result.text[0], NULL, 10)));
    forget(&result);
}

/* It stays alive and keeps writing, but is not waited for. */
TEST(a_grandchild_that_left_the_group_does_not_delay_the_end) {
    int descriptors = count_descriptors();
    double start = clue_clock_now();
    captured result = finish(start_shell("setsid sh -c 'echo $$; exec cat /dev/zero' & sleep 0.3", no_options));
    assert_true(clue_clock_now() - start < 10);
    assert_int_equal(result.state, CLUE_CHILD_EXITED);
    assert_int_equal(count_descriptors(), descriptors);
    assert_true(is_gone(strtol(result.text[0], NULL, 10))); /* by SIGPIPE, since its pipe is closed */
    forget(&result);
}

TEST(the_last_output_of_a_child_is_kept) {
    for (int i = 0; i < 50; i++) {
        captured result = finish(start_shell("sleep 60 & head -c 60000 /dev/zero; echo end >&2", no_options));
        assert_int_equal(result.size[0], 60000);
        assert_string_equal(result.text[1], "end\n");
        forget(&result);
    }
}

TEST(the_end_is_noticed_within_milliseconds) {
    const char *lines[] = {"exit 0", "sleep 60 & exit 0", "exec >&- 2>&-; exit 0"};
    for (int i = 0; i < 3; i++) {
        double fastest = PATIENCE;
        for (int run = 0; run < 10; run++) {
            double start = clue_clock_now();
            captured result = finish(start_shell(lines[i], no_options));
            double seconds = clue_clock_now() - start;
            fastest = seconds < fastest ? seconds : fastest;
            forget(&result);
        }
        print_message("'%s': %.1f ms\n", lines[i], fastest * 1e3);
        assert_true(fastest < 1);
    }
}

/* ---- kill and close ---- */

TEST(a_killed_child_is_reported_as_killed) {
    int32_t child = start_shell("trap '' TERM INT HUP; echo $$; while :; do sleep 1; done", no_options);
    long process = number_from(child);
    captured result;
    clue_child_kill(child);
    result = finish(child);
    assert_int_equal(result.state, CLUE_CHILD_SIGNALLED);
    assert_int_equal(result.value, SIGKILL);
    assert_true(is_gone(process));
    forget(&result);
}

TEST(a_kill_after_the_end_changes_nothing) {
    int32_t child = start_shell("exit 4", no_options);
    while (clue_child_wait(child, 1) == CLUE_CHILD_RUNNING) {
    }
    clue_child_kill(child);
    assert_int_equal(clue_child_wait(child, 0), CLUE_CHILD_EXITED);
    assert_int_equal(clue_child_value(child), 4);
    clue_child_close(child);
}

TEST(closing_kills_the_group_and_leaves_nothing) {
    int descriptors = count_descriptors();
    int32_t child = start_shell("sleep 60 & echo $!; wait", (clue_child_options){.result_descriptor = 3});
    long grandchild = number_from(child);
    clue_child_close(child);
    assert_no_children_left();
    assert_true(is_gone(grandchild));
    assert_int_equal(count_descriptors(), descriptors);
}

TEST(closing_a_child_that_ended_unseen_leaves_no_zombie) {
    int32_t child = start_shell("exit 0", no_options);
    clue_clock_sleep(0.2);
    clue_child_close(child);
    assert_no_children_left();
}

TEST(the_number_of_a_closed_child_is_reused) {
    int32_t first = start_shell("echo first", no_options), second = start_shell("echo second", no_options);
    int32_t third;
    captured results[2];
    clue_child_close(first);
    third = start_shell("echo third", no_options);
    assert_int_equal(third, first);
    results[0] = finish(third);
    results[1] = finish(second);
    assert_string_equal(results[0].text[0], "third\n");
    assert_string_equal(results[1].text[0], "second\n");
    forget(&results[0]);
    forget(&results[1]);
}

TEST(two_hundred_children_leak_nothing) {
    int descriptors = count_descriptors();
    for (int i = 0; i < 200; i++) {
        captured result = finish(start_shell("echo x", no_options));
        assert_int_equal(result.size[0], 2);
        forget(&result);
    }
    assert_int_equal(count_descriptors(), descriptors);
    assert_no_children_left();
}

/* ---- the host's own end ---- */

static void kill_everything(int number) {
    clue_child_kill_all(); /* NOLINT(bugprone-signal-handler): made for this */
    _exit(128 + number);
}

/* Modes of the test program: hosts that start children, print the process number of the first, and end. */
static int host(const char *end) {
    bool killed = strcmp(end, "host-is-killed") == 0;
    int32_t child;
    signal(SIGTERM, kill_everything);
    child = start_shell(killed ? "echo $$; exec sleep 60" : "sleep 60 & echo $!; wait", no_options);
    for (int i = 0; i < 20; i++)
        start_shell("sleep 60", no_options);
    printf("%ld\n", number_from(child));
    fflush(stdout);
    if (strcmp(end, "host-exits") == 0) exit(5);
    if (strcmp(end, "host-is-terminated") == 0) raise(SIGTERM);
    if (killed) raise(SIGKILL);
    return 1;
}

/* The process that the host names is not in the host's group, so only the host itself can have killed it. */
static void assert_takes_its_children_along(const char *mode, int32_t state, int value) {
    captured result = finish(start_mode(mode, no_options));
    assert_int_equal(result.state, state);
    assert_int_equal(result.value, value);
    assert_true(is_gone(strtol(result.text[0], NULL, 10)));
    forget(&result);
}

TEST(a_host_that_exits_takes_its_children_along) {
    assert_takes_its_children_along("host-exits", CLUE_CHILD_EXITED, 5);
}

TEST(a_signal_handler_can_kill_all_children) {
    assert_takes_its_children_along("host-is-terminated", CLUE_CHILD_EXITED, 128 + SIGTERM);
}

TEST(a_host_that_is_killed_takes_its_children_along) {
    assert_takes_its_children_along("host-is-killed", CLUE_CHILD_SIGNALLED, SIGKILL);
}

TEST(killing_all_children_leaves_their_numbers_valid) {
    int32_t ended = start_shell("exit 6", no_options), running = start_shell("sleep 60", no_options);
    captured results[2];
    while (clue_child_wait(ended, 1) == CLUE_CHILD_RUNNING) {
    }
    clue_child_kill_all();
    results[0] = finish(ended);
    results[1] = finish(running);
    assert_int_equal(results[0].value, 6);
    assert_int_equal(results[1].state, CLUE_CHILD_SIGNALLED);
    assert_int_equal(results[1].value, SIGKILL);
    forget(&results[0]);
    forget(&results[1]);
}

/* ---- failures outside clue ---- */

TEST(an_end_that_another_collected_is_an_error) {
    captured result;
    signal(SIGCHLD, SIG_IGN);
    result = finish(start_shell("echo text; exit 0", no_options));
    signal(SIGCHLD, SIG_DFL);
    assert_int_equal(result.state, -59);
    assert_non_null(strstr(clue_error_text(), "SIGCHLD"));
    assert_string_equal(result.text[0], "text\n");
    forget(&result);
}

/* Mode of the test program: a process that cannot be collected, since another one, in a group of its own, traces it
 * and never reacts. It behaves like a process that hangs in a driver for ever. */
static int immortal(void) {
    pid_t traced = getpid();
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    if (fork() == 0) {
        int seized;
        setsid();
        seized = ptrace(PTRACE_SEIZE, traced, NULL, NULL) == 0;
        printf("%d\n", seized ? getpid() : 1);
        fflush(stdout);
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
        if (seized) sleep(30);
        _exit(0);
    }
    sleep(60);
    return 0;
}

TEST(a_process_that_cannot_be_killed_is_given_up) {
    int32_t child = start_mode("immortal", no_options);
    long tracer = number_from(child);
    double start;
    int32_t outcome, other, reused;
    if (tracer == 1) {
        clue_child_close(child);
        skip();
    }
    clue_child_kill(child);
    start = clue_clock_now();
    while ((outcome = clue_child_wait(child, 1)) == CLUE_CHILD_RUNNING && clue_clock_now() < start + PATIENCE) {
    }
    assert_int_equal(outcome, CLUE_CHILD_SIGNALLED);
    clue_child_close(child);
    assert_true(clue_clock_now() - start < 20);
    other = start_shell("exit 0", no_options);
    assert_int_not_equal(other, child);
    kill((pid_t)tracer, SIGKILL);
    assert_true(is_gone(tracer));
    clue_clock_sleep(0.1);
    reused = start_shell("exit 0", no_options);
    assert_int_equal(reused, child);
    clue_child_close(reused);
    clue_child_close(other);
    assert_no_children_left();
}

int main(int count, char **arguments) {
    if (count > 1) return strcmp(arguments[1], "immortal") == 0 ? immortal() : host(arguments[1]);
    return unit_run();
}
