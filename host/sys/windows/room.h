/* room.h - what the files of this folder share. Texts are UTF-8 everywhere: the executable's manifest makes that
 * the code page of Windows' calls and of C's library, so paths and variables need no other form. */
#ifndef CLUE_WINDOWS_ROOM_H
#define CLUE_WINDOWS_ROOM_H

#include "../system.h"

#include <windows.h>

enum { SIGNAL_INTERRUPT = 2, SIGNAL_TERMINATE = 15 };

/* A process that a signal would have ended elsewhere ends with this status, or with the exception's. */
#define STATUS_OF_SIGNAL(number) (0xE0000000U | (DWORD)(number))

int fail_as_windows(void); /* sets errno by GetLastError(), and returns -1 */
char *with_slashes(char *path);

/* ---- run_signals.c ---- */

HANDLE wake_event(void);             /* set by Ctrl-C, which ends a wait early */
bool pause_is_woken(double seconds); /* in time.c: a sleep that tells whether that ended it */
void interrupts_ignore(bool ignore);
int signal_of_status(DWORD status); /* 0: the status is no crash's */

#endif
