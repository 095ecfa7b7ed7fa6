/* program.c - contexts and programs. */
#include "capi.h"

static int context_create(lua_State *L) {
    int32_t context = 0, code = clue_context_create(&context, capi_int(L, 1, "context_create"));
    return capi_push_whole_or_nil(L, code, context);
}

static int context_create_over(lua_State *L) {
    int32_t context = 0, count = 0;
    const int32_t *devices = capi_ints(L, 1, &count, "context_create_over");
    int32_t code = clue_context_create_over(&context, devices, count);
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

static int program_from_il(lua_State *L) {
    static const char call[] = "program_from_il";
    int32_t context = capi_int(L, 1, call), program = 0;
    size_t length;
    const char *il = capi_bytes(L, 2, &length, call);
    const char *options = lua_isnoneornil(L, 3) ? NULL : capi_text(L, 3, call);
    int32_t code = clue_program_from_il(&program, context, il, (int64_t)length, options);
    return capi_push_whole_or_nil(L, code, program);
}

/* Names and texts by turns, in a table at this position; their strings stay in it. */
static const char **texts(lua_State *L, int32_t *count_out, int position, const char *call) {
    int32_t count = (int32_t)lua_rawlen(L, position);
    const char **list = lua_newuserdata(L, ((size_t)count + 1) * sizeof *list);
    if (count % 2) capi_refuse(L, position, call, "names and texts in pairs expected, got %d strings", (int)count);
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, position, i + 1);
        list[i] = capi_text_at(L, -1, position, call);
        lua_pop(L, 1);
    }
    *count_out = count;
    return list;
}

/* Where nothing or nil stands there: NULL and 0 pairs. */
static const char **header_list(lua_State *L, int32_t *count_out, int position, const char *call) {
    int32_t count = 0;
    const char **list = NULL;
    if (!lua_isnoneornil(L, position)) {
        capi_table(L, position, call);
        list = texts(L, &count, position, call);
    }
    *count_out = count / 2;
    return list;
}

/* (source, options, headers); the last two may be nil. */
static int source_files(lua_State *L) {
    static const char call[] = "source_files";
    int32_t count, any = 0;
    size_t length;
    const char *source = capi_bytes(L, 1, &length, call), *files;
    const char *options = lua_isnoneornil(L, 2) ? NULL : capi_text(L, 2, call);
    const char **headers = header_list(L, &count, 3, call);
    if (clue_source_files(&files, &any, source, (int64_t)length, options, headers, count) != 0) return 0;
    lua_pushstring(L, files);
    lua_pushboolean(L, any);
    return 2;
}

/* (context, source, options, headers); the last two may be nil. */
static int program_compile(lua_State *L) {
    static const char call[] = "program_compile";
    int32_t context = capi_int(L, 1, call), program = 0, count;
    size_t length;
    const char *source = capi_bytes(L, 2, &length, call);
    const char *options = lua_isnoneornil(L, 3) ? NULL : capi_text(L, 3, call);
    const char **headers = header_list(L, &count, 4, call);
    int32_t code = clue_program_compile(&program, context, source, (int64_t)length, options, headers, count);
    return capi_push_whole_or_nil(L, code, program);
}

static int program_link(lua_State *L) {
    static const char call[] = "program_link";
    int32_t context = capi_int(L, 1, call), linked = 0;
    capi_table(L, 2, call);
    const char *options = lua_isnoneornil(L, 3) ? NULL : capi_text(L, 3, call);
    int32_t count = (int32_t)lua_rawlen(L, 2);
    int32_t *programs = lua_newuserdata(L, ((size_t)count + 1) * sizeof *programs);
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, 2, i + 1);
        programs[i] = capi_int_at(L, -1, 2, call);
        lua_pop(L, 1);
    }
    int32_t code = clue_program_link(&linked, context, programs, count, options);
    return capi_push_whole_or_nil(L, code, linked);
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

static int program_kernels(lua_State *L) {
    const char *names;
    if (clue_program_kernels(&names, capi_int(L, 1, "program_kernels")) != 0) return 0;
    lua_pushstring(L, names);
    return 1;
}

static int program_cached(lua_State *L) {
    int32_t cached = 0;
    if (clue_program_cached(&cached, capi_int(L, 1, "program_cached")) != 0) return 0;
    lua_pushboolean(L, cached);
    return 1;
}

const luaL_Reg capi_program_functions[] = {
    {"context_create", context_create},   {"context_create_over", context_create_over},
    {"context_finish", context_finish},   {"program_binary", program_binary},
    {"program_cached", program_cached},   {"program_compile", program_compile},
    {"program_create", program_create},   {"program_from_binary", program_from_binary},
    {"program_from_il", program_from_il}, {"program_kernels", program_kernels},
    {"program_link", program_link},       {"program_log", program_log},
    {"source_files", source_files},       {NULL, NULL},
};
