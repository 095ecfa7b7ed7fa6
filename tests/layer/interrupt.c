/* interrupt.c - preloaded, it sends SIGINT, as Ctrl-C does, when the process opens its CLUE_INTERRUPT_AT-th file by
 * fopen(), as Lua opens modules. Children of the process are left alone. */
#define _GNU_SOURCE /* RTLD_NEXT: NOLINT(clang-diagnostic-reserved-macro-identifier) */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* The programs that start clue (env, timeout) open no file this way, so they pass the variable on. */
static void press_in_time(void) {
    static int left = -1;
    if (left < 0) {
        const char *at = getenv("CLUE_INTERRUPT_AT");
        left = at ? atoi(at) : 0; /* NOLINT(cert-err34-c) a spec sets it */
        unsetenv("CLUE_INTERRUPT_AT");
    }
    if (left > 0 && --left == 0) raise(SIGINT);
}

static FILE *open_as(const char *name, const char *path, const char *mode) {
    FILE *(*next)(const char *, const char *);
    *(void **)&next = dlsym(RTLD_NEXT, name);
    press_in_time();
    return next(path, mode);
}

FILE *fopen(const char *path, const char *mode) {
    return open_as("fopen", path, mode);
}

FILE *fopen64(const char *path, const char *mode) {
    return open_as("fopen64", path, mode);
}
