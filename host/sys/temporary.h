/* temporary.h - the part of host/sys/temporary.c that the core uses. */
#ifndef CLUE_TEMPORARY_H
#define CLUE_TEMPORARY_H

/* Removes a folder and everything in it, as far as possible. */
void folder_remove(const char *path);

#endif
