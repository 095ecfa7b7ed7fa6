/* cache.h - built programs, kept in files under the key of what they were built from.
 *
 * The files of host/core/program use it; what of it others need program.h declares. Nothing here records a failure:
 * what cannot be kept or found is built from its source. */
#ifndef CLUE_CACHE_H
#define CLUE_CACHE_H

#include "program/program.h"

/* ---- program_cache.c ---- */

/* What a build gave. */
struct built {
    cl_program program;
    char *log, *kernels; /* kernels: "first;second" */
    char *arguments;     /* of one from the cache: what its kernels' arguments are, in a form of the cache's own */
};

/* Makes the program from what is kept under the key; false where there is nothing. */
bool program_from_cache(struct built *out, cl_context in, const device *on, const char *key);
/* Keeps what was built in so many seconds, where that pays. */
void program_to_cache(const struct built *p, const device *on, const char *key, double seconds);

/* ---- cache_file.c ---- */

#define CACHE_CHECKSUM UINT64_C(0xcbf29ce484222325)
uint64_t cache_checksum(uint64_t from, const void *bytes, size_t size); /* from: CACHE_CHECKSUM, or a sum so far */
/* All of a key's file, malloced, with a zero behind it; NULL: there is none. */
char *cache_read(size_t *size_out, const char *key, const char *ending);
bool cache_has(const char *key, const char *ending);
void cache_write(const char *key, const char *ending, const char *bytes, size_t size);
void cache_remove(const char *key, const char *ending);

#endif
