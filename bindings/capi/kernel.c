/* kernel.c - kernels, their arguments and executions. */
#include "capi.h"

static int kernel_create(lua_State *L) {
    static const char call[] = "kernel_create";
    int32_t program = capi_int(L, 1, call), kernel = 0;
    const char *name = capi_text(L, 2, call);
    int32_t code = clue_kernel_create(&kernel, program, name);
    return capi_push_whole_or_nil(L, code, kernel);
}

/* ---- arguments ---- */

static int kernel_name(lua_State *L) {
    const char *name = NULL;
    if (clue_kernel_name(&name, capi_int(L, 1, "kernel_name")) != 0) return 0;
    lua_pushstring(L, name);
    return 1;
}

static int kernel_argument_count(lua_State *L) {
    int32_t count = 0, code = clue_kernel_argument_count(&count, capi_int(L, 1, "kernel_argument_count"));
    return capi_push_whole_or_nil(L, code, count);
}

static int kernel_argument(lua_State *L) {
    static const char call[] = "kernel_argument";
    const char *name, *type;
    int32_t kernel = capi_int(L, 1, call), index = capi_int(L, 2, call);
    if (clue_kernel_argument(&name, &type, kernel, index) != 0) return 0;
    lua_pushstring(L, name);
    lua_pushstring(L, type);
    return 2;
}

static int kernel_argument_qualifiers(lua_State *L) {
    static const char call[] = "kernel_argument_qualifiers";
    int32_t kernel = capi_int(L, 1, call), index = capi_int(L, 2, call), address, access, type;
    if (clue_kernel_argument_qualifiers(&address, &access, &type, kernel, index) != 0) return 0;
    capi_push_whole(L, address);
    capi_push_whole(L, access);
    capi_push_whole(L, type);
    return 3;
}

static int kernel_set_number(lua_State *L) {
    static const char call[] = "kernel_set_number";
    int32_t kernel = capi_int(L, 1, call), index = capi_int(L, 2, call), type = capi_int(L, 3, call);
    return capi_push_done(L, clue_kernel_set_number(kernel, index, type, capi_number(L, 4, call)));
}

static int kernel_set_bytes(lua_State *L) {
    static const char call[] = "kernel_set_bytes";
    int32_t kernel = capi_int(L, 1, call), index = capi_int(L, 2, call);
    size_t length;
    const char *bytes = capi_bytes(L, 3, &length, call);
    return capi_push_done(L, clue_kernel_set_bytes(kernel, index, bytes, (int64_t)length));
}

static int kernel_set_buffer(lua_State *L) {
    static const char call[] = "kernel_set_buffer";
    int32_t kernel = capi_int(L, 1, call), index = capi_int(L, 2, call);
    return capi_push_done(L, clue_kernel_set_buffer(kernel, index, capi_int(L, 3, call)));
}

static int kernel_set_image(lua_State *L) {
    static const char call[] = "kernel_set_image";
    int32_t kernel = capi_int(L, 1, call), index = capi_int(L, 2, call);
    return capi_push_done(L, clue_kernel_set_image(kernel, index, capi_int(L, 3, call)));
}

static int kernel_set_local(lua_State *L) {
    static const char call[] = "kernel_set_local";
    int32_t kernel = capi_int(L, 1, call), index = capi_int(L, 2, call);
    return capi_push_done(L, clue_kernel_set_local(kernel, index, capi_long(L, 3, call)));
}

/* ---- execution ---- */

/* (kernel, dimensions, offset, global, local); offset and local may be nil. */
static int kernel_execute(lua_State *L) {
    static const char call[] = "kernel_execute";
    struct capi_range r;
    int32_t kernel = capi_int(L, 1, call), dimensions = capi_int(L, 2, call);
    capi_range(L, &r, dimensions, 3, call);
    return capi_push_done(L, clue_kernel_execute(kernel, dimensions, r.offset, r.global, r.local));
}

static int kernel_status(lua_State *L) {
    int32_t status = 0, code = clue_kernel_status(&status, capi_int(L, 1, "kernel_status"));
    return capi_push_whole_or_nil(L, code, status);
}

static int kernel_wait(lua_State *L) {
    return capi_push_done(L, clue_kernel_wait(capi_int(L, 1, "kernel_wait")));
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

/* ---- times ---- */

static int kernel_time(lua_State *L) {
    double seconds;
    int32_t clock;
    if (clue_kernel_time(&seconds, &clock, capi_int(L, 1, "kernel_time")) != 0) return 0;
    lua_pushnumber(L, seconds);
    return 1 + capi_push_word(L, capi_clocks, clock);
}

static int profile_start(lua_State *L) {
    return capi_push_done(L, clue_profile_start());
}

static int profile_stop(lua_State *L) {
    double seconds;
    int32_t clock, executions;
    if (clue_profile_stop(&seconds, &clock, &executions) != 0) return 0;
    lua_pushnumber(L, seconds);
    capi_push_word(L, capi_clocks, clock);
    capi_push_whole(L, executions);
    return 3;
}

static int capture(lua_State *L) {
    static const char call[] = "capture";
    const char *kernel = capi_text(L, 1, call);
    const int64_t number = capi_long(L, 2, call);
    const char *folder = capi_text(L, 3, call);
    return capi_push_done(L, clue_capture(kernel, number, folder, capi_text(L, 4, call)));
}

/* ---- trace ---- */

static int trace_start(lua_State *L) {
    const char *file;
    const char *path = capi_text(L, 1, "trace_start");
    if (clue_trace_start(&file, path) != 0) return 0;
    lua_pushstring(L, file);
    return 1;
}

static int trace_stop(lua_State *L) {
    return capi_push_done(L, clue_trace_stop());
}

const luaL_Reg capi_kernel_functions[] = {
    {"capture", capture},
    {"kernel_argument", kernel_argument},
    {"kernel_argument_count", kernel_argument_count},
    {"kernel_argument_qualifiers", kernel_argument_qualifiers},
    {"kernel_create", kernel_create},
    {"kernel_execute", kernel_execute},
    {"kernel_newest", kernel_newest},
    {"kernel_name", kernel_name},
    {"kernel_set_buffer", kernel_set_buffer},
    {"kernel_set_bytes", kernel_set_bytes},
    {"kernel_set_image", kernel_set_image},
    {"kernel_set_local", kernel_set_local},
    {"kernel_set_number", kernel_set_number},
    {"kernel_status", kernel_status},
    {"kernel_time", kernel_time},
    {"kernel_wait", kernel_wait},
    {"profile_start", profile_start},
    {"profile_stop", profile_stop},
    {"trace_start", trace_start},
    {"trace_stop", trace_stop},
    {NULL, NULL},
};
