/* array.c - typed memory: makes, resizes and frees arrays.
 *
 * Only clue.array uses it; it adds methods and error texts (array_setup) and documents what users see. An array is
 * a userdata of struct capi_array. */
#include <string.h>

#include "capi.h"

static const char mark; /* every array begins with its address */
static const char *const metatables = "clue.capi.arrays";

/* Scripts cannot write the size and the mark, and checking them takes two calls into Lua; checking the metatable
 * takes five. Anything else that lua_touserdata() knows, light userdata, has length 0. */
struct capi_array *capi_array_test(lua_State *L, int index) {
    struct capi_array *self = lua_touserdata(L, index);
    return self && lua_rawlen(L, index) == sizeof *self && self->mark == &mark ? self : NULL;
}

struct capi_array *capi_array(lua_State *L, int position, const char *call) {
    struct capi_array *self = capi_array_test(L, position);
    if (self && self->mapping == CAPI_UNMAPPED) capi_refuse(L, position, call, "the array was unmapped");
    if (!self) capi_mismatch(L, position, "array", position, call);
    return self;
}

struct capi_array *capi_array_any(lua_State *L, int position, const char *call) {
    struct capi_array *self = capi_array_test(L, position);
    if (!self) capi_mismatch(L, position, "array", position, call);
    return self;
}

int64_t capi_array_size(const struct capi_array *self) {
    static const uint8_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
    return sizes[self->code];
}

void capi_array_inside(lua_State *L, const struct capi_array *self, int64_t first, int64_t count, int position,
                       const char *call) {
    if (first < 0 || count < 0 || first + count > self->count)
        capi_refuse(L, position, call, "%lld elements from %lld on are not all in an array of %lld",
                    (long long)count, (long long)first, (long long)self->count);
}

void capi_array_range(lua_State *L, const struct capi_array *self, int64_t *first_out, int64_t *count_out,
                      int position, const char *call) {
    *first_out = capi_long(L, position, call);
    *count_out = capi_long(L, position + 1, call);
    capi_array_inside(L, self, *first_out, *count_out, position, call);
}

char *capi_array_at(const struct capi_array *self, int64_t index) {
    return index == 0 ? self->data : self->data + index * capi_array_size(self);
}

/* ---- memory ---- */

const char *capi_array_owner(const struct capi_array *self) {
    switch (self->mapping ? clue_handle_kind(self->mapping) : CLUE_NONE) {
    case CLUE_MAPPING:
        return "mapping";
    case CLUE_HOST_MEMORY:
        return "host_memory";
    default:
        return NULL;
    }
}

static void collect(lua_State *L) {
    lua_gc(L, LUA_GCCOLLECT, 0);
    clue_memory_collected((int64_t)lua_gc(L, LUA_GCCOUNT, 0) * 1024);
}

/* The collector does not see the memory behind an array. So it is asked to run when much is held, and before memory
 * is reported as exhausted, which is after the first of two attempts. Finalizers may do anything with an array:
 * look at it after this. */
static void make_room(lua_State *L, int64_t bytes, int attempt) {
    if (attempt > 1 || clue_memory_crowded(bytes)) collect(L);
}

static int64_t check_count(lua_State *L, int position, const char *call) {
    int64_t count = capi_long(L, position, call);
    if (count < 0) capi_refuse(L, position, call, "count below 0");
    return count;
}

struct capi_array *capi_array_push(lua_State *L, int32_t code) {
    struct capi_array *self;
    lua_getfield(L, LUA_REGISTRYINDEX, metatables);
    if (!lua_istable(L, -1)) luaL_error(L, "array_setup makes the types: it was not called");
    self = lua_newuserdata(L, sizeof *self);
    *self = (struct capi_array){&mark, NULL, 0, code, 0};
    lua_rawgeti(L, -2, (int)code);
    lua_setmetatable(L, -2);
    return self;
}

/* (code, count[, alignment[, huge_pages]]) */
static int array_create(lua_State *L) {
    static const char call[] = "array_create";
    int32_t code = capi_int(L, 1, call);
    int64_t count;
    int64_t alignment = 1, bytes;
    struct capi_array *self;
    bool huge_pages;
    if (clue_type_size(code) == 0) capi_refuse(L, 1, call, "no type has code %d", (int)code);
    count = check_count(L, 2, call);
    if (!lua_isnoneornil(L, 3)) alignment = capi_long(L, 3, call);
    huge_pages = lua_toboolean(L, 4); /* now, since an array on the stack would be the fourth value */
    self = capi_array_push(L, code);
    bytes = count * capi_array_size(self);
    for (int attempt = 1; attempt <= 2 && count > 0 && !self->data; attempt++) {
        make_room(L, bytes, attempt);
        self->data = clue_array_allocate_aligned(bytes, alignment, huge_pages);
    }
    self->count = self->data ? count : 0;
    return self->count == count ? 1 : capi_push_nil(L);
}

