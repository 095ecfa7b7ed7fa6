/* file.h - texts of files, for the rest of the library. clue.h has the functions for scripts. */
#ifndef CLUE_SYS_FILE_H
#define CLUE_SYS_FILE_H

enum file_kind {
    FILE_MISSING, /* or a folder, which nobody reads as a file */
    FILE_WHOLE,
    FILE_UNREADABLE, /* it cannot be opened, is too large, or contains zeros */
    FILE_ENDLESS,    /* a FIFO, a socket, or a device other than /dev/null: reading it may never end */
};

/* The whole text of a file, on the heap, with a zero after it; NULL if the file is not FILE_WHOLE or there is no
 * memory. Never waits. */
char *file_text(const char *path, enum file_kind *kind_out);

#endif
