/* thread.c - threads. Drivers start theirs as they like, and no kernel runs on clue's own stacks. */
#include "room.h"

#include <process.h>
#include <stdlib.h>

struct start {
    void *(*run)(void *);
    void *argument;
};

static unsigned __stdcall begin(void *given) {
    const struct start start = *(struct start *)given;
    free(given);
    (void)start.run(start.argument);
    return 0;
}

bool thread_start(uintptr_t *thread_out, void *(*run)(void *), void *argument) {
    struct start *start = malloc(sizeof *start);
    if (!start) return false;
    *start = (struct start){.run = run, .argument = argument};
    *thread_out = _beginthreadex(NULL, 0, begin, start, 0, NULL);
    if (*thread_out == 0) free(start);
    return *thread_out != 0;
}

void thread_join(uintptr_t thread) {
    (void)WaitForSingleObject((HANDLE)thread, INFINITE);
    (void)CloseHandle((HANDLE)thread);
}

void thread_yield(void) {
    (void)SwitchToThread();
}

int threads_try(int64_t count) {
    (void)count;
    return 0;
}

void threads_enlarge_stacks(void) {}

void threads_restore_stacks(void) {}

/* The filter of exceptions runs on the stack of the thread that failed, which keeps some room for it. */
void thread_stack_add(void (*refused)(void)) {
    ULONG room = 65536;
    (void)refused;
    (void)SetThreadStackGuarantee(&room);
}
