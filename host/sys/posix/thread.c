/* thread.c - threads, and room on the stacks of those that a CPU driver starts.
 *
 * PoCL keeps the private memory of a whole work-group on its worker's stack: a kernel with 8 KB of private memory
 * in a group of 2000 ends the process with the usual 8 MB. No query announces this (not even
 * CL_KERNEL_PRIVATE_MEM_SIZE), so threads that drivers start get a larger stack. That costs only address space
 * until it is used; where that is limited (ulimit -v), they get a small part of the limit. Afterwards the process
 * gets its old default back, for all other threads. */
#include "../system.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

_Static_assert(sizeof(pthread_t) <= sizeof(uintptr_t), "a thread is a number");

bool thread_start(uintptr_t *thread_out, void *(*run)(void *), void *argument) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, argument) != 0) return false;
    *thread_out = (uintptr_t)thread;
    return true;
}

void thread_join(uintptr_t thread) {
    (void)pthread_join((pthread_t)thread, NULL);
}

void thread_yield(void) {
    (void)sched_yield();
}

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

void threads_enlarge_stacks(void) {
    pthread_attr_t attributes;
    usual_size = 0;
    if (pthread_getattr_default_np(&attributes) != 0) return;
    if (pthread_attr_getstacksize(&attributes, &usual_size) != 0) usual_size = 0;
    (void)pthread_attr_destroy(&attributes);
    if (usual_size > 0 && usual_size < worker_size()) set_default(worker_size());
}

void threads_restore_stacks(void) {
    if (usual_size > 0) set_default(usual_size);
}

/* A thread that ends when its starter lets go of the mutex. */
static void *wait_for(void *mutex) {
    (void)pthread_mutex_lock(mutex);
    (void)pthread_mutex_unlock(mutex);
    return NULL;
}

int threads_try(int64_t count) {
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
    return error;
}

#else

int threads_try(int64_t count) {
    (void)count;
    return 0;
}

void threads_enlarge_stacks(void) {}

void threads_restore_stacks(void) {}

#endif
