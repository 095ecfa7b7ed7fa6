/* group.c - a child and all that it started: a process group, to which its end, its signals and its memory belong.
 *
 * RLIMIT_AS would be a simpler limit of memory, but is useless here: GPU drivers reserve address ranges of many
 * gigabytes, up to all memory of host and devices, long before they use any; and it limits each process separately.
 * Pages that processes of a group share count once for each process; to tell them apart (smaps), the kernel walks
 * the page tables, which takes milliseconds. */
#include "../system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

_Static_assert(GROUP_KILLED == SIGKILL, "the value of a child that was killed is its signal");

/* ---- the end ---- */

/* Calls waitid without waiting; fills in the process number if the process has ended. */
static int look(pid_t process, siginfo_t *info, int flags) {
    int result;
    do {
        info->si_pid = 0;
        result = waitid(P_PID, (id_t)process, info, WEXITED | WNOHANG | flags);
    } while (result != 0 && errno == EINTR);
    return result;
}

enum group_end group_look(int32_t *value_out, int process) {
    siginfo_t info;
    if (look(process, &info, WNOWAIT) != 0) return GROUP_LOST;
    if (info.si_pid == 0) return GROUP_RUNS;
    *value_out = info.si_status;
    return info.si_code == CLD_EXITED ? GROUP_EXITED : GROUP_SIGNALLED;
}

void group_collect(int process) {
    siginfo_t info;
    (void)look(process, &info, 0);
}

/* Also sends it to the process itself, which may have left its group. */
static void tell(pid_t process, int number) {
    if (process <= 0) return;
    if (kill(-process, number) != 0 || number == SIGKILL) kill(process, number);
}

void group_stop(int process) {
    tell(process, SIGTERM);
}

void group_kill(int process) {
    tell(process, SIGKILL);
}

/* ---- memory ---- */

/* The resident bytes of a process, 0 if there is none. process: its folder in /proc. */
static double memory_of_process(const char *process) {
    char text[128], *second;
    int file;
    ssize_t length;
    if (snprintf(text, sizeof text, "/proc/%s/statm", process) >= (int)sizeof text) return 0;
    file = open(text, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = '\0';
    strtoull(text, &second, 10); /* the first number is the address space */
    return (double)strtoull(second, NULL, 10) * (double)sysconf(_SC_PAGESIZE);
}

bool group_memory_is_known(void) {
    return memory_of_process("self") > 0;
}

struct sum {
    pid_t group;
    double bytes;
};

/* Asks for each process's group with getpgid(): reading every /proc/N/stat would take several times as long, and
 * this runs while kernels are timed. */
static bool add_process(void *data, const char *name) {
    struct sum *sum = data;
    char *end;
    const long process = strtol(name, &end, 10);
    if (process > 0 && *end == '\0' && (process == sum->group || getpgid((pid_t)process) == sum->group))
        sum->bytes += memory_of_process(name);
    return true;
}

double group_memory(int process) {
    struct sum sum = {.group = process};
    (void)folder_each("/proc", add_process, &sum);
    return sum.bytes;
}

/* ---- what a child leaves ---- */

void group_adopt_orphans(void) {
#ifdef __linux__
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

bool group_tell_children(int number) {
    FILE *list = fopen("/proc/thread-self/children", "re");
    bool found = false;
    long process;
    while (list && fscanf(list, "%ld", &process) == 1)
        found = kill((pid_t)process, number) == 0 || found;
    if (list) (void)fclose(list);
    return found;
}

/* A killed process passes its own children on to this one, so this goes on until there are none. */
void group_kill_orphans(double seconds) {
    const double until = time_monotonic() + seconds;
    while (group_tell_children(SIGKILL) && time_monotonic() < until) {
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
        time_pause(0.001);
    }
}
