/* group.h - what spawn.c tells group.c. */
#ifndef CLUE_WINDOWS_GROUP_H
#define CLUE_WINDOWS_GROUP_H

#include "room.h"

/* A job whose processes end with this one, or when it is closed; NULL: with errno. */
HANDLE group_job(void);
/* Keeps a process and its job until group_collect(); false: there is no room. */
bool group_add(DWORD number, HANDLE process, HANDLE job);

#endif
