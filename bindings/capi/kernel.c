/* kernel.c - sets the arguments of a kernel, all at once, and launches it: see bindings/ffi/kernel.lua.
 *
 * Each call of Lua's interface takes as long as all that the core does for a number. So a launch reads a field
 * once, compares classes by their addresses, and knows what a kernel takes from a plan in C. */
#include "capi.h"

/* Upvalues of the functions here: the owners, the names of objects' fields, then what launch_setup was given. */
enum { HANDLE = CAPI_HANDLE, WAITS, USUAL, ELEMENTS, PARENT, NAMES = PARENT, QUEUE, EVENT, TAKEN, REST, KNOWN };
static const char *const names[] = {"waits", "usual", "elements", "parent"};

static void push_names(lua_State *L) {
    for (int i = CAPI_OWNERS; i < NAMES; i++)
        lua_pushstring(L, names[i - CAPI_OWNERS]);
}

/* ---- arguments ---- */

enum { DONE, NOT_TAKEN, REFUSED };

/* The handle of the object at a stack index, if its class is in a table; 0 if it is none, or was closed. */
static int32_t find_handle(lua_State *L, int index, int kinds) {
    if (!lua_getmetatable(L, index)) return 0;
    lua_rawget(L, kinds);
    if (!lua_toboolean(L, -1) || !lua_istable(L, index)) return 0;
    capi_push_field(L, index, HANDLE);
    return capi_handle_at(L, -1);
}

static int set_number(lua_State *L, int32_t kernel, int32_t index, int position) {
    double value;
    if (!capi_exact_at(L, position, &value)) return NOT_TAKEN;
    return clue_kernel_set_number(kernel, index, CLUE_AUTO, value) ? REFUSED : DONE;
}

static int set_object(int32_t kernel, int32_t index, int32_t handle) {
    if (!handle) return NOT_TAKEN;
    return clue_kernel_set_object(kernel, index, handle, 0) ? REFUSED : DONE;
}

/* held: the stack index of the table that keeps the arguments alive. */
static void hold(lua_State *L, int32_t index, int position, int held) {
    lua_pushvalue(L, position);
    lua_rawseti(L, held, index);
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
    for (int position = FIRST_AT; position <= last && how == DONE; position++) {
        how = lua_type(L, position) == LUA_TNUMBER ? set_number(L, kernel, index, position)
                                                   : set_object(kernel, index, find_handle(L, position, KINDS_AT));
        lua_settop(L, last);
        if (how == DONE) hold(L, index++, position, HELD_AT);
    }
    if (how == REFUSED) lua_pushnil(L);
    capi_push_whole(L, index);
    return how == REFUSED ? 2 : 1;
}

/* ---- what pointers point at ---- */

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

/* Whether the buffer at a stack index has elements of a size, or of one byte, as far as it is known. */
static bool is_of(lua_State *L, int buffer, int64_t size) {
    const int64_t held = element_size(L, buffer);
    return held <= 1 || held == size;
}

/* ---- sizes ---- */

/* How many sizes there are, in a plain table or as a number; 0 if they are not as usual. */
static int find_sizes(lua_State *L, int index, int64_t *sizes_out) {
    int count;
    if (capi_is_size(L, index, sizes_out)) return 1;
    if (!lua_istable(L, index) || lua_getmetatable(L, index)) return 0;
    count = (int)lua_rawlen(L, index);
    if (count > 3) return 0;
    for (int i = 0; i < count; i++) {
        bool found;
        lua_rawgeti(L, index, i + 1);
        found = capi_is_size(L, -1, &sizes_out[i]);
        lua_pop(L, 1);
        if (!found) return 0;
    }
    return count;
}

/* ---- plans: a kernel's field usual in C, which it also holds ---- */

static const char mark; /* every plan begins with its address, as arrays do with theirs */

struct plan {
    const void *mark;
    int32_t count;    /* of arguments */
    int64_t points[]; /* by argument: the bytes of what it points at; 0: it is no pointer to such */
};

enum { PLAN_COUNT = 1, PLAN_HELD, PLAN_POINTERS, PLAN };

