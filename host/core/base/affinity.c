/* affinity.c - lets PoCL give each of its threads a processor of its own.
 *
 * Short kernels end before the system has moved PoCL's threads apart, so two of them may share a processor from run
 * to run, and the device is half as fast. PoCL numbers processors from 0, whichever of them the process may use.
 * Needs _GNU_SOURCE for sched_getaffinity. */
#include "base/base.h"

#ifdef __linux__

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static bool is_ours;

static bool may_use_all(void) {
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t allowed;
    if (online < 2 || online > CPU_SETSIZE || sched_getaffinity(0, sizeof allowed, &allowed)) return false;
    for (size_t i = 0; i < (size_t)online; i++)
        if (!CPU_ISSET(i, &allowed)) return false;
    return CPU_COUNT(&allowed) == online;
}

/* With fewer threads than processors, those of several processes would all share the first ones. PoCL 4 and later
 * have a second name for their number. */
void affinity_set(void) {
    const char *const chosen[] = {"POCL_AFFINITY", "POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT"};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
        if (getenv(chosen[i])) return;
    is_ours = may_use_all() && setenv("POCL_AFFINITY", "1", 0) == 0;
}

/* The process's children are not to inherit it: with more threads than processors, PoCL ends the process. */
void affinity_restore(void) {
    if (is_ours) (void)unsetenv("POCL_AFFINITY");
    is_ours = false;
}

#else

void affinity_set(void) {}

void affinity_restore(void) {}

#endif
