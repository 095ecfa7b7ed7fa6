/* terminal_calls.c - consoles at descriptors. */
#include "room.h"

#include <io.h>

static HANDLE console_at(int32_t descriptor) {
    const intptr_t handle = descriptor >= 0 && descriptor <= STANDARD_ERROR ? _get_osfhandle(descriptor) : -1;
    DWORD mode;
    return handle > 0 && GetConsoleMode((HANDLE)handle, &mode) ? (HANDLE)handle : NULL;
}

bool terminal_is(int32_t descriptor) {
    return console_at(descriptor) != NULL;
}

int32_t terminal_columns(int32_t descriptor) {
    CONSOLE_SCREEN_BUFFER_INFO about;
    const HANDLE console = console_at(descriptor);
    if (!console || !GetConsoleScreenBufferInfo(console, &about)) return 0;
    return about.srWindow.Right - about.srWindow.Left + 1;
}

static DWORD noted;

void terminal_note(void) {
    const HANDLE console = console_at(STANDARD_INPUT);
    if (!console || !GetConsoleMode(console, &noted)) noted = 0;
}

void terminal_restore(void) {
    if (noted) (void)SetConsoleMode(console_at(STANDARD_INPUT), noted);
}
