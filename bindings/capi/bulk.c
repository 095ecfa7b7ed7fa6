/* bulk.c - work on many elements of arrays at once: passes it to C. */
#include <math.h>
#include <string.h>

#include "capi.h"

/* For the number at 2, which a double cannot hold. */
static bool fill_exactly(lua_State *L, const struct capi_array *self, int64_t first, int64_t count) {
    char element[sizeof(int64_t)];
    if (!capi_element_store(L, 2, element, self->code)) return false;
    clue_array_repeat(capi_array_at(self, first), self->code, count, element);
    return true;
}

static int array_fill(lua_State *L) {
    static const char call[] = "array_fill";
    int64_t first, count;
    const struct capi_array *self = capi_array(L, 1, call);
    if (lua_type(L, 2) != LUA_TNUMBER) capi_mismatch(L, 2, "number", 2, call);
    capi_array_range(L, self, &first, &count, 3, call);
    if (capi_is_exact(L, 2))
        lua_pushboolean(L, clue_array_fill(capi_array_at(self, first), self->code, count, lua_tonumber(L, 2)) == 1);
    else
        lua_pushboolean(L, fill_exactly(L, self, first, count));
    return 1;
}

static int array_random(lua_State *L) {
    static const char call[] = "array_random";
    const struct capi_array *self = capi_array(L, 1, call);
    double low = capi_number(L, 2, call), high = capi_number(L, 3, call), seed = capi_number(L, 4, call);
    lua_pushboolean(L, clue_array_random(self->data, self->code, self->count, low, high, seed) == 1);
    return 1;
}

/* An index, or nil for none. */
static int push_found(lua_State *L, int64_t index) {
    return capi_push_whole_or_nil(L, index < 0, index);
}

/* (self, first, source, source_first, count): the count belongs to both ranges. */
static int array_convert(lua_State *L) {
    static const char call[] = "array_convert";
    int64_t from;
    const struct capi_array *self = capi_array(L, 1, call);
    int64_t first = capi_long(L, 2, call), count = capi_long_at(L, 5, 3, call);
    const struct capi_array *source;
    capi_array_inside(L, self, first, count, 2, call);
    source = capi_array(L, 3, call);
    capi_array_range(L, source, &from, &count, 4, call);
    return push_found(L, clue_array_convert(capi_array_at(self, first), self->code, capi_array_at(source, from),
                                            source->code, count));
}

static int array_compare(lua_State *L) {
    static const char call[] = "array_compare";
    const struct capi_array *self = capi_array(L, 1, call);
    int64_t count = capi_long_at(L, 3, 4, call);
    const struct capi_array *other;
    double tolerance;
    capi_array_inside(L, self, 0, count, 3, call);
    other = capi_array(L, 2, call);
    if (other->code != self->code) capi_refuse(L, 2, call, "array of the same type expected");
    capi_array_inside(L, other, 0, count, 3, call);
    tolerance = capi_number(L, 4, call);
    return push_found(L, clue_array_compare(self->data, other->data, self->code, count, tolerance));
}

/* (self, other, count, relative, absolute, equal_nan) */
static int array_allclose(lua_State *L) {
    static const char call[] = "array_allclose";
    const struct capi_array *self = capi_array(L, 1, call), *other = capi_array(L, 2, call);
    int64_t count = capi_long(L, 3, call);
    double relative = capi_number(L, 4, call), absolute = capi_number(L, 5, call);
    capi_array_inside(L, self, 0, count, 3, call);
    capi_array_inside(L, other, 0, count, 3, call);
    return push_found(L, clue_array_allclose(self->data, self->code, other->data, other->code, count, relative,
                                             absolute, lua_toboolean(L, 6)));
}

static int array_norm(lua_State *L) {
    static const char call[] = "array_norm";
    const struct capi_array *self = capi_array(L, 1, call);
    lua_pushnumber(L, clue_array_norm(self->data, self->code, self->count, capi_number(L, 2, call)));
    return 1;
}

static int array_huge_bytes(lua_State *L) {
    const struct capi_array *self = capi_array(L, 1, "array_huge_bytes");
    capi_push_whole(L, clue_array_huge_bytes(self->data, self->count * capi_array_size(self)));
    return 1;
}

