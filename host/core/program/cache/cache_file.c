/* cache_file.c - the folder of the program cache: reads, writes and limits its files.
 *
 * The folder is programs/ in clue's cache folder (clue_cache_folder()). A file is written under another name and
 * then renamed, so that no process sees half of one. If a file cannot be read or written, the program is built from
 * its source, without a message.
 *
 * The cache reads and writes only in a folder that is the user's own and that nobody else may write. It writes only
 * to one that clue made, which has a CACHEDIR.TAG; that file also tells backup programs to leave the folder out. In
 * any folder, it removes only files with names of clue's own form. */
#include "program/cache/cache.h"

#include "../../../sys/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 1000, MOST_NAME = 96, DIGITS = 32 };

#define MOST_BYTES (INT64_C(256) << 20)

/* See bford.info/cachedir. */
static const char tag_name[] = "CACHEDIR.TAG",
                  tag[] =
                      "Signature: 8a477f597d28d172789f06886806bc55\n# This folder was made by clue. It keeps built "
                      "programs, and may be removed.\n";
enum { TAG_HEAD = 43, LARGEST_TAG = 65536 }; /* the characters that are compared; those that a tag may have */

/* FNV-1a */
uint64_t cache_checksum(uint64_t from, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        from = (from ^ at[i]) * UINT64_C(0x100000001b3);
    return from;
}

/* True for a folder of the user's own that nobody else may write, at the end of a link if there is one: the code in
 * the cache runs in the user's name. In a folder of others, files could be exchanged while they are used, and a
 * link in it could lead what is written anywhere. */
static bool is_our_folder(const char *path) {
    path_facts facts;
    return path_look(&facts, path, true) == PATH_FOLDER && facts.is_ours;
}

static bool belongs_to_others(const char *path) {
    path_facts facts;
    return path_look(&facts, path, true) != PATH_NOTHING && facts.is_of_others;
}

/* ---- names ---- */

/* True for 32 hexadecimal digits and an ending, and for a file that is being written. Older versions of clue wrote
 * ".once". */
static bool is_own_name(const char *name) {
    const char *ending = name + DIGITS;
    return file_is_beside(name) ||
           (strspn(name, "0123456789abcdef") == DIGITS &&
            (strcmp(ending, ".program") == 0 || strcmp(ending, ".builds") == 0 || strcmp(ending, ".once") == 0));
}

static bool is_given(const char *variable, const char **value_out) {
    *value_out = getenv(variable);
    return *value_out && **value_out;
}

const char *clue_cache_folder(void) {
    static char path[PATH_ROOM];
    const char *base;
    int length = -1;
    if (is_given("CLUE_CACHE_DIR", &base))
        length = snprintf(path, sizeof path, "%s", base);
    else if (is_given("XDG_CACHE_HOME", &base) && *base == '/')
        length = snprintf(path, sizeof path, "%s/clue", base);
    else if (is_given("HOME", &base))
        length = snprintf(path, sizeof path, "%s/.cache/clue", base);
    return length > 0 && length < PATH_ROOM && !belongs_to_others(path) ? path : NULL;
}

static bool folder_path(char *path_out) {
    const char *base = clue_cache_folder();
    const int length = base ? snprintf(path_out, PATH_ROOM, "%s/programs", base) : -1;
    return length > 0 && length < PATH_ROOM - MOST_NAME;
}

/* The name consists of two checksums. If two keys share one, that costs a rebuild, because the file holds its whole
 * key. */
static bool file_path(char *path_out, const char *key, const char *ending) {
    const size_t size = strlen(key);
    size_t length;
    if (!folder_path(path_out)) return false;
    length = strlen(path_out);
    snprintf(path_out + length, PATH_ROOM - length, "/%016llx%016llx%s",
             (unsigned long long)cache_checksum(CACHE_CHECKSUM, key, size),
             (unsigned long long)cache_checksum(size, key, size), ending);
    return true;
}

/* ---- reading ---- */

char *cache_read(size_t *size_out, const char *key, const char *ending) {
    char folder[PATH_ROOM], path[PATH_ROOM];
    if (!folder_path(folder) || !is_our_folder(folder) || !file_path(path, key, ending)) return NULL;
    return file_read_own(size_out, path, MOST_BYTES); /* files that were used recently are kept longest */
}

