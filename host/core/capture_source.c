/* capture_source.c - a text that a captured kernel's program was made of: kernel.cl, and beside it, in include/,
 * every header that it was given or reads from the folders of its build options. So the folder needs no other
 * place, and -I stands in none of the options that it tells. */
#define CLUE_UNTRACED
#include "capture.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH = 4096, MOST_HEADERS = 256 };

static const char own_mark[] = "-DCLUE_INCLUDED="; /* of the headers' state, which clue.include adds */

static struct {
    const char *folder, *include, *options;
    char *names[MOST_HEADERS]; /* of those that were copied */
    int count;
} copying;

static bool copy_headers_of(const char *text, const char *beside);

/* ---- options ---- */

/* The next word of build options, without quotes; NULL: there is none. */
static const char *next_word(const char *at, char *word_out, size_t room) {
    size_t used = 0;
    bool quoted = false;
    while (isspace((unsigned char)*at))
        at++;
    if (!*at) return NULL;
    for (; *at && (quoted || !isspace((unsigned char)*at)); at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (used + 1 < room)
            word_out[used++] = *at;
    }
    word_out[used] = '\0';
    return at;
}

/* Goes on from `at` to behind the next -I; folder_out: its folder. NULL: there is none. */
static const char *next_folder(const char *at, char *folder_out) {
    char word[PATH];
    while ((at = next_word(at, word, sizeof word))) {
        if (strcmp(word, "-I") == 0) return next_word(at, folder_out, PATH);
        if (strncmp(word, "-I", 2) != 0) continue;
        (void)snprintf(folder_out, PATH, "%s", word + 2);
        return at;
    }
    return NULL;
}

void capture_drop_folders(char *options) {
    const char *from = options, *end;
    char *to = options, word[PATH];
    bool folder = false;
    for (; (end = next_word(from, word, sizeof word)); from = end) {
        const bool drop = folder || strncmp(word, "-I", 2) == 0 || strncmp(word, own_mark, strlen(own_mark)) == 0;
        const size_t length = (size_t)(end - from);
        folder = !folder && strcmp(word, "-I") == 0;
        if (drop) continue;
        memmove(to, from, length);
        to += length;
    }
    *to = '\0';
    memmove(options, options + strspn(options, " "), strlen(options + strspn(options, " ")) + 1);
}

/* ---- files ---- */

/* malloced; NULL: there is no such file. */
static char *read_text(const char *path) {
    struct stat about;
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rbe") : NULL;
    char *text = file ? calloc(1, (size_t)about.st_size + 1) : NULL;
    if (text && fread(text, 1, (size_t)about.st_size, file) != (size_t)about.st_size) {
        free(text);
        text = NULL;
    }
    if (file) (void)fclose(file);
    return text;
}

static bool write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wbe");
    bool well = file && fwrite(text, 1, strlen(text), file) == strlen(text);
    if (file) well = fclose(file) == 0 && well;
    return well || capture_fail("'%s' cannot be written", path);
}

/* The folders on the way to a file. */
static void make_folders(char *path) {
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        (void)mkdir(path, 0777);
        *at = '/';
    }
}

/* ---- headers ---- */

static bool is_copied(const char *name) {
    for (int i = 0; i < copying.count; i++)
        if (strcmp(copying.names[i], name) == 0) return true;
    return false;
}

static bool remember(const char *name) {
    char *copy = copying.count < MOST_HEADERS ? strdup(name) : NULL;
    if (!copy) return capture_fail("its program has too many headers");
    copying.names[copying.count++] = copy;
    return true;
}

static bool write_header(const char *name, const char *text) {
    char path[PATH];
    (void)snprintf(path, sizeof path, "%s/%s/%s", copying.folder, copying.include, name);
    make_folders(path);
    return remember(name) && write_text(path, text);
}

/* What a header reads itself, beside it or from the folders. */
static bool copy_headers_in(const char *name, const char *text) {
    char beside[PATH];
    (void)snprintf(beside, sizeof beside, "%.*s", (int)(strrchr(name, '/') ? strrchr(name, '/') + 1 - name : 0),
                   name);
    return copy_headers_of(text, beside);
}

static bool stays_inside(const char *name) {
    return (!strstr(name, "..") && *name != '/') ||
           capture_fail("its program includes '%s', which leaves the folders of headers", name);
}

/* From the first folder that has it. Not found: the driver's own, or a line that is left out by #if. */
static bool copy_header(const char *name) {
    const char *at = copying.options;
    char folder[PATH], path[2 * PATH], *text;
    bool well;
    if (is_copied(name)) return true;
    text = *name == '/' ? read_text(name) : NULL;
    while (!text && (at = next_folder(at, folder))) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, name);
        text = read_text(path);
    }
    if (!text) return true;
    well = stays_inside(name) && write_header(name, text) && copy_headers_in(name, text);
    free(text);
    return well;
}

/* The name in a line '#include "name"' or <name>; whether it is one. */
static bool read_include(const char *line, char *name_out) {
    const char *at = line + strspn(line, " \t");
    size_t length;
    if (*at++ != '#') return false;
    at += strspn(at, " \t");
    if (strncmp(at, "include", 7) != 0) return false;
    at += 7 + strspn(at + 7, " \t");
    if (*at != '"' && *at != '<') return false;
    length = strcspn(at + 1, *at == '"' ? "\"\n" : ">\n");
    if (length == 0 || length >= PATH) return false;
    memcpy(name_out, at + 1, length);
    name_out[length] = '\0';
    return true;
}

/* beside: the folder, under the folders of headers, of the header whose text this is; what lies there comes first.
 */
static bool copy_headers_of(const char *text, const char *beside) {
    char name[PATH], near[2 * PATH];
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (!read_include(line, name)) continue;
        (void)snprintf(near, sizeof near, "%s%s", beside, name);
        if (!copy_header(near) || (*beside && !copy_header(name))) return false;
    }
    return true;
}

/* They come before files of the same names. */
static bool copy_given_headers(const struct source *from) {
    for (size_t i = 0; i < (size_t)from->header_count; i++) {
        const char *name = from->headers[2 * i];
        if (!is_copied(name) && !(stays_inside(name) && write_header(name, from->headers[2 * i + 1]))) return false;
    }
    for (size_t i = 0; i < (size_t)from->header_count; i++)
        if (!copy_headers_in(from->headers[2 * i], from->headers[2 * i + 1])) return false;
    return true;
}

int capture_write_source(const char *folder, const char *name, const char *include, const struct source *from) {
    char path[PATH];
    int count;
    bool well;
    copying.folder = folder;
    copying.include = include;
    copying.options = from->options;
    (void)snprintf(path, sizeof path, "%s/%s.cl", folder, name);
    well = write_text(path, from->text) && copy_given_headers(from) && copy_headers_of(from->text, "");
    count = copying.count;
    while (copying.count > 0)
        free(copying.names[--copying.count]);
    return well ? count : -1;
}
