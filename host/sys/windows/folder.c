/* folder.c - folders: they are made, listed and removed. */
#include "names.h"
#include "room.h"

#include <direct.h>
#include <errno.h>
#include <string.h>

enum { DEEPEST = 32, TRIES = 100 };

static bool is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

bool folder_each(const char *path, bool (*visit)(void *data, const char *name), void *data) {
    char pattern[PATH_ROOM];
    WIN32_FIND_DATAA found;
    HANDLE folder;
    bool goes_on = true;
    if (snprintf(pattern, sizeof pattern, "%s/*", path) >= PATH_ROOM) return false;
    folder = FindFirstFileA(pattern, &found);
    if (folder == INVALID_HANDLE_VALUE) return fail_as_windows() == 0;
    do {
        if (!is_dots(found.cFileName)) goes_on = visit(data, found.cFileName);
    } while (goes_on && FindNextFileA(folder, &found));
    (void)FindClose(folder);
    return true;
}

/* A folder of the user's is private by where it lies. */
bool folder_make(const char *path, bool is_private) {
    (void)is_private;
    return _mkdir(path) == 0;
}

/* ---- removing ---- */

struct place {
    const char *path;
    int depth;
};

static void remove_all(const char *path, int depth);

static bool remove_entry(void *data, const char *name) {
    const struct place *place = data;
    char path[PATH_ROOM];
    if (snprintf(path, sizeof path, "%s/%s", place->path, name) >= PATH_ROOM) return true;
    if (named_remove(path) != 0 && errno == ENOTEMPTY) remove_all(path, place->depth + 1);
    return true;
}

static void remove_all(const char *path, int depth) {
    struct place place = {path, depth};
    if (named_remove(path) == 0 || depth > DEEPEST) return;
    (void)folder_each(path, remove_entry, &place);
    (void)named_remove(path);
}

void folder_remove(const char *path) {
    remove_all(path, 0);
}

/* ---- temporary ones ---- */

bool folder_remove_held(int held, const char *path) {
    (void)held;
    remove_all(path, 0);
    return GetFileAttributesA(path) == INVALID_FILE_ATTRIBUTES;
}

void folder_let_go(int held) {
    (void)held;
}

static void fill_in(char *six, unsigned number) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (int i = 0; i < 6; i++, number /= 36)
        six[i] = letters[number % 36];
}

char *folder_make_temporary(int *held_out, char *path) {
    static unsigned count;
    char *six = path + strlen(path) - 6, *whole;
    *held_out = -1;
    for (int try = 0; try < TRIES; try++) {
        fill_in(six, (unsigned)process_id() * 2654435761U + GetTickCount() + ++count);
        if (_mkdir(path) == 0) {
            whole = _fullpath(NULL, path, 0);
            return whole ? with_slashes(whole) : NULL;
        }
        if (errno != EEXIST) break;
    }
    return NULL;
}
