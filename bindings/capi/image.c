/* image.c - images and samplers. */
#include "capi.h"

/* Type, order, channel, width, height, depth, array_size, from the third argument on. */
static clue_image_shape read_shape(lua_State *L, const char *call) {
    clue_image_shape shape = {.buffer = 0};
    shape.type = (uint32_t)capi_int(L, 3, call);
    shape.order = (uint32_t)capi_int(L, 4, call);
    shape.channel = (uint32_t)capi_int(L, 5, call);
    shape.width = capi_long(L, 6, call);
    shape.height = capi_long(L, 7, call);
    shape.depth = capi_long(L, 8, call);
    shape.array_size = capi_long(L, 9, call);
    return shape;
}

/* (context, flags, type, order, channel, width, height, depth, array_size, buffer, row_pitch) */
static int image_create(lua_State *L) {
    static const char call[] = "image_create";
    int32_t context = capi_int(L, 1, call), image = 0;
    int64_t flags = capi_long(L, 2, call);
    clue_image_shape shape = read_shape(L, call);
    shape.buffer = capi_int(L, 10, call);
    shape.row_pitch = capi_long(L, 11, call);
    int32_t code = clue_image_create(&image, context, flags, &shape);
    return capi_push_whole_or_nil(L, code, image);
}

/* (context, flags, type, order, channel, width, height, depth, array_size, array) */
static int image_create_from(lua_State *L) {
    static const char call[] = "image_create_from";
    int32_t context = capi_int(L, 1, call), image = 0;
    int64_t flags = capi_long(L, 2, call);
    const clue_image_shape shape = read_shape(L, call);
    const struct capi_array *a = capi_array(L, 10, call);
    int64_t size = a->count * capi_array_size(a);
    int32_t code = clue_image_create_from(&image, context, a->data, size, flags, &shape);
    return capi_push_whole_or_nil(L, code, image);
}

