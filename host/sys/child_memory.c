/* child_memory.c - the resident memory of a process group, from /proc.
 *
 * RLIMIT_AS would be simpler, but is useless here: GPU drivers reserve address ranges of many gigabytes, up to all
 * memory of host and devices, long before they use any; and it limits each process separately. Pages that processes
 * of a group share count once for each process; to tell them apart (smaps), the kernel walks the page tables, which
 * takes milliseconds. */
#include "child.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

bool child_memory_known(void) {
    return memory_of_process("self") > 0;
}

/* Asks for each process's group with getpgid(): reading every /proc/N/stat would take several times as long, and
 * this runs while kernels are timed. */
double child_memory_of(pid_t group) {
    DIR *folder = opendir("/proc");
    double bytes = 0;
    const struct dirent *entry;
    if (folder == NULL) return 0;
    while ((entry = readdir(folder)) != NULL) {
        char *end;
        long process = strtol(entry->d_name, &end, 10);
        if (process <= 0 || *end != '\0') continue;
        if (process == group || getpgid((pid_t)process) == group) bytes += memory_of_process(entry->d_name);
    }
    closedir(folder);
    return bytes;
}
