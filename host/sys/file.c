/* file.c - reads only real files, and tells why one cannot be replaced.
 *
 * A FIFO without a writer makes its reader wait for ever, and some devices never end. So the kind of a path is
 * found before it is opened. */
#include "file.h"
#include "system.h"

#include "../core/base/base.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_TEXT (16 << 20)

static enum file_kind kind_of(const char *path, path_facts *facts) {
    switch (path_look(facts, path, true)) {
    case PATH_NOTHING:
        return errno == EACCES ? FILE_UNREADABLE : FILE_MISSING;
    case PATH_FOLDER:
        return FILE_MISSING;
    case PATH_FILE:
        break;
    default:
        if (strcmp(path, "/dev/null") != 0) return FILE_ENDLESS;
    }
    return facts->size <= LARGEST_TEXT ? FILE_WHOLE : FILE_UNREADABLE;
}

char *file_text(const char *path, enum file_kind *kind_out) {
    path_facts facts;
    char *text = NULL;
    size_t size = 0;
    FILE *file = NULL;
    *kind_out = kind_of(path, &facts);
    if (*kind_out == FILE_WHOLE && (file = file_open(path, "rb")) && (text = calloc(1, (size_t)facts.size + 1)))
        size = fread(text, 1, (size_t)facts.size, file);
    if (text && (size != (size_t)facts.size || memchr(text, '\0', size))) {
        free(text);
        text = NULL;
    }
    if (*kind_out == FILE_WHOLE && !text) *kind_out = FILE_UNREADABLE;
    if (file) (void)fclose(file);
    return text;
}

int32_t clue_file_check(const char *path) {
    static const char *const kinds[] = {NULL, NULL, "a folder", "a FIFO", "a socket", "a device"};
    path_facts facts;
    const char *kind = path_is_given(path) ? NULL : kinds[path_look(&facts, path, true)];
    if (!kind) return 0;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "open", "%s: this is %s, but a file is expected",
                        path, kind);
}

int32_t clue_file_beside(const char **made_out, const char **target_out, const char *path) {
    static char made[PATH_ROOM], target[PATH_ROOM];
    *made_out = *target_out = target;
    if (!file_beside(made, target, path))
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "open", "%s: %s", path, strerror(errno));
    if (strcmp(made, target) != 0) *made_out = made;
    return 0;
}
