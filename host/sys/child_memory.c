/* child_memory.c - the resident memory of a process group, from /proc.
 *
 * RLIMIT_AS would be simpler and is of no use here: GPU drivers reserve address ranges of many gigabytes, up to the
 * whole memory of host and devices together, long before they hold any of it. And it counts each process by itself.
 * Pages that processes of a group share are counted once for each of them; telling them apart (smaps) walks the
 * page tables and takes milliseconds. */
#include "child.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Resident bytes of one process, 0 if there is none; process: the name of its folder in /proc. */
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

/* The group of every process number is asked for with getpgid: reading every /proc/N/stat would cost several times
 * as much, and this runs while kernels are being timed. */
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
