/* nbody_plain.c - the n-body step in its plain form, in float but for the root and the division, which the course
 * writes as 1.0 / sqrt(), so that C computes them in double: the base with which devices are compared. */
#include "nbody.h"

#include <math.h>

const char nbody_plain_compiler[] = BASELINE_COMPILER " " WALK_FLAGS;

static void accelerate(float out[3], const float *position, int64_t count, int64_t i, float softening) {
    float ax = 0, ay = 0, az = 0;
    const float *own = position + 4 * i;
    for (int64_t j = 0; j < count; j++) {
        const float *other = position + 4 * j;
        const float dx = other[0] - own[0], dy = other[1] - own[1], dz = other[2] - own[2];
        const float inverse = (float)(1.0 / sqrt((double)(dx * dx + dy * dy + dz * dz + softening)));
        const float scale = other[3] * inverse * inverse * inverse;
        ax += scale * dx;
        ay += scale * dy;
        az += scale * dz;
    }
    out[0] = ax;
    out[1] = ay;
    out[2] = az;
}

int32_t nbody_plain(void *data, int64_t first, int64_t end) {
    const walk_bodies *bodies = data;
    const float *position = bodies->position, *velocity = bodies->velocity;
    float *position_out = bodies->position_out, *velocity_out = bodies->velocity_out;
    const float step = (float)bodies->step, softening = (float)bodies->softening;
    for (int64_t i = first; i < end; i++) {
        float a[3];
        accelerate(a, position, bodies->count, i, softening);
        for (int64_t k = 4 * i; k < 4 * i + 3; k++) {
            const float pull = a[k - 4 * i];
            position_out[k] = position[k] + velocity[k] * step + 0.5F * step * step * pull;
            velocity_out[k] = velocity[k] + step * pull;
        }
        position_out[4 * i + 3] = position[4 * i + 3];
        velocity_out[4 * i + 3] = velocity[4 * i + 3];
    }
    return WALK_DONE;
}
