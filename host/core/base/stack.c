/* stack.c - room on the stacks of a CPU driver's worker threads.
 *
 * PoCL keeps the private memory of a whole work-group on its worker's stack: a kernel with 8 KB of private memory
 * in a group of 2000 ends the process with the usual 8 MB. No query announces this (not even
 * CL_KERNEL_PRIVATE_MEM_SIZE), so threads that drivers start get a larger stack. That costs only address space
 * until it is used. Afterwards the process gets its old default back, for all other threads. */
#include "base/base.h"

#include <pthread.h>

#ifdef __GLIBC__

enum { WORKER_STACK = 256 * 1024 * 1024 };

static size_t usual_size;

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
    if (usual_size > 0 && usual_size < WORKER_STACK) set_default(WORKER_STACK);
}

void stack_restore(void) {
    if (usual_size > 0 && usual_size < WORKER_STACK) set_default(usual_size);
}

#else

void stack_enlarge(void) {}

void stack_restore(void) {}

#endif
