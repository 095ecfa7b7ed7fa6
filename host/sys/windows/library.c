/* library.c - shared libraries that are loaded when they are first wanted. */
#include "room.h"

#include <string.h>

static char failure[PATH_ROOM];

void library_describe(library_words *out, const char *name, int number) {
    (void)snprintf(out->file, sizeof out->file, "lib%s-%d.dll", name, number);
    (void)snprintf(out->remedy, sizeof out->remedy, "%s", "it belongs beside clue.exe");
}

void *library_open(const char *name) {
    const HMODULE opened = LoadLibraryA(name);
    if (!opened)
        (void)snprintf(failure, sizeof failure, "%s: Windows' error %lu", name, (unsigned long)GetLastError());
    return opened;
}

bool library_find(void *library, void *function_out, const char *name) {
    const FARPROC symbol = GetProcAddress(library, name);
    if (symbol) memcpy(function_out, &symbol, sizeof symbol);
    return symbol != NULL;
}

void library_close(void *library) {
    (void)FreeLibrary(library);
}

const char *library_failure(void) {
    return failure;
}
