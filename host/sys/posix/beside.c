/* beside.c - replaces files in one step.
 *
 * A new file with its own name replaces the old one when it is complete. So nobody reads half of a file, and two
 * processes that write the same path do not disturb each other. A link stays a link, and the mode stays the same.
 * If replacing would destroy the thing at the path (a FIFO, a device, a file with several names), or if the process
 * may write the file but make none beside it, it is written in place. */
#include "../system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char beside[] = ".clue-";

static char last_made[PATH_ROOM];
static volatile sig_atomic_t is_known; /* true when last_made is complete */

/* After the file was renamed, nothing has this name, nor ever will. */
void file_remove_last(void) {
    if (is_known) (void)unlink(last_made);
}

bool file_is_beside(const char *name) {
    const size_t length = strlen(beside);
    return strncmp(name, beside, length) == 0 && name[length] &&
           strspn(name + length, "0123456789-") == strlen(name + length);
}

/* Makes a file in the folder of `path`, with a name that no other file has. Returns its descriptor, or -1. */
static int make_beside(char *made_out, const char *path, mode_t mode) {
    static unsigned count;
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    int made;
    do {
        const int length =
            snprintf(made_out, PATH_ROOM, "%.*s%s%ld-%u", folder, path, beside, (long)getpid(), ++count);
        if (length < 0 || length >= PATH_ROOM) {
            errno = ENAMETOOLONG;
            return -1;
        }
        made = open(made_out, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    } while (made < 0 && errno == EEXIST);
    is_known = false;
    if (made >= 0 && snprintf(last_made, sizeof last_made, "%s", made_out) < PATH_ROOM) is_known = true;
    return made;
}

bool file_replace(const char *path, const char *bytes, size_t size) {
    char made[PATH_ROOM];
    const int file = make_beside(made, path, 0600);
    bool done;
    if (file < 0) return false;
    done = output_write(file, bytes, size);
    if (close(file) != 0) done = false;
    done = done && rename(made, path) == 0;
    if (!done) (void)unlink(made);
    return done;
}

/* ---- files that others write ---- */

/* Follows a link that leads nowhere yet, and the next ones, to the end; false if they form a circle. */
static bool follow(char *target, const char *path) {
    (void)snprintf(target, PATH_ROOM, "%s", path);
    for (int links = 0; links < 40; links++) {
        char next[PATH_ROOM], joined[PATH_ROOM];
        const ssize_t length = readlink(target, next, sizeof next - 1);
        const char *slash = strrchr(target, '/');
        if (length < 0) return true;
        next[length] = '\0';
        if (snprintf(joined, sizeof joined, "%.*s%s", *next != '/' && slash ? (int)(slash + 1 - target) : 0, target,
                     next) >= PATH_ROOM)
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
    return path_is_given(path) || !S_ISREG(about->st_mode) || about->st_nlink > 1;
}

/* True if that is why a file could not be made: a file in the folder may all the same be writable, above all one
 * that is mounted there. */
static bool is_folder_closed(int error) {
    return error == EACCES || error == EPERM || error == EROFS;
}

static bool fails(int error) {
    errno = error;
    return false;
}

bool file_beside(char *made_out, char *target_out, const char *path) {
    struct stat about = {0};
    const bool there = stat(path, &about) == 0;
    int file;
    if (!there && errno != ENOENT) return false;
    if (there && S_ISDIR(about.st_mode)) return fails(EISDIR);
    if (strlen(path) >= PATH_ROOM || !follow(target_out, path)) return fails(ENAMETOOLONG);
    if (there && is_written_into(path, &about)) {
        (void)snprintf(target_out, PATH_ROOM, "%s", path);
        memcpy(made_out, target_out, PATH_ROOM);
        return true;
    }
    if (there && faccessat(AT_FDCWD, target_out, W_OK, AT_EACCESS) != 0) return false;
    file = make_beside(made_out, target_out, there ? 0600 : 0666);
    if (file < 0) {
        if (!there || !is_folder_closed(errno)) return false;
        memcpy(made_out, target_out, PATH_ROOM);
        return true;
    }
    if (there) take_over(file, &about);
    (void)close(file);
    return true;
}
