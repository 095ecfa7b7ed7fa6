/* stack.c - room on the stacks of a CPU driver's worker threads.
 *
 * PoCL keeps the private memory of a whole work-group on its worker's stack: a kernel with 8 KB of private memory
 * in a group of 2000 ends the process with the usual 8 MB. No query announces this (not even
 * CL_KERNEL_PRIVATE_MEM_SIZE), so threads that drivers start get a larger stack. That costs only address space
 * until it is used; where that is limited (ulimit -v), they get a small part of the limit. Afterwards the process
 * gets its old default back, for all other threads. */
#include "base/base.h"

#include <malloc.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __GLIBC__

enum { WORKER_STACK = 256 * 1024 * 1024, PART = 32, MOST_TRIED = 64 };

static size_t usual_size;

static size_t worker_size(void) {
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur / PART >= WORKER_STACK) return WORKER_STACK;
    (void)mallopt(M_ARENA_MAX, 1); /* the heap would reserve 64 MiB for each thread */
    return (size_t)space.rlim_cur / PART;
}

static void set_default(size_t size) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    if (pthread_attr_setstacksize(&attributes, size) == 0) (void)pthread_setattr_default_np(&attributes);
    (void)pthread_attr_destroy(&attributes);
}

void stack_enlarge(void) {
    pthread_attr_t attributes;
    usual_size = 0;
    if (pthread_getattr_default_np(&attributes) != 0) return;
    if (pthread_attr_getstacksize(&attributes, &usual_size) != 0) usual_size = 0;
    (void)pthread_attr_destroy(&attributes);
    if (usual_size > 0 && usual_size < worker_size()) set_default(worker_size());
}

void stack_restore(void) {
    if (usual_size > 0) set_default(usual_size);
}

/* A thread that ends when its starter lets go of the mutex. */
static void *wait_for(void *mutex) {
    (void)pthread_mutex_lock(mutex);
    (void)pthread_mutex_unlock(mutex);
    return NULL;
}

int32_t stack_check_threads(const char *call) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN) + 1;
    pthread_mutex_t together = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[MOST_TRIED];
    int started = 0;
    int error = 0;
    (void)pthread_mutex_lock(&together);
    while (error == 0 && started < count && started < MOST_TRIED) {
        error = pthread_create(&threads[started], NULL, wait_for, &together);
        if (error == 0) started++;
    }
    (void)pthread_mutex_unlock(&together);
    for (int i = 0; i < started; i++)
        (void)pthread_join(threads[i], NULL);
    if (error == 0) return 0;
    return error_record(CL_OUT_OF_RESOURCES, CLUE_CAUSE_LIMIT, call,
                        "drivers need %ld threads, and pthread_create: %s%s", count, strerror(error),
                        clue_limits_text());
}

#else

int32_t stack_check_threads(const char *call) {
    (void)call;
    return 0;
}

void stack_enlarge(void) {}

void stack_restore(void) {}

#endif
