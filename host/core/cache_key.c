/* cache_key.c - what decides what a build gives, as one text: device, driver, options, source, headers.
 *
 * A program whose headers cannot be told for sure has no key and is never kept: a name made by a macro, a file that
 * is not found, __DATE__. Of a header all files that it might be count, whatever order a driver looks in. */
#include "core.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

extern char **environ;

enum { MOST_HEADERS = 256, MOST_DEPTH = 32, MOST_PATH = 1024 };

#define MOST_HEADER (16 << 20)

struct headers {
    FILE *to;
    const char *options;
    char *seen[MOST_HEADERS]; /* paths */
    int count;
};

static void put(FILE *to, const char *name, const char *text) {
    fprintf(to, "%s %zu\n%s\n", name, strlen(text), text);
}

/* ---- device, driver, settings ---- */

static bool put_device(FILE *to, const device *on) {
    static const cl_device_info properties[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION,
                                                CL_DRIVER_VERSION, CL_DEVICE_EXTENSIONS};
    char *text = calloc(1, 65536);
    bool known = text && clGetPlatformInfo(on->platform, CL_PLATFORM_NAME, 65535, text, NULL) == CL_SUCCESS;
    if (known) put(to, "platform", text);
    known = known && clGetPlatformInfo(on->platform, CL_PLATFORM_VERSION, 65535, text, NULL) == CL_SUCCESS;
    if (known) put(to, "platform version", text);
    for (size_t i = 0; known && i < sizeof properties / sizeof *properties; i++) {
        known = clGetDeviceInfo(on->id, properties[i], 65535, text, NULL) == CL_SUCCESS;
        if (known) put(to, "device", text);
    }
    free(text);
    return known;
}

static bool begins_with(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Variables by which drivers compile differently. */
static void put_settings(FILE *to) {
    static const char *const families[] = {"POCL_", "IGC_", "NEO_", "AMD_", "GPU_", "HSA_"};
    for (char **entry = environ; *entry; entry++)
        for (size_t i = 0; i < sizeof families / sizeof *families; i++)
            if (begins_with(*entry, families[i]) && !begins_with(*entry, "POCL_CACHE_DIR=") &&
                !begins_with(*entry, "POCL_DEBUG="))
                put(to, "setting", *entry);
}

/* ---- headers ---- */

/* The whole text of a file, without its continued lines; NULL: none, or not text. */
static char *read_text(const char *path) {
    struct stat about;
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "rbe");
    if (!file) return NULL;
    if (fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= MOST_HEADER &&
        (text = calloc(1, (size_t)about.st_size + 1)))
        size = fread(text, 1, (size_t)about.st_size, file);
    if (text && (size != (size_t)about.st_size || memchr(text, '\0', size))) {
        free(text);
        text = NULL;
    }
    (void)fclose(file);
    return text;
}

static void join_lines(char *text) {
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (from[0] == '\\' && from[1] == '\n')
            from += 1;
        else if (from[0] == '\\' && from[1] == '\r' && from[2] == '\n')
            from += 2;
        else
            *to++ = *from;
    }
    *to = '\0';
}

/* Other spellings of what ends in "#", and the end of a comment, which may stand behind it. */
static bool is_seldom(const char *start, const char *end) {
    static const char *const endings[] = {"%:", "?\?=", "*/"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t length = strlen(endings[i]);
        if ((size_t)(end - start) >= length && memcmp(end - length, endings[i], length) == 0) return true;
    }
    return false;
}

enum found { NOTHING, HEADER, UNCERTAIN };

/* Looks at the word "include": a directive, another word, or something that is told too seldom to be read. */
static enum found judge(const char *start, const char *at, char *name_out, bool *quoted_out) {
    const char *before = at, *after = at + strlen("include");
    size_t length;
    while (before > start && (before[-1] == ' ' || before[-1] == '\t'))
        before--;
    if (is_seldom(start, before)) return UNCERTAIN;
    if (before == start || before[-1] != '#') return NOTHING;
    after += strspn(after, " \t");
    if (*after != '"' && *after != '<') return UNCERTAIN;
    *quoted_out = *after == '"';
    length = strcspn(++after, *quoted_out ? "\"\n" : ">\n");
    if (length == 0 || length >= MOST_PATH / 2 || after[length] == '\n' || after[length] == '\0') return UNCERTAIN;
    memcpy(name_out, after, length);
    name_out[length] = '\0';
    return HEADER;
}

