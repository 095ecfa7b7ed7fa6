/* Gravity on the host: every variant compared with sums made here, ranges, conserved quantities, refusals.
 *
 * suite: quick */
#include "unit.h"
#include "walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 101, NUMBERS = 4 * COUNT };

static const double STEP = 0.25, SOFTENING = 0x1p-7;

typedef struct world {
    double position[NUMBERS], velocity[NUMBERS], position_out[NUMBERS], velocity_out[NUMBERS], scale[2 * COUNT];
    float f_position[NUMBERS], f_velocity[NUMBERS], f_position_out[NUMBERS], f_velocity_out[NUMBERS];
} world;

/* Fills both with values of type float, so that float and double begin with equal numbers. */
static void fill(world *w) {
    memset(w, 0, sizeof *w);
    assert_int_equal(clue_array_random(w->f_position, CLUE_FLOAT, NUMBERS, -1, 1, 3), 1);
    assert_int_equal(clue_array_random(w->f_velocity, CLUE_FLOAT, NUMBERS, -1, 1, 4), 1);
    for (int i = 0; i < NUMBERS; i++) {
        if (i % 4 == 3) w->f_position[i] = (1.5F + w->f_position[i] / 2) / COUNT;
        w->position[i] = w->f_position[i];
        w->velocity[i] = w->f_velocity[i];
    }
}

static walk_bodies in_float(world *w, int64_t count) {
    return (walk_bodies){.count = count,
                         .position = w->f_position,
                         .velocity = w->f_velocity,
                         .position_out = w->f_position_out,
                         .velocity_out = w->f_velocity_out,
                         .step = STEP,
                         .softening = SOFTENING};
}

static walk_bodies in_double(world *w, int64_t count) {
    return (walk_bodies){.count = count,
                         .position = w->position,
                         .velocity = w->velocity,
                         .position_out = w->position_out,
                         .velocity_out = w->velocity_out,
                         .scale_out = w->scale,
                         .step = STEP,
                         .softening = SOFTENING};
}

/* One component of a body's acceleration. It uses pow(), where the variants use a root. */
static double pull(const world *w, int64_t count, int64_t body, int axis) {
    double sum = 0;
    for (int64_t j = 0; j < count; j++) {
        double square = SOFTENING;
        for (int k = 0; k < 3; k++) {
            const double d = w->position[4 * j + k] - w->position[4 * body + k];
            square += d * d;
        }
        sum +=
            w->position[4 * j + 3] * pow(square, -1.5) * (w->position[4 * j + axis] - w->position[4 * body + axis]);
    }
    return sum;
}

static void check_body(const world *w, int64_t count, int64_t body, const double *position,
                       const double *velocity) {
    for (int axis = 0; axis < 3; axis++) {
        const int64_t at = 4 * body + axis;
        const double a = pull(w, count, body, axis);
        assert_true(fabs(velocity[axis] - (w->velocity[at] + a * STEP)) < 1e-5);
        assert_true(fabs(position[axis] - (w->position[at] + w->velocity[at] * STEP + a * STEP * STEP / 2)) < 1e-5);
    }
    assert_true(position[3] == w->position[4 * body + 3]);
    assert_true(velocity[3] == w->velocity[4 * body + 3]);
}

TEST(every_variant_moves_every_body) {
    static world w;
    static const int64_t COUNTS[] = {1, 2, 31, 32, 33, COUNT};
    for (int32_t variant = WALK_NBODY_SERIAL; variant <= WALK_NBODY_REFERENCE; variant++) {
        for (int c = 0; c < 6; c++) {
            const int64_t count = COUNTS[c];
            walk_bodies bodies;
            fill(&w);
            bodies = variant == WALK_NBODY_REFERENCE ? in_double(&w, count) : in_float(&w, count);
            assert_int_equal(walk_nbody_step(&bodies, variant, 0, count), 0);
            for (int i = 0; i < NUMBERS && variant != WALK_NBODY_REFERENCE; i++) {
                w.position_out[i] = w.f_position_out[i];
                w.velocity_out[i] = w.f_velocity_out[i];
            }
            for (int64_t i = 0; i < count; i++)
                check_body(&w, count, i, w.position_out + 4 * i, w.velocity_out + 4 * i);
        }
    }
}

TEST(only_the_bodies_asked_for_are_moved) {
    static world w;
    for (int32_t variant = WALK_NBODY_SERIAL; variant < WALK_NBODY_REFERENCE; variant++) {
        walk_bodies bodies;
        fill(&w);
        bodies = in_float(&w, COUNT);
        assert_int_equal(walk_nbody_step(&bodies, variant, 7, 40), 0);
        for (int i = 0; i < COUNT; i++)
            assert_int_equal(w.f_position_out[4 * i + 3] != 0, i >= 7 && i < 47);
        assert_int_equal(walk_nbody_step(&bodies, variant, COUNT, 0), 0);
    }
}

