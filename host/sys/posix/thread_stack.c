/* thread_stack.c - gives every thread, drivers' ones too, a second stack for signal handlers, and tells a full
 * stack from other crashes. A kernel on a CPU runs on a stack of the driver's, and if it fills that (by recursion,
 * or by much private memory in a large work-group), no handler can run there: the process would end without a word.
 *
 * The executable's pthread_create() takes the place of libc's, for drivers as well. Some drivers end the process
 * when it fails, so somebody is told. Sanitizers bring signal stacks of their own, so there it does nothing. */
#define _GNU_SOURCE /* RTLD_NEXT, pthread_getattr_np(): NOLINT(clang-diagnostic-reserved-macro-identifier) */
#include "../system.h"
#include "crash.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 65536, NEAR = 65536, PAGE = 4096 };

static _Thread_local uintptr_t lowest; /* of the thread's stack; 0: unknown */
static pthread_key_t key;              /* the second stack, until the thread ends */
static void (*refused)(void);

/* ---- the second stack ---- */

static void drop(void *stack) {
    const stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    munmap(stack, SIZE);
}

static void make_key(void) {
    (void)pthread_key_create(&key, drop);
}

static void add_stack(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    stack_t present, wanted = {.ss_size = SIZE};
    if (sigaltstack(NULL, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
    wanted.ss_sp = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (wanted.ss_sp == MAP_FAILED) return;
    (void)pthread_once(&once, make_key);
    if (sigaltstack(&wanted, NULL) != 0 || pthread_setspecific(key, wanted.ss_sp) != 0) drop(wanted.ss_sp);
}

void thread_stack_add(void (*when_refused)(void)) {
    refused = when_refused;
    add_stack();
}

/* ---- new threads ---- */

#ifndef __SANITIZE_ADDRESS__

struct start {
    void *(*run)(void *);
    void *argument;
};

static void note_lowest(void) {
    pthread_attr_t attributes;
    void *stack = NULL;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    if (pthread_attr_getstack(&attributes, &stack, &size) == 0) lowest = (uintptr_t)stack;
    pthread_attr_destroy(&attributes);
}

static void *begin(void *given) {
    const struct start start = *(struct start *)given;
    free(given);
    note_lowest();
    add_stack();
    return start.run(start.argument);
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                                          void *(*run)(void *), void *argument) {
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    struct start *start = malloc(sizeof *start);
    int code;
    if (!start) return EAGAIN;
    *start = (struct start){.run = run, .argument = argument};
    *(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
    code = next(thread, attributes, begin, start);
    if (code != 0) {
        free(start);
        if (refused) refused();
    }
    return code;
}

#endif

/* ---- crashes ---- */

static uintptr_t stack_pointer(const ucontext_t *context) {
#if defined __x86_64__
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined __aarch64__
    return (uintptr_t)context->uc_mcontext.sp;
#else
    (void)context;
    return 0;
#endif
}

bool stack_is_full(const siginfo_t *info, const void *context) {
    const uintptr_t pointer = stack_pointer(context), at = (uintptr_t)info->si_addr;
    if (info->si_signo != SIGSEGV || pointer == 0) return false;
    if (lowest != 0) return pointer < lowest + PAGE;   /* a push faults before it moves the pointer */
    return at < pointer + NEAR && pointer < at + NEAR; /* the main thread's, which grows to a limit */
}
