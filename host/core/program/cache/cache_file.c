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

#include "../../../sys/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 1000, MOST_NAME = 96, DIGITS = 32 };

#define MOST_BYTES (INT64_C(256) << 20)

/* See bford.info/cachedir. */
static const char tag_name[] = "CACHEDIR.TAG",
                  tag[] =
                      "Signature: 8a477f597d28d172789f06886806bc55\n# This folder was made by clue. It keeps built "
                      "programs, and may be removed.\n";
enum { TAG_HEAD = 43 }; /* the characters that are compared */

/* FNV-1a */
uint64_t cache_checksum(uint64_t from, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        from = (from ^ at[i]) * UINT64_C(0x100000001b3);
    return from;
}

/* ---- whose it is ---- */

/* True if it belongs to the user and nobody else may write it: the code in the cache runs in the user's name. */
static bool is_ours(const struct stat *about) {
    return about->st_uid == geteuid() && !(about->st_mode & (S_IWGRP | S_IWOTH));
}

/* The same of a folder, at the end of a link if there is one. In a folder of others, files could be exchanged while
 * they are used, and a link in it could lead what is written anywhere. */
static bool is_our_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode) && is_ours(&about);
}

/* True if there is something at this path that is not the user's, or that everyone may write. Groups may: with some
 * systems' umask, a user's own group may write all that the user makes. */
static bool belongs_to_others(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && (about.st_uid != geteuid() || (about.st_mode & S_IWOTH));
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
    static char path[PATH_MAX];
    const char *base;
    int length = -1;
    if (is_given("CLUE_CACHE_DIR", &base))
        length = snprintf(path, sizeof path, "%s", base);
    else if (is_given("XDG_CACHE_HOME", &base) && *base == '/')
        length = snprintf(path, sizeof path, "%s/clue", base);
    else if (is_given("HOME", &base))
        length = snprintf(path, sizeof path, "%s/.cache/clue", base);
    return length > 0 && length < PATH_MAX && !belongs_to_others(path) ? path : NULL;
}

static bool folder_path(char *path_out) {
    const char *base = clue_cache_folder();
    const int length = base ? snprintf(path_out, PATH_MAX, "%s/programs", base) : -1;
    return length > 0 && length < PATH_MAX - MOST_NAME;
}

/* The name consists of two checksums. If two keys share one, that costs a rebuild, because the file holds its whole
 * key. */
static bool file_path(char *path_out, const char *key, const char *ending) {
    const size_t size = strlen(key);
    size_t length;
    if (!folder_path(path_out)) return false;
    length = strlen(path_out);
    snprintf(path_out + length, PATH_MAX - length, "/%016llx%016llx%s",
             (unsigned long long)cache_checksum(CACHE_CHECKSUM, key, size),
             (unsigned long long)cache_checksum(size, key, size), ending);
    return true;
}

/* ---- reading ---- */

static bool is_readable(int file, off_t *size_out) {
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || !is_ours(&about)) return false;
    *size_out = about.st_size;
    return about.st_size <= MOST_BYTES;
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

char *cache_read(size_t *size_out, const char *key, const char *ending) {
    char folder[PATH_MAX], path[PATH_MAX], *bytes = NULL;
    off_t size = 0;
    int file;
    if (!folder_path(folder) || !is_our_folder(folder) || !file_path(path, key, ending)) return NULL;
    file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW); /* a FIFO does not block this */
    if (file < 0) return NULL;
    if (is_readable(file, &size) && (bytes = calloc(1, (size_t)size + 1)) && !read_all(file, bytes, (size_t)size)) {
        free(bytes);
        bytes = NULL;
    }
    if (bytes) (void)futimens(file, NULL); /* files that were used recently are kept longest */
    (void)close(file);
    *size_out = (size_t)size;
    return bytes;
}

/* ---- limiting ---- */

struct entry {
    char name[MOST_NAME];
    struct timespec used;
    off_t size;
};

static int by_age(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec) return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    return (a->used.tv_nsec > b->used.tv_nsec) - (a->used.tv_nsec < b->used.tv_nsec);
}

