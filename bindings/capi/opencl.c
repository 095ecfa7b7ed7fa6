/* opencl.c - functions on OpenCL objects that binding.def cannot describe, because of their results. */
#include "capi.h"

/* (id, property, values): the handles of the parts. The memory belongs to Lua, which may raise at any time. */
static int device_partition(lua_State *L) {
    static const char call[] = "device_partition";
    int32_t id = capi_int(L, 1, call), made = 0;
    uint32_t property = (uint32_t)capi_int(L, 2, call);
    int32_t count, *parts;
    int64_t *values;
    capi_table(L, 3, call);
    count = (int32_t)lua_rawlen(L, 3);
    values = lua_newuserdata(L, (size_t)(count + 1) * sizeof *values);
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, 3, i + 1);
        values[i] = capi_long_at(L, -1, 3, call);
        lua_pop(L, 1);
    }
    if (clue_device_partition(NULL, &made, 0, id, property, values, count) != 0) return 0;
    parts = lua_newuserdata(L, (size_t)(made + 1) * sizeof *parts);
    lua_createtable(L, made, 0);
    if (clue_device_partition(parts, &made, made, id, property, values, count) != 0) return 0;
    for (int32_t i = 0; i < made; i++) {
        capi_push_whole(L, parts[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* How many executions there were, the kernel's handle and its name; nil if there is none. */
static int kernel_newest(lua_State *L) {
    int32_t kernel;
    const char *name;
    capi_push_whole(L, clue_kernel_newest(&kernel, &name));
    capi_push_whole_or_nil(L, kernel == 0, kernel);
    lua_pushstring(L, name); /* NULL: nil */
    return 3;
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
    {"kernel_newest", kernel_newest},
    {NULL, NULL},
};
