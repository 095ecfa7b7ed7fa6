/* file.c - reads only real files, and replaces files in one step.
 *
 * Reading: a FIFO without a writer makes its reader wait for ever, and some devices never end. So the kind of a
 * path is found before it is opened.
 *
 * Writing: a new file with its own name replaces the old one when it is complete. So nobody reads half of a file,
 * and two processes that write the same path do not disturb each other. A link stays a link, and the mode stays the
 * same. If replacing would destroy the thing at the path (a FIFO, a device, a file with several names), or if the
 * process may write the file but make none beside it, it is written in place. */
#include "file.h"

#include "../core/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST_TEXT (16 << 20)

static const char beside[] = ".clue-";

/* ---- reading ---- */

const char *file_other_kind(mode_t mode) {
    return S_ISREG(mode)    ? NULL
           : S_ISDIR(mode)  ? "a folder"
           : S_ISFIFO(mode) ? "a FIFO"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

/* True for what the process was given, whatever it is: its user chose it. */
static bool is_given(const char *path) {
    return text_begins_with(path, "/dev/fd/") || text_begins_with(path, "/dev/std") ||
           text_begins_with(path, "/proc/") || strcmp(path, "/dev/null") == 0;
}

static enum file_kind kind_of(const char *path, struct stat *about) {
    if (stat(path, about) != 0) return errno == EACCES ? FILE_UNREADABLE : FILE_MISSING;
    if (S_ISDIR(about->st_mode)) return FILE_MISSING;
    if (!S_ISREG(about->st_mode) && strcmp(path, "/dev/null") != 0) return FILE_ENDLESS;
    return about->st_size <= LARGEST_TEXT ? FILE_WHOLE : FILE_UNREADABLE;
}

char *file_text(const char *path, enum file_kind *kind_out) {
    struct stat about;
    char *text = NULL;
    size_t size = 0;
    FILE *file = NULL;
    *kind_out = kind_of(path, &about);
    if (*kind_out == FILE_WHOLE && (file = fopen(path, "rbe")) && (text = calloc(1, (size_t)about.st_size + 1)))
        size = fread(text, 1, (size_t)about.st_size, file);
    if (text && (size != (size_t)about.st_size || memchr(text, '\0', size))) {
        free(text);
        text = NULL;
    }
    if (*kind_out == FILE_WHOLE && !text) *kind_out = FILE_UNREADABLE;
    if (file) (void)fclose(file);
    return text;
}

int32_t clue_file_check(const char *path) {
    struct stat about;
    const char *kind = !is_given(path) && stat(path, &about) == 0 ? file_other_kind(about.st_mode) : NULL;
    if (!kind) return 0;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "open", "%s: this is %s, but a file is expected",
                        path, kind);
}

/* ---- writing ---- */

static char last_made[PATH_MAX];
static volatile sig_atomic_t is_known; /* true when last_made is complete */

/* After the file was renamed, nothing has this name, nor ever will. */
void file_remove_last(void) {
    if (is_known) (void)unlink(last_made);
}

int file_make_beside(char *made_out, size_t room, const char *path, mode_t mode) {
    static unsigned count;
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    int made;
    do {
        const int length = snprintf(made_out, room, "%.*s%s%ld-%u", folder, path, beside, (long)getpid(), ++count);
        if (length < 0 || (size_t)length >= room) {
            errno = ENAMETOOLONG;
            return -1;
        }
        made = open(made_out, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    } while (made < 0 && errno == EEXIST);
    is_known = false;
    if (made >= 0 && snprintf(last_made, sizeof last_made, "%s", made_out) < PATH_MAX) is_known = true;
    return made;
}

bool file_is_beside(const char *name) {
    const size_t length = strlen(beside);
    return text_begins_with(name, beside) && name[length] &&
           strspn(name + length, "0123456789-") == strlen(name + length);
}

static int32_t refuse(const char *path, const char *why) {
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "open", "%s: %s", path, why);
}

/* Follows a link that leads nowhere yet, and the next ones, to the end; false if they form a circle. */
static bool follow(char *target, const char *path) {
    (void)snprintf(target, PATH_MAX, "%s", path);
    for (int links = 0; links < 40; links++) {
        char next[PATH_MAX], joined[PATH_MAX];
        const ssize_t length = readlink(target, next, sizeof next - 1);
        const char *slash = strrchr(target, '/');
        if (length < 0) return true;
        next[length] = '\0';
        if (snprintf(joined, sizeof joined, "%.*s%s", *next != '/' && slash ? (int)(slash + 1 - target) : 0, target,
                     next) >= PATH_MAX)
            return false;
        memcpy(target, joined, sizeof joined);
    }
    return false;
}

/* Gives the new file the old one's owner and mode. */
static void take_over(int made, const struct stat *about) {
    const int given = fchown(made, about->st_uid, about->st_gid);
    (void)given; /* a file of another user that we may write becomes our own */
    (void)fchmod(made, about->st_mode & 0777);
}

static bool is_written_into(const char *path, const struct stat *about) {
    return is_given(path) || !S_ISREG(about->st_mode) || about->st_nlink > 1;
}

/* True if that is why a file could not be made: a file in the folder may all the same be writable, above all one
 * that is mounted there. */
static bool is_folder_closed(int error) {
    return error == EACCES || error == EPERM || error == EROFS;
}

int32_t clue_file_beside(const char **made_out, const char **target_out, const char *path) {
    static char made[PATH_MAX], target[PATH_MAX];
    struct stat about = {0};
    const bool there = stat(path, &about) == 0;
    int file;
    *made_out = *target_out = target;
    if (!there && errno != ENOENT) return refuse(path, strerror(errno));
    if (there && S_ISDIR(about.st_mode)) return refuse(path, strerror(EISDIR));
    if (strlen(path) >= sizeof target || !follow(target, path)) return refuse(path, strerror(ENAMETOOLONG));
    if (there && is_written_into(path, &about)) {
        (void)snprintf(target, sizeof target, "%s", path);
        return 0;
    }
    if (there && faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0) return refuse(path, strerror(errno));
    file = file_make_beside(made, sizeof made, target, there ? 0600 : 0666);
    if (file < 0 && there && is_folder_closed(errno)) return 0;
    if (file < 0) return refuse(path, strerror(errno));
    if (there) take_over(file, &about);
    (void)close(file);
    *made_out = made;
    return 0;
}