/* Lists clue's own files, as many as there is room for. */
static int list_files(struct entry *entries, int room, DIR *folder) {
    const struct dirent *next;
    int count = 0;
    while (count < room && (next = readdir(folder))) {
        const size_t length = strlen(next->d_name);
        struct stat about;
        if (length >= MOST_NAME || !is_own_name(next->d_name) ||
            fstatat(dirfd(folder), next->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(about.st_mode))
            continue;
        memcpy(entries[count].name, next->d_name, length + 1);
        entries[count].used = about.st_mtim;
        entries[count++].size = about.st_size;
    }
    return count;
}

/* Removes the least recently used files, a tenth more than necessary. */
static void limit_folder(const char *path) {
    enum { ROOM = 2 * MOST_FILES };
    struct entry *entries = calloc(ROOM, sizeof *entries);
    DIR *folder = opendir(path);
    int64_t bytes = 0;
    int count = entries && folder ? list_files(entries, ROOM, folder) : 0, left = count;
    for (int i = 0; i < count; i++)
        bytes += entries[i].size;
    if (count > MOST_FILES || bytes > MOST_BYTES) {
        qsort(entries, (size_t)count, sizeof *entries, by_age);
        for (int i = 0; i < count && (left > MOST_FILES * 9 / 10 || bytes > MOST_BYTES / 10 * 9); i++, left--) {
            (void)unlinkat(dirfd(folder), entries[i].name, 0);
            bytes -= entries[i].size;
        }
    }
    if (folder) (void)closedir(folder);
    free(entries);
}

/* ---- writing ---- */

/* Makes the folders above it; true if they exist. */
static bool make_folders_above(char *path) {
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        bool there;
        *slash = '\0';
        there = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!there) return false;
    }
    return true;
}

/* True if the folder holds only clue's own files. Then it may lack the tag because an older clue made it, or
 * because it was made just now. */
static bool has_only_own(const char *path) {
    DIR *folder = opendir(path);
    bool own = folder != NULL;
    for (const struct dirent *next; own && (next = readdir(folder));)
        own = strcmp(next->d_name, ".") == 0 || strcmp(next->d_name, "..") == 0 || is_own_name(next->d_name) ||
              strcmp(next->d_name, tag_name) == 0;
    if (folder) (void)closedir(folder);
    return own;
}

static bool has_tag(const char *path) {
    char bytes[sizeof tag];
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
    const ssize_t count = file < 0 ? 0 : read(file, bytes, sizeof bytes);
    if (file >= 0) (void)close(file);
    return count >= TAG_HEAD && memcmp(bytes, tag, TAG_HEAD) == 0;
}

static bool write_all(int file, const char *bytes, size_t size) {
    size_t done = 0;
    while (done < size) {
        const ssize_t count = write(file, bytes + done, size - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += (size_t)count;
    }
    return true;
}

/* Writes a file in one step. */
static bool write_file(const char *path, const char *bytes, size_t size) {
    char made[PATH_MAX];
    const int file = file_make_beside(made, sizeof made, path, 0600);
    bool done;
    if (file < 0) return false;
    done = write_all(file, bytes, size);
    if (close(file) != 0) done = false;
    done = done && rename(made, path) == 0;
    if (!done) (void)unlink(made);
    return done;
}

/* True if the folder exists and is clue's own; makes it if there is none. */
static bool make_folder(char *path) {
    char at[PATH_MAX];
    if (!make_folders_above(path) || (mkdir(path, 0700) != 0 && errno != EEXIST)) return false;
    if (!is_our_folder(path)) return false;
    if (snprintf(at, sizeof at, "%s/%s", path, tag_name) >= PATH_MAX) return false;
    return has_tag(at) || (has_only_own(path) && write_file(at, tag, sizeof tag - 1));
}

void cache_write(const char *key, const char *ending, const char *bytes, size_t size) {
    char folder[PATH_MAX], path[PATH_MAX];
    if ((int64_t)size > MOST_BYTES || !folder_path(folder) || !make_folder(folder)) return;
    if (!file_path(path, key, ending)) return;
    (void)write_file(path, bytes, size);
    limit_folder(folder);
}

void cache_remove(const char *key, const char *ending) {
    char folder[PATH_MAX], path[PATH_MAX];
    if (folder_path(folder) && is_our_folder(folder) && file_path(path, key, ending)) (void)unlink(path);
}
