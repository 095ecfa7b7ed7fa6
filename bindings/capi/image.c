/* image.c - images and samplers. */
#include "capi.h"

/* (context, flags, order, channel, width, height, depth) */
static int image_create(lua_State *L) {
    static const char call[] = "image_create";
    int32_t context = capi_int(L, 1, call), image = 0;
    int64_t flags = capi_long(L, 2, call);
    uint32_t order = (uint32_t)capi_int(L, 3, call), channel = (uint32_t)capi_int(L, 4, call);
    int64_t width = capi_long(L, 5, call), height = capi_long(L, 6, call), depth = capi_long(L, 7, call);
    int32_t code = clue_image_create(&image, context, flags, order, channel, width, height, depth);
    return capi_push_whole_or_nil(L, code, image);
}

static int image_size(lua_State *L) {
    int64_t size = 0;
    int32_t code = clue_image_size(&size, capi_int(L, 1, "image_size"));
    return capi_push_whole_or_nil(L, code, size);
}

static int queue_write_image(lua_State *L) {
    static const char call[] = "queue_write_image";
    int32_t queue = capi_int(L, 1, call), image = capi_int(L, 2, call);
    const struct capi_array *a = capi_array(L, 3, call);
    return capi_push_done(L, clue_queue_write_image(queue, image, a->data, a->count * capi_array_size(a)));
}

static int queue_read_image(lua_State *L) {
    static const char call[] = "queue_read_image";
    int32_t queue = capi_int(L, 1, call), image = capi_int(L, 2, call);
    const struct capi_array *a = capi_array(L, 3, call);
    return capi_push_done(L, clue_queue_read_image(a->data, queue, image, a->count * capi_array_size(a)));
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
    {"image_size", image_size},
    {"kernel_set_sampler", kernel_set_sampler},
    {"queue_read_image", queue_read_image},
    {"queue_write_image", queue_write_image},
    {"sampler_create", sampler_create},
    {NULL, NULL},
};