/* (context, flags, type, order, channel, width, height, depth, array_size, array) */
static int image_create_in(lua_State *L) {
    static const char call[] = "image_create_in";
    int32_t context = capi_int(L, 1, call), image = 0;
    int64_t flags = capi_long(L, 2, call);
    const clue_image_shape shape = read_shape(L, call);
    struct capi_array *a = capi_array(L, 10, call);
    int64_t size = a->count * capi_array_size(a);
    int32_t code = clue_image_create_in(&image, &a->mapping, context, a->data, size, flags, &shape);
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

/* ---- transfers ---- */

/* Three numbers at a position, or zeros for nil. */
static const int64_t *origin_at(lua_State *L, int64_t *room, int position, const char *call) {
    room[0] = room[1] = room[2] = 0;
    return lua_isnoneornil(L, position) ? room : capi_sizes(L, room, 3, position, call);
}

/* (queue, image, array, first, count, origin, region, row_pitch, slice_pitch, blocking) */
struct transfer {
    int32_t queue, image, event, *event_out;
    char *data;
    int64_t size;
    clue_image_part part;
};

static void read_transfer(lua_State *L, struct transfer *t, const char *call) {
    int64_t first, count;
    t->queue = capi_int(L, 1, call);
    t->image = capi_int(L, 2, call);
    const struct capi_array *a = capi_array(L, 3, call);
    capi_array_range(L, a, &first, &count, 4, call);
    t->data = first > 0 ? a->data + first * capi_array_size(a) : a->data;
    t->size = count * capi_array_size(a);
    (void)origin_at(L, t->part.origin, 6, call);
    (void)capi_sizes(L, t->part.region, 3, 7, call);
    t->part.row_pitch = capi_long(L, 8, call);
    t->part.slice_pitch = capi_long(L, 9, call);
    t->event_out = capi_event_out(L, 10, &t->event);
}

static int queue_write_image(lua_State *L) {
    struct transfer t;
    read_transfer(L, &t, "queue_write_image");
    int32_t code = clue_queue_write_image(t.event_out, t.queue, t.image, t.data, t.size, &t.part);
    return capi_push_transferred(L, code, t.event_out);
}

static int queue_read_image(lua_State *L) {
    struct transfer t;
    read_transfer(L, &t, "queue_read_image");
    int32_t code = clue_queue_read_image(t.event_out, t.data, t.queue, t.image, t.size, &t.part);
    return capi_push_transferred(L, code, t.event_out);
}

/* ---- what the device does by itself ---- */

/* (queue, from, to, from_origin, region, to_origin) */
static int queue_copy_image(lua_State *L) {
    static const char call[] = "queue_copy_image";
    int64_t source[3], region[3], target[3];
    int32_t queue = capi_int(L, 1, call), from = capi_int(L, 2, call), to = capi_int(L, 3, call), event = 0;
    (void)origin_at(L, source, 4, call);
    (void)capi_sizes(L, region, 3, 5, call);
    (void)origin_at(L, target, 6, call);
    int32_t code = clue_queue_copy_image(&event, queue, from, to, source, target, region);
    return capi_push_whole_or_nil(L, code, event);
}

/* (queue, image, buffer, offset, origin, region) */
static int queue_copy_image_to_buffer(lua_State *L) {
    static const char call[] = "queue_copy_image_to_buffer";
    int64_t origin[3], region[3];
    int32_t queue = capi_int(L, 1, call), image = capi_int(L, 2, call), buffer = capi_int(L, 3, call), event = 0;
    int64_t offset = capi_long(L, 4, call);
    (void)origin_at(L, origin, 5, call);
    (void)capi_sizes(L, region, 3, 6, call);
    int32_t code = clue_queue_copy_image_to_buffer(&event, queue, image, buffer, origin, region, offset);
    return capi_push_whole_or_nil(L, code, event);
}

/* (queue, buffer, image, offset, origin, region) */
static int queue_copy_buffer_to_image(lua_State *L) {
    static const char call[] = "queue_copy_buffer_to_image";
    int64_t origin[3], region[3];
    int32_t queue = capi_int(L, 1, call), buffer = capi_int(L, 2, call), image = capi_int(L, 3, call), event = 0;
    int64_t offset = capi_long(L, 4, call);
    (void)origin_at(L, origin, 5, call);
    (void)capi_sizes(L, region, 3, 6, call);
    int32_t code = clue_queue_copy_buffer_to_image(&event, queue, buffer, image, offset, origin, region);
    return capi_push_whole_or_nil(L, code, event);
}

/* (queue, image, colour, origin, region) */
static int queue_fill_image(lua_State *L) {
    static const char call[] = "queue_fill_image";
    double colour[4];
    int64_t origin[3], region[3];
    int32_t queue = capi_int(L, 1, call), image = capi_int(L, 2, call), event = 0;
    capi_table(L, 3, call);
    for (int i = 0; i < 4; i++) {
        lua_rawgeti(L, 3, i + 1);
        colour[i] = capi_number_at(L, -1, 3, call);
        lua_pop(L, 1);
    }
    (void)origin_at(L, origin, 4, call);
    (void)capi_sizes(L, region, 3, 5, call);
    int32_t code = clue_queue_fill_image(&event, queue, image, colour, origin, region);
    return capi_push_whole_or_nil(L, code, event);
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
    {"image_create_from", image_create_from},
    {"image_create_in", image_create_in},
    {"image_format_bytes", image_format_bytes},
    {"image_shape", image_shape},
    {"image_size", image_size},
    {"kernel_set_sampler", kernel_set_sampler},
    {"queue_copy_buffer_to_image", queue_copy_buffer_to_image},
    {"queue_copy_image", queue_copy_image},
    {"queue_copy_image_to_buffer", queue_copy_image_to_buffer},
    {"queue_fill_image", queue_fill_image},
    {"queue_read_image", queue_read_image},
    {"queue_write_image", queue_write_image},
    {"sampler_create", sampler_create},
    {NULL, NULL},
};
