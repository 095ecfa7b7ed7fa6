/* capture_source.c - writes a source of a captured kernel's program: kernel.cl, and beside it, in include/, every
 * header that it was given or includes (as include_files.c finds them). So the folder needs no other place, and the
 * options in call.lua have no -I. */
#define CLUE_UNTRACED
#include "../../sys/system.h"
#include "capture/capture.h"

#include <stdlib.h>
#include <string.h>

enum { PATH = 4096 };

/* ---- files ---- */

static bool write_text(const char *path, const char *text) {
    return capture_write_file(path, "", 0, text, strlen(text));
}

/* Makes the folders of a file's path. */
static void make_folders(char *path) {
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        (void)folder_make(path, false);
        *at = '/';
    }
}

static bool stays_inside(const char *name) {
    return (!strstr(name, "..") && *name != '/') ||
           capture_fail("its program includes '%s', which leaves the folders of headers", name);
}

static bool write_header(const char *folder, const char *name, const char *text) {
    char path[PATH];
    if (!stays_inside(name)) return false;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH)
        return capture_fail("the name of its header '%s' is too long", name);
    make_folders(path);
    return write_text(path, text);
}

/* ---- headers ---- */

/* True if a header of this name was written before: given headers come before files, and earlier files before later
 * ones. */
static bool is_written(const struct includes *with, const char *name, int32_t files) {
    for (int32_t i = 0; i < with->of->header_count; i++)
        if (strcmp(with->of->headers[2 * (size_t)i], name) == 0) return true;
    for (int32_t i = 0; i < files; i++)
        if (with->files[i].taken && strcmp(with->files[i].name, name) == 0) return true;
    return false;
}

/* Returns their number; -1 after a failure. */
static int write_headers(const char *folder, const struct includes *with) {
    int count = 0;
    for (; count < with->of->header_count; count++)
        if (!write_header(folder, with->of->headers[2 * (size_t)count], with->of->headers[2 * (size_t)count + 1]))
            return -1;
    for (int32_t i = 0; i < with->count; i++) {
        if (!with->files[i].taken || is_written(with, with->files[i].name, i)) continue;
        if (!write_header(folder, with->files[i].name, with->files[i].text)) return -1;
        count++;
    }
    return count;
}

int capture_write_source(const char *folder, const char *name, const char *include, const struct source *from) {
    const struct build_text of = {
        .source = from->text, .headers = (const char *const *)from->headers, .header_count = from->header_count};
    struct includes with;
    char path[PATH];
    int count = -1;
    (void)snprintf(path, sizeof path, "%s/%s.cl", folder, name);
    if (!write_text(path, from->text)) return -1;
    includes_find(&with, &of, from->options);
    (void)snprintf(path, sizeof path, "%s/%s", folder, include);
    count = write_headers(path, &with);
    includes_free(&with);
    return count;
}
