/* nbody.c - gravity on the host for Lua: baselines, a reference, and conserved quantities.
 *
 * Bodies are a table {count =, position =, velocity =, position_out =, velocity_out =, scale_out =, step =,
 * softening =}. The arrays have four numbers a body: floats, but doubles for the reference and for the conserved
 * quantities; scale_out may be nil. walk.h trusts the sizes of the arrays, so they are checked here. */
#include "module.h"

static const struct word variants[] = {
    {"serial", WALK_NBODY_SERIAL},
    {"parallel", WALK_NBODY_PARALLEL},
    {"optimised", WALK_NBODY_OPTIMISED},
    {"reference", WALK_NBODY_REFERENCE},
    {NULL, 0},
};

/* ---- reading the table ---- */

/* each: the numbers for one body. */
static void *read_array(lua_State *L, const char *name, int32_t type, int each, int64_t bodies, const char *call) {
    int64_t count;
    void *data = field_array(L, name, type, &count, call);
    double needed = (double)each * (double)bodies;
    if ((double)count < needed)
        argument_refuse(L, 1, call, "%s has %lld elements, but %lld bodies need %.0f", name, (long long)count,
                        (long long)bodies, needed);
    return data;
}

static double *read_scale(lua_State *L, int64_t bodies, const char *call) {
    return field_is_nil(L, "scale_out") ? NULL : read_array(L, "scale_out", CLUE_DOUBLE, 2, bodies, call);
}

static walk_bodies read_bodies(lua_State *L, int32_t type, bool with_results, const char *call) {
    walk_bodies bodies = {0};
    argument_table(L, 1, call);
    bodies.count = field_extent(L, "count", "count must be at least 1", call);
    bodies.step = field_number(L, "step", call);
    bodies.softening = field_number(L, "softening", call);
    bodies.position = read_array(L, "position", type, 4, bodies.count, call);
    bodies.velocity = read_array(L, "velocity", type, 4, bodies.count, call);
    if (with_results) {
        bodies.position_out = read_array(L, "position_out", type, 4, bodies.count, call);
        bodies.velocity_out = read_array(L, "velocity_out", type, 4, bodies.count, call);
    }
    bodies.scale_out = read_scale(L, bodies.count, call);
    return bodies;
}

/* ---- the functions ---- */

static int nbody_step(lua_State *L) {
    static const char call[] = "nbody_step";
    int32_t variant = argument_word(L, 2, variants, "n-body loop", call);
    walk_bodies bodies = read_bodies(L, variant == WALK_NBODY_REFERENCE ? CLUE_DOUBLE : CLUE_FLOAT, true, call);
    int64_t first = argument_long(L, 3, call), count = argument_long(L, 4, call);
    return module_done(L, walk_nbody_step(&bodies, variant, first, count));
}

static int nbody_compiler(lua_State *L) {
    int32_t variant = argument_word(L, 1, variants, "n-body loop", "nbody_compiler");
    lua_pushstring(L, walk_nbody_compiler(variant));
    return 1;
}

static int nbody_conserved(lua_State *L) {
    static const char *const names[] = {"kinetic", "potential", "x", "y", "z", "magnitudes"};
    walk_bodies bodies = read_bodies(L, CLUE_DOUBLE, false, "nbody_conserved");
    walk_conserved sums = {0};
    const double *const values[] = {&sums.kinetic,     &sums.potential,   &sums.momentum[0],
                                    &sums.momentum[1], &sums.momentum[2], &sums.magnitudes};
    (void)module_done(L, walk_nbody_conserved(&sums, &bodies));
    lua_createtable(L, 0, 6);
    for (int i = 0; i < 6; i++) {
        lua_pushnumber(L, *values[i]);
        lua_setfield(L, -2, names[i]);
    }
    return 1;
}

const luaL_Reg module_nbody[] = {
    {"nbody_compiler", nbody_compiler},
    {"nbody_conserved", nbody_conserved},
    {"nbody_step", nbody_step},
    {NULL, NULL},
};
