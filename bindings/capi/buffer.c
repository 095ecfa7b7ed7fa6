/* buffer.c - buffers and their transfers. */
#include "capi.h"

static int buffer_create(lua_State *L) {
    static const char call[] = "buffer_create";
    int32_t context = capi_int(L, 1, call), buffer = 0;
    int64_t bytes = capi_long(L, 2, call), flags = capi_long(L, 3, call);
    int32_t code = clue_buffer_create(&buffer, context, bytes, flags);
    return capi_push_whole_or_nil(L, code, buffer);
}

/* (buffer, flags, offset, size) */
static int buffer_create_sub(lua_State *L) {
    static const char call[] = "buffer_create_sub";
    int32_t buffer = capi_int(L, 1, call), made = 0;
    int64_t flags = capi_long(L, 2, call), offset = capi_long(L, 3, call), size = capi_long(L, 4, call);
    int32_t code = clue_buffer_create_sub(&made, buffer, flags, offset, size);
    return capi_push_whole_or_nil(L, code, made);
}

static int buffer_size(lua_State *L) {
    int64_t size = 0;
    int32_t code = clue_buffer_size(&size, capi_int(L, 1, "buffer_size"));
    return capi_push_whole_or_nil(L, code, size);
}

static int buffer_offset(lua_State *L) {
    int64_t offset = 0;
    int32_t code = clue_buffer_offset(&offset, capi_int(L, 1, "buffer_offset"));
    return capi_push_whole_or_nil(L, code, offset);
}

struct capi_transfer capi_transfer(lua_State *L, int position, const char *call) {
    struct capi_transfer t;
    int64_t first, count;
    t.buffer = capi_int(L, position, call);
    t.offset = capi_long(L, position + 1, call);
    const struct capi_array *array = capi_array(L, position + 2, call);
    capi_array_range(L, array, &first, &count, position + 3, call);
    t.data = first > 0 ? array->data + first * capi_array_size(array) : array->data;
    t.size = count * capi_array_size(array);
    return t;
}

/* ---- transfers on the context's own queue: (buffer, offset, array, first, count) ---- */

static int buffer_write(lua_State *L) {
    struct capi_transfer t = capi_transfer(L, 1, "buffer_write");
    return capi_push_done(L, clue_buffer_write(t.buffer, t.offset, t.data, t.size));
}

static int buffer_read(lua_State *L) {
    struct capi_transfer t = capi_transfer(L, 1, "buffer_read");
    return capi_push_done(L, clue_buffer_read(t.data, t.buffer, t.offset, t.size));
}

const luaL_Reg capi_buffer_functions[] = {
    {"buffer_create", buffer_create},
    {"buffer_create_sub", buffer_create_sub},
    {"buffer_read", buffer_read},
    {"buffer_offset", buffer_offset},
    {"buffer_size", buffer_size},
    {"buffer_write", buffer_write},
    {NULL, NULL},
};
