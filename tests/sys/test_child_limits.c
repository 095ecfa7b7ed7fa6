/* test_child_limits.c - the limits of child processes: time, memory, and the host's own memory for their output.
 *
 * suite: quick */
#include "child_support.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>

static const clue_child_options no_options = {0};

/* Starts a shell line that prints a number once it is ready to be stopped. The limit counts from then on, since a
 * busy machine may need any time to get there. */
static int32_t start_until_ready(const char *line, double seconds, long *number_out) {
    int32_t child = start_shell(line, no_options);
    *number_out = number_from(child);
    clue_child_limit(child, seconds);
    return child;
}

enum { MEGABYTE = 1024 * 1024 };

/* ---- time ---- */

TEST(a_child_over_its_time_is_stopped) {
    int32_t child = start_shell("echo before; sleep 60", (clue_child_options){.seconds = PATIENCE});
    double start, seconds;
    captured result;
    (void)clue_child_wait(child, PATIENCE); /* until its output is there */
    clue_child_limit(child, 1);
    start = clue_clock_now();
    result = finish(child);
    seconds = clue_clock_now() - start;
    assert_int_equal(result.state, CLUE_CHILD_TIMEOUT);
    assert_int_equal(result.value, 0);
    assert_string_equal(result.text[0], "before\n");
    assert_true(seconds >= 1);
    assert_true(seconds < 20);
    forget(&result);
    assert_no_children_left();
}

TEST(the_processor_time_of_a_child_is_that_of_all_that_it_started) {
    const int32_t child = start_shell("(while :; do :; done) & sleep 60", no_options);
    const int32_t idle = start_shell("sleep 60", no_options);
    double start;
    while (clue_child_time(child) < 0.05)
        (void)clue_child_wait(child, 0.01);
    start = clue_child_time(child);
    while (clue_child_time(child) <= start)
        (void)clue_child_wait(child, 0.01);
    assert_true(clue_child_time(idle) >= 0);
    assert_true(clue_child_time(idle) < start);
    clue_child_close(child);
    clue_child_kill(idle);
    while (clue_child_wait(idle, PATIENCE) == CLUE_CHILD_RUNNING)
        continue;
    assert_true(clue_child_time(idle) < 0); /* it has ended */
    clue_child_close(idle);
    assert_true(clue_child_time(idle) < 0);
    assert_no_children_left();
}

TEST(a_child_that_ends_in_time_is_not_stopped) {
    captured result = finish(start_shell("exit 2", (clue_child_options){.seconds = 30}));
    assert_int_equal(result.state, CLUE_CHILD_EXITED);
    assert_int_equal(result.value, 2);
    forget(&result);
}

/* A child that ends in less than its limit, which has passed when this returns. Nobody has asked for its end. A
 * busy machine may start a child late, so the limit doubles until it is enough. */
static int32_t start_ended_in_time(void) {
    siginfo_t end;
    for (double limit = 0.5;; limit *= 2) {
        const double start = clue_clock_now();
        const int32_t child = start_shell("exit 2", (clue_child_options){.seconds = limit});
        bool in_time;
        captured result;
        assert_int_equal(waitid(P_ALL, 0, &end, WEXITED | WNOWAIT), 0);
        in_time = clue_clock_now() - start < limit;
        clue_clock_sleep(limit);
        if (in_time) return child;
        result = finish(child);
        forget(&result);
    }
}

TEST(a_child_that_ended_in_time_unseen_counts_as_in_time) {
    captured result = finish(start_ended_in_time());
    assert_int_equal(result.state, CLUE_CHILD_EXITED);
    forget(&result);
}

TEST(a_stopped_child_may_still_write) {
    long ready;
    captured result =
        finish(start_until_ready("trap 'echo last; exit 0' TERM; sleep 60 & echo 1; wait", 0.1, &ready));
    assert_int_equal(result.state, CLUE_CHILD_TIMEOUT);
    assert_string_equal(result.text[0], "last\n");
    forget(&result);
}

