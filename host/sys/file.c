/* file.c - files that are read only where there is a file to read, and replaced in one step.
 *
 * Reading: a FIFO without a writer makes the reader wait for ever, and some devices never end. They are told from
 * files before they are opened.
 *
 * Writing: a new file with a name of its own takes the place of the old one once it is whole, so that nobody ever
 * reads half of one, and two who write the same path do not meet. What the path means stays: a link stays one, and
 * the mode stays as it was. What cannot be replaced without being lost (a FIFO, a device, a file of several names)
 * is written into. */
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

/* What a process was given is its user's choice, whatever it is; and nothing is where there is nothing. */
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
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "open", "%s: it is %s, where a file is expected",
                        path, kind);
}

/* ---- writing ---- */

static char last_made[PATH_MAX];
static volatile sig_atomic_t is_known; /* whether it is whole */

/* Once it has been renamed, nothing of its name is there, nor ever will be. */
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

/* Where a link that leads nowhere yet points to, and the next one, to the end; false where it is a circle. */
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

/* In the place of a file: who may do what with it stays. */
static void take_over(int made, const struct stat *about) {
    const int given = fchown(made, about->st_uid, about->st_gid);
    (void)given; /* another's file that one may write to becomes one's own */
    (void)fchmod(made, about->st_mode & 0777);
}

static bool is_written_into(const char *path, const struct stat *about) {
    return is_given(path) || !S_ISREG(about->st_mode) || about->st_nlink > 1;
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
    if (file < 0) return refuse(path, strerror(errno));
    if (there) take_over(file, &about);
    (void)close(file);
    *made_out = made;
    return 0;
}
