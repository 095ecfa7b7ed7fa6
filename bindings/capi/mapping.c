/* mapping.c - arrays that lie in a buffer's memory. */
#include "capi.h"

/* (queue, buffer, flags, code, offset, count); the array is there before the mapping, since making it may raise. */
static int queue_map(lua_State *L) {
    static const char call[] = "queue_map";
    int32_t queue = capi_int(L, 1, call), buffer = capi_int(L, 2, call);
    int64_t flags = capi_long(L, 3, call);
    int32_t code = capi_int(L, 4, call);
    if (clue_type_size(code) == 0) capi_refuse(L, 4, call, "no type has code %d", (int)code);
    int64_t offset = capi_long(L, 5, call), count = capi_long(L, 6, call), size = clue_type_size(code);
    if (offset % size != 0)
        capi_refuse(L, 5, call, "%lld is no multiple of the %d bytes of an element", (long long)offset, (int)size);
    struct capi_array *self = capi_array_push(L, code);
    void *data;
    if (clue_queue_map(&data, &self->mapping, queue, buffer, flags, offset, count * size) != 0) return 0;
    self->data = data;
    self->count = count;
    return 1;
}

static int array_is_mapped(lua_State *L) {
    lua_pushboolean(L, capi_array(L, 1, "array_is_mapped")->mapping != 0);
    return 1;
}

static int queue_unmap(lua_State *L) {
    static const char call[] = "queue_unmap";
    int32_t queue = capi_int(L, 1, call);
    struct capi_array *self = capi_array(L, 2, call);
    if (!self->mapping) capi_refuse(L, 2, call, "the array is not mapped");
    int32_t code = clue_queue_unmap(queue, self->mapping);
    if (code == 0) {
        self->data = NULL;
        self->count = 0;
        self->mapping = 0;
    }
    return capi_push_done(L, code);
}

const luaL_Reg capi_mapping_functions[] = {
    {"array_is_mapped", array_is_mapped},
    {"queue_map", queue_map},
    {"queue_unmap", queue_unmap},
    {NULL, NULL},
};
