/* kernel.c - sets the arguments of a kernel, all at once, and launches it: see bindings/ffi/kernel.lua. */
#include "capi.h"

/* Upvalues of the functions here: the owners, the names of objects' fields, then what launch_setup was given. */
enum { HANDLE = CAPI_HANDLE, WAITS, USUAL, ELEMENTS, PARENT, NAMES = PARENT, QUEUE, EVENT, TAKEN, MADE, REST };
static const char *const names[] = {"waits", "usual", "elements", "parent"};

static void push_names(lua_State *L) {
    for (int i = CAPI_OWNERS; i < NAMES; i++)
        lua_pushstring(L, names[i - CAPI_OWNERS]);
}

/* ---- arguments ---- */

enum { DONE, NOT_TAKEN, REFUSED };

/* The handle of the object at a stack index, if its class is in a table; 0 if it is none, or was closed. */
static int32_t find_handle(lua_State *L, int index, int kinds) {
    const int top = lua_gettop(L);
    double handle = 0;
    if (!lua_getmetatable(L, index)) return 0;
    lua_rawget(L, kinds);
    if (lua_toboolean(L, -1) && lua_istable(L, index)) {
        capi_push_field(L, index, HANDLE);
        handle = lua_tonumber(L, -1);
    }
    lua_settop(L, top);
    return handle > 0 && handle < 2147483648.0 ? (int32_t)handle : 0;
}

/* kinds, held: stack indices. */
static int set(lua_State *L, int32_t kernel, int32_t index, int position, int kinds, int held) {
    int32_t code;
    if (lua_type(L, position) == LUA_TNUMBER) {
        if (!capi_is_exact(L, position)) return NOT_TAKEN;
        code = clue_kernel_set_number(kernel, index, CLUE_AUTO, lua_tonumber(L, position));
    } else {
        const int32_t handle = find_handle(L, position, kinds);
        if (!handle) return NOT_TAKEN;
        code = clue_kernel_set_object(kernel, index, handle, 0);
    }
    if (code) return REFUSED;
    lua_pushvalue(L, position);
    lua_rawseti(L, held, index);
    return DONE;
}

/* (kernel, first, kinds, held, ...) */
static int set_arguments(lua_State *L) {
    enum { KINDS_AT = 3, HELD_AT, FIRST_AT };
    static const char call[] = "kernel_set_arguments";
    const int32_t kernel = capi_int(L, 1, call);
    const int last = lua_gettop(L);
    int32_t index = capi_int(L, 2, call);
    int how = DONE;
    capi_table(L, KINDS_AT, call);
    capi_table(L, HELD_AT, call);
    luaL_checkstack(L, 3, NULL);
    for (int position = FIRST_AT; position <= last && how == DONE; position++)
        if ((how = set(L, kernel, index, position, KINDS_AT, HELD_AT)) == DONE) index++;
    if (how == REFUSED) lua_pushnil(L);
    capi_push_whole(L, index);
    return how == REFUSED ? 2 : 1;
}

/* The bytes of an element of the buffer at a stack index, as the host wrote it last; 0 if that is not known. */
static int64_t element_size(lua_State *L, int buffer) {
    if (!lua_istable(L, buffer)) return 0;
    capi_push_field(L, buffer, ELEMENTS);
    if (lua_isnil(L, -1)) {
        capi_push_field(L, buffer, PARENT);
        if (lua_istable(L, -1)) capi_push_field(L, lua_gettop(L), ELEMENTS);
    }
    return lua_toboolean(L, -1) ? clue_type_size((int32_t)lua_tonumber(L, -1)) : 0;
}

static bool fits(lua_State *L, int pointers, int held) {
    const int top = lua_gettop(L), count = (int)lua_rawlen(L, pointers);
    for (int i = 1; i < count; i += 2) {
        int64_t size;
        lua_rawgeti(L, pointers, i);
        lua_rawgeti(L, held, (int)lua_tonumber(L, -1));
        size = element_size(L, top + 2);
        if (size > 1) {
            lua_rawgeti(L, pointers, i + 1);
            if (size != (int64_t)lua_tonumber(L, -1)) return false;
        }
        lua_settop(L, top);
    }
    return true;
}

/* (pointers, held) */
static int kernel_fits(lua_State *L) {
    static const char call[] = "kernel_fits";
    capi_table(L, 1, call);
    capi_table(L, 2, call);
    lua_settop(L, 2);
    lua_pushboolean(L, fits(L, 1, 2));
    return 1;
}

/* ---- launches ---- */

static bool is_size(lua_State *L, int index, int64_t *size_out) {
    const double value = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : -1;
    if (!(value >= 0 && value < 0x1p53)) return false;
    *size_out = (int64_t)value;
    return (double)*size_out == value;
}

/* How many sizes there are, in a plain table or as a number; 0 if they are not as usual. */
static int find_sizes(lua_State *L, int index, int64_t *sizes_out) {
    int count;
    if (!lua_istable(L, index)) return is_size(L, index, sizes_out);
    if (lua_getmetatable(L, index)) return 0;
    count = (int)lua_rawlen(L, index);
    if (count > 3) return 0;
    for (int i = 0; i < count; i++) {
        bool found;
        lua_rawgeti(L, index, i + 1);
        found = is_size(L, -1, &sizes_out[i]);
        lua_pop(L, 1);
        if (!found) return 0;
    }
    return count;
}

