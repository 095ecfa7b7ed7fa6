/* child_support.h - shared by the tests of child processes: it starts a shell line, or the test program itself in
 * one of its modes, runs a child to its end, and keeps its output. */
#ifndef CLUE_TEST_CHILD_SUPPORT_H
#define CLUE_TEST_CHILD_SUPPORT_H

#include "clue.h"

#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Far longer than anything here takes, so a test that waits this long has failed. */
#define PATIENCE 600.0

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#elif defined(__has_feature)
#define UNDER_ASAN __has_feature(address_sanitizer)
#else
#define UNDER_ASAN 0
#endif

typedef struct captured {
    int32_t state, value;
    int64_t size[3];
    char *text[3]; /* each ends in NUL */
} captured;

static inline int32_t start_shell(const char *line, clue_child_options options) {
    const char *arguments[] = {"/bin/sh", "-c", line, NULL};
    options.arguments = arguments;
    return clue_child_start(&options);
}

/* Starts the test program itself; its main() runs the mode. */
static inline int32_t start_mode(const char *mode, clue_child_options options) {
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    const char *arguments[] = {self, mode, NULL};
    assert_true(length > 0);
    self[length] = '\0';
    options.arguments = arguments;
    return clue_child_start(&options);
}

/* Powers of two: the sanitizers' realloc() copies the text whenever it grows. */
static inline size_t room_for(int64_t size) {
    size_t room = 64;
    while (room <= (size_t)size)
        room *= 2;
    return room;
}

static inline void take_all(captured *into, int32_t child) {
    for (int32_t i = 0; i < 3; i++) {
        const char *data = NULL;
        int64_t size = clue_child_take(&data, child, CLUE_STREAM_OUT + i);
        assert_true(size >= 0);
        if (!into->text[i] || room_for(into->size[i] + size) > room_for(into->size[i]))
            into->text[i] = realloc(into->text[i], room_for(into->size[i] + size));
        assert_non_null(into->text[i]);
        memcpy(into->text[i] + into->size[i], data, (size_t)size);
        into->size[i] += size;
        into->text[i][into->size[i]] = '\0';
    }
}

/* Runs the child to its end and closes it. */
static inline captured finish(int32_t child) {
    captured result = {0};
    double end = clue_clock_now() + PATIENCE;
    assert_true(child >= 0);
    do {
        result.state = clue_child_wait(child, end - clue_clock_now());
        take_all(&result, child);
    } while (result.state == CLUE_CHILD_RUNNING && clue_clock_now() < end);
    result.value = clue_child_value(child);
    clue_child_close(child);
    return result;
}

static inline void forget(captured *result) {
    for (int i = 0; i < 3; i++)
        free(result->text[i]);
}

/* Waits until the child has written a line, and returns the number in it. */
static inline long number_from(int32_t child) {
    captured result = {0};
    double end = clue_clock_now() + PATIENCE;
    long number;
    do {
        clue_child_wait(child, 1);
        take_all(&result, child);
    } while (strchr(result.text[0], '\n') == NULL && clue_clock_now() < end);
    number = strtol(result.text[0], NULL, 10);
    forget(&result);
    assert_true(number > 0);
    return number;
}

/* Whether a process is gone, or is a zombie that its new parent has yet to collect. Waits a little for that. */
static inline int is_gone(long process) {
    char text[64], state = '\0';
    for (int tries = 0; tries < 3000; tries++) {
        FILE *file;
        int found;
        (void)snprintf(text, sizeof text, "/proc/%ld/stat", process);
        file = fopen(text, "re");
        if (file == NULL) return 1;
        found = fscanf(file, "%*d (%*[^)]) %c", &state);
        fclose(file);
        if (found != 1 || state == 'Z' || state == 'X') return 1;
        clue_clock_sleep(0.01);
    }
    return 0;
}

static inline int count_descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

static inline int under_valgrind(void) {
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

static inline void assert_no_children_left(void) {
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

#endif
