/* file.h - files, for the rest of the library. clue.h has the functions for scripts. */
#ifndef CLUE_SYS_FILE_H
#define CLUE_SYS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum file_kind {
    FILE_MISSING, /* or a folder, which nobody reads as a file */
    FILE_WHOLE,
    FILE_UNREADABLE, /* it cannot be opened, is too large, or contains zeros */
    FILE_ENDLESS,    /* a FIFO, a socket, or a device other than /dev/null: reading it may never end */
};

/* The whole text of a file, on the heap, with a zero after it; NULL if the file is not FILE_WHOLE or there is no
 * memory. Never waits. */
char *file_text(const char *path, enum file_kind *kind_out);

/* Makes a new file in the folder of `path`, with a name that no other file has. Returns its descriptor, or -1 and
 * errno; writes its path to made_out. The caller renames it to `path`, or removes it. */
int file_make_beside(char *made_out, size_t room, const char *path, mode_t mode);
/* True for names of the form that file_make_beside() uses. */
bool file_is_beside(const char *name);

/* "a FIFO", "a folder", ...; NULL for a regular file. */
const char *file_other_kind(mode_t mode);
/* Removes the file that file_make_beside() made last, unless it was renamed. For signal handlers. */
void file_remove_last(void);

#endif
