/* mapping.c - arrays that lie in a buffer's memory, and buffers that lie in an array's. */
#include "capi.h"

struct capi_elements capi_elements(lua_State *L, int position, const char *call) {
    struct capi_elements e = {.code = capi_int(L, position, call)};
    if (clue_type_size(e.code) == 0) capi_refuse(L, position, call, "no type has code %d", (int)e.code);
    e.size = clue_type_size(e.code);
    e.offset = capi_long(L, position + 1, call);
    e.count = capi_long(L, position + 2, call);
    if (e.offset % e.size != 0)
        capi_refuse(L, position + 1, call, "%lld is no multiple of the %d bytes of an element", (long long)e.offset,
                    (int)e.size);
    e.size *= e.count;
    return e;
}

/* (queue, buffer, flags, code, offset, count); the array is there before the mapping, since making it may raise. */
static int queue_map(lua_State *L) {
    static const char call[] = "queue_map";
    int32_t queue = capi_int(L, 1, call), buffer = capi_int(L, 2, call);
    int64_t flags = capi_long(L, 3, call);
    const struct capi_elements e = capi_elements(L, 4, call);
    struct capi_array *self = capi_array_push(L, e.code);
    void *data;
    if (clue_queue_map(&data, &self->mapping, queue, buffer, flags, e.offset, e.size) != 0) return 0;
    self->data = data;
    self->count = e.count;
    return 1;
}

/* (queue, image, flags, code, origin, region) */
static int queue_map_image(lua_State *L) {
    static const char call[] = "queue_map_image";
    clue_image_part part = {.origin = {0}};
    int32_t queue = capi_int(L, 1, call), image = capi_int(L, 2, call);
    int64_t flags = capi_long(L, 3, call), size = 0;
    int32_t code = capi_int(L, 4, call);
    if (clue_type_size(code) == 0) capi_refuse(L, 4, call, "no type has code %d", (int)code);
    if (!lua_isnoneornil(L, 5)) (void)capi_sizes(L, part.origin, 3, 5, call);
    (void)capi_sizes(L, part.region, 3, 6, call);
    struct capi_array *self = capi_array_push(L, code);
    void *data;
    if (clue_queue_map_image(&data, &size, &self->mapping, queue, image, flags, &part) != 0) return 0;
    self->data = data;
    self->count = size / clue_type_size(code);
    capi_push_whole(L, part.row_pitch);
    capi_push_whole(L, part.slice_pitch);
    return 3;
}

static int array_owner(lua_State *L) {
    const struct capi_array *self = capi_array_any(L, 1, "array_owner");
    const char *kind = capi_array_owner(self);
    if (self->mapping && !kind) kind = self->mapping == CAPI_UNMAPPED ? "unmapped" : "mapping";
    lua_pushstring(L, kind); /* nil for NULL */
    return 1;
}

/* (context, array, flags) */
static int buffer_create_from(lua_State *L) {
    static const char call[] = "buffer_create_from";
    int32_t context = capi_int(L, 1, call), buffer = 0;
    const struct capi_array *a = capi_array(L, 2, call);
    int64_t flags = capi_long(L, 3, call), size = a->count * capi_array_size(a);
    int32_t code = clue_buffer_create_from(&buffer, context, a->data, size, flags);
    return capi_push_whole_or_nil(L, code, buffer);
}

/* (context, array, flags) */
static int buffer_create_in(lua_State *L) {
    static const char call[] = "buffer_create_in";
    int32_t context = capi_int(L, 1, call), buffer = 0;
    struct capi_array *a = capi_array(L, 2, call);
    int64_t flags = capi_long(L, 3, call), size = a->count * capi_array_size(a);
    int32_t code = clue_buffer_create_in(&buffer, &a->mapping, context, a->data, size, flags);
    return capi_push_whole_or_nil(L, code, buffer);
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
        self->mapping = CAPI_UNMAPPED;
    }
    return capi_push_done(L, code);
}

const luaL_Reg capi_mapping_functions[] = {
    {"array_owner", array_owner},
    {"buffer_create_from", buffer_create_from},
    {"buffer_create_in", buffer_create_in},
    {"queue_map", queue_map},
    {"queue_map_image", queue_map_image},
    {"queue_unmap", queue_unmap},
    {NULL, NULL},
};
