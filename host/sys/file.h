/* file.h - files as the rest of the library takes them. What scripts see of it stands in clue.h. */
#ifndef CLUE_SYS_FILE_H
#define CLUE_SYS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum file_kind {
    FILE_MISSING, /* or a folder, which nobody reads as a file */
    FILE_WHOLE,
    FILE_UNREADABLE, /* not to be opened, too large, or with zeros in it */
    FILE_ENDLESS,    /* a FIFO, a socket, a device other than /dev/null: whoever reads it may wait for ever */
};

/* The whole text of a file, malloced, with a zero behind it; NULL where it is not FILE_WHOLE, or for no memory.
 * Never waits. */
char *file_text(const char *path, enum file_kind *kind_out);

/* Makes a new file in the folder of `path`, under a name that no other file has; its descriptor, -1 where that is
 * not possible (errno tells). made_out: its path. What writes to it renames it to `path`, or removes it. */
int file_make_beside(char *made_out, size_t room, const char *path, mode_t mode);
/* Whether file_make_beside() gives such names. */
bool file_is_beside(const char *name);

/* "a FIFO", "a folder", ...; NULL for what a file is expected to be. */
const char *file_other_kind(mode_t mode);
/* Removes what file_make_beside() made last, if it has not been renamed: for signal handlers. */
void file_remove_last(void);

#endif
