/* temporary.c - folders that are removed when the process ends, however it ends except by SIGKILL.
 *
 * They are in a table that a signal handler can read at any moment. Only system calls remove them: opendir()
 * allocates memory, which the interrupted code may be doing too. Each is held open from the start: a process that
 * has used up its file descriptors could not list it at the end. Needs _GNU_SOURCE for getdents64. */
#include "temporary.h"
#include "../core/base/base.h"
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 16, DEEPEST = 32, TRIES = 200 };

static char *_Atomic folders[MOST];
static int descriptors[MOST]; /* of those in `folders` */
static atomic_int owner;      /* the process that made them */

/* ---- removing ---- */

static bool remove_entry(int parent, const char *name, int depth);

/* Goes over a folder's entries once; true if it removed any. It may miss some. */
static bool remove_entries(int folder, int depth) {
    char room[4096] __attribute__((aligned(8)));
    bool removed = false;
    ssize_t size;
    lseek(folder, 0, SEEK_SET);
    while ((size = getdents64(folder, room, sizeof room)) > 0)
        for (ssize_t at = 0; at < size;) {
            const struct dirent64 *entry = (const void *)(room + at);
            at += entry->d_reclen;
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                removed |= remove_entry(folder, entry->d_name, depth + 1);
        }
    return removed;
}

static bool remove_entry(int parent, const char *name, int depth) {
    int folder;
    if (unlinkat(parent, name, 0) == 0) return true;
    if ((errno != EISDIR && errno != EPERM) || depth > DEEPEST) return false;
    folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return false;
    while (remove_entries(folder, depth))
        ;
    close(folder);
    return unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

void folder_remove(const char *path) {
    (void)remove_entry(AT_FDCWD, path, 0);
}

/* Tries several times, because a child that was just killed may still make a file. */
static void remove_held(int i) {
    const char *path = atomic_load(&folders[i]);
    for (int try = 0; try < TRIES; try++) {
        while (remove_entries(descriptors[i], 0))
            ;
        if (unlinkat(AT_FDCWD, path, AT_REMOVEDIR) == 0 || errno != ENOTEMPTY) return;
        clue_clock_sleep(0.005);
    }
}

void clue_temporary_remove_all(void) {
    int error = errno;
    file_remove_last();
    for (int i = 0; i < MOST && getpid() == atomic_load(&owner); i++)
        if (atomic_load(&folders[i]) != NULL) remove_held(i);
    errno = error;
}

void clue_temporary_remove(const char *path) {
    for (int i = 0; i < MOST; i++) {
        char *known = atomic_load(&folders[i]);
        if (known == NULL || strcmp(known, path) != 0) continue;
        remove_held(i);
        atomic_store(&folders[i], NULL);
        close(descriptors[i]);
        free(known);
        return;
    }
}

/* ---- making ---- */

static int32_t failed(const char *path, const char *why) {
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_temporary_folder",
                        "cannot make a temporary folder: %s: %s", path, why);
}

/* The folders are removed when the process ends by itself; a signal handler removes them too. */
static void own(void) {
    static bool registered;
    if (!registered) registered = atexit(clue_temporary_remove_all) == 0;
    atomic_store(&owner, getpid());
}

/* Makes the folder. The path that is kept does not depend on the working folder, which may change. The result is
 * NULL, with errno, if that fails. */
static char *make(int *descriptor_out, char *path) {
    char *kept = NULL;
    int error;
    *descriptor_out = -1;
    if (mkdtemp(path) == NULL) return NULL;
    *descriptor_out = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (*descriptor_out >= 0) kept = *path == '/' ? text_copy(path) : realpath(path, NULL);
    if (kept != NULL) return kept;
    error = errno;
    if (*descriptor_out >= 0) close(*descriptor_out);
    (void)rmdir(path);
    errno = error;
    return NULL;
}

int32_t clue_temporary_folder(const char **path_out) {
    const char *above = getenv("TMPDIR");
    char path[PATH_MAX], wanted[PATH_MAX], *kept;
    int free_slot = 0;
    while (free_slot < MOST && atomic_load(&folders[free_slot]) != NULL)
        free_slot++;
    (void)snprintf(wanted, sizeof wanted - 1, "%s/clue-XXXXXX", above != NULL && *above != '\0' ? above : "/tmp");
    if (free_slot == MOST) return failed(wanted, "this process already has 16 of them");
    (void)snprintf(path, sizeof path, "%s", wanted);
    own();
    kept = make(&descriptors[free_slot], path);
    if (kept == NULL && errno == ENOMEM) return error_out_of_memory("clue_temporary_folder");
    if (kept == NULL) return failed(wanted, strerror(errno));
    atomic_store(&folders[free_slot], kept);
    *path_out = kept;
    return 0;
}
