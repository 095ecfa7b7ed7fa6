/* guard.c - guards: userdata that free handles when they are collected. One guard frees one handle, or up to 64
 * handles that need not be freed soon, so that most of these need no userdata of their own. */
#include "capi.h"

/* WEIGHT: bytes that the collector counts for each handle; it sees nothing of what drivers keep for an event. */
enum { SHARE = 64, WEIGHT = 512 };

struct guard {
    int32_t count, handles[];
};

/* Names in the registry: the metatable of guards; a weak list of the one that can still be shared. Their addresses
 * are the keys. */
static char guards[] = "clue.capi.guards", newest[] = "clue.capi.newest_guard";

static int guard_drop(lua_State *L) {
    struct guard *self = lua_touserdata(L, 1);
    clue_handles_drop(self->handles, self->count);
    self->count = 0;
    return 0;
}

static int guard_tostring(lua_State *L) {
    lua_pushliteral(L, "guard");
    return 1;
}

static void get_registered(lua_State *L, char *key) {
    lua_pushlightuserdata(L, key);
    lua_rawget(L, LUA_REGISTRYINDEX);
}

/* Registers the table on top of the stack. */
static void set_registered(lua_State *L, char *key) {
    lua_pushlightuserdata(L, key);
    lua_pushvalue(L, -2);
    lua_rawset(L, LUA_REGISTRYINDEX);
}

/* Test runners open the module again, but guards that exist must stay guards. */
void capi_open_guards(lua_State *L) {
    bool open;
    get_registered(L, guards);
    open = !lua_isnil(L, -1);
    lua_pop(L, 1);
    if (open) return;
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, guard_drop);
    lua_setfield(L, -2, "__gc");
    lua_pushcfunction(L, guard_tostring);
    lua_setfield(L, -2, "__tostring");
    set_registered(L, guards);
    lua_createtable(L, 1, 0);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    set_registered(L, newest);
    lua_pop(L, 2);
}

static struct guard *push_guard(lua_State *L, size_t size) {
    struct guard *self = lua_newuserdata(L, size);
    self->count = 0;
    get_registered(L, guards);
    lua_setmetatable(L, -2);
    return self;
}

static int guard_create(lua_State *L) {
    const int32_t handle = capi_int(L, 1, "guard_create");
    struct guard *self = push_guard(L, sizeof *self + sizeof handle);
    self->handles[self->count++] = handle;
    return 1;
}

/* Up to SHARE handles have one guard, as long as something needs it. */
static int guard_share(lua_State *L) {
    const int32_t handle = capi_int(L, 1, "guard_share");
    struct guard *self;
    get_registered(L, newest);
    lua_rawgeti(L, -1, 1);
    self = lua_touserdata(L, -1); /* NULL for nil */
    if (!self || self->count == SHARE) {
        lua_pop(L, 1);
        self = push_guard(L, (size_t)SHARE * WEIGHT);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, 1);
    }
    self->handles[self->count++] = handle;
    return 1;
}

static bool is_guard(lua_State *L) {
    bool is = false;
    if (lua_isuserdata(L, 1) && lua_getmetatable(L, 1)) {
        get_registered(L, guards);
        is = lua_rawequal(L, -1, -2);
        lua_pop(L, 2);
    }
    return is;
}

static int guard_free(lua_State *L) {
    struct guard *self = lua_touserdata(L, 1);
    int32_t handle;
    if (!is_guard(L)) capi_mismatch(L, 1, "guard", 1, "guard_free");
    handle = capi_int(L, 2, "guard_free");
    for (int32_t i = 0; i < self->count; i++)
        if (self->handles[i] == handle) {
            clue_handles_drop(&handle, 1);
            self->handles[i] = 0;
        }
    return 0;
}

const luaL_Reg capi_guard_functions[] = {
    {"guard_create", guard_create},
    {"guard_free", guard_free},
    {"guard_share", guard_share},
    {NULL, NULL},
};
