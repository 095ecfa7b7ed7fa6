/* folder.c - folders: they are made, listed and removed.
 *
 * Only system calls remove: opendir() allocates memory, which the code that a signal handler has interrupted may be
 * doing too. */
#include "../system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 32 };

static bool is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

bool folder_each(const char *path, bool (*visit)(void *data, const char *name), void *data) {
    DIR *folder = opendir(path);
    bool goes_on = true;
    if (!folder) return false;
    for (const struct dirent *next; goes_on && (next = readdir(folder));)
        if (!is_dots(next->d_name)) goes_on = visit(data, next->d_name);
    (void)closedir(folder);
    return true;
}

bool folder_make(const char *path, bool is_private) {
    return mkdir(path, is_private ? 0700 : 0777) == 0;
}

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
            if (!is_dots(entry->d_name)) removed |= remove_entry(folder, entry->d_name, depth + 1);
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

/* ---- temporary ones ---- */

bool folder_remove_held(int held, const char *path) {
    while (remove_entries(held, 0))
        ;
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR) == 0 || errno != ENOTEMPTY;
}

void folder_let_go(int held) {
    (void)close(held);
}

static char *copy_of(const char *text) {
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

char *folder_make_temporary(int *held_out, char *path) {
    char *kept = NULL;
    int error;
    if (mkdtemp(path) == NULL) return NULL;
    *held_out = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (*held_out >= 0) kept = *path == '/' ? copy_of(path) : realpath(path, NULL);
    if (kept != NULL) return kept;
    error = errno;
    if (*held_out >= 0) close(*held_out);
    (void)rmdir(path);
    errno = error;
    return NULL;
}
