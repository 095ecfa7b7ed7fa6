/* object.c - objects that own handles: see bindings/ffi/object.lua.
 *
 * Lua 5.2 and later could finalise the objects. But each would then live until the next collection but one, and the
 * heap would grow with every collection. So an object goes at once, and its handle one collection later. */
#include <stdlib.h>

#include "capi.h"

enum { SLOTS = 131072, FIRST_SLOTS = 1024 }; /* of the core's table, host/core/base/handle.c */

/* Upvalues of all functions here: by slot, the object that owns the handle, in a weak table, and the handle, in a
 * struct owned. Then the name of the field. Then what object_setup was given. */
enum {
    LIVING = CAPI_LIVING,
    OWNED = CAPI_OWNED,
    MADE = CAPI_MADE,
    NAME = CAPI_HANDLE,
    KINDS,
    REFUSE,
    UPVALUES = REFUSE
};

struct owned {
    struct place {
        int32_t handle;     /* 0: none */
        bool was_not_found; /* its object, by the last sweep */
    } * places;
    int32_t size, made; /* made: objects that were not counted in Lua's table yet */
    bool is_closed;
};

static struct owned *owned_of(lua_State *L) {
    return lua_touserdata(L, lua_upvalueindex(OWNED));
}

void capi_push_field(lua_State *L, int table, int name) {
    lua_pushvalue(L, lua_upvalueindex(name));
    lua_rawget(L, table);
}

void capi_push_class(lua_State *L, int position, const char *name, const char *call) {
    capi_table(L, position, call);
    lua_getfield(L, position, name);
    if (!lua_istable(L, -1)) capi_refuse(L, position, call, "a table with the table %s expected", name);
}

static int slot_of(int32_t handle) {
    return handle & (SLOTS - 1);
}

int32_t capi_handle_at(lua_State *L, int index) {
#if LUA_VERSION_NUM >= 503
    const lua_Integer number = lua_tointegerx(L, index, NULL); /* Lua's conversion to a double takes longer */
#else
    const double number = lua_tonumber(L, index);
#endif
    return number > 0 && number <= INT32_MAX ? (int32_t)number : 0;
}

/* The handle of the table at a stack index; 0 if it has none. */
static int32_t handle_of(lua_State *L, int index) {
    int32_t handle;
    capi_push_field(L, index, NAME);
    handle = capi_handle_at(L, -1);
    lua_pop(L, 1);
    return handle;
}

static bool is_owned(lua_State *L, int32_t handle) {
    const struct owned *all = owned_of(L);
    const int slot = slot_of(handle);
    return handle != 0 && slot < all->size && all->places[slot].handle == handle;
}

static void release(struct place *place) {
    const int32_t handle = place->handle;
    place->handle = 0;
    clue_handle_drop(handle);
}

/* The weak table gets places, so that it needs no hashing. */
static bool grow(lua_State *L, int slot) {
    struct owned *all = owned_of(L);
    int size = all->size ? 2 * all->size : FIRST_SLOTS;
    struct place *places;
    while (size <= slot)
        size *= 2;
    places = realloc(all->places, (size_t)size * sizeof *places);
    if (!places) return false;
    all->places = places;
    for (; all->size < size; all->size++) {
        places[all->size] = (struct place){.handle = 0};
        lua_pushboolean(L, 0);
        lua_rawseti(L, lua_upvalueindex(LIVING), all->size);
    }
    return true;
}

/* Counts an object. Lua's table gets some at once, since that takes longer than all else here. */
static void count_object(lua_State *L, struct owned *all) {
    enum { AT_ONCE = 16 };
    if (++all->made < AT_ONCE) return;
    lua_rawgeti(L, lua_upvalueindex(MADE), 1);
    capi_push_whole(L, (int64_t)lua_tonumber(L, -1) + all->made);
    lua_rawseti(L, lua_upvalueindex(MADE), 1);
    lua_pop(L, 1);
    all->made = 0;
}