/* ---- limiting ---- */

enum { ROOM = 2 * MOST_FILES };

struct entry {
    char name[MOST_NAME];
    path_facts facts;
};

struct listed {
    const char *folder;
    struct entry *entries;
    int count;
    int64_t bytes;
};

static int by_age(const void *left, const void *right) {
    const int64_t *a = ((const struct entry *)left)->facts.used, *b = ((const struct entry *)right)->facts.used;
    if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

static bool path_of(char *path_out, const char *folder, const char *name) {
    return snprintf(path_out, PATH_ROOM, "%s/%s", folder, name) < PATH_ROOM;
}

/* Adds one of clue's own files, if there is room. */
static bool add_entry(void *data, const char *name) {
    struct listed *to = data;
    struct entry *entry = &to->entries[to->count];
    const size_t length = strlen(name);
    char path[PATH_ROOM];
    if (length >= MOST_NAME || !is_own_name(name)) return true;
    if (!path_of(path, to->folder, name) || path_look(&entry->facts, path, false) != PATH_FILE) return true;
    memcpy(entry->name, name, length + 1);
    to->bytes += entry->facts.size;
    return ++to->count < ROOM;
}

/* Removes the least recently used files, a tenth more than necessary. */
static void limit_folder(const char *folder) {
    struct listed all = {.folder = folder, .entries = calloc(ROOM, sizeof *all.entries)};
    int left;
    if (all.entries) (void)folder_each(folder, add_entry, &all);
    left = all.count;
    if (all.count > MOST_FILES || all.bytes > MOST_BYTES) {
        qsort(all.entries, (size_t)all.count, sizeof *all.entries, by_age);
        for (int i = 0; i < all.count && (left > MOST_FILES * 9 / 10 || all.bytes > MOST_BYTES / 10 * 9);
             i++, left--) {
            char path[PATH_ROOM];
            if (path_of(path, folder, all.entries[i].name)) (void)remove(path);
            all.bytes -= all.entries[i].facts.size;
        }
    }
    free(all.entries);
}

/* ---- writing ---- */

/* Makes the folders above it; true if they exist. */
static bool make_folders_above(char *path) {
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        bool there;
        *slash = '\0';
        there = folder_make(path, true) || errno == EEXIST;
        *slash = '/';
        if (!there) return false;
    }
    return true;
}

static bool note_other(void *others, const char *name) {
    *(bool *)others = !is_own_name(name) && strcmp(name, tag_name) != 0;
    return !*(bool *)others;
}

/* True if the folder holds only clue's own files. Then it may lack the tag because an older clue made it, or
 * because it was made just now. */
static bool has_only_own(const char *path) {
    bool others = false;
    return folder_each(path, note_other, &others) && !others;
}

static bool has_tag(const char *path) {
    size_t size = 0;
    char *bytes = file_read_own(&size, path, LARGEST_TAG);
    const bool is_tag = size >= TAG_HEAD && memcmp(bytes, tag, TAG_HEAD) == 0;
    free(bytes);
    return is_tag;
}

/* True if the folder exists and is clue's own; makes it if there is none. */
static bool make_folder(char *path) {
    char at[PATH_ROOM];
    if (!make_folders_above(path) || (!folder_make(path, true) && errno != EEXIST)) return false;
    if (!is_our_folder(path)) return false;
    if (snprintf(at, sizeof at, "%s/%s", path, tag_name) >= PATH_ROOM) return false;
    return has_tag(at) || (has_only_own(path) && file_replace(at, tag, sizeof tag - 1));
}

void cache_write(const char *key, const char *ending, const char *bytes, size_t size) {
    char folder[PATH_ROOM], path[PATH_ROOM];
    if ((int64_t)size > MOST_BYTES || !folder_path(folder) || !make_folder(folder)) return;
    if (!file_path(path, key, ending)) return;
    (void)file_replace(path, bytes, size);
    limit_folder(folder);
}

void cache_remove(const char *key, const char *ending) {
    char folder[PATH_ROOM], path[PATH_ROOM];
    if (folder_path(folder) && is_our_folder(folder) && file_path(path, key, ending)) (void)remove(path);
}
