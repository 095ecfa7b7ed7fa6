/* test_child.c - child processes: what they inherit, their input and output, and how they end.
 *
 * suite: quick */
#include "child_support.h"

#include <fcntl.h>
#include <math.h>

static const clue_child_options no_options = {0};

/* ---- outcome ---- */

TEST(reports_exit_statuses) {
    const char *lines[] = {"exit 0", "exit 1", "exit 255"};
    const int statuses[] = {0, 1, 255};
    for (int i = 0; i < 3; i++) {
        captured result = finish(start_shell(lines[i], no_options));
        assert_int_equal(result.state, CLUE_CHILD_EXITED);
        assert_int_equal(result.value, statuses[i]);
        forget(&result);
    }
}

TEST(reports_the_signal_that_killed_it) {
    captured result = finish(start_shell("echo before; kill -SEGV $$", no_options));
    assert_int_equal(result.state, CLUE_CHILD_SIGNALLED);
    assert_int_equal(result.value, SIGSEGV);
    assert_string_equal(result.text[0], "before\n");
    forget(&result);
}

TEST(names_a_program_that_cannot_be_started) {
    const char *missing[] = {"/no/such/program", NULL}, *bare[] = {"sh", NULL}, *folder[] = {"/tmp", NULL};
    int descriptors;
    if (under_valgrind()) skip(); /* where a start always succeeds */
    descriptors = count_descriptors();
    assert_int_equal(clue_child_start(&(clue_child_options){.arguments = missing}), -1);
    assert_int_equal(clue_error_code(), -30);
    assert_non_null(strstr(clue_error_text(), "execve"));
    assert_non_null(strstr(clue_error_text(), "'/no/such/program': No such file or directory"));
    assert_int_equal(clue_child_start(&(clue_child_options){.arguments = bare}), -1);
    assert_non_null(strstr(clue_error_text(), "PATH is not searched"));
    assert_int_equal(clue_child_start(&(clue_child_options){.arguments = folder}), -1);
    assert_non_null(strstr(clue_error_text(), "Permission denied"));
    assert_int_equal(count_descriptors(), descriptors);
    assert_no_children_left();
}

static void assert_refused(clue_child_options options, const char *what) {
    clue_error_clear();
    assert_int_equal(start_shell("exit 0", options), -1);
    assert_int_equal(clue_error_code(), -30);
    assert_non_null(strstr(clue_error_detail(), what));
}

TEST(refuses_impossible_options) {
    const char *unnamed[] = {"=1", NULL}, *valueless[] = {"A=1", "NAME", NULL}, *nothing[] = {NULL};
    assert_refused((clue_child_options){.seconds = -1}, "seconds");
    assert_refused((clue_child_options){.memory = NAN}, "memory");
    assert_refused((clue_child_options){.environment = unnamed}, "'=1'");
    assert_refused((clue_child_options){.environment = valueless}, "'NAME'");
    assert_refused((clue_child_options){.result_descriptor = 2}, "result_descriptor: 2");
    assert_refused((clue_child_options){.result_descriptor = -3}, "result_descriptor: -3");
    assert_refused((clue_child_options){.result_descriptor = INT32_MAX}, "result_descriptor: 2147483647");
    assert_refused((clue_child_options){.foreground = 1, .input = 1}, "foreground");
    assert_refused((clue_child_options){.foreground = 1, .memory = 1e9}, "foreground");
    assert_int_equal(clue_child_start(NULL), -1);
    assert_int_equal(clue_child_start(&(clue_child_options){.arguments = nothing}), -1);
    assert_no_children_left();
}

