/* nbody_vectors.c - the fastest n-body step in portable C: LANES bodies at once, each in its own lane, so that no
 * sum crosses lanes. The other body is the same for all lanes. */
#include "nbody.h"

#include <math.h>

const char nbody_vectors_compiler[] = BASELINE_COMPILER " " WALK_FLAGS;

/* Without this option gcc uses vectors of half the size; clang does not have the option. */
#ifdef __clang__
#define AVX512 "avx512f,avx512vl,avx512dq"
#else
#define AVX512 "avx512f,avx512vl,avx512dq,prefer-vector-width=512"
#endif

enum { LANES = 32 };

/* The positions of LANES bodies, and their accelerations. */
typedef struct lanes {
    float own[3][LANES], a[3][LANES];
} lanes;

typedef void accelerate(lanes *self, const float *position, int64_t count, float softening);

#define ACCELERATE(name, target)                                                                                   \
    target static void name(lanes *self, const float *position, int64_t count, float softening) {                  \
        float ax[LANES] = {0}, ay[LANES] = {0}, az[LANES] = {0};                                                   \
        for (const float *other = position; other < position + 4 * count; other += 4) {                            \
            const float x = other[0], y = other[1], z = other[2], mass = other[3];                                 \
            for (int l = 0; l < LANES; l++) {                                                                      \
                const float dx = x - self->own[0][l], dy = y - self->own[1][l], dz = z - self->own[2][l];          \
                const float inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + softening);                          \
                const float scale = mass * inverse * inverse * inverse;                                            \
                ax[l] += scale * dx;                                                                               \
                ay[l] += scale * dy;                                                                               \
                az[l] += scale * dz;                                                                               \
            }                                                                                                      \
        }                                                                                                          \
        for (int l = 0; l < LANES; l++) {                                                                          \
            self->a[0][l] = ax[l];                                                                                 \
            self->a[1][l] = ay[l];                                                                                 \
            self->a[2][l] = az[l];                                                                                 \
        }                                                                                                          \
    }

ACCELERATE(accelerate_any, )
#ifdef __x86_64__
ACCELERATE(accelerate_avx2, __attribute__((target("avx2,fma"))))
ACCELERATE(accelerate_avx512, __attribute__((target(AVX512))))
#endif

static accelerate *choose(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        return accelerate_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return accelerate_avx2;
#endif
    return accelerate_any;
}

/* The last lanes repeat the last body. */
static void load(lanes *self, const float *position, int64_t first, int64_t end) {
    for (int64_t l = 0; l < LANES; l++) {
        const int64_t body = first + l < end ? first + l : end - 1;
        for (int64_t axis = 0; axis < 3; axis++)
            self->own[axis][l] = position[4 * body + axis];
    }
}

static void move(const lanes *self, const walk_bodies *bodies, int64_t body, int64_t lane) {
    const float *position = (const float *)bodies->position + 4 * body;
    const float *velocity = (const float *)bodies->velocity + 4 * body;
    float *position_out = (float *)bodies->position_out + 4 * body;
    float *velocity_out = (float *)bodies->velocity_out + 4 * body;
    const float step = (float)bodies->step;
    for (int axis = 0; axis < 3; axis++) {
        const float pull = self->a[axis][lane];
        position_out[axis] = position[axis] + velocity[axis] * step + 0.5F * step * step * pull;
        velocity_out[axis] = velocity[axis] + step * pull;
    }
    position_out[3] = position[3];
    velocity_out[3] = velocity[3];
}

int32_t nbody_vectors(void *data, int64_t first, int64_t end) {
    const walk_bodies *bodies = data;
    accelerate *run = choose();
    for (int64_t body = first; body < end; body += LANES) {
        lanes group;
        load(&group, bodies->position, body, end);
        run(&group, bodies->position, bodies->count, (float)bodies->softening);
        for (int64_t lane = 0; lane < LANES && body + lane < end; lane++)
            move(&group, bodies, body + lane, lane);
    }
    return WALK_DONE;
}
