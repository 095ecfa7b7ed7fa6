/* turn.h - settings and reports of the libraries that fail calls in turn.
 *
 * One process fails them all. Where a call is to fail, it forks: the child's call fails, and the child goes on to
 * its end with an output and a report of its own, while the parent waits; then the parent's call succeeds. So each
 * child has the state that a process would have that is started to fail this one call, for the price of what it
 * does after it. A process with threads cannot do so: they would be missing in the child.
 *
 *   CLUE_FAIL_NTH      the one call that fails, counted from 1; 0 or unset: none
 *   CLUE_FAIL_VARIANT  how it fails, as the library says: with which code, or what else fails after it
 *   CLUE_FAIL_REPORT   the file for the report
 *   CLUE_FAIL_EACH     a folder: each call fails, in each variant, in a child. The folder gets a line "CALL VARIANT
 *                      STATUS" for each in `ended`, and the files CALL.VARIANT.out, .err and .report
 *   CLUE_FAIL_STEP     only every such call fails there, from the first */
#ifndef CLUE_TURN_H
#define CLUE_TURN_H

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TURN_PATH = 4096, TURN_FILES = 64, TURN_BROKEN = 70 }; /* BROKEN: the exit status if a fork fails */

static struct {
    const char *folder; /* NULL: in a child, too */
    char report[TURN_PATH];
    long chosen, variant, step;
} turn;

/* True in clue; false in what starts it (env, timeout), which inherits the environment, too. */
static inline bool turn_is_on(void) {
    return strcmp(program_invocation_short_name, "clue") == 0;
}

/* The number in a variable of the environment; 0 if it is not set. */
static long turn_setting(const char *name) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

static void turn_begin(void) {
    const char *report = getenv("CLUE_FAIL_REPORT");
    if (report) (void)snprintf(turn.report, sizeof turn.report, "%s", report);
    turn.folder = getenv("CLUE_FAIL_EACH");
    turn.chosen = turn_setting("CLUE_FAIL_NTH");
    turn.variant = turn_setting("CLUE_FAIL_VARIANT");
    turn.step = turn_setting("CLUE_FAIL_STEP");
}

/* Writes into a file by system calls only: stdio may be what fails. */
static void turn_write(const char *path, int flags, const char *text) {
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
    if (file < 0 || write(file, text, strlen(text)) < 0) _exit(TURN_BROKEN);
    (void)close(file);
}

static void turn_report(const char *text) {
    if (*turn.report) turn_write(turn.report, O_TRUNC, text);
}

static bool turn_is_alone(void) {
    DIR *threads = opendir("/proc/self/task");
    int entries = 0;
    while (threads && readdir(threads))
        entries++;
    (void)closedir(threads);
    return entries == 3; /* ".", ".." and this thread */
}

/* clue tries at its start whether threads can be had. One that has been joined may be listed for a moment longer,
 * while the system takes it away. */
static bool turn_has_threads(void) {
    const struct timespec moment = {.tv_nsec = 1000000};
    bool is_alone = turn_is_alone();
    for (int tries = 0; !is_alone && tries < 2000; tries++) {
        (void)nanosleep(&moment, NULL);
        is_alone = turn_is_alone();
    }
    return !is_alone;
}

/* A descriptor's output goes into a file of the child's, after what the parent has written so far. */
static void turn_redirect(int descriptor, const char *path) {
    char from[32], bytes[4096];
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t size;
    int before;
    (void)snprintf(from, sizeof from, "/proc/self/fd/%d", descriptor);
    before = open(from, O_RDONLY);
    while ((size = read(before, bytes, sizeof bytes)) > 0)
        if (write(file, bytes, (size_t)size) != size) _exit(TURN_BROKEN);
    if (file < 0 || dup2(file, descriptor) < 0) _exit(TURN_BROKEN);
    (void)close(before);
    (void)close(file);
}

static void turn_begin_child(long call, long variant) {
    char path[TURN_PATH];
    (void)snprintf(path, sizeof path, "%s/%ld.%ld.out", turn.folder, call, variant);
    turn_redirect(STDOUT_FILENO, path);
    (void)snprintf(path, sizeof path, "%s/%ld.%ld.err", turn.folder, call, variant);
    turn_redirect(STDERR_FILENO, path);
    (void)snprintf(turn.report, sizeof turn.report, "%s/%ld.%ld.report", turn.folder, call, variant);
    turn.folder = NULL;
    turn.chosen = call;
    turn.variant = variant;
}

/* Parent and child share how far an open file is read: the parent's code keeps it, and puts it back. */
static void turn_keep_places(off_t *places, bool back) {
    for (int file = STDERR_FILENO + 1; file < TURN_FILES; file++)
        if (!back)
            places[file] = lseek(file, 0, SEEK_CUR);
        else if (places[file] >= 0)
            (void)lseek(file, places[file], SEEK_SET);
}

/* Forks so that a call fails in the child. Returns true in the child. In the parent, status_out is how the child
 * ended. _Fork() calls no handlers: libclue's refuses OpenCL in the child. */
static bool turn_fork(long call, long variant, int *status_out) {
    off_t places[TURN_FILES];
    pid_t child;
    turn_keep_places(places, false);
    child = turn_has_threads() ? -1 : _Fork();
    if (child < 0) _exit(TURN_BROKEN);
    if (child == 0) {
        turn_begin_child(call, variant);
        return true;
    }
    while (waitpid(child, status_out, 0) < 0 && errno == EINTR)
        ;
    turn_keep_places(places, true);
    return false;
}

static void turn_ended(long call, long variant, int status) {
    char path[TURN_PATH], line[64];
    const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    (void)snprintf(path, sizeof path, "%s/ended", turn.folder);
    (void)snprintf(line, sizeof line, "%ld %ld %d\n", call, variant, code);
    turn_write(path, O_APPEND, line);
}

/* True if a call is to fail: it is the chosen one, or this is a child that is forked for it, in one of the variants
 * from first to last. */
static inline bool turn_comes(long call, long first, long last) {
    if (!turn.folder || (turn.step > 1 && call % turn.step != 1)) return call == turn.chosen;
    for (long variant = first; variant <= last; variant++) {
        int status;
        if (turn_fork(call, variant, &status)) return true;
        turn_ended(call, variant, status);
    }
    return false;
}

/* Where variant 1 is that all calls after the chosen one fail, too: true for those. */
static inline bool turn_stays(long call) {
    return turn.chosen > 0 && call > turn.chosen && turn.variant == 1;
}

#endif
