/* nbody.c - gravity on the host by number: checks the arguments and passes them on. */
#include "nbody.h"

#include "../../core/core.h"
#include "parallel.h"

#include <pthread.h>

const char *clue_nbody_compiler(int32_t variant) {
    switch (variant) {
    case CLUE_NBODY_SERIAL:
    case CLUE_NBODY_PARALLEL:
        return nbody_plain_compiler;
    case CLUE_NBODY_OPTIMISED:
        return nbody_vectors_compiler;
    case CLUE_NBODY_REFERENCE:
        return nbody_reference_compiler;
    default:
        return "";
    }
}

static int32_t check_bodies(const clue_bodies *bodies, const char *call) {
    if (bodies->count < 1) {
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call, "%lld bodies; one is the least",
                            (long long)bodies->count);
    }
    if (!(bodies->softening > 0)) {
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                            "a softening of %g; it must be more than 0, or a body pulls at itself without bound",
                            bodies->softening);
    }
    return CL_SUCCESS;
}

static int32_t check_step(const clue_bodies *bodies, int32_t variant, int64_t first, int64_t count) {
    const char *call = "clue_nbody_step";
    if (variant < CLUE_NBODY_SERIAL || variant > CLUE_NBODY_REFERENCE) {
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "there is no variant %d; %d to %d are",
                            (int)variant, CLUE_NBODY_SERIAL, CLUE_NBODY_REFERENCE);
    }
    int32_t code = check_bodies(bodies, call);
    if (code != CL_SUCCESS) return code;
    if (bodies->position_out == bodies->position || bodies->velocity_out == bodies->velocity) {
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                            "the new positions and velocities need memory of their own");
    }
    if (first >= 0 && count >= 0 && first <= bodies->count && count <= bodies->count - first) return CL_SUCCESS;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call, "%lld bodies from %lld on; there are %lld",
                        (long long)count, (long long)first, (long long)bodies->count);
}

int32_t clue_nbody_step(const clue_bodies *bodies, int32_t variant, int64_t first, int64_t count) {
    static parallel_work *const works[] = {nbody_plain, nbody_plain, nbody_vectors, nbody_reference};
    int32_t code = check_step(bodies, variant, first, count);
    if (code != CL_SUCCESS) return code;
    return parallel_run(first, first + count, variant == CLUE_NBODY_SERIAL ? 1 : 0, works[variant], (void *)bodies);
}

/* ---- what is conserved ---- */

typedef struct tally {
    const clue_bodies *bodies;
    clue_conserved sums;
    pthread_mutex_t lock;
} tally;

static void add(clue_conserved *out, const clue_conserved *part) {
    out->kinetic += part->kinetic;
    out->potential += part->potential;
    out->magnitudes += part->magnitudes;
    for (int i = 0; i < 3; i++) {
        out->momentum[i] += part->momentum[i];
    }
}

/* The first bodies have the most pairs, so part k takes bodies from both ends: block k and its mirror image. */
static int32_t tally_part(void *data, int64_t first, int64_t end) {
    tally *all = data;
    clue_conserved part = {0};
    int64_t count = all->bodies->count;
    nbody_conserved(&part, all->bodies, first, end);
    nbody_conserved(&part, all->bodies, count - end, count - first);
    (void)pthread_mutex_lock(&all->lock);
    add(&all->sums, &part);
    (void)pthread_mutex_unlock(&all->lock);
    return CL_SUCCESS;
}

int32_t clue_nbody_conserved(clue_conserved *out, const clue_bodies *bodies) {
    int32_t code = check_bodies(bodies, "clue_nbody_conserved");
    if (code != CL_SUCCESS) return code;
    tally all = {.bodies = bodies, .lock = PTHREAD_MUTEX_INITIALIZER};
    int64_t half = bodies->count / 2;
    code = parallel_run(0, half, 0, tally_part, &all);
    if (bodies->count % 2) nbody_conserved(&all.sums, bodies, half, half + 1);
    *out = all.sums;
    return code;
}