TEST(refuses_numbers_that_are_not_children) {
    int32_t child = start_shell("exit 0", no_options);
    const char *data;
    const int32_t numbers[] = {-1, child, 15, 16, 1000000};
    assert_int_equal(clue_child_take(&data, child, 4), -30);
    clue_child_close(child);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        clue_error_clear();
        assert_int_equal(clue_child_wait(numbers[i], 0), -30);
        assert_int_equal(clue_error_cause(), CLUE_CAUSE_HANDLE);
        assert_int_equal(clue_child_value(numbers[i]), -30);
        assert_int_equal(clue_child_take(&data, numbers[i], CLUE_STREAM_OUT), -30);
        clue_child_kill(numbers[i]);
        clue_child_close(numbers[i]);
    }
}

/* ---- what a child inherits ---- */

/* How many lines begin with this text. */
static int count_lines(const char *text, const char *start) {
    int count = 0;
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        count += strncmp(line, start, strlen(start)) == 0;
    }
    return count;
}

TEST(additions_override_the_environment) {
    const char *additions[] = {"CLUE_ADDED_BOTH=first", "CLUE_ADDED_NEW=a=b", "CLUE_ADDED_BOTH=last", NULL};
    const char *arguments[] = {"/usr/bin/env", NULL};
    captured result;
    setenv("CLUE_ADDED_OURS", "ours", 1);
    setenv("CLUE_ADDED_BOTH", "ours", 1);
    setenv("CLUE_ADDED_BOTHER", "kept", 1);
    result = finish(clue_child_start(&(clue_child_options){.arguments = arguments, .environment = additions}));
    assert_int_equal(count_lines(result.text[0], "CLUE_ADDED_"), 4);
    assert_int_equal(count_lines(result.text[0], "CLUE_ADDED_BOTH=last\n"), 1);
    assert_int_equal(count_lines(result.text[0], "CLUE_ADDED_BOTHER=kept\n"), 1);
    assert_int_equal(count_lines(result.text[0], "CLUE_ADDED_NEW=a=b\n"), 1);
    assert_int_equal(count_lines(result.text[0], "CLUE_ADDED_OURS=ours\n"), 1);
    forget(&result);
}

/* Whoever started this process may have given it descriptors, which children get; they do not get its own files. */
TEST(files_of_the_host_stay_with_it) {
    char line[128];
    int low = open("/dev/zero", O_RDONLY), high = fcntl(low, F_DUPFD, 200);
    for (int result = 0; result <= 9; result += 9) {
        captured seen;
        assert_true(low > STDERR_FILENO && high >= 200);
        snprintf(line, sizeof line, "ls -l /proc/self/fd | grep -c /dev/zero; test -e /proc/$$/fd/%d",
                 result > 0 ? result : 1);
        seen = finish(start_shell(line, (clue_child_options){.result_descriptor = result}));
        assert_int_equal(seen.value, 0);
        assert_string_equal(seen.text[0], "0\n");
        forget(&seen);
    }
    assert_int_equal(fcntl(low, F_GETFD), 0); /* here they are as they were */
    close(low);
    close(high);
}

TEST(input_is_empty_and_the_result_has_its_own_pipe) {
    captured result = finish(start_shell("cat; echo out; echo err >&2; echo result >&7; echo more >&7",
                                         (clue_child_options){.result_descriptor = 7}));
    assert_int_equal(result.value, 0);
    assert_string_equal(result.text[0], "out\n");
    assert_string_equal(result.text[1], "err\n");
    assert_string_equal(result.text[2], "result\nmore\n");
    forget(&result);
}

/* The child may want the number that the pipe happens to have in the host. */
TEST(the_result_may_have_any_number) {
    char line[64];
    for (int32_t number = 3; number < 10; number++) {
        captured result;
        (void)snprintf(line, sizeof line, "echo o; echo e >&2; echo r >&%d", number);
        result = finish(start_shell(line, (clue_child_options){.result_descriptor = number}));
        assert_string_equal(result.text[0], "o\n");
        assert_string_equal(result.text[1], "e\n");
        assert_string_equal(result.text[2], "r\n");
        forget(&result);
    }
}

