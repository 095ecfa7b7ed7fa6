/* opencl.c - what the OpenCL objects have that no table says: results of a shape of their own, and a device that
 * may be left out. */
#include "capi.h"

/* (id, property, values): handles of the parts. The memory belongs to Lua, which may raise at any time. */
static int device_partition(lua_State *L) {
    static const char call[] = "device_partition";
    int32_t id = capi_int(L, 1, call), made = 0;
    uint32_t property = (uint32_t)capi_int(L, 2, call);
    capi_table(L, 3, call);
    int32_t count = (int32_t)lua_rawlen(L, 3);
    int64_t *values = lua_newuserdata(L, (size_t)(count + 1) * sizeof *values);
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, 3, i + 1);
        values[i] = capi_long_at(L, -1, 3, call);
        lua_pop(L, 1);
    }
    if (clue_device_partition(NULL, &made, 0, id, property, values, count) != 0) return 0;
    int32_t *parts = lua_newuserdata(L, (size_t)(made + 1) * sizeof *parts);
    lua_createtable(L, made, 0);
    if (clue_device_partition(parts, &made, made, id, property, values, count) != 0) return 0;
    for (int32_t i = 0; i < made; i++) {
        capi_push_whole(L, parts[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* (context, properties, device); without a device: on the context's first. */
static int queue_create(lua_State *L) {
    static const char call[] = "queue_create";
    int32_t context = capi_int(L, 1, call), queue = 0;
    int64_t properties = capi_long(L, 2, call);
    int32_t code = lua_isnoneornil(L, 3) ? clue_queue_create(&queue, context, properties)
                                         : clue_queue_create_on(&queue, context, capi_int(L, 3, call), properties);
    return capi_push_whole_or_nil(L, code, queue);
}

/* (program, device); without a device: the context's first. */
static int program_binary(lua_State *L) {
    static const char call[] = "program_binary";
    const bool first = lua_isnoneornil(L, 2);
    int32_t program = capi_int(L, 1, call), device = first ? 0 : capi_int(L, 2, call);
    int64_t size = 0;
    int32_t code = first ? clue_program_binary(&size, program, NULL, 0)
                         : clue_program_binary_on(&size, program, device, NULL, 0);
    if (code) return 0;
    char *bytes = lua_newuserdata(L, (size_t)size);
    code = first ? clue_program_binary(&size, program, bytes, size)
                 : clue_program_binary_on(&size, program, device, bytes, size);
    if (code) return 0;
    lua_pushlstring(L, bytes, (size_t)size);
    return 1;
}

/* (program, device); without a device: of the one that failed, or the first. */
static int program_log(lua_State *L) {
    static const char call[] = "program_log";
    const bool any = lua_isnoneornil(L, 2);
    int32_t program = capi_int(L, 1, call), device = any ? 0 : capi_int(L, 2, call);
    const char *log;
    if ((any ? clue_program_log(&log, program) : clue_program_log_on(&log, program, device)) != 0) return 0;
    lua_pushstring(L, log);
    return 1;
}

/* Executions so far, the kernel's handle and its name; nil where there is none. */
static int kernel_newest(lua_State *L) {
    int32_t kernel;
    const char *name;
    capi_push_whole(L, clue_kernel_newest(&kernel, &name));
    capi_push_whole_or_nil(L, kernel == 0, kernel);
    lua_pushstring(L, name); /* NULL: nil */
    return 3;
}

typedef int32_t query(int64_t *size_out, int32_t id, uint32_t property, void *value, int64_t capacity);

/* The bytes that a query gives: asked for their size first. */
static int push_bytes(lua_State *L, query *ask, const char *call) {
    int64_t size = 0;
    int32_t id = capi_int(L, 1, call);
    uint32_t property = (uint32_t)capi_int(L, 2, call);
    if (ask(&size, id, property, NULL, 0) != 0) return 0;
    int64_t capacity = size;
    char *bytes = lua_newuserdata(L, capacity > 0 ? (size_t)capacity : 1);
    if (capacity > 0 && ask(&size, id, property, bytes, capacity) != 0) return 0;
    lua_pushlstring(L, bytes, (size_t)(size < capacity ? size : capacity));
    return 1;
}

static int32_t group_device; /* of the question under way */

static int32_t group_info_on(int64_t *size_out, int32_t kernel, uint32_t property, void *value, int64_t capacity) {
    return clue_kernel_group_info_on(size_out, kernel, group_device, property, value, capacity);
}

/* (kernel, property, device); without a device: the context's first. */
static int kernel_group_bytes(lua_State *L) {
    static const char call[] = "kernel_group_bytes";
    if (lua_isnoneornil(L, 3)) return push_bytes(L, clue_kernel_group_info, call);
    (void)capi_int(L, 1, call), (void)capi_int(L, 2, call); /* in the order of their places */
    group_device = capi_int(L, 3, call);
    return push_bytes(L, group_info_on, call);
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

const luaL_Reg capi_opencl_functions[] = {
    {"device_partition", device_partition},
    {"image_shape", image_shape},
    {"kernel_group_bytes", kernel_group_bytes},
    {"kernel_newest", kernel_newest},
    {"program_binary", program_binary},
    {"program_log", program_log},
    {"queue_create", queue_create},
    {NULL, NULL},
};