void capi_own(lua_State *L, int index, int32_t handle, int meta) {
    const int slot = slot_of(handle);
    struct owned *all = owned_of(L);
    if (slot >= all->size && !grow(L, slot)) {
        clue_handle_drop(handle);
        luaL_error(L, "not enough memory");
    }
    lua_pushvalue(L, index);
    lua_rawseti(L, lua_upvalueindex(LIVING), slot);
    all->places[slot] = (struct place){.handle = handle};
    count_object(L, all);
    lua_pushvalue(L, lua_upvalueindex(NAME));
    capi_push_whole(L, handle);
    lua_rawset(L, index);
    lua_pushvalue(L, meta);
    lua_setmetatable(L, index);
    lua_settop(L, index);
}

static int own(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    capi_own(L, 1, capi_handle_at(L, 2), 3);
    lua_settop(L, 1);
    return 1;
}

int32_t capi_object(lua_State *L, int index, const void *const *classes, int count) {
    const void *class;
    if (!lua_istable(L, index) || !lua_getmetatable(L, index)) return 0;
    class = lua_topointer(L, -1);
    for (int i = 0; i < count; i++)
        if (classes[i] == class) {
            capi_push_field(L, index, NAME);
            return capi_handle_at(L, -1);
        }
    return 0;
}

static int owns(lua_State *L) {
    lua_pushboolean(L, is_owned(L, capi_handle_at(L, 1)));
    return 1;
}

static int owner(lua_State *L) {
    const int32_t handle = capi_handle_at(L, 1);
    lua_rawgeti(L, lua_upvalueindex(LIVING), slot_of(handle));
    return handle != 0 && lua_istable(L, -1) && handle_of(L, lua_gettop(L)) == handle ? 1 : capi_push_nil(L);
}

static int disown(lua_State *L) {
    const int32_t handle = lua_istable(L, 1) ? handle_of(L, 1) : 0;
    const bool does_own = is_owned(L, handle);
    if (does_own) {
        lua_pushvalue(L, lua_upvalueindex(NAME));
        lua_pushnil(L);
        lua_rawset(L, 1);
        release(&owned_of(L)->places[slot_of(handle)]);
    }
    lua_pushboolean(L, does_own);
    return 1;
}

/* (self, kind) */
static int close(lua_State *L) {
    lua_settop(L, 2);
    if (lua_getmetatable(L, 1)) {
        lua_gettable(L, lua_upvalueindex(KINDS));
        if (lua_rawequal(L, 3, 2)) return disown(L);
    }
    lua_pushboolean(L, 0);
    return 1;
}

/* (value, kind, name) */
static int handle(lua_State *L) {
    lua_settop(L, 3);
    if (lua_getmetatable(L, 1)) {
        lua_gettable(L, lua_upvalueindex(KINDS));
        if (lua_rawequal(L, 4, 2) && lua_istable(L, 1)) {
            capi_push_field(L, 1, NAME);
            if (lua_toboolean(L, 5)) return 1;
        }
        lua_settop(L, 3);
    }
    lua_pushvalue(L, lua_upvalueindex(REFUSE));
    lua_insert(L, 1);
    lua_call(L, 3, 1);
    return 1;
}

static bool is_found(lua_State *L, int slot) {
    bool found;
    lua_rawgeti(L, lua_upvalueindex(LIVING), slot);
    found = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return found;
}

/* Whether to free a handle: its object is no longer in the weak table, and never will be again. Lua 5.2 and later
 * take an object out before they finalise what reached it, other than Lua 5.1 and LuaJIT. So that a script's
 * finaliser finds its objects, the next sweep frees the handle. */
static bool is_dead(lua_State *L, struct place *place, int slot) {
    if (place->was_not_found) return true;
    place->was_not_found = !is_found(L, slot);
    return place->was_not_found && LUA_VERSION_NUM < 502;
}

static void sweep(lua_State *L) {
    struct owned *all = owned_of(L);
    all->made = 0;
    capi_push_whole(L, 0);
    lua_rawseti(L, lua_upvalueindex(MADE), 1);
    for (int slot = 0; slot < all->size; slot++) {
        struct place *place = &all->places[slot];
        if (place->handle && is_dead(L, place, slot)) release(place);
    }
}

/* The finaliser of a userdata that each collection finds dead. */
static int after_collection(lua_State *L) {
    if (owned_of(L)->is_closed) return 0;
    sweep(L);
    lua_newuserdata(L, 1);
    lua_getmetatable(L, 1);
    lua_setmetatable(L, -2);
    return 0;
}

