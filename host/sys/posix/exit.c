/* exit.c - the end of the process with its exit status, which glibc tells. */
#define _DEFAULT_SOURCE /* on_exit(): NOLINT(clang-diagnostic-reserved-macro-identifier) */
#include "../system.h"

#include <stdlib.h>

static void (*told)(int status);

static void tell(int status, void *unused) {
    (void)unused;
    told(status);
}

void exit_watch(void (*ends)(int status)) {
    told = ends;
    (void)on_exit(tell, NULL);
}
