/* path.c - what paths name, and files of the user's own: they are read and appended to without waiting, though a
 * FIFO may be in their place. */
#include "../system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum path_kind kind_of(mode_t mode) {
    return S_ISREG(mode)    ? PATH_FILE
           : S_ISDIR(mode)  ? PATH_FOLDER
           : S_ISFIFO(mode) ? PATH_FIFO
           : S_ISSOCK(mode) ? PATH_SOCKET
                            : PATH_DEVICE;
}

/* With some systems' umask, a user's own group may write all that the user makes. */
static enum path_kind tell(path_facts *out, const struct stat *about) {
    const bool own = about->st_uid == geteuid();
    *out = (path_facts){.kind = kind_of(about->st_mode), .size = about->st_size};
    out->used[0] = about->st_mtim.tv_sec;
    out->used[1] = about->st_mtim.tv_nsec;
    out->is_ours = own && !(about->st_mode & (S_IWGRP | S_IWOTH));
    out->is_of_others = !own || (about->st_mode & S_IWOTH);
    return out->kind;
}

enum path_kind path_look(path_facts *out, const char *path, bool follow) {
    struct stat about;
    int failed = follow ? stat(path, &about) : lstat(path, &about);
    *out = (path_facts){.kind = PATH_NOTHING};
    return failed ? PATH_NOTHING : tell(out, &about);
}

bool path_is_readable(const char *path) {
    return access(path, R_OK) == 0;
}

bool path_is_program(const char *path) {
    return access(path, X_OK) == 0;
}

bool path_is_given(const char *path) {
    static const char *const given[] = {"/dev/fd/", "/dev/std", "/proc/"};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (strncmp(path, given[i], strlen(given[i])) == 0) return true;
    return strcmp(path, "/dev/null") == 0;
}

bool path_link(const char *made, const char *to) {
    char whole[PATH_MAX];
    return !realpath(to, whole) || symlink(whole, made) == 0;
}

/* ---- files ---- */

FILE *file_open(const char *path, const char *mode) {
    char closing[8];
    (void)snprintf(closing, sizeof closing, "%se", mode);
    return fopen(path, closing);
}

bool memory_file_open(memory_file *self) {
    *self = (memory_file){0};
    self->to = open_memstream(&self->bytes, &self->size);
    return self->to != NULL;
}

bool memory_file_close(memory_file *self) {
    return self->to != NULL && fclose(self->to) == 0;
}

static bool read_all(int file, char *bytes, size_t size) {
    size_t done = 0;
    while (done < size) {
        const ssize_t count = read(file, bytes + done, size - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += (size_t)count;
    }
    return true;
}

static bool is_own(path_facts *facts, int file) {
    struct stat about;
    return fstat(file, &about) == 0 && tell(facts, &about) == PATH_FILE && facts->is_ours;
}

char *file_read_own(size_t *size_out, const char *path, int64_t most) {
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW); /* a FIFO does not block this */
    path_facts facts;
    char *bytes = NULL;
    if (file < 0) return NULL;
    if (is_own(&facts, file) && facts.size <= most && (bytes = calloc(1, (size_t)facts.size + 1)) &&
        !read_all(file, bytes, (size_t)facts.size)) {
        free(bytes);
        bytes = NULL;
    }
    if (bytes) (void)futimens(file, NULL);
    (void)close(file);
    *size_out = bytes ? (size_t)facts.size : 0;
    return bytes;
}

bool file_append_own(const char *path, const char *text, size_t size) {
    const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    const bool written = file >= 0 && write(file, text, size) == (ssize_t)size;
    const int why = errno;
    if (file >= 0) (void)close(file);
    errno = why;
    return written;
}

bool output_write(int32_t descriptor, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        const ssize_t count = write(descriptor, at, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        at += count;
        size -= (size_t)count;
    }
    return true;
}