TEST(signals_are_as_a_fresh_program_expects_them) {
    sigset_t blocked, before;
    captured result;
    unsigned long long masked = 1, ignored = 1;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    signal(SIGPIPE, SIG_IGN);
    result = finish(start_shell("exec grep -E '^Sig(Blk|Ign)' /proc/self/status", no_options));
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    assert_int_equal(sscanf(result.text[0], "SigBlk: %llx SigIgn: %llx", &masked, &ignored), 2);
    assert_int_equal(masked, 0);
    assert_int_equal(ignored & 0x7fffffff, 0); /* the two bits above are signals that the C library uses itself */
    forget(&result);
}

/* The runner of the tests may leave descriptors open. They count for both children. */
TEST(children_do_not_hold_each_others_pipes) {
    int32_t alone = start_shell("ls /proc/self/fd | wc -l", no_options);
    captured first = finish(alone);
    int32_t others[3];
    captured second;
    for (int i = 0; i < 3; i++)
        others[i] = start_shell("sleep 60", (clue_child_options){.result_descriptor = 3});
    second = finish(start_shell("ls /proc/self/fd | wc -l", no_options));
    assert_string_equal(first.text[0], second.text[0]);
    for (int i = 0; i < 3; i++)
        clue_child_close(others[i]);
    forget(&first);
    forget(&second);
}

/* ---- input ---- */

TEST(reads_its_input_until_the_end) {
    int32_t child =
        start_shell("while read line; do echo got $line; done; echo end", (clue_child_options){.input = 1});
    captured result;
    assert_int_equal(clue_child_send(child, "one\ntwo\n", 8), 8);
    assert_int_equal(clue_child_send(child, "three\n", 6), 6);
    assert_int_equal(clue_child_send(child, NULL, 0), 0);
    result = finish(child);
    assert_int_equal(result.state, CLUE_CHILD_EXITED);
    assert_string_equal(result.text[0], "got one\ngot two\ngot three\nend\n");
    forget(&result);
}

TEST(takes_no_input_after_its_end) {
    int32_t child = start_shell("exit 0", (clue_child_options){.input = 1});
    while (clue_child_wait(child, 1) == CLUE_CHILD_RUNNING) {
    }
    assert_int_equal(clue_child_send(child, "x", 1), 0);
    clue_child_close(child);
}

TEST(sending_never_blocks_on_a_child_that_does_not_read) {
    static const char data[65536];
    int32_t child = start_shell("sleep 60", (clue_child_options){.input = 1});
    int64_t taken;
    do {
        taken = clue_child_send(child, data, sizeof data);
    } while (taken == sizeof data);
    assert_true(clue_child_send(child, data, sizeof data) < (int64_t)sizeof data);
    clue_child_close(child);
    assert_no_children_left();
}

TEST(sending_needs_an_open_input) {
    int32_t child = start_shell("sleep 60", no_options),
            other = start_shell("cat", (clue_child_options){.input = 1});
    assert_int_equal(clue_child_send(child, "x", 1), -59);
    assert_non_null(strstr(clue_error_text(), "standard input is not open"));
    assert_int_equal(clue_child_send(other, NULL, 0), 0);
    assert_int_equal(clue_child_send(other, "x", 1), -59);
    assert_true(clue_child_send(12345, "x", 1) < 0);
    clue_child_close(child);
    clue_child_close(other);
}

/* Mode of the test program: a host whose descriptors 0 to 2 are closed. Its exit status is 0 if all is right. */
static int host_without_descriptors(void) {
    int32_t child;
    const char *expected[] = {"out\n", "err\n", "result\n"};
    for (int i = 0; i <= STDERR_FILENO; i++)
        close(i);
    child = start_shell("cat; echo out; echo err >&2; echo result >&3",
                        (clue_child_options){.result_descriptor = 3, .input = 1});
    clue_child_send(child, NULL, 0);
    while (clue_child_wait(child, 1) == CLUE_CHILD_RUNNING) {
    }
    for (int32_t i = 0; i < 3; i++) {
        const char *data;
        if (clue_child_take(&data, child, CLUE_STREAM_OUT + i) < 4 || strcmp(data, expected[i]) != 0) return 1;
    }
    clue_child_close(child);
    return 0;
}

