/* capture_file.c - opens, writes and closes the files of a capture, and prints why a capture fails. */
#define CLUE_UNTRACED
#include "../../sys/system.h"
#include "capture/capture.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { PATH = 4096, TEXT = 256 };

static const char *lost = "the kernel's call was";

void capture_has_call(bool has) {
    lost = has ? "the call is captured, but its results were" : "the kernel's call was";
}

bool capture_fail(const char *format, ...) {
    char text[TEXT * 3], shown[4 * sizeof text + 1];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    (void)clue_text_visible(shown, text, (int64_t)strlen(text));
    (void)fprintf(stderr, "clue: %s not captured: %s\n", lost, shown);
    return false;
}

static FILE *open_file(const char *path) {
    FILE *file = file_open(path, "wb");
    if (!file) (void)capture_fail("'%s' cannot be written: %s", path, strerror(errno));
    return file;
}

static bool close_file(FILE *file, const char *path) {
    const int written = ferror(file) ? errno : 0; /* of the last write, which failed like those before it */
    if (fclose(file) == 0 && !written) return true;
    return capture_fail("'%s' could not be written completely: %s", path, strerror(written ? written : errno));
}

FILE *capture_open_file(const char *folder, const char *name) {
    char path[PATH];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return open_file(path);
}

bool capture_close_file(FILE *file, const char *folder, const char *name) {
    char path[PATH];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return close_file(file, path);
}

bool capture_write_file(const char *path, const void *head, size_t head_size, const void *data, size_t size) {
    FILE *file = open_file(path);
    if (!file) return false;
    (void)fwrite(head, 1, head_size, file);
    (void)fwrite(data, 1, size, file);
    return close_file(file, path);
}
