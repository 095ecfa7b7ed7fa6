/* limits.c - the limits under which this process runs (ulimit), for messages about failures that they may explain:
 * a driver that cannot start a thread or open a file says so badly or not at all. Only limits that are narrow
 * count. */
#include "base/base.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* Below these, a driver's needs may be what fails; root may have as many processes as it likes. */
enum { FEW_FILES = 64, FEW_PROCESSES = 256 };

/* No limit if the system does not tell it. */
static rlim_t value_of(int failed, const struct rlimit *limit) {
    return failed ? RLIM_INFINITY : limit->rlim_cur;
}

static size_t add_limit(char *text, size_t used, size_t room, rlim_t value, const char *what) {
    const int length = snprintf(text + used, room - used, "%sulimit %.2s %llu (%s)",
                                used ? ", " : "; a limit of this process may be the reason: ", what,
                                (unsigned long long)value, what + 3);
    return length > 0 && used + (size_t)length < room ? used + (size_t)length : used;
}

const char *clue_limits_text(void) {
    static char text[256];
    struct rlimit limit;
    const rlim_t memory = value_of(getrlimit(RLIMIT_AS, &limit), &limit);
    const rlim_t files = value_of(getrlimit(RLIMIT_NOFILE, &limit), &limit);
    const rlim_t processes = value_of(getrlimit(RLIMIT_NPROC, &limit), &limit);
    size_t used = 0;
    text[0] = '\0';
    if (memory != RLIM_INFINITY)
        used = add_limit(text, used, sizeof text, memory / 1024, "-v KiB of address space");
    if (files < FEW_FILES) used = add_limit(text, used, sizeof text, files, "-n open files");
    if (processes < FEW_PROCESSES && getuid() != 0)
        (void)add_limit(text, used, sizeof text, processes, "-u processes and threads");
    return text;
}