TEST(works_if_the_host_has_no_standard_streams) {
    captured result = finish(start_mode("no-descriptors", no_options));
    assert_int_equal(result.state, CLUE_CHILD_EXITED);
    assert_int_equal(result.value, 0);
    forget(&result);
}

/* ---- output ---- */

TEST(takes_ten_megabytes_on_both_streams_at_once) {
    captured result =
        finish(start_shell("head -c 10000000 /dev/zero & head -c 10000000 /dev/zero >&2; wait", no_options));
    assert_int_equal(result.state, CLUE_CHILD_EXITED);
    assert_int_equal(result.size[0], 10000000);
    assert_int_equal(result.size[1], 10000000);
    forget(&result);
}

TEST(keeps_output_that_is_not_taken) {
    int32_t child = start_shell("head -c 20000000 /dev/zero; echo end", no_options);
    const char *data;
    while (clue_child_wait(child, 1) == CLUE_CHILD_RUNNING) {
    }
    assert_int_equal(clue_child_take(&data, child, CLUE_STREAM_OUT), 20000004);
    assert_string_equal(data + 20000000, "end\n");
    assert_int_equal(clue_child_take(&data, child, CLUE_STREAM_OUT), 0);
    assert_string_equal(data, "");
    clue_child_close(child);
}

TEST(a_wait_returns_with_each_output) {
    int32_t child = start_shell("echo one; sleep 60", no_options);
    double start = clue_clock_now();
    const char *data;
    assert_int_equal(clue_child_wait(child, PATIENCE), CLUE_CHILD_RUNNING);
    assert_true(clue_clock_now() - start < 10);
    assert_int_equal(clue_child_take(&data, child, CLUE_STREAM_OUT), 4);
    start = clue_clock_now();
    assert_int_equal(clue_child_wait(child, 0.2), CLUE_CHILD_RUNNING);
    assert_true(clue_clock_now() - start >= 0.2);
    assert_string_equal(data, "one\n");
    clue_child_close(child);
}

static void do_nothing(int number) {
    (void)number;
}

TEST(a_signal_ends_a_wait_early) {
    struct sigaction action = {.sa_handler = do_nothing}, before;
    int32_t child;
    double start;
    sigaction(SIGUSR1, &action, &before);
    /* repeatedly, since the first signal may come before the wait has begun */
    child = start_shell("while :; do sleep 0.1; kill -USR1 $PPID; done", no_options);
    start = clue_clock_now();
    assert_int_equal(clue_child_wait(child, PATIENCE), CLUE_CHILD_RUNNING);
    assert_true(clue_clock_now() - start < PATIENCE / 2);
    clue_child_close(child);
    sigaction(SIGUSR1, &before, NULL);
}

/* ---- several ---- */

TEST(many_children_work_at_once) {
    enum { MANY = 100 };
    int descriptors = count_descriptors();
    int32_t children[MANY];
    char line[64];
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(line, sizeof line, "echo %d; exit %d", i, i);
        children[i] = start_shell(line, no_options);
        assert_int_equal(children[i], i);
    }
    for (int i = MANY - 1; i >= 0; i--) {
        captured result = finish(children[i]);
        assert_int_equal(result.state, CLUE_CHILD_EXITED);
        assert_int_equal(result.value, i);
        assert_int_equal(strtol(result.text[0], NULL, 10), i);
        forget(&result);
    }
    assert_int_equal(count_descriptors(), descriptors);
    assert_no_children_left();
}

