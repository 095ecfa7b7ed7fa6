/* self.c - this process: its number, command line, rights, variables, processors and limits. */
#include "../system.h"

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int64_t process_id(void) {
    return getpid();
}

size_t process_arguments(char *out, size_t room, size_t from) {
    const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC); /* not stdio: signal handlers call this */
    size_t size = 0;
    ssize_t more = 0;
    if (file < 0) return 0;
    while (size < room && (more = pread(file, out + size, room - size, (off_t)(from + size))) > 0)
        size += (size_t)more;
    (void)close(file);
    return more < 0 ? 0 : size;
}

void process_take_words(int count, char **words) {
    (void)count;
    (void)words;
}

bool process_program(char *path_out, size_t room) {
    const ssize_t length = readlink("/proc/self/exe", path_out, room - 1);
    if (length > 0) path_out[length] = '\0';
    return length > 0;
}

bool process_has_borrowed_rights(void) {
    return geteuid() != getuid() || getegid() != getgid();
}

void process_after_fork(void (*in_child)(void)) {
    (void)pthread_atfork(NULL, NULL, in_child);
}

void process_reserve_descriptors(void) {
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0) (void)open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int64_t process_most_descriptors(void) {
    return sysconf(_SC_OPEN_MAX);
}

const char *const *process_variables(void) {
    return (const char *const *)environ;
}

bool process_set_variable(const char *name, const char *value) {
    return (value ? setenv(name, value, 1) : unsetenv(name)) == 0;
}

/* Left alone, malloc also comes to keep blocks of up to 32 MB, but only twice the largest of those that it had
 * returned. Memory that it keeps serves the next ones at half the cost or less. */
void process_keep_freed_memory(void) {
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 128 << 20);
#endif
}

/* ---- processors ---- */

int64_t process_processors(void) {
    return sysconf(_SC_NPROCESSORS_ONLN);
}

bool process_may_use_all_processors(void) {
#ifdef __linux__
    const int64_t online = process_processors();
    cpu_set_t allowed;
    if (online < 2 || online > CPU_SETSIZE || sched_getaffinity(0, sizeof allowed, &allowed)) return false;
    for (size_t i = 0; i < (size_t)online; i++)
        if (!CPU_ISSET(i, &allowed)) return false;
    return CPU_COUNT(&allowed) == online;
#else
    return false;
#endif
}

/* ---- limits (ulimit); only narrow ones count ---- */

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

void process_limits(char *out, size_t room) {
    struct rlimit limit;
    const rlim_t memory = value_of(getrlimit(RLIMIT_AS, &limit), &limit);
    const rlim_t files = value_of(getrlimit(RLIMIT_NOFILE, &limit), &limit);
    const rlim_t processes = value_of(getrlimit(RLIMIT_NPROC, &limit), &limit);
    size_t used = 0;
    out[0] = '\0';
    if (memory != RLIM_INFINITY) used = add_limit(out, used, room, memory / 1024, "-v KiB of address space");
    if (files < FEW_FILES) used = add_limit(out, used, room, files, "-n open files");
    if (processes < FEW_PROCESSES && getuid() != 0)
        (void)add_limit(out, used, room, processes, "-u processes and threads");
}