static bool read_headers(struct headers *all, char *text, const char *folder, int depth);

/* Puts the file there, if it is one, with those that it includes. Whether all of them could be told. */
static bool put_file(struct headers *all, const char *folder, const char *name, bool *found, int depth) {
    char path[MOST_PATH + MOST_PATH / 2 + 2], *text, *end;
    bool known;
    if (*name == '/')
        snprintf(path, sizeof path, "%s", name);
    else
        snprintf(path, sizeof path, "%s/%s", folder, name);
    text = read_text(path);
    if (!text) return true;
    *found = true;
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->seen[i], path) == 0) {
            free(text);
            return true;
        }
    known = all->count < MOST_HEADERS && (all->seen[all->count] = text_copy(path));
    if (known) {
        all->count++;
        put(all->to, path, text);
        if ((end = strrchr(path, '/'))) *end = '\0';
        known = read_headers(all, text, path, depth + 1);
    }
    free(text);
    return known;
}

/* In each folder of the options. */
static bool put_from_folders(struct headers *all, const char *name, bool *found, int depth) {
    for (const char *at = all->options; (at = strstr(at, "-I"));) {
        char folder[MOST_PATH];
        size_t length;
        at += 2;
        at += strspn(at, " \t");
        length = strcspn(at, " \t");
        if (length == 0 || length >= sizeof folder) return false;
        memcpy(folder, at, length);
        folder[length] = '\0';
        if (!put_file(all, folder, name, found, depth)) return false;
    }
    return true;
}

/* text is changed: its continued lines are joined. */
static bool read_headers(struct headers *all, char *text, const char *folder, int depth) {
    join_lines(text);
    if (depth > MOST_DEPTH || strstr(text, "__DATE__") || strstr(text, "__TIME") || strstr(text, "__has_include"))
        return false;
    for (const char *at = text; (at = strstr(at, "include")); at++) {
        char name[MOST_PATH];
        bool quoted = false, found = false;
        const enum found what = judge(text, at, name, &quoted);
        if (what == UNCERTAIN) return false;
        if (what == NOTHING) continue;
        if (strpbrk(all->options, "\"'\\") || strstr(all->options, " -i")) return false; /* other folders */
        if (quoted && !put_file(all, folder, name, &found, depth)) return false;
        if (!put_file(all, ".", name, &found, depth) || !put_from_folders(all, name, &found, depth) || !found)
            return false;
    }
    return true;
}

static bool put_headers(FILE *to, const char *source, const char *options) {
    struct headers all = {.to = to, .options = options};
    char *text = text_copy(source);
    const bool known = text && !strstr(options, "-include") && read_headers(&all, text, ".", 0);
    for (int i = 0; i < all.count; i++)
        free(all.seen[i]);
    free(text);
    return known;
}

/* ---- the key ---- */

/* Not on parts of devices; not where a driver builds from no binary (rusticl) or needs the source to name a fault's
 * line (Oclgrind). */
static bool serves(const device *on) {
    const char *off = getenv("CLUE_NO_CACHE");
    return (!off || !*off || strcmp(off, "0") == 0) && !on->part && !on->rusticl && !on->oclgrind;
}

char *cache_key(const device *on, const char *source, const char *options) {
    char *key = NULL;
    size_t size = 0;
    FILE *to = serves(on) ? open_memstream(&key, &size) : NULL;
    bool known;
    if (!to) return NULL;
    put(to, "options", options);
    put(to, "source", source);
    put_settings(to);
    known = put_device(to, on) && put_headers(to, source, options);
    if (fclose(to) == 0 && known) return key;
    free(key);
    return NULL;
}
