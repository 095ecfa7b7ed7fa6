/* cut_echo.c - preloaded before libedit, it acts as if Ctrl-C interrupted the write of the first line's echo. That
 * happens by chance once in a few thousand lines, and stdio then keeps its error indicator set. */
#define _GNU_SOURCE /* RTLD_NOLOAD: NOLINT(clang-diagnostic-reserved-macro-identifier) */
#include <dlfcn.h>
#include <fcntl.h>
#include <histedit.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static void fail_to_write(void) {
    const int kept = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
    fflush(stdout);
    dup2(full, STDOUT_FILENO);
    fputc('x', stdout);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(full);
}

const char *el_gets(EditLine *line, int *count_out) {
    static const char *(*next)(EditLine *, int *);
    if (next) return next(line, count_out);
    *(void **)&next =
        dlsym(dlopen("libedit.so.2", RTLD_LAZY | RTLD_NOLOAD), "el_gets"); /* RTLD_NEXT does not find it */
    fail_to_write();
    raise(SIGINT);
    *count_out = 0;
    return NULL;
}
