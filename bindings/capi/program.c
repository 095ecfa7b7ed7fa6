/* program.c - contexts and programs. */
#include "capi.h"

static int context_create(lua_State *L) {
    int32_t context = 0, code = clue_context_create(&context, capi_int(L, 1, "context_create"));
    return capi_push_whole_or_nil(L, code, context);
}

static int context_finish(lua_State *L) {
    return capi_push_done(L, clue_context_finish(capi_int(L, 1, "context_finish")));
}

static int program_create(lua_State *L) {
    static const char call[] = "program_create";
    int32_t context = capi_int(L, 1, call), program = 0;
    size_t length;
    const char *source = capi_bytes(L, 2, &length, call);
    const char *options = lua_isnoneornil(L, 3) ? NULL : capi_text(L, 3, call);
    int32_t code = clue_program_create(&program, context, source, (int64_t)length, options);
    return capi_push_whole_or_nil(L, code, program);
}

static int program_from_binary(lua_State *L) {
    static const char call[] = "program_from_binary";
    int32_t context = capi_int(L, 1, call), program = 0;
    size_t length;
    const char *binary = capi_bytes(L, 2, &length, call);
    int32_t code = clue_program_from_binary(&program, context, binary, (int64_t)length);
    return capi_push_whole_or_nil(L, code, program);
}

static int program_binary(lua_State *L) {
    int64_t size = 0;
    int32_t program = capi_int(L, 1, "program_binary");
    if (clue_program_binary(&size, program, NULL, 0) != 0) return 0;
    char *bytes = lua_newuserdata(L, (size_t)size);
    if (clue_program_binary(&size, program, bytes, size) != 0) return 0;
    lua_pushlstring(L, bytes, (size_t)size);
    return 1;
}

static int program_log(lua_State *L) {
    const char *log;
    if (clue_program_log(&log, capi_int(L, 1, "program_log")) != 0) return 0;
    lua_pushstring(L, log);
    return 1;
}

static int program_kernels(lua_State *L) {
    const char *names;
    if (clue_program_kernels(&names, capi_int(L, 1, "program_kernels")) != 0) return 0;
    lua_pushstring(L, names);
    return 1;
}

const luaL_Reg capi_program_functions[] = {
    {"context_create", context_create},
    {"context_finish", context_finish},
    {"program_binary", program_binary},
    {"program_create", program_create},
    {"program_from_binary", program_from_binary},
    {"program_kernels", program_kernels},
    {"program_log", program_log},
    {NULL, NULL},
};
