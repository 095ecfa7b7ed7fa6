/* nbody.c - gravity on the host: baselines, a reference, and what is conserved.
 *
 * Bodies are a table {count =, position =, velocity =, position_out =, velocity_out =, scale_out =, step =,
 * softening
 * =}: arrays of four numbers a body, float, but double for the reference and for what is conserved; scale_out may
 * be nil. C trusts the sizes of the arrays, so they are checked here. */
#include "capi.h"

static const struct capi_word variants[] = {
    {"serial", CLUE_NBODY_SERIAL},
    {"parallel", CLUE_NBODY_PARALLEL},
    {"optimised", CLUE_NBODY_OPTIMISED},
    {"reference", CLUE_NBODY_REFERENCE},
    {NULL, 0},
};

/* ---- reading the table; what is read stays in it, and so alive ---- */

static double read_number(lua_State *L, const char *name, const char *call) {
    lua_getfield(L, 1, name);
    double number = capi_number_at(L, -1, 1, call);
    lua_pop(L, 1);
    return number;
}

static int64_t read_count(lua_State *L, const char *call) {
    lua_getfield(L, 1, "count");
    int64_t count = capi_long_at(L, -1, 1, call);
    if (count < 1) capi_refuse(L, 1, call, "count is at least 1");
    lua_pop(L, 1);
    return count;
}

struct array_need {
    const char *name;
    int32_t type;
    int each; /* numbers a body */
};

static void *read_array(lua_State *L, struct array_need need, int64_t count, const char *call) {
    lua_getfield(L, 1, need.name);
    const struct capi_array *array = capi_array_at(L, -1, 1, call);
    if (array->code != need.type)
        capi_refuse(L, 1, call, "%s is no array of %s", need.name, clue_type_name(need.type));
    const double needed = (double)need.each * (double)count;
    if ((double)array->count < needed)
        capi_refuse(L, 1, call, "%s has %lld elements, %lld bodies need %.0f", need.name, (long long)array->count,
                    (long long)count, needed);
    lua_pop(L, 1);
    return array->data;
}

static double *read_scale(lua_State *L, int64_t count, const char *call) {
    lua_getfield(L, 1, "scale_out");
    const bool given = !lua_isnil(L, -1);
    lua_pop(L, 1);
    return given ? read_array(L, (struct array_need){"scale_out", CLUE_DOUBLE, 2}, count, call) : NULL;
}

static clue_bodies read_bodies(lua_State *L, int32_t type, bool with_results, const char *call) {
    clue_bodies bodies = {0};
    capi_table(L, 1, call);
    bodies.count = read_count(L, call);
    bodies.step = read_number(L, "step", call);
    bodies.softening = read_number(L, "softening", call);
    bodies.position = read_array(L, (struct array_need){"position", type, 4}, bodies.count, call);
    bodies.velocity = read_array(L, (struct array_need){"velocity", type, 4}, bodies.count, call);
    if (with_results) {
        bodies.position_out = read_array(L, (struct array_need){"position_out", type, 4}, bodies.count, call);
        bodies.velocity_out = read_array(L, (struct array_need){"velocity_out", type, 4}, bodies.count, call);
    }
    bodies.scale_out = read_scale(L, bodies.count, call);
    return bodies;
}

/* ---- what it gives ---- */

static int32_t check_variant(lua_State *L, int position, const char *call) {
    return capi_word(L, position, variants, "n-body loop", call);
}

static int nbody_step(lua_State *L) {
    static const char call[] = "nbody_step";
    const int32_t variant = check_variant(L, 2, call);
    const clue_bodies bodies =
        read_bodies(L, variant == CLUE_NBODY_REFERENCE ? CLUE_DOUBLE : CLUE_FLOAT, true, call);
    const int64_t first = capi_long(L, 3, call), count = capi_long(L, 4, call);
    return capi_push_done(L, clue_nbody_step(&bodies, variant, first, count));
}

static int nbody_compiler(lua_State *L) {
    lua_pushstring(L, clue_nbody_compiler(check_variant(L, 1, "nbody_compiler")));
    return 1;
}

static int nbody_conserved(lua_State *L) {
    static const char *const names[] = {"kinetic", "potential", "x", "y", "z", "magnitudes"};
    const clue_bodies bodies = read_bodies(L, CLUE_DOUBLE, false, "nbody_conserved");
    clue_conserved sums = {0};
    if (clue_nbody_conserved(&sums, &bodies) != 0) return 0;
    const double values[] = {sums.kinetic,     sums.potential,   sums.momentum[0],
                             sums.momentum[1], sums.momentum[2], sums.magnitudes};
    lua_createtable(L, 0, 6);
    for (int i = 0; i < 6; i++) {
        lua_pushnumber(L, values[i]);
        lua_setfield(L, -2, names[i]);
    }
    return 1;
}

const luaL_Reg capi_nbody_functions[] = {
    {"nbody_compiler", nbody_compiler},
    {"nbody_conserved", nbody_conserved},
    {"nbody_step", nbody_step},
    {NULL, NULL},
};
