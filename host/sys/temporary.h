/* temporary.h - what the core takes of host/sys/temporary.c. */
#ifndef CLUE_TEMPORARY_H
#define CLUE_TEMPORARY_H

/* Removes a folder and all that is in it, as far as that goes. */
void folder_remove(const char *path);

#endif
