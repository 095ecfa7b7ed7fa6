/* beside.c - replaces files in one step, as posix/beside.c explains. */
#include "names.h"
#include "room.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <string.h>
#include <sys/stat.h>

static const char beside[] = ".clue-";

static char last_made[PATH_ROOM];
static volatile LONG is_known; /* true when last_made is complete */

void file_remove_last(void) {
    if (is_known) (void)DeleteFileA(last_made);
}

bool file_is_beside(const char *name) {
    const size_t length = strlen(beside);
    return strncmp(name, beside, length) == 0 && name[length] &&
           strspn(name + length, "0123456789-") == strlen(name + length);
}

static int name_length(const char *path) {
    const char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');
    const char *last = back > slash ? back : slash;
    return last ? (int)(last + 1 - path) : 0;
}

/* Makes a file in the folder of `path`, with a name that no other file has. Returns its descriptor, or -1. */
static int make_beside(char *made_out, const char *path) {
    static unsigned count;
    int made;
    do {
        const int length = snprintf(made_out, PATH_ROOM, "%.*s%s%lld-%u", name_length(path), path, beside,
                                    (long long)process_id(), ++count);
        if (length < 0 || length >= PATH_ROOM) {
            errno = ENAMETOOLONG;
            return -1;
        }
        made = _open(made_out, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    } while (made < 0 && errno == EEXIST);
    is_known = 0;
    if (made >= 0 && snprintf(last_made, sizeof last_made, "%s", made_out) < PATH_ROOM) is_known = 1;
    return made;
}

bool file_replace(const char *path, const char *bytes, size_t size) {
    char made[PATH_ROOM];
    const int file = make_beside(made, path);
    bool done;
    if (file < 0) return false;
    done = output_write(file, bytes, size);
    if (_close(file) != 0) done = false;
    done = done && named_rename(made, path) == 0;
    if (!done) (void)DeleteFileA(made);
    return done;
}

bool file_beside(char *made_out, char *target_out, const char *path) {
    path_facts facts;
    int file;
    if (strlen(path) >= PATH_ROOM) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(target_out, path, strlen(path) + 1);
    memcpy(made_out, path, strlen(path) + 1);
    switch (path_look(&facts, path, true)) {
    case PATH_DEVICE:
        return true;
    case PATH_FOLDER:
        errno = EISDIR;
        return false;
    case PATH_FILE:
        if (_access(path, 2) != 0) return false;
        break;
    default:
        if (errno != ENOENT) return false;
    }
    file = make_beside(made_out, path);
    if (file < 0) return false;
    (void)_close(file);
    return true;
}
