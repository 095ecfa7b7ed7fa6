/* nbody.h - what the host's n-body loops share. Each file computes the bodies [first, end) and is compiled with its
 * own flags. nbody.c, the only caller, has checked the arguments. */
#ifndef WALK_NBODY_H
#define WALK_NBODY_H

#include "baseline.h"

/* Work for parallel_run(): data is a const walk_bodies. */
int32_t nbody_plain(void *data, int64_t first, int64_t end);
int32_t nbody_vectors(void *data, int64_t first, int64_t end);
int32_t nbody_reference(void *data, int64_t first, int64_t end);

/* Adds the share of the bodies [first, end) to out. A pair counts once, for the body with the lower number. */
void nbody_conserved(walk_conserved *out, const walk_bodies *bodies, int64_t first, int64_t end);

extern const char nbody_plain_compiler[], nbody_vectors_compiler[], nbody_reference_compiler[];

#endif
