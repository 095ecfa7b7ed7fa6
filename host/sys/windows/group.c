/* group.c - a child and all that it started: a job object. It is closed when this process ends, however it ends,
 * and its processes end with it. */
#include "group.h"

#include <psapi.h>
#include <stdlib.h>

enum { MOST = 256, MOST_PROCESSES = 256 };

static struct group {
    volatile LONG number; /* of the process; 0: free. Set last and cleared first, for handlers in other threads */
    HANDLE process, job;
} groups[MOST];

static struct group *find(int number) {
    for (int i = 0; number != 0 && i < MOST; i++)
        if (groups[i].number == number) return &groups[i];
    return NULL;
}

HANDLE group_job(void) {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {.BasicLimitInformation.LimitFlags =
                                                       JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
    const HANDLE job = CreateJobObjectA(NULL, NULL);
    if (job && SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits)) return job;
    (void)fail_as_windows();
    if (job) (void)CloseHandle(job);
    return NULL;
}

bool group_add(DWORD number, HANDLE process, HANDLE job) {
    for (int i = 0; i < MOST; i++) {
        if (groups[i].number != 0) continue;
        groups[i].process = process;
        groups[i].job = job;
        groups[i].number = (LONG)number;
        return true;
    }
    return false;
}

/* ---- the end ---- */

enum group_end group_look(int32_t *value_out, int process) {
    const struct group *group = find(process);
    DWORD status;
    int number;
    if (!group) return GROUP_LOST;
    if (WaitForSingleObject(group->process, 0) != WAIT_OBJECT_0) return GROUP_RUNS;
    if (!GetExitCodeProcess(group->process, &status)) return GROUP_LOST;
    number = signal_of_status(status);
    *value_out = number != 0 ? number : (int32_t)status;
    return number != 0 ? GROUP_SIGNALLED : GROUP_EXITED;
}

void group_collect(int process) {
    struct group *group = find(process);
    if (!group) return;
    group->number = 0;
    (void)CloseHandle(group->process);
    (void)CloseHandle(group->job);
}

void group_stop(int process) {
    if (find(process)) (void)GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, (DWORD)process);
}

void group_kill(int process) {
    const struct group *group = find(process);
    if (group) (void)TerminateJobObject(group->job, STATUS_OF_SIGNAL(GROUP_KILLED));
}

/* ---- memory ---- */

bool group_memory_is_known(void) {
    return true;
}

static double memory_of_process(DWORD number) {
    const HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, number);
    PROCESS_MEMORY_COUNTERS counters = {0};
    if (!process) return 0;
    (void)GetProcessMemoryInfo(process, &counters, sizeof counters);
    (void)CloseHandle(process);
    return (double)counters.WorkingSetSize;
}

double group_memory(int process) {
    struct {
        JOBOBJECT_BASIC_PROCESS_ID_LIST list;
        ULONG_PTR more[MOST_PROCESSES];
    } of = {.list = {0}};
    const struct group *group = find(process);
    double bytes = 0;
    if (!group) return 0;
    if (!QueryInformationJobObject(group->job, JobObjectBasicProcessIdList, &of, sizeof of, NULL))
        return memory_of_process((DWORD)process);
    for (DWORD i = 0; i < of.list.NumberOfProcessIdsInList; i++)
        bytes += memory_of_process((DWORD)of.list.ProcessIdList[i]);
    return bytes;
}

double group_time(int process) {
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION of;
    const struct group *group = find(process);
    if (!group || !QueryInformationJobObject(group->job, JobObjectBasicAccountingInformation, &of, sizeof of, NULL))
        return -1;
    return (double)(of.TotalUserTime.QuadPart + of.TotalKernelTime.QuadPart) * 1e-7;
}

/* ---- what a child leaves ends with its job ---- */

void group_adopt_orphans(void) {}

bool group_tell_children(int number) {
    (void)number;
    return false;
}

void group_kill_orphans(double seconds) {
    (void)seconds;
}