TEST(the_reference_gives_its_scales) {
    static world w;
    walk_bodies bodies;
    double inverse = pow(SOFTENING, -1.5), square = SOFTENING, a, growth;
    fill(&w);
    bodies = in_double(&w, 2);
    assert_int_equal(walk_nbody_step(&bodies, WALK_NBODY_REFERENCE, 0, 2), 0);
    a = hypot(hypot(pull(&w, 2, 0, 0), pull(&w, 2, 0, 1)), pull(&w, 2, 0, 2));
    assert_true(fabs(w.scale[0] - a) < 1e-9 * a);
    for (int k = 0; k < 3; k++)
        square += (w.position[4 + k] - w.position[k]) * (w.position[4 + k] - w.position[k]);
    growth = 2 * (w.position[3] * inverse + w.position[7] * pow(square, -1.5));
    assert_true(fabs(w.scale[1] - growth) < 1e-9 * growth);
}

static double potential(const world *w, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        for (int64_t j = 0; j < i; j++) {
            double square = SOFTENING;
            for (int k = 0; k < 3; k++) {
                const double d = w->position[4 * j + k] - w->position[4 * i + k];
                square += d * d;
            }
            sum -= w->position[4 * i + 3] * w->position[4 * j + 3] / sqrt(square);
        }
    }
    return sum;
}

TEST(energy_and_momentum_are_those_of_all_bodies) {
    static world w;
    static const int64_t COUNTS[] = {1, 2, 3, 100, COUNT};
    fill(&w);
    for (int c = 0; c < 5; c++) {
        const int64_t count = COUNTS[c];
        const walk_bodies bodies = in_double(&w, count);
        walk_conserved found;
        double kinetic = 0, x = 0, magnitudes = 0;
        for (int64_t i = 0; i < count; i++) {
            const double *v = w.velocity + 4 * i, mass = w.position[4 * i + 3];
            const double speed = hypot(hypot(v[0], v[1]), v[2]);
            kinetic += mass * speed * speed / 2;
            magnitudes += mass * speed;
            x += mass * v[0];
        }
        assert_int_equal(walk_nbody_conserved(&found, &bodies), 0);
        assert_true(fabs(found.potential - potential(&w, count)) < 1e-12);
        assert_true(fabs(found.kinetic - kinetic) < 1e-12);
        assert_true(fabs(found.momentum[0] - x) < 1e-12);
        assert_true(fabs(found.magnitudes - magnitudes) < 1e-12);
    }
}

TEST(impossible_bodies_are_refused) {
    static world w;
    walk_bodies bodies;
    walk_conserved found;
    fill(&w);
    bodies = in_float(&w, COUNT);
    assert_true(walk_nbody_step(&bodies, -1, 0, 1) < 0);
    assert_true(walk_nbody_step(&bodies, WALK_NBODY_REFERENCE + 1, 0, 1) < 0);
    assert_true(walk_nbody_step(&bodies, WALK_NBODY_SERIAL, -1, 1) < 0);
    assert_true(walk_nbody_step(&bodies, WALK_NBODY_SERIAL, 1, COUNT) < 0);
    assert_true(walk_nbody_step(&bodies, WALK_NBODY_SERIAL, INT64_MAX, 1) < 0);
    bodies.softening = 0;
    assert_true(walk_nbody_step(&bodies, WALK_NBODY_SERIAL, 0, 1) < 0);
    assert_true(walk_nbody_conserved(&found, &bodies) < 0);
    bodies.softening = NAN;
    assert_true(walk_nbody_step(&bodies, WALK_NBODY_SERIAL, 0, 1) < 0);
    bodies = in_float(&w, COUNT);
    bodies.velocity_out = w.f_velocity;
    assert_true(walk_nbody_step(&bodies, WALK_NBODY_SERIAL, 0, 1) < 0);
    bodies = in_float(&w, 0);
    assert_true(walk_nbody_step(&bodies, WALK_NBODY_SERIAL, 0, 0) < 0);
}

TEST(every_variant_names_its_compiler) {
    for (int32_t variant = WALK_NBODY_SERIAL; variant <= WALK_NBODY_REFERENCE; variant++)
        assert_non_null(strstr(walk_nbody_compiler(variant), "-O"));
    assert_string_equal(walk_nbody_compiler(-1), "");
    assert_string_equal(walk_nbody_compiler(WALK_NBODY_REFERENCE + 1), "");
}