static const struct plan *plan_at(lua_State *L, int index) {
    const struct plan *self = lua_touserdata(L, index);
    return self && lua_rawlen(L, index) >= sizeof *self && self->mark == &mark ? self : NULL;
}

/* Makes it of the table at an index, where it stays; NULL if that is none of clue's. */
static const struct plan *make_plan(lua_State *L, int usual) {
    const int top = lua_gettop(L);
    struct plan *made;
    int count, pointers;
    lua_rawgeti(L, usual, PLAN_COUNT);
    count = (int)lua_tonumber(L, -1);
    lua_rawgeti(L, usual, PLAN_POINTERS);
    pointers = lua_gettop(L);
    if (count < 0 || count > UINT16_MAX || !lua_istable(L, pointers)) return NULL;
    made = lua_newuserdata(L, sizeof *made + (size_t)count * sizeof *made->points);
    *made = (struct plan){.mark = &mark, .count = count};
    for (int i = 0; i < count; i++)
        made->points[i] = 0;
    lua_pushvalue(L, -1);
    lua_rawseti(L, usual, PLAN);
    for (int i = 1; i < (int)lua_rawlen(L, pointers); i += 2) {
        int index;
        lua_rawgeti(L, pointers, i);
        lua_rawgeti(L, pointers, i + 1);
        index = (int)lua_tonumber(L, -2);
        if (index >= 0 && index < count) made->points[index] = (int64_t)lua_tonumber(L, -1);
        lua_pop(L, 2);
    }
    lua_settop(L, top);
    return made;
}

/* Leaves on the stack what the kernel holds, and the plan. NULL if the table at an index is none of clue's. */
static const struct plan *find_plan(lua_State *L, int usual) {
    const struct plan *found;
    lua_rawgeti(L, usual, PLAN_HELD);
    lua_rawgeti(L, usual, PLAN);
    found = plan_at(L, -1);
    if (!found) found = make_plan(L, usual);
    return found && lua_istable(L, -2) ? found : NULL;
}

/* Whether all arguments are buffers with the elements that the plan has. */
static bool held_fit(lua_State *L, const struct plan *plan, int held) {
    const int top = lua_gettop(L);
    for (int i = 0; i < plan->count; i++) {
        if (plan->points[i] <= 1) continue;
        lua_rawgeti(L, held, i);
        if (!is_of(L, top + 1, plan->points[i])) return false;
        lua_settop(L, top);
    }
    return true;
}

/* (usual) */
static int kernel_fits(lua_State *L) {
    const struct plan *plan;
    capi_table(L, 1, "kernel_fits");
    lua_settop(L, 1);
    plan = find_plan(L, 1);
    lua_pushboolean(L, !plan || held_fit(L, plan, 2));
    return 1;
}

/* ---- launches ---- */

/* The classes that launch_setup was given, which its upvalues keep alive. */
struct known {
    const void *queue;
    int taken_count;
    const void *taken[];
};

struct launch {
    const struct known *known;
    const struct plan *plan;
    int32_t kernel, queue;
    int dimensions, held; /* held: stack index */
    int64_t global[3], local[3];
    const int64_t *local_or_null;
};

enum { SELF_AT = 1, QUEUE_AT, GLOBAL_AT, LOCAL_AT, FIRST_AT };

