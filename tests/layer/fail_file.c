/* fail_file.c - preloaded, it fails the n-th step of writing files: open, write, fsync, close, rename, mkdir. Only
 * files under one folder count, whoever writes them, so a test says exactly which files meet a full disk.
 *
 * Its settings are those of turn.h, and:
 *   CLUE_FAIL_FOLDER   the folder; without it nothing fails
 *   CLUE_FAIL_VARIANT  1: all after it fail, too, as on a full disk; otherwise only this one
 *   CLUE_FAIL_ERROR    io: with EIO; otherwise with ENOSPC
 *
 * It reports when the failure occurs, and at exit: "calls N" and "failed STEP". It does not fork: parent and child
 * would write into the same files.
 *
 * A write that fails has written half of its bytes before. Streams of stdio are made of such descriptors, so their
 * buffers fail when they really are written. */
#define _GNU_SOURCE /* RTLD_NEXT, fopencookie: NOLINT(clang-diagnostic-reserved-macro-identifier) */
#include "turn.h"

#include <limits.h>
#include <stdarg.h>
#include <sys/stat.h>

enum { MOST_FILES = 256 };

static const char *folder;
static long calls;
static bool is_watched[MOST_FILES]; /* by descriptor */
static int error_number = ENOSPC;
static const char *failed = "-";

static struct {
    int (*open)(const char *, int, ...);
    ssize_t (*write)(int, const void *, size_t);
    int (*fsync)(int), (*close)(int), (*rename)(const char *, const char *), (*mkdir)(const char *, mode_t);
    FILE *(*fopen)(const char *, const char *);
} next;

static void find(void *function_out, const char *name) {
    *(void **)function_out = dlsym(RTLD_NEXT, name);
}

/* A process that writes no such file says nothing: it may be the parent of one that does. */
static void report(void) {
    char text[128];
    const char *kept = folder;
    if (calls == 0) return;
    folder = NULL; /* the report does not fail */
    (void)snprintf(text, sizeof text, "calls %ld\nfailed %s\n", calls, failed);
    turn_report(text);
    folder = kept;
}

__attribute__((constructor)) static void begin(void) {
    const char *error = getenv("CLUE_FAIL_ERROR");
    if (next.open) return;
    find(&next.open, "open");
    find(&next.write, "write");
    find(&next.fsync, "fsync");
    find(&next.close, "close");
    find(&next.rename, "rename");
    find(&next.mkdir, "mkdir");
    find(&next.fopen, "fopen");
    if (!turn_is_on()) return;
    folder = getenv("CLUE_FAIL_FOLDER");
    turn_begin();
    if (error && strcmp(error, "io") == 0) error_number = EIO;
    atexit(report);
}

/* True if the path is under the folder; a relative path is seen from the working folder. */
static bool counts(const char *path) {
    char whole[PATH_MAX], here[PATH_MAX];
    begin();
    if (!folder) return false;
    if (*path == '/' || !getcwd(here, sizeof here)) return strncmp(path, folder, strlen(folder)) == 0;
    if (snprintf(whole, sizeof whole, "%s/%s", here, path) >= PATH_MAX) return false;
    return strncmp(whole, folder, strlen(folder)) == 0;
}

static bool fails(const char *step) {
    calls++;
    if (turn_comes(calls, 0, 0)) {
        failed = step;
        report();
    } else if (!turn_stays(calls))
        return false;
    errno = error_number;
    return true;
}

/* ---- descriptors ---- */

static int open_watched(const char *path, int flags, mode_t mode) {
    const bool writes = (flags & O_ACCMODE) != O_RDONLY && counts(path);
    int file;
    if (writes && fails("open")) return -1;
    begin();
    file = next.open(path, flags, mode);
    if (file >= 0 && file < MOST_FILES) is_watched[file] = writes;
    return file;
}

static bool watched(int file) {
    begin();
    return folder && file >= 0 && file < MOST_FILES && is_watched[file];
}

int open(const char *path, int flags, ...) {
    mode_t mode;
    va_list more;
    va_start(more, flags);
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_watched(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    mode_t mode;
    va_list more;
    va_start(more, flags);
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_watched(path, flags, mode);
}

ssize_t write(int file, const void *bytes, size_t size) {
    if (!watched(file) || !fails("write")) return next.write(file, bytes, size);
    if (next.write(file, bytes, size / 2) < 0) return -1;
    errno = error_number;
    return -1;
}

int fsync(int file) {
    return watched(file) && fails("fsync") ? -1 : next.fsync(file);
}

int close(int file) {
    const bool was_watched = watched(file);
    int code;
    if (was_watched) is_watched[file] = false;
    code = next.close(file);
    return was_watched && fails("close") ? -1 : code;
}

int rename(const char *from, const char *to) {
    return counts(to) && fails("rename") ? -1 : next.rename(from, to);
}

int mkdir(const char *path, mode_t mode) {
    return counts(path) && fails("mkdir") ? -1 : next.mkdir(path, mode);
}

/* ---- streams: the cookie is the descriptor ---- */

static ssize_t stream_read(void *cookie, char *bytes, size_t size) {
    return read((int)(intptr_t)cookie, bytes, size);
}

static ssize_t stream_write(void *cookie, const char *bytes, size_t size) {
    const ssize_t count = write((int)(intptr_t)cookie, bytes, size);
    return count < 0 ? 0 : count; /* this is how a cookie reports an error */
}

static int stream_seek(void *cookie, off64_t *place, int from) {
    *place = lseek64((int)(intptr_t)cookie, *place, from);
    return *place < 0 ? -1 : 0;
}

static FILE *streams[MOST_FILES]; /* by descriptor */

static int stream_close(void *cookie) {
    streams[(intptr_t)cookie] = NULL;
    return close((int)(intptr_t)cookie);
}

/* For locks. */
int fileno(FILE *stream) {
    static int (*ask)(FILE *);
    for (int file = 0; file < MOST_FILES; file++)
        if (streams[file] == stream) return file;
    if (!ask) find(&ask, "fileno");
    return ask(stream);
}

static FILE *open_stream(const char *path, const char *mode) {
    static const cookie_io_functions_t functions = {stream_read, stream_write, stream_seek, stream_close};
    const int access = strchr(mode, '+') ? O_RDWR : O_WRONLY;
    const int file =
        open_watched(path,
                     access | (*mode == 'a' ? O_CREAT | O_APPEND : 0) | (*mode == 'w' ? O_CREAT | O_TRUNC : 0) |
                         (strchr(mode, 'x') ? O_EXCL : 0) | (strchr(mode, 'e') ? O_CLOEXEC : 0),
                     0666);
    if (file < 0 || file >= MOST_FILES) return NULL;
    /* The cookie is the descriptor's number: NOLINTNEXTLINE(performance-no-int-to-ptr) */
    return streams[file] = fopencookie((void *)(intptr_t)file, mode, functions);
}

FILE *fopen(const char *path, const char *mode) {
    const bool writes = *mode != 'r' || strchr(mode, '+');
    begin();
    return writes && counts(path) ? open_stream(path, mode) : next.fopen(path, mode);
}

FILE *fopen64(const char *path, const char *mode) {
    return fopen(path, mode);
}
