/* image.c - images and samplers. */
#include "capi.h"

/* (context, flags, type, order, channel, width, height, depth, array_size, buffer, row_pitch) */
static int image_create(lua_State *L) {
    static const char call[] = "image_create";
    clue_image_shape shape;
    int32_t context = capi_int(L, 1, call), image = 0;
    int64_t flags = capi_long(L, 2, call);
    shape.type = (uint32_t)capi_int(L, 3, call);
    shape.order = (uint32_t)capi_int(L, 4, call);
    shape.channel = (uint32_t)capi_int(L, 5, call);
    shape.width = capi_long(L, 6, call);
    shape.height = capi_long(L, 7, call);
    shape.depth = capi_long(L, 8, call);
    shape.array_size = capi_long(L, 9, call);
    shape.buffer = capi_int(L, 10, call);
    shape.row_pitch = capi_long(L, 11, call);
    int32_t code = clue_image_create(&image, context, flags, &shape);
    return capi_push_whole_or_nil(L, code, image);
}

static int image_shape(lua_State *L) {
    clue_image_shape shape;
    if (clue_image_shape_of(&shape, capi_int(L, 1, "image_shape")) != 0) return 0;
    lua_createtable(L, 0, 9);
    capi_set_whole(L, "type", shape.type);
    capi_set_whole(L, "order", shape.order);
    capi_set_whole(L, "channel", shape.channel);
    capi_set_whole(L, "buffer", shape.buffer);
    capi_set_whole(L, "width", shape.width);
    capi_set_whole(L, "height", shape.height);
    capi_set_whole(L, "depth", shape.depth);
    capi_set_whole(L, "array_size", shape.array_size);
    capi_set_whole(L, "row_pitch", shape.row_pitch);
    return 1;
}

/* (context, flags, type) */
static int image_format_bytes(lua_State *L) {
    static const char call[] = "image_format_bytes";
    int32_t context = capi_int(L, 1, call);
    int64_t flags = capi_long(L, 2, call), size = 0;
    uint32_t type = (uint32_t)capi_int(L, 3, call);
    if (clue_image_formats(&size, context, flags, type, NULL, 0) != 0) return 0;
    char *bytes = lua_newuserdata(L, size > 0 ? (size_t)size : 1);
    if (clue_image_formats(&size, context, flags, type, bytes, size) != 0) return 0;
    lua_pushlstring(L, bytes, (size_t)size);
    return 1;
}

static int image_size(lua_State *L) {
    int64_t size = 0;
    int32_t code = clue_image_size(&size, capi_int(L, 1, "image_size"));
    return capi_push_whole_or_nil(L, code, size);
}

static int queue_write_image(lua_State *L) {
    static const char call[] = "queue_write_image";
    int32_t queue = capi_int(L, 1, call), image = capi_int(L, 2, call), event;
    const struct capi_array *a = capi_array(L, 3, call);
    int32_t *event_out = capi_event_out(L, 4, &event);
    int32_t code = clue_queue_write_image(event_out, queue, image, a->data, a->count * capi_array_size(a));
    return capi_push_transferred(L, code, event_out);
}

static int queue_read_image(lua_State *L) {
    static const char call[] = "queue_read_image";
    int32_t queue = capi_int(L, 1, call), image = capi_int(L, 2, call), event;
    const struct capi_array *a = capi_array(L, 3, call);
    int32_t *event_out = capi_event_out(L, 4, &event);
    int32_t code = clue_queue_read_image(event_out, a->data, queue, image, a->count * capi_array_size(a));
    return capi_push_transferred(L, code, event_out);
}

/* ---- samplers ---- */

/* (context, normalized, addressing, filter) */
static int sampler_create(lua_State *L) {
    static const char call[] = "sampler_create";
    int32_t context = capi_int(L, 1, call), normalized = capi_int(L, 2, call), sampler = 0;
    uint32_t addressing = (uint32_t)capi_int(L, 3, call), filter = (uint32_t)capi_int(L, 4, call);
    int32_t code = clue_sampler_create(&sampler, context, normalized, addressing, filter);
    return capi_push_whole_or_nil(L, code, sampler);
}

static int kernel_set_sampler(lua_State *L) {
    static const char call[] = "kernel_set_sampler";
    int32_t kernel = capi_int(L, 1, call), index = capi_int(L, 2, call);
    return capi_push_done(L, clue_kernel_set_sampler(kernel, index, capi_int(L, 3, call)));
}

const luaL_Reg capi_image_functions[] = {
    {"image_create", image_create},
    {"image_format_bytes", image_format_bytes},
    {"image_shape", image_shape},
    {"image_size", image_size},
    {"kernel_set_sampler", kernel_set_sampler},
    {"queue_read_image", queue_read_image},
    {"queue_write_image", queue_write_image},
    {"sampler_create", sampler_create},
    {NULL, NULL},
};
