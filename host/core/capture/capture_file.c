/* capture_file.c - opens and closes the files of a capture, and prints why a capture fails. */
#define CLUE_UNTRACED
#include "capture/capture.h"

#include <stdarg.h>
#include <string.h>

enum { PATH = 4096, TEXT = 256 };

bool capture_fail(const char *format, ...) {
    char text[TEXT * 3], shown[4 * sizeof text + 1];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    (void)clue_text_visible(shown, text, (int64_t)strlen(text));
    (void)fprintf(stderr, "clue: the kernel's call was not captured: %s\n", shown);
    return false;
}

FILE *capture_open_file(const char *folder, const char *name) {
    char path[PATH];
    FILE *file;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "wbe");
    if (!file) (void)capture_fail("'%s' cannot be written", path);
    return file;
}

bool capture_close_file(FILE *file, const char *name) {
    const bool well = !ferror(file);
    return (fclose(file) == 0 && well) || capture_fail("'%s' could not be written completely", name);
}