static int array_sum(lua_State *L) {
    const struct capi_array *self = capi_array(L, 1, "array_sum");
    double sum = clue_array_sum(self->data, self->code, self->count);
    if (self->code < CLUE_HALF && fabs(sum) < 0x1p53)
        capi_push_whole(L, (int64_t)sum);
    else
        lua_pushnumber(L, sum);
    return 1;
}

static int array_extremes(lua_State *L) {
    int64_t least, greatest;
    const struct capi_array *self = capi_array(L, 1, "array_extremes");
    int64_t unordered = clue_array_extremes(&least, &greatest, self->data, self->code, self->count);
    push_found(L, least);
    push_found(L, greatest);
    capi_push_whole(L, unordered);
    return 3;
}

static int array_print(lua_State *L) {
    static const char call[] = "array_print";
    char text[32];
    const struct capi_array *self = capi_array(L, 1, call);
    int64_t index = capi_long(L, 2, call);
    capi_array_inside(L, self, index, 1, 2, call);
    clue_element_print(text, capi_array_at(self, index), self->code);
    lua_pushstring(L, text);
    return 1;
}

static int array_bytes(lua_State *L) {
    static const char call[] = "array_bytes";
    int64_t first, count;
    const struct capi_array *self = capi_array(L, 1, call);
    capi_array_range(L, self, &first, &count, 2, call);
    lua_pushlstring(L, count > 0 ? capi_array_at(self, first) : "", (size_t)(count * capi_array_size(self)));
    return 1;
}

static int array_set_bytes(lua_State *L) {
    static const char call[] = "array_set_bytes";
    const struct capi_array *self = capi_array(L, 1, call);
    int64_t first = capi_long(L, 2, call), size = capi_array_size(self);
    size_t length;
    const char *bytes;
    int64_t count;
    if (lua_type(L, 3) != LUA_TSTRING) capi_mismatch(L, 3, "string", 3, call);
    bytes = lua_tolstring(L, 3, &length);
    count = (int64_t)length / size;
    if ((int64_t)length % size != 0)
        capi_refuse(L, 3, call, "%lld bytes are not elements of %lld bytes each", (long long)length,
                    (long long)size);
    capi_array_inside(L, self, first, count, 2, call);
    if (count > 0) memcpy(capi_array_at(self, first), bytes, length);
    capi_push_whole(L, count);
    return 1;
}

static int array_swap(lua_State *L) {
    static const char call[] = "array_swap";
    int64_t first, count;
    const struct capi_array *self = capi_array(L, 1, call);
    capi_array_range(L, self, &first, &count, 2, call);
    if (count > 0) (void)clue_array_swap(capi_array_at(self, first), self->code, count);
    return 0;
}

static int array_transpose(lua_State *L) {
    static const char call[] = "array_transpose";
    const struct capi_array *self = capi_array(L, 1, call), *source = capi_array(L, 2, call);
    int64_t rows, columns;
    double product;
    if (source->code != self->code || source == self)
        capi_refuse(L, 2, call, "another array of the same type expected");
    rows = capi_long(L, 3, call);
    columns = capi_long(L, 4, call);
    product = (double)rows * (double)columns;
    if (rows < 0 || columns < 0 || product != (double)self->count || product != (double)source->count)
        capi_refuse(L, 3, call, "%lld x %lld is not the size of arrays of %lld and %lld", (long long)rows,
                    (long long)columns, (long long)self->count, (long long)source->count);
    (void)clue_array_transpose(self->data, source->data, self->code, rows, columns);
    return 0;
}

const luaL_Reg capi_bulk_functions[] = {
    {"array_allclose", array_allclose},
    {"array_huge_bytes", array_huge_bytes},
    {"array_norm", array_norm},
    {"array_bytes", array_bytes},
    {"array_compare", array_compare},
    {"array_convert", array_convert},
    {"array_extremes", array_extremes},
    {"array_fill", array_fill},
    {"array_print", array_print},
    {"array_random", array_random},
    {"array_set_bytes", array_set_bytes},
    {"array_sum", array_sum},
    {"array_swap", array_swap},
    {"array_transpose", array_transpose},
    {NULL, NULL},
};
