/* png.c - PNG files. */
#include "capi.h"

static int png_read(lua_State *L) {
    static const char call[] = "png_read";
    const struct capi_array *a = capi_array(L, 1, call);
    const char *path = capi_text(L, 2, call);
    if (a->code != CLUE_UCHAR) capi_refuse(L, 1, call, "array of uchar expected");
    return capi_push_done(L, clue_png_read(a->data, a->count, path));
}

/* (path, array, channels, width, height) */
static int png_write(lua_State *L) {
    static const char call[] = "png_write";
    const char *path = capi_text(L, 1, call);
    const struct capi_array *a = capi_array(L, 2, call);
    int32_t channels, width, height;
    if (a->code != CLUE_UCHAR) capi_refuse(L, 2, call, "array of uchar expected");
    channels = capi_int(L, 3, call);
    width = capi_int(L, 4, call);
    height = capi_int(L, 5, call);
    if ((double)channels * width * height != (double)a->count)
        capi_refuse(L, 3, call, "%d x %d pixels of %d samples are not the size of an array of %lld", (int)width,
                    (int)height, (int)channels, (long long)a->count);
    return capi_push_done(L, clue_png_write(path, a->data, channels, width, height));
}

const luaL_Reg capi_png_functions[] = {
    {"png_read", png_read},
    {"png_write", png_write},
    {NULL, NULL},
};
