/* crash.h - what the files of this folder share about crashes. */
#ifndef CLUE_POSIX_CRASH_H
#define CLUE_POSIX_CRASH_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Whether a signal came because the thread's own stack is full; for handlers. */
bool stack_is_full(const siginfo_t *info, const void *context);

#endif
