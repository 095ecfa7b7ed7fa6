/* shared.h - how the files of this folder load a library: shared objects by name, and their functions by table. */
#ifndef WALK_LIBRARY_SHARED_H
#define WALK_LIBRARY_SHARED_H

#include "library.h"

/* A function: its name, and where its address goes. */
typedef struct shared_symbol {
    const char *name;
    void *address_out; /* of a function pointer */
} shared_symbol;

/* Loads the first of these shared objects (names, ended by NULL) that exists, and all of the functions (ended by a
 * NULL name). Fails if there is none, or if a function is missing. */
int32_t shared_load(const char *call, const char *const *names, const shared_symbol *symbols);

/* One for each library. */
int32_t openblas_load(const char **version_out);
int32_t clblast_load(const char **version_out);
int32_t cublas_load(const char **version_out);

#endif
