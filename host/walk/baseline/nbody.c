/* nbody.c - gravity on the host, by number: checks the arguments and passes them on. */
#include "nbody.h"

#include "../failure.h"
#include "../parallel.h"

#include <stdatomic.h>

const char *walk_nbody_compiler(int32_t variant) {
    switch (variant) {
    case WALK_NBODY_SERIAL:
    case WALK_NBODY_PARALLEL:
        return nbody_plain_compiler;
    case WALK_NBODY_OPTIMISED:
        return nbody_vectors_compiler;
    case WALK_NBODY_REFERENCE:
        return nbody_reference_compiler;
    default:
        return "";
    }
}

static int32_t check_bodies(const walk_bodies *bodies, const char *call) {
    if (bodies->count < 1)
        return failure_record(call, "%lld bodies: at least 1 is needed", (long long)bodies->count);
    if (!(bodies->softening > 0)) {
        return failure_record(call,
                              "a softening of %g: it must be more than 0, or a body pulls at itself without limit",
                              bodies->softening);
    }
    return WALK_DONE;
}

static int32_t check_step(const walk_bodies *bodies, int32_t variant, int64_t first, int64_t count) {
    const char *call = "walk_nbody_step";
    int32_t code;
    if (variant < WALK_NBODY_SERIAL || variant > WALK_NBODY_REFERENCE) {
        return failure_record(call, "there is no variant %d: they are %d to %d", (int)variant, WALK_NBODY_SERIAL,
                              WALK_NBODY_REFERENCE);
    }
    code = check_bodies(bodies, call);
    if (code != WALK_DONE) return code;
    if (bodies->position_out == bodies->position || bodies->velocity_out == bodies->velocity)
        return failure_record(call, "the new positions and velocities need memory of their own");
    if (first >= 0 && count >= 0 && first <= bodies->count && count <= bodies->count - first) return WALK_DONE;
    return failure_record(call, "%lld bodies from %lld on: there are only %lld", (long long)count, (long long)first,
                          (long long)bodies->count);
}

int32_t walk_nbody_step(const walk_bodies *bodies, int32_t variant, int64_t first, int64_t count) {
    static parallel_work *const works[] = {nbody_plain, nbody_plain, nbody_vectors, nbody_reference};
    int32_t code = check_step(bodies, variant, first, count);
    if (code != WALK_DONE) return code;
    return parallel_run(first, first + count, variant == WALK_NBODY_SERIAL ? 1 : 0, works[variant], (void *)bodies);
}

/* ---- conserved quantities ---- */

typedef struct tally {
    const walk_bodies *bodies;
    walk_conserved sums;
    atomic_flag taken; /* sums is being added to */
} tally;

static void add(walk_conserved *out, const walk_conserved *part) {
    out->kinetic += part->kinetic;
    out->potential += part->potential;
    out->magnitudes += part->magnitudes;
    for (int i = 0; i < 3; i++)
        out->momentum[i] += part->momentum[i];
}

/* The first bodies have the most pairs, so part k gets bodies from both ends: block k and its mirror image. */
static int32_t tally_part(void *data, int64_t first, int64_t end) {
    tally *all = data;
    walk_conserved part = {0};
    int64_t count = all->bodies->count;
    nbody_conserved(&part, all->bodies, first, end);
    nbody_conserved(&part, all->bodies, count - end, count - first);
    while (atomic_flag_test_and_set(&all->taken))
        continue; /* for a few additions of another part */
    add(&all->sums, &part);
    atomic_flag_clear(&all->taken);
    return WALK_DONE;
}

int32_t walk_nbody_conserved(walk_conserved *out, const walk_bodies *bodies) {
    int32_t code = check_bodies(bodies, "walk_nbody_conserved");
    tally all = {.bodies = bodies, .taken = ATOMIC_FLAG_INIT};
    int64_t half = bodies->count / 2;
    if (code != WALK_DONE) return code;
    code = parallel_run(0, half, 0, tally_part, &all);
    if (bodies->count % 2) nbody_conserved(&all.sums, bodies, half, half + 1);
    *out = all.sums;
    return code;
}