/* (self, first, count) */
static int array_copy(lua_State *L) {
    static const char call[] = "array_copy";
    const struct capi_array *self = capi_array(L, 1, call);
    struct capi_array *copy;
    int64_t first, count, bytes;
    capi_array_range(L, self, &first, &count, 2, call);
    copy = capi_array_push(L, self->code);
    bytes = count * capi_array_size(self);
    for (int attempt = 1; attempt <= 2 && count > 0 && !copy->data; attempt++) {
        make_room(L, bytes, attempt);
        (void)capi_array(L, 1, call);
        capi_array_inside(L, self, first, count, 2, call);
        copy->data = clue_array_copy(capi_array_at(self, first), bytes);
    }
    copy->count = copy->data ? count : 0;
    return copy->count == count ? 1 : capi_push_nil(L);
}

static int push_resized(lua_State *L, struct capi_array *self, char *data, int64_t count) {
    clue_array_free(self->data);
    self->data = data;
    self->count = count;
    lua_pushboolean(L, 1);
    return 1;
}

static int array_resize(lua_State *L) {
    static const char call[] = "array_resize";
    struct capi_array *self = capi_array(L, 1, call);
    const int64_t count = check_count(L, 2, call), size = capi_array_size(self);
    for (int attempt = 1; attempt <= 2; attempt++) {
        char *data = NULL;
        if (count > 0) make_room(L, count * size, attempt);
        (void)capi_array(L, 1, call);
        if (self->mapping) capi_refuse(L, 1, call, "an array in memory that is not its own keeps its size");
        if (clue_array_settle(self->data, self->count * size)) {
            lua_pushboolean(L, 0);
            return 1;
        }
        if (count > 0)
            data = self->data ? clue_array_resized(self->data, count * size) : clue_array_allocate(count * size);
        if (data || count == 0) return push_resized(L, self, data, count);
    }
    return 0;
}

static int array_release(lua_State *L) {
    struct capi_array *self = capi_array_any(L, 1, "__gc");
    if (self->data) clue_array_release(self->data, self->count * capi_array_size(self), self->mapping);
    self->data = NULL;
    self->count = 0;
    self->mapping = 0;
    return 0;
}

/* ---- types ---- */

/* Upvalue: the hook that reports an unmapped array. */
static int array_length(lua_State *L) {
    const struct capi_array *self = capi_array_any(L, 1, "__len");
    lua_settop(L, 1);
    if (self->mapping == CAPI_UNMAPPED) return capi_element_raise(L, 1, 1);
    capi_push_whole(L, self->count);
    return 1;
}

/* Copies from the hooks at 1 into the metatable on top. */
static void set_operators(lua_State *L) {
    lua_getfield(L, 1, "operators");
    for (lua_pushnil(L); lua_next(L, -2);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_settable(L, -5);
    }
    lua_pop(L, 1);
}

/* hooks: methods and operators (metamethods) by name, and functions that return the text of an error:
 * bad_index(array, key), bad_value(array, index, value), inexact(array, index), unmapped(array); bad_value returns
 * nil if it has stored the value */
static int array_setup(lua_State *L) {
    capi_table(L, 1, "array_setup");
    lua_newtable(L);
    for (int32_t code = CLUE_CHAR; code <= CLUE_DOUBLE; code++) {
        lua_newtable(L);
        capi_element_open(L, 1);
        set_operators(L);
        lua_getfield(L, 1, "methods");
        lua_getfield(L, -1, "describe");
        lua_setfield(L, -3, "__tostring");
        lua_pop(L, 1);
        lua_getfield(L, 1, "unmapped");
        lua_pushcclosure(L, array_length, 1);
        lua_setfield(L, -2, "__len");
        lua_pushcfunction(L, array_release);
        lua_setfield(L, -2, "__gc");
        capi_set_text(L, "__name", "array");
        capi_set_text(L, "__metatable", "array");
        lua_rawseti(L, -2, (int)code);
    }
    lua_setfield(L, LUA_REGISTRYINDEX, metatables);
    return 0;
}

static int array_code(lua_State *L) {
    const struct capi_array *self = capi_array_test(L, 1);
    if (self)
        capi_push_whole(L, self->code);
    else
        lua_pushnil(L);
    return 1;
}

/* For C modules that work on the elements. The address is valid until the array is resized, unmapped or collected.
 */
static int array_view(lua_State *L) {
    const struct capi_array *self = capi_array_test(L, 1);
    if (self && self->mapping != CAPI_UNMAPPED) {
        capi_push_whole(L, (int64_t)(uintptr_t)self->data);
        capi_push_whole(L, self->count);
        capi_push_whole(L, self->code);
        return 3;
    }
    lua_pushnil(L);
    if (self)
        lua_pushliteral(L, "the array was unmapped");
    else
        lua_pushfstring(L, "array expected, got %s", capi_found(L, 1));
    return 2;
}

const luaL_Reg capi_array_functions[] = {
    {"array_code", array_code},
    {"array_copy", array_copy},
    {"array_create", array_create},
    {"array_resize", array_resize},
    {"array_setup", array_setup},
    {"array_view", array_view},
    {NULL, NULL},
};