/* As the state closes, the newest is finalised first. So a script's own finalisers find their objects. LuaJIT also
 * finalises what finalisers have made, even after this library is unloaded: nothing of it may be left. */
static int at_end(lua_State *L) {
    struct owned *all = owned_of(L);
    all->is_closed = true;
    if (lua_getmetatable(L, lua_upvalueindex(LIVING))) {
        lua_getfield(L, -1, "sentinel");
        lua_pushnil(L);
        lua_setfield(L, -2, "__gc");
    }
    for (int slot = 0; slot < all->size; slot++)
        if (all->places[slot].handle) release(&all->places[slot]);
    return 0;
}

static int free_places(lua_State *L) {
    struct owned *all = lua_touserdata(L, 1);
    free(all->places);
    *all = (struct owned){.is_closed = true};
    return 0;
}

/* Pushes a function, whose upvalues are at these stack indices. */
static void push_function(lua_State *L, lua_CFunction function, const int *upvalues) {
    for (int i = 0; i < UPVALUES; i++)
        lua_pushvalue(L, upvalues[i]);
    lua_pushcclosure(L, function, UPVALUES);
}

/* Pushes a userdata with a finaliser. */
static void push_sentinel(lua_State *L, lua_CFunction finaliser, const int *upvalues) {
    lua_newuserdata(L, 1);
    lua_newtable(L);
    push_function(L, finaliser, upvalues);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
}

void capi_push_owners(lua_State *L, int position, const char *call) {
    int function;
    capi_table(L, position, call);
    lua_getfield(L, position, "own");
    if (lua_tocfunction(L, -1) != own) capi_refuse(L, position, call, "functions of object_setup expected");
    function = lua_gettop(L);
    for (int i = 1; i <= CAPI_OWNERS; i++)
        (void)lua_getupvalue(L, function, i);
    lua_remove(L, function);
}

void capi_check_setup(lua_State *L, const char *const *classes, const char *call) {
    const int top = lua_gettop(L);
    capi_push_owners(L, 1, call);
    lua_settop(L, top); /* an argument that is missing is not what was pushed */
    for (const char *const *each = classes; *each; each++) {
        capi_push_class(L, 2, *each, call);
        lua_settop(L, top);
    }
    if (!lua_isfunction(L, 3)) capi_mismatch(L, 3, "function", 3, call);
}

static void push_owned(lua_State *L) {
    struct owned *all = lua_newuserdata(L, sizeof *all);
    *all = (struct owned){.size = 0};
    lua_newtable(L);
    lua_pushcfunction(L, free_places);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
}

static int object_setup(lua_State *L) {
    static const char call[] = "object_setup";
    static const luaL_Reg functions[] = {{"handle", handle}, {"own", own},     {"owns", owns}, {"owner", owner},
                                         {"disown", disown}, {"close", close}, {NULL, NULL}};
    enum { LIVING_AT = 3, MODE_AT, OWNED_AT, MADE_AT, NAME_AT };
    static const int upvalues[UPVALUES] = {LIVING_AT, OWNED_AT, MADE_AT, NAME_AT, 1, 2};
    capi_table(L, 1, call);
    if (!lua_isfunction(L, 2)) capi_mismatch(L, 2, "function", 2, call);
    lua_settop(L, 2);
    lua_newtable(L);
    lua_newtable(L);
    capi_set_text(L, "__mode", "v");
    lua_pushvalue(L, MODE_AT);
    lua_setmetatable(L, LIVING_AT);
    push_owned(L);
    lua_newtable(L);
    capi_push_whole(L, 0);
    lua_rawseti(L, MADE_AT, 1);
    lua_pushliteral(L, "handle");
    push_sentinel(L, at_end, upvalues);
    lua_setfield(L, MODE_AT, "at_end");
    push_sentinel(L, after_collection, upvalues);
    if (lua_getmetatable(L, -1)) lua_setfield(L, MODE_AT, "sentinel");
    lua_newtable(L);
    for (const luaL_Reg *each = functions; each->name; each++) {
        push_function(L, each->func, upvalues);
        lua_setfield(L, -2, each->name);
    }
    lua_pushvalue(L, MADE_AT);
    lua_setfield(L, -2, "made");
    return 1;
}

const luaL_Reg capi_object_functions[] = {
    {"object_setup", object_setup},
    {NULL, NULL},
};
