/* device.c - platforms and devices, and the queries that give raw bytes. */
#include "capi.h"

static int loader_name(lua_State *L) {
    lua_pushstring(L, clue_loader_name());
    return 1;
}

static int platform_count(lua_State *L) {
    int32_t count = 0, code = clue_platform_count(&count);
    return capi_push_whole_or_nil(L, code, count);
}

static int device_count(lua_State *L) {
    int32_t count = 0, code = clue_device_count(&count);
    return capi_push_whole_or_nil(L, code, count);
}

static int device_locate(lua_State *L) {
    int32_t platform, index;
    if (clue_device_locate(&platform, &index, capi_int(L, 1, "device_locate")) != 0) return 0;
    capi_push_whole(L, platform);
    capi_push_whole(L, index);
    return 2;
}

static int device_of(lua_State *L) {
    int32_t ordinal = 0, code = clue_device_of(&ordinal, capi_int(L, 1, "device_of"));
    return capi_push_whole_or_nil(L, code, ordinal);
}

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

/* ---- queries ---- */

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

static int platform_bytes(lua_State *L) {
    return push_bytes(L, clue_platform_info, "platform_bytes");
}

static int device_bytes(lua_State *L) {
    return push_bytes(L, clue_device_info, "device_bytes");
}

static int kernel_bytes(lua_State *L) {
    return push_bytes(L, clue_kernel_info, "kernel_bytes");
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

const luaL_Reg capi_device_functions[] = {
    {"device_bytes", device_bytes},
    {"device_count", device_count},
    {"device_locate", device_locate},
    {"device_of", device_of},
    {"device_partition", device_partition},
    {"kernel_group_bytes", kernel_group_bytes},
    {"loader_name", loader_name},
    {"platform_bytes", platform_bytes},
    {"kernel_bytes", kernel_bytes},
    {"platform_count", platform_count},
    {NULL, NULL},
};