struct launch {
    int32_t kernel, queue, count; /* of the kernel's arguments */
    int dimensions, held, pointers;
    int64_t global[3], local[3];
    const int64_t *local_or_null;
};

enum { SELF_AT = 1, QUEUE_AT, GLOBAL_AT, LOCAL_AT, FIRST_AT };

/* A queue's object that waits for no events. */
static bool find_queue(lua_State *L, struct launch *made_out) {
    made_out->queue = capi_object(L, QUEUE_AT, lua_upvalueindex(QUEUE));
    if (!made_out->queue) return false;
    capi_push_field(L, QUEUE_AT, WAITS);
    return !lua_toboolean(L, -1);
}

static bool find_range(lua_State *L, struct launch *made_out) {
    made_out->dimensions = find_sizes(L, GLOBAL_AT, made_out->global);
    made_out->local_or_null = lua_isnil(L, LOCAL_AT) ? NULL : made_out->local;
    return made_out->dimensions > 0 &&
           (!made_out->local_or_null || find_sizes(L, LOCAL_AT, made_out->local) == made_out->dimensions);
}

/* A kernel's object that was launched before. Leaves held and pointers on the stack. */
static bool find_kernel(lua_State *L, struct launch *made_out) {
    int usual;
    if (!lua_istable(L, SELF_AT)) return false;
    capi_push_field(L, SELF_AT, HANDLE);
    made_out->kernel = (int32_t)lua_tonumber(L, -1);
    capi_push_field(L, SELF_AT, USUAL);
    usual = lua_gettop(L);
    if (!made_out->kernel || !lua_istable(L, usual)) return false;
    for (int i = 1; i <= 3; i++)
        lua_rawgeti(L, usual, i);
    made_out->count = (int32_t)lua_tonumber(L, usual + 1);
    made_out->held = usual + 2;
    made_out->pointers = usual + 3;
    return lua_istable(L, made_out->held) && lua_istable(L, made_out->pointers);
}

/* Lets Lua go on: after nothing was done ("nil"), at an argument that was not set, or after the core's refusal. */
static int go_on(lua_State *L, int last, const char *stopped, int how, int32_t index) {
    luaL_checkstack(L, last + 8, NULL);
    lua_pushvalue(L, lua_upvalueindex(REST));
    lua_pushstring(L, stopped);
    if (how == REFUSED) lua_pushnil(L);
    capi_push_whole(L, index);
    if (how != REFUSED) lua_pushnil(L);
    for (int i = 1; i <= last; i++)
        lua_pushvalue(L, i);
    lua_call(L, 3 + last, 1);
    return 1;
}

static int push_event(lua_State *L, int32_t event) {
    lua_rawgeti(L, lua_upvalueindex(MADE), 1);
    capi_push_whole(L, (int64_t)lua_tonumber(L, -1) + 1);
    lua_rawseti(L, lua_upvalueindex(MADE), 1);
    lua_createtable(L, 0, 1);
    capi_own(L, lua_gettop(L), event, lua_upvalueindex(EVENT));
    return 1;
}

/* (self, queue, global, local_size, ...) */
static int launch(lua_State *L) {
    const int last = lua_gettop(L), given = last - LOCAL_AT;
    struct launch made;
    int32_t event;
    luaL_checkstack(L, 24, NULL);
    if (given < 0 || !find_queue(L, &made) || !find_range(L, &made) || !find_kernel(L, &made) ||
        (given > 0 && given != made.count))
        return go_on(L, last, NULL, DONE, 0);
    for (int i = 0; i < given; i++) {
        const int how = set(L, made.kernel, i, FIRST_AT + i, lua_upvalueindex(TAKEN), made.held);
        if (how != DONE) return go_on(L, last, "argument", how, i);
    }
    if (!fits(L, made.pointers, made.held)) return go_on(L, last, "argument", DONE, given);
    if (clue_queue_execute(&event, made.queue, made.kernel, made.dimensions, NULL, made.global, made.local_or_null))
        return go_on(L, last, "command", DONE, 0);
    return push_event(L, event);
}

/* (objects, classes, rest) */
static int launch_setup(lua_State *L) {
    static const char call[] = "launch_setup";
    static const char *const classes[] = {"queue", "event", "taken", "made", NULL};
    capi_check_setup(L, classes, call);
    capi_push_owners(L, 1, call);
    push_names(L);
    for (const char *const *each = classes; *each; each++)
        capi_push_class(L, 2, *each, call);
    lua_pushvalue(L, 3);
    lua_pushcclosure(L, launch, REST);
    return 1;
}

void capi_set_kernel_functions(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"kernel_set_arguments", set_arguments}, {"kernel_fits", kernel_fits}, {NULL, NULL}};
    for (const luaL_Reg *each = functions; each->name; each++) {
        lua_pushnil(L); /* they make no objects */
        lua_pushnil(L);
        lua_pushliteral(L, "handle");
        push_names(L);
        lua_pushcclosure(L, each->func, NAMES);
        lua_setfield(L, -2, each->name);
    }
    lua_pushcfunction(L, launch_setup);
    lua_setfield(L, -2, "launch_setup");
}
