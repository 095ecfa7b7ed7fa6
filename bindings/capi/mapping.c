/* mapping.c - arrays in the memory of a buffer, of an image or of shared virtual memory. */
#include "capi.h"

/* Elements in OpenCL's memory: type, offset and count are arguments at a position and after it. */
struct elements {
    int32_t code;
    int64_t offset, count, size; /* size: in bytes */
};

static struct elements elements_at(lua_State *L, int position, const char *call) {
    struct elements e = {.code = capi_int(L, position, call)};
    if (clue_type_size(e.code) == 0) capi_refuse(L, position, call, "no type has code %d", (int)e.code);
    e.size = clue_type_size(e.code);
    e.offset = capi_long(L, position + 1, call);
    e.count = capi_long(L, position + 2, call);
    if (e.offset % e.size != 0)
        capi_refuse(L, position + 1, call, "%lld is not a multiple of the %d bytes of an element",
                    (long long)e.offset, (int)e.size);
    e.size *= e.count;
    return e;
}

/* (queue, memory, flags, code, offset, count). Makes the array before the mapping, since that may raise. */
static int queue_map(lua_State *L) {
    static const char call[] = "queue_map";
    int32_t queue = capi_int(L, 1, call), memory = capi_int(L, 2, call);
    int64_t flags = capi_long(L, 3, call);
    const struct elements e = elements_at(L, 4, call);
    struct capi_array *self = capi_array_push(L, e.code);
    void *data;
    if (clue_queue_map(&data, &self->mapping, queue, memory, flags, e.offset, e.size) != 0) return 0;
    self->data = data;
    self->count = e.count;
    return 1;
}

/* (queue, image, flags, code, origin, region) */
static int queue_map_image(lua_State *L) {
    static const char call[] = "queue_map_image";
    clue_image_part part = {.row_pitch = 0};
    int32_t queue = capi_int(L, 1, call), image = capi_int(L, 2, call);
    int64_t flags = capi_long(L, 3, call), size = 0;
    int32_t code = capi_int(L, 4, call);
    struct capi_array *self;
    void *data;
    if (clue_type_size(code) == 0) capi_refuse(L, 4, call, "no type has code %d", (int)code);
    capi_box(L, part.origin, part.region, 5, call);
    self = capi_array_push(L, code);
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

/* (svm, code, offset, count) */
static int svm_view(lua_State *L) {
    static const char call[] = "svm_view";
    int32_t svm = capi_int(L, 1, call);
    const struct elements e = elements_at(L, 2, call);
    struct capi_array *self = capi_array_push(L, e.code);
    void *data;
    if (clue_svm_view(&data, &self->mapping, svm, e.offset, e.size) != 0) return 0;
    self->data = data;
    self->count = e.count;
    return 1;
}

static int queue_unmap(lua_State *L) {
    static const char call[] = "queue_unmap";
    int32_t queue = capi_int(L, 1, call);
    struct capi_array *self = capi_array(L, 2, call);
    int32_t code;
    if (!self->mapping) capi_refuse(L, 2, call, "the array is not mapped");
    code = clue_queue_unmap(queue, self->mapping);
    if (code == 0) {
        self->data = NULL;
        self->count = 0;
        self->mapping = CAPI_UNMAPPED;
    }
    return capi_push_done(L, code);
}

const luaL_Reg capi_mapping_functions[] = {
    {"array_owner", array_owner}, {"queue_map", queue_map}, {"queue_map_image", queue_map_image},
    {"queue_unmap", queue_unmap}, {"svm_view", svm_view},   {NULL, NULL},
};
