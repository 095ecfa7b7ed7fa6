/* nbody_reference.c - the n-body step in double, by which the others are judged, and the energy and momentum of
 * bodies. It shares no code with the loops that it judges. */
#include "nbody.h"

#include <math.h>

const char nbody_reference_compiler[] = BASELINE_COMPILER " " WALK_FLAGS;

enum { SUMS = 5 };

/* Computes the acceleration in x, y and z, then the two numbers of scale_out. */
static void pull_of_all(double out[SUMS], const walk_bodies *bodies, int64_t i) {
    const double *position = bodies->position, *own = position + 4 * i;
    double sums[SUMS] = {0};
    for (int64_t j = 0; j < bodies->count; j++) {
        const double d[3] = {position[4 * j] - own[0], position[4 * j + 1] - own[1], position[4 * j + 2] - own[2]};
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        const double softened = square + bodies->softening;
        const double pull = position[4 * j + 3] / (softened * sqrt(softened));
        for (int axis = 0; axis < 3; axis++)
            sums[axis] += pull * d[axis];
        sums[3] += fabs(pull) * sqrt(square);
        sums[4] += 2 * fabs(pull);
    }
    for (int k = 0; k < SUMS; k++)
        out[k] = sums[k];
}

int32_t nbody_reference(void *data, int64_t first, int64_t end) {
    const walk_bodies *bodies = data;
    const double *position = bodies->position, *velocity = bodies->velocity;
    double *position_out = bodies->position_out, *velocity_out = bodies->velocity_out;
    const double step = bodies->step;
    for (int64_t i = first; i < end; i++) {
        double sums[SUMS];
        pull_of_all(sums, bodies, i);
        for (int64_t axis = 0, k = 4 * i; axis < 3; axis++, k++) {
            position_out[k] = position[k] + step * (velocity[k] + step / 2 * sums[axis]);
            velocity_out[k] = velocity[k] + step * sums[axis];
        }
        position_out[4 * i + 3] = position[4 * i + 3];
        velocity_out[4 * i + 3] = velocity[4 * i + 3];
        if (!bodies->scale_out) continue;
        bodies->scale_out[2 * i] = sums[3];
        bodies->scale_out[2 * i + 1] = sums[4];
    }
    return WALK_DONE;
}

static double potential_with_later(const walk_bodies *bodies, int64_t i) {
    const double *position = bodies->position, *own = position + 4 * i;
    double sum = 0;
    for (int64_t j = i + 1; j < bodies->count; j++) {
        const double dx = position[4 * j] - own[0], dy = position[4 * j + 1] - own[1],
                     dz = position[4 * j + 2] - own[2];
        sum -= position[4 * j + 3] / sqrt(dx * dx + dy * dy + dz * dz + bodies->softening);
    }
    return sum * own[3];
}

void nbody_conserved(walk_conserved *out, const walk_bodies *bodies, int64_t first, int64_t end) {
    const double *position = bodies->position, *velocity = bodies->velocity;
    for (int64_t i = first; i < end; i++) {
        const double mass = position[4 * i + 3], *v = velocity + 4 * i;
        const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        out->kinetic += mass * square / 2;
        out->potential += potential_with_later(bodies, i);
        out->magnitudes += mass * sqrt(square);
        for (int axis = 0; axis < 3; axis++)
            out->momentum[axis] += mass * v[axis];
    }
}
