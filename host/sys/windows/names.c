/* names.c - files by the names and rules of POSIX. Needs nothing else of clue: LuaJIT is linked with it. */
#define _CRT_RAND_S
#include "names.h"
#include "room.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <string.h>

/* The descriptor that a path names; -1: none. */
static int descriptor_of(const char *path) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    static const char *const standard[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    for (int i = 0; i < 3; i++)
        if (strcmp(path, standard[i]) == 0) return i;
    for (int i = 0; i < 2; i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0) return atoi(path + strlen(folders[i]));
    return -1;
}

static FILE *open_descriptor(int descriptor, const char *mode) {
    const int copy = _dup(descriptor);
    FILE *opened = copy >= 0 ? _fdopen(copy, mode) : NULL;
    if (copy >= 0 && !opened) (void)_close(copy);
    return opened;
}

char *named_temporary_name(char *out) {
    char name[NAMED_TEMPORARY], folder[NAMED_TEMPORARY];
    if (!GetTempPathA(sizeof folder, folder) || !GetTempFileNameA(folder, "clu", 0, name)) return NULL;
    for (size_t i = 0; i <= strlen(name); i++)
        out[i] = name[i] == '\\' ? '/' : name[i];
    return out;
}

FILE *named_temporary(void) {
    char name[NAMED_TEMPORARY];
    return named_temporary_name(name) ? fopen(name, "w+bTD") : NULL; /* removed when it is closed */
}

static FILE *open_random(void) {
    FILE *made = named_temporary();
    for (int i = 0; made && i < 16; i++) {
        unsigned number;
        if (rand_s(&number) == 0) (void)fwrite(&number, sizeof number, 1, made);
    }
    if (made) rewind(made);
    return made;
}

/* glibc's "e" is left out: what children get is listed when they start. */
FILE *named_open(const char *path, const char *mode) {
    char plain[8] = "";
    size_t length = 0;
    int descriptor;
    for (; *mode && length < sizeof plain - 2; mode++)
        if (*mode != 'e') plain[length++] = *mode;
    if (!memchr(plain, 'b', length) && !memchr(plain, 't', length)) plain[length++] = 'b';
    if (*path != '/') return fopen(path, plain);
    if (strcmp(path, "/dev/null") == 0) return fopen("NUL", plain);
    if (strcmp(path, "/dev/urandom") == 0) return open_random();
    descriptor = descriptor_of(path);
    return descriptor >= 0 ? open_descriptor(descriptor, plain) : fopen(path, plain);
}

int fail_as_windows(void) {
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
    case ERROR_INVALID_DRIVE:
        errno = ENOENT;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
        errno = EACCES;
        break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        errno = EEXIST;
        break;
    case ERROR_DIR_NOT_EMPTY:
        errno = ENOTEMPTY;
        break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        errno = ENOMEM;
        break;
    case ERROR_BAD_EXE_FORMAT:
        errno = ENOEXEC;
        break;
    case ERROR_TOO_MANY_OPEN_FILES:
        errno = EMFILE;
        break;
    case ERROR_DISK_FULL:
        errno = ENOSPC;
        break;
    default:
        errno = EINVAL;
    }
    return -1;
}

int named_rename(const char *from, const char *to) {
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) ? 0 : fail_as_windows();
}

int named_remove(const char *path) {
    const DWORD attributes = GetFileAttributesA(path);
    const bool is_folder = attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY);
    return (is_folder ? RemoveDirectoryA(path) : DeleteFileA(path)) ? 0 : fail_as_windows();
}
