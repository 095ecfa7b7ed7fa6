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
#include <string.h>
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

/* ---- memory and time ---- */

/* Reads the beginning of a process's file; false if there is none. process: its folder in /proc. */
static bool read_of(char *text, size_t size, const char *process, const char *name) {
    int file;
    ssize_t length;
    if (snprintf(text, size, "/proc/%s/%s", process, name) >= (int)size) return false;
    file = open(text, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    length = read(file, text, size - 1);
    close(file);
    if (length <= 0) return false;
    text[length] = '\0';
    return true;
}

/* The resident bytes of a process, 0 if there is none. */
static double memory_of_process(const char *process) {
    char text[128], *second;
    if (!read_of(text, sizeof text, process, "statm")) return 0;
    strtoull(text, &second, 10); /* the first number is the address space */
    return (double)strtoull(second, NULL, 10) * (double)sysconf(_SC_PAGESIZE);
}

/* The seconds of a process, in user code and in the system, 0 if there is none. They are the 14th and 15th field;
 * the second one is a name, in which may be anything. */
static double time_of_process(const char *process) {
    char text[512], *at;
    unsigned long long ticks;
    if (!read_of(text, sizeof text, process, "stat")) return 0;
    at = strrchr(text, ')');
    for (int field = 2; at && field < 14; field++)
        at = strchr(at + 1, ' ');
    if (!at) return 0;
    ticks = strtoull(at, &at, 10);
    return (double)(ticks + strtoull(at, NULL, 10)) / (double)sysconf(_SC_CLK_TCK);
}

bool group_memory_is_known(void) {
    return memory_of_process("self") > 0;
}

struct sum {
    pid_t group;
    double (*of)(const char *process);
    double all;
};

/* Asks for each process's group with getpgid(): reading every /proc/N/stat would take several times as long, and
 * this runs while kernels are timed. */
static bool add_process(void *data, const char *name) {
    struct sum *sum = data;
    char *end;
    const long process = strtol(name, &end, 10);
    if (process > 0 && *end == '\0' && (process == sum->group || getpgid((pid_t)process) == sum->group))
        sum->all += sum->of(name);
    return true;
}

static double add_all(int process, double (*of)(const char *process)) {
    struct sum sum = {.group = process, .of = of};
    (void)folder_each("/proc", add_process, &sum);
    return sum.all;
}

double group_memory(int process) {
    return add_all(process, memory_of_process);
}

double group_time(int process) {
    return group_memory_is_known() ? add_all(process, time_of_process) : -1;
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