TEST(other_children_go_on_during_a_wait) {
    int32_t writer = start_shell("head -c 5000000 /dev/zero; exit 9", no_options);
    double end = clue_clock_now() + PATIENCE;
    const char *data;
    assert_int_equal(clue_child_take(&data, writer, CLUE_STREAM_OUT), 0);
    while (clue_child_value(writer) == 0 && clue_clock_now() < end) {
        captured result = finish(start_shell("sleep 0.1", no_options));
        assert_int_equal(result.state, CLUE_CHILD_EXITED);
        forget(&result);
    }
    assert_int_equal(clue_child_value(writer), 9);
    assert_int_equal(clue_child_take(&data, writer, CLUE_STREAM_OUT), 5000000);
    clue_child_close(writer);
}

TEST(output_that_was_taken_stays_during_waits_for_others) {
    int32_t child = start_shell("echo one; read go; echo two; sleep 60", (clue_child_options){.input = 1});
    double end = clue_clock_now() + PATIENCE;
    const char *data;
    captured other;
    clue_child_wait(child, PATIENCE);
    assert_int_equal(clue_child_take(&data, child, CLUE_STREAM_OUT), 4);
    assert_int_equal(clue_child_send(child, "\n", 1), 1);
    other = finish(start_shell("sleep 0.3", no_options)); /* meanwhile "two" usually arrives */
    assert_string_equal(data, "one\n");
    while (clue_child_take(&data, child, CLUE_STREAM_OUT) == 0 && clue_clock_now() < end)
        clue_child_wait(child, 1);
    assert_string_equal(data, "two\n");
    clue_child_close(child);
    forget(&other);
}

TEST(a_child_that_is_not_waited_for_does_not_fill_the_memory) {
    int32_t writer = start_shell("exec cat /dev/zero", no_options);
    captured result = finish(start_shell("sleep 1", no_options));
    const char *data;
    int64_t size = clue_child_take(&data, writer, CLUE_STREAM_OUT);
    assert_true(size > 1000000);
    assert_true(size < 20000000);
    clue_child_close(writer);
    forget(&result);
}

/* ---- in the foreground ---- */

/* Mode of the test program: a host whose child shares its streams and its group. Until the child ends, an interrupt
 * is for the child only. */
static int host_of_a_foreground(void) {
    struct sigaction before, after;
    int32_t child;
    const char *data;
    printf("%d\n", getpgrp());
    fflush(stdout);
    sigaction(SIGINT, NULL, &before);
    child = start_shell("cat; cut -d ' ' -f 5 /proc/$$/stat; kill -INT $PPID; echo err >&2; exit 3",
                        (clue_child_options){.foreground = 1});
    if (start_shell("exit 0", (clue_child_options){.foreground = 1}) != -1) return 1;
    while (clue_child_wait(child, 1) == CLUE_CHILD_RUNNING) {
    }
    sigaction(SIGINT, NULL, &after);
    if (clue_child_take(&data, child, CLUE_STREAM_OUT) != 0 || before.sa_handler != after.sa_handler) return 2;
    return clue_child_value(child);
}

TEST(a_child_in_the_foreground_has_the_hosts_streams_and_group) {
    char wanted[64];
    int32_t child = start_mode("foreground", (clue_child_options){.input = 1});
    captured result;
    long group;
    assert_int_equal(clue_child_send(child, "typed\n", 6), 6);
    clue_child_send(child, NULL, 0);
    result = finish(child);
    group = strtol(result.text[0], NULL, 10);
    (void)snprintf(wanted, sizeof wanted, "%ld\ntyped\n%ld\n", group, group);
    assert_string_equal(result.text[0], wanted);
    assert_string_equal(result.text[1], "err\n");
    assert_int_equal(result.state, CLUE_CHILD_EXITED);
    assert_int_equal(result.value, 3);
    forget(&result);
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "foreground") == 0) return host_of_a_foreground();
    if (count > 1 && strcmp(arguments[1], "no-descriptors") == 0) return host_without_descriptors();
    return unit_run();
}
