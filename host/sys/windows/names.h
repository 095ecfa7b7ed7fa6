/* names.h - what C's library on Windows does otherwise than scripts expect. LuaJIT is compiled with this file
 * before each of its own, so that io and os behave as elsewhere: /dev/null and the like can be opened, a file
 * replaces another one, an empty folder can be removed, and temporary files are in the folder for them. */
#ifndef CLUE_WINDOWS_NAMES_H
#define CLUE_WINDOWS_NAMES_H

#include <stdio.h>
#include <stdlib.h>

FILE *named_open(const char *path, const char *mode);
int named_rename(const char *from, const char *to);
int named_remove(const char *path);
FILE *named_temporary(void);
char *named_temporary_name(char *out); /* which has NAMED_TEMPORARY bytes */
enum { NAMED_TEMPORARY = 261 };

#ifdef CLUE_FOR_LUA
#define fopen named_open
#define rename named_rename
#define remove named_remove
#define tmpfile named_temporary
#define tmpnam named_temporary_name
#undef L_tmpnam
#define L_tmpnam NAMED_TEMPORARY
#endif

#endif
