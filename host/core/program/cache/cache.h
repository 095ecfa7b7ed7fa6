/* cache.h - built programs: shared while they are alive, and kept in files whose names come from their keys.
 *
 * The files of host/core/program use it; program.h declares the functions for other folders. Nothing here records a
 * failure: a program that cannot be kept or found is built from its source. */
#ifndef CLUE_CACHE_H
#define CLUE_CACHE_H

#include "program/program.h"

/* ---- program_cache.c ---- */

/* The result of a build. */
struct built {
    cl_program program;
    char *log, *kernels; /* kernels: "first;second" */
    char *arguments;     /* for a program from the cache: the arguments of its kernels, in the cache's own form */
};

/* Makes the program from the entry with this key; false if there is none. */
bool program_from_cache(struct built *out, cl_context in, const device *on, const char *key);
/* Counts a build that took so many seconds. True if it pays now to keep the program. */
bool program_is_due(const struct built *p, const device *on, const char *key, double seconds);
void program_to_cache(const struct built *p, const char *key);

/* ---- program_live.c ---- */

/* Lets later programs share the build of a program, if that changes nothing for them, until it ends. */
void program_live_add(program *p, const char *key);
void program_live_end(program *p);
/* The program whose build a program with this key can share; NULL if there is none. */
program *program_live_find(const context *in, const char *key);

/* ---- cache_file.c ---- */

#define CACHE_CHECKSUM UINT64_C(0xcbf29ce484222325)
uint64_t cache_checksum(uint64_t from, const void *bytes,
                        size_t size); /* from: CACHE_CHECKSUM, or the sum of the bytes before */
/* The whole file of a key, on the heap, with a zero after it; NULL if there is none. */
char *cache_read(size_t *size_out, const char *key, const char *ending);
void cache_write(const char *key, const char *ending, const char *bytes, size_t size);
void cache_remove(const char *key, const char *ending);

#endif
