/* limits.c - the limits under which this process runs (ulimit), for messages about failures that they may explain:
 * a driver that cannot start a thread or open a file says so badly or not at all. Only limits that are narrow
 * count. */
#include "base/base.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* Below these, a driver's needs may be what fails; root may have as many processes as it likes. */
enum { FEW_FILES = 64, FEW_PROCESSES = 256 };

static rlim_t limit_of(int resource) {
    struct rlimit limit;
    return getrlimit((__rlimit_resource_t)resource, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

static size_t add_limit(char *text, size_t used, size_t room, rlim_t value, const char *what) {
    const int length = snprintf(text + used, room - used, "%sulimit %.2s %llu (%s)",
                                used ? ", " : "; a limit of this process may be the reason: ", what,
                                (unsigned long long)value, what + 3);
    return length > 0 && used + (size_t)length < room ? used + (size_t)length : used;
}

const char *clue_limits_text(void) {
    static char text[256];
    const rlim_t memory = limit_of(RLIMIT_AS), files = limit_of(RLIMIT_NOFILE), processes = limit_of(RLIMIT_NPROC);
    size_t used = 0;
    text[0] = '\0';
    if (memory != RLIM_INFINITY)
        used = add_limit(text, used, sizeof text, memory / 1024, "-v KiB of address space");
    if (files < FEW_FILES) used = add_limit(text, used, sizeof text, files, "-n open files");
    if (processes < FEW_PROCESSES && getuid() != 0)
        (void)add_limit(text, used, sizeof text, processes, "-u processes and threads");
    return text;
}
