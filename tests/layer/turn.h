/* turn.h - settings and report of the preloaded libraries that fail calls in turn. */
#ifndef CLUE_TURN_H
#define CLUE_TURN_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* True in clue; false in what starts it (env, timeout), which inherits the environment, too. */
static bool turn_is_on(void) {
    return strcmp(program_invocation_short_name, "clue") == 0;
}

/* The number in a variable of the environment; 0 if it is not set. */
static long turn_setting(const char *name) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

/* Writes a report into the file that CLUE_FAIL_REPORT names, by system calls only: stdio may be what fails. */
static void turn_report(const char *text) {
    const char *path = getenv("CLUE_FAIL_REPORT");
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    if (write(file, text, strlen(text)) < 0) _exit(70);
    (void)close(file);
}

#endif