TEST(a_child_that_ignores_sigterm_is_killed_with_its_group) {
    long sleeper;
    int32_t child = start_until_ready("trap '' TERM; sleep 60 & echo $!; while :; do sleep 1; done", 0.2, &sleeper);
    double start = clue_clock_now();
    captured result = finish(child);
    double seconds = clue_clock_now() - start;
    assert_int_equal(result.state, CLUE_CHILD_TIMEOUT);
    assert_true(seconds >= 0.4); /* the limit, and the time that it has to react */
    assert_true(seconds < 20);
    assert_true(is_gone(sleeper));
    forget(&result);
}

TEST(a_suspended_child_is_stopped_too) {
    captured result = finish(start_shell("kill -STOP $$", (clue_child_options){.seconds = 0.2}));
    assert_int_equal(result.state, CLUE_CHILD_TIMEOUT);
    forget(&result);
}

TEST(endless_output_does_not_delay_the_limit) {
    int32_t child = start_shell("exec cat /dev/zero", (clue_child_options){.seconds = PATIENCE});
    const char *data;
    int64_t bytes = 0;
    while (bytes < MEGABYTE && clue_child_wait(child, 1) == CLUE_CHILD_RUNNING)
        bytes += clue_child_take(&data, child, CLUE_STREAM_OUT);
    clue_child_limit(child, 0.3);
    while (clue_child_wait(child, 1) == CLUE_CHILD_RUNNING)
        bytes += clue_child_take(&data, child, CLUE_STREAM_OUT);
    assert_int_equal(clue_child_wait(child, 1), CLUE_CHILD_TIMEOUT);
    assert_true(bytes >= MEGABYTE);
    clue_child_close(child);
}

TEST(limits_hold_during_waits_for_other_children) {
    long ready;
    int32_t limited = start_until_ready("trap 'echo last; exit 0' TERM; sleep 60 & echo 1; wait", 0.1, &ready);
    const double end = clue_clock_now() + PATIENCE / 2;
    const char *data;
    int64_t bytes = 0;
    while (bytes == 0 && clue_clock_now() < end) { /* what it writes when it is stopped */
        captured result = finish(start_shell("sleep 0.1", no_options));
        bytes = clue_child_take(&data, limited, CLUE_STREAM_OUT);
        forget(&result);
    }
    assert_int_equal(bytes, 5);
    while (clue_child_wait(limited, 1) == CLUE_CHILD_RUNNING) {
    }
    assert_int_equal(clue_child_wait(limited, 0), CLUE_CHILD_TIMEOUT);
    clue_child_close(limited);
}

static void suspend_briefly(void) {
    /* NOLINTNEXTLINE(cert-env33-c): the line is ours */
    assert_int_equal(system("(sleep 0.1; kill -CONT $PPID) & kill -STOP $PPID; wait"), 0);
}

/* Time that passed before the limit was set has no part in it. A busy machine may need longer to stop the child
 * than passed, so it doubles until that is enough. */
TEST(a_limit_after_a_suspension_counts_from_when_it_is_set) {
    bool in_time = false;
    for (double passed = 1; !in_time && passed < 20; passed *= 2) {
        int32_t child = start_shell("sleep 60", no_options);
        double start;
        captured result;
        (void)clue_child_wait(child, 0);
        suspend_briefly();
        clue_clock_sleep(passed);
        clue_child_limit(child, 0.1);
        start = clue_clock_now();
        result = finish(child);
        in_time = clue_clock_now() - start < passed;
        assert_int_equal(result.state, CLUE_CHILD_TIMEOUT);
        forget(&result);
    }
    assert_true(in_time);
}

/* ---- memory ---- */

/* Mode of the test program: reserves far more address space than it uses, as GPU drivers do, fills as many
 * megabytes as HOLD names, and stays alive. */
static int hold(void) {
    const char *megabytes = getenv("HOLD");
    size_t bytes = megabytes == NULL ? 0 : strtoul(megabytes, NULL, 10) * MEGABYTE;
    int zeros = open("/dev/zero", O_RDWR | O_CLOEXEC);
    char *data;
    int status;
    if (mmap(NULL, (size_t)1 << 36, PROT_NONE, MAP_PRIVATE, zeros, 0) == MAP_FAILED) return 2;
    data = calloc(bytes + 1, 1);
    if (data == NULL) return 3;
    memset(data, 1, bytes);
    puts("held");
    fflush(stdout);
    sleep(bytes > 0 && getenv("BRIEFLY") == NULL ? 60 : 1);
    status = data[bytes / 2] == 1 ? 0 : 4;
    free(data);
    return status;
}