/* A queue's object that waits for no events. */
static bool find_queue(lua_State *L, struct launch *made_out) {
    made_out->queue = capi_object(L, QUEUE_AT, &made_out->known->queue, 1);
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

/* A kernel's object that was launched before. Leaves what it holds on the stack. */
static bool find_kernel(lua_State *L, struct launch *made_out) {
    int usual;
    if (!lua_istable(L, SELF_AT)) return false;
    capi_push_field(L, SELF_AT, HANDLE);
    made_out->kernel = capi_handle_at(L, -1);
    capi_push_field(L, SELF_AT, USUAL);
    usual = lua_gettop(L);
    if (!made_out->kernel || !lua_istable(L, usual)) return false;
    made_out->held = usual + 1;
    made_out->plan = find_plan(L, usual);
    return made_out->plan != NULL;
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

/* Sets an argument. *fits_inout becomes false if it is a buffer with other elements than the kernel's. */
static int set(lua_State *L, const struct launch *made, int32_t index, bool *fits_inout) {
    const int position = FIRST_AT + index, top = lua_gettop(L);
    const bool is_number = lua_type(L, position) == LUA_TNUMBER;
    const struct known *known = made->known;
    const int how =
        is_number ? set_number(L, made->kernel, index, position)
                  : set_object(made->kernel, index, capi_object(L, position, known->taken, known->taken_count));
    if (how != DONE) return how;
    if (made->plan->points[index] > 1 && !is_of(L, position, made->plan->points[index])) *fits_inout = false;
    lua_settop(L, top);
    hold(L, index, position, made->held);
    return DONE;
}

static int push_event(lua_State *L, int32_t event) {
    lua_createtable(L, 0, 1);
    capi_own(L, lua_gettop(L), event, lua_upvalueindex(EVENT));
    return 1;
}

/* (self, queue, global, local_size, ...) */
static int launch(lua_State *L) {
    const int last = lua_gettop(L), given = last - LOCAL_AT;
    struct launch made = {.known = lua_touserdata(L, lua_upvalueindex(KNOWN))};
    bool fit = true;
    int32_t event;
    luaL_checkstack(L, 24, NULL);
    if (given < 0 || !find_queue(L, &made) || !find_range(L, &made) || !find_kernel(L, &made) ||
        (given > 0 && given != made.plan->count))
        return go_on(L, last, NULL, DONE, 0);
    for (int i = 0; i < given; i++) {
        const int how = set(L, &made, i, &fit);
        if (how != DONE) return go_on(L, last, "argument", how, i);
    }
    if (given == 0) fit = held_fit(L, made.plan, made.held);
    if (!fit) return go_on(L, last, "argument", DONE, given);
    if (clue_queue_execute(&event, made.queue, made.kernel, made.dimensions, NULL, made.global, made.local_or_null))
        return go_on(L, last, "command", DONE, 0);
    return push_event(L, event);
}

static int count_fields(lua_State *L, int table) {
    int count = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
        count++;
    return count;
}

/* Pushes what is known of the classes at these stack indices. */
static void push_known(lua_State *L, int queue, int taken) {
    const size_t count = (size_t)count_fields(L, taken);
    struct known *known = lua_newuserdata(L, sizeof *known + count * sizeof *known->taken);
    *known = (struct known){.queue = lua_topointer(L, queue)};
    for (lua_pushnil(L); lua_next(L, taken); lua_pop(L, 1))
        known->taken[known->taken_count++] = lua_topointer(L, -2);
}

/* (objects, classes, rest) */
static int launch_setup(lua_State *L) {
    static const char call[] = "launch_setup";
    static const char *const classes[] = {"queue", "event", "taken", NULL};
    const int first = 4; /* of the upvalues */
    capi_check_setup(L, classes, call);
    lua_settop(L, 3);
    capi_push_owners(L, 1, call);
    push_names(L);
    for (const char *const *each = classes; *each; each++)
        capi_push_class(L, 2, *each, call);
    lua_pushvalue(L, 3);
    push_known(L, first + QUEUE - 1, first + TAKEN - 1);
    lua_pushcclosure(L, launch, KNOWN);
    return 1;
}

void capi_set_kernel_functions(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"kernel_set_arguments", set_arguments}, {"kernel_fits", kernel_fits}, {NULL, NULL}};
    for (const luaL_Reg *each = functions; each->name; each++) {
        for (int i = 1; i < HANDLE; i++)
            lua_pushnil(L); /* they make no objects */
        lua_pushliteral(L, "handle");
        push_names(L);
        lua_pushcclosure(L, each->func, NAMES);
        lua_setfield(L, -2, each->name);
    }
    lua_pushcfunction(L, launch_setup);
    lua_setfield(L, -2, "launch_setup");
}
