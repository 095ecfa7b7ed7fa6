/* buffer.c - makes the objects of buffers: see bindings/ffi/buffer.lua. */
#include "capi.h"

/* Upvalues: the owners, the names of fields, then what buffer_setup was given. */
enum { SIZE = CAPI_OWNERS + 1, CONTEXT_NAME, ELEMENTS, COPIES, CONTEXT, BUFFER, REST };
static const char *const names[] = {"size", "context", "elements", "copies_sooner"};

enum { CONTEXT_AT = 1, SIZE_AT, FLAGS_AT };
enum { READ_WRITE = 1 }; /* CL_MEM_READ_WRITE */

struct buffer {
    const struct capi_array *from; /* or NULL */
    int64_t size;
    int32_t context, handle;
};

static bool does_copy_sooner(lua_State *L) {
    bool copies;
    capi_push_field(L, CONTEXT_AT, COPIES);
    copies = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return copies;
}

/* Of a number, or of an array that the driver copies sooner. */
static bool find_size(lua_State *L, struct buffer *made_out) {
    made_out->from = NULL;
    if (capi_is_size(L, SIZE_AT, &made_out->size)) return true;
    made_out->from = capi_array_test(L, SIZE_AT);
    if (!made_out->from) return false;
    made_out->size = made_out->from->count * capi_array_size(made_out->from);
    return made_out->from->mapping != CAPI_UNMAPPED && does_copy_sooner(L);
}

/* Of a context's object. */
static int32_t find_context(lua_State *L) {
    const void *class = lua_topointer(L, lua_upvalueindex(CONTEXT));
    return capi_object(L, CONTEXT_AT, &class, 1);
}

static int go_on(lua_State *L, bool refused) {
    lua_pushvalue(L, lua_upvalueindex(REST));
    lua_pushboolean(L, refused);
    for (int i = CONTEXT_AT; i <= FLAGS_AT; i++)
        lua_pushvalue(L, i);
    lua_call(L, 4, 1);
    return 1;
}

static int push_buffer(lua_State *L, const struct buffer *made) {
    int self;
    lua_createtable(L, 0, 4);
    self = lua_gettop(L);
    lua_pushvalue(L, lua_upvalueindex(SIZE));
    if (made->from)
        capi_push_whole(L, made->size);
    else
        lua_pushvalue(L, SIZE_AT);
    lua_rawset(L, self);
    lua_pushvalue(L, lua_upvalueindex(CONTEXT_NAME));
    lua_pushvalue(L, CONTEXT_AT);
    lua_rawset(L, self);
    lua_pushvalue(L, lua_upvalueindex(ELEMENTS));
    if (made->from)
        capi_push_whole(L, made->from->code);
    else
        lua_pushboolean(L, 0);
    lua_rawset(L, self);
    capi_own(L, self, made->handle, lua_upvalueindex(BUFFER));
    return 1;
}

/* (context, size, flags) */
static int new_buffer(lua_State *L) {
    struct buffer made;
    int32_t code;
    lua_settop(L, FLAGS_AT);
    made.context = lua_isnil(L, FLAGS_AT) ? find_context(L) : 0;
    if (!made.context || !find_size(L, &made) || clue_memory_crowded(0) == 1) return go_on(L, false);
    code = made.from ? clue_buffer_create_from(&made.handle, made.context, made.from->data, made.size, READ_WRITE)
                     : clue_buffer_create(&made.handle, made.context, made.size, READ_WRITE);
    return code ? go_on(L, true) : push_buffer(L, &made);
}

/* (objects, classes, rest) */
static int buffer_setup(lua_State *L) {
    static const char call[] = "buffer_setup";
    static const char *const classes[] = {"context", "buffer", NULL};
    capi_check_setup(L, classes, call);
    capi_push_owners(L, 1, call);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        lua_pushstring(L, names[i]);
    for (const char *const *each = classes; *each; each++)
        capi_push_class(L, 2, *each, call);
    lua_pushvalue(L, 3);
    lua_pushcclosure(L, new_buffer, REST);
    return 1;
}

const luaL_Reg capi_buffer_functions[] = {
    {"buffer_setup", buffer_setup},
    {NULL, NULL},
};