static int32_t start_holding(const char *megabytes, const char *briefly, double limit) {
    char held[32];
    const char *environment[] = {held, briefly, NULL};
    (void)snprintf(held, sizeof held, "HOLD=%s", megabytes);
    return start_mode("hold", (clue_child_options){.environment = environment, .memory = limit});
}

TEST(a_child_over_its_memory_is_killed) {
    double start = clue_clock_now();
    captured result = finish(start_holding("400", NULL, 200.0 * MEGABYTE));
    assert_int_equal(result.state, CLUE_CHILD_MEMORY);
    assert_int_equal(result.value, 0);
    assert_true(clue_clock_now() - start < 30);
    forget(&result);
    assert_no_children_left();
}

TEST(address_space_does_not_count) {
    captured result = finish(start_holding("20", "BRIEFLY=1", 400.0 * MEGABYTE));
    assert_int_equal(result.state, CLUE_CHILD_EXITED);
    assert_int_equal(result.value, 0);
    forget(&result);
}

/* Each of the three stays below the limit. */
TEST(the_memory_of_the_whole_group_counts) {
    char line[4200] = "", self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    captured result;
    assert_true(length > 0);
    self[length] = '\0';
    (void)snprintf(line, sizeof line, "for i in 1 2 3; do HOLD=150 '%s' hold & done; wait", self);
    result = finish(start_shell(line, (clue_child_options){.memory = 350.0 * MEGABYTE}));
    assert_int_equal(result.state, CLUE_CHILD_MEMORY);
    forget(&result);
}

/* ---- the host's own memory ---- */

/* Mode of the test program: a host without enough memory for the output of its child. */
static int starve(void) {
    struct rlimit limit = {(rlim_t)100 * MEGABYTE, (rlim_t)100 * MEGABYTE};
    int32_t child = start_shell("exec cat /dev/zero", no_options);
    int32_t outcome;
    setrlimit(RLIMIT_AS, &limit);
    while ((outcome = clue_child_wait(child, 1)) == CLUE_CHILD_RUNNING) {
    }
    puts(clue_error_text());
    clue_child_close(child);
    return outcome == -6 ? 0 : 1;
}

TEST(a_child_whose_output_has_no_room_is_killed_and_reported) {
    captured result;
    if (under_valgrind() || UNDER_ASAN) skip(); /* these need more address space than the limit leaves */
    result = finish(start_mode("starve", no_options));
    assert_int_equal(result.state, CLUE_CHILD_EXITED);
    assert_int_equal(result.value, 0);
    assert_non_null(strstr(result.text[0], "no memory left for the child's output"));
    forget(&result);
}

/* ---- the host's descriptors ---- */

/* Starts a child while there is room for so many descriptors. Returns whether that worked. */
static bool starts_with_room_for(int room) {
    int fillers[64], count = 0;
    int32_t child;
    while (count < 64 && (fillers[count] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        count++;
    for (; room > 0 && count > 0; room--)
        close(fillers[--count]);
    clue_error_clear();
    child = start_shell("exit 0", (clue_child_options){.result_descriptor = 3});
    if (child >= 0) clue_child_close(child);
    while (count > 0)
        close(fillers[--count]);
    return child >= 0;
}

TEST(lack_of_descriptors_is_an_error) {
    int descriptors;
    struct rlimit before;
    if (under_valgrind()) skip(); /* it reserves descriptors for itself */
    descriptors = count_descriptors();
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    for (int room = 0; room <= 6; room++) {
        bool started;
        setrlimit(RLIMIT_NOFILE, &(struct rlimit){64, before.rlim_max});
        started = starts_with_room_for(room);
        setrlimit(RLIMIT_NOFILE, &before);
        assert_int_equal(started, room == 6);
        assert_int_equal(strstr(clue_error_text(), "Too many open files; raise the limit") != NULL, room < 6);
        assert_int_equal(count_descriptors(), descriptors);
    }
    assert_no_children_left();
}

int main(int count, char **arguments) {
    if (count > 1) return strcmp(arguments[1], "hold") == 0 ? hold() : starve();
    return unit_run();
}
