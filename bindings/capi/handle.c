/* handle.c - the record of the last failure and the handle table. */
#include "capi.h"

/* ---- errors ---- */

static const struct capi_word causes[] = {
    {"driver", CLUE_CAUSE_DRIVER},       {"handle", CLUE_CAUSE_HANDLE},
    {"parameter", CLUE_CAUSE_PARAMETER}, {"size", CLUE_CAUSE_SIZE},
    {"offset", CLUE_CAUSE_OFFSET},       {"device", CLUE_CAUSE_DEVICE},
    {"memory", CLUE_CAUSE_MEMORY},       {"full", CLUE_CAUSE_FULL},
    {"limit", CLUE_CAUSE_LIMIT},         {NULL, 0},
};

static int error_record(lua_State *L) {
    int32_t code = clue_error_code();
    if (code == 0) return 0;
    lua_createtable(L, 0, 7);
    capi_set_whole(L, "code", code);
    capi_set_text(L, "name", clue_error_name(code));
    capi_set_text(L, "call", clue_error_call());
    capi_set_text(L, "detail", clue_error_detail());
    capi_push_word(L, causes, clue_error_cause());
    lua_setfield(L, -2, "cause");
    capi_set_text(L, "text", clue_error_text());
    capi_set_text(L, "log", clue_error_log());
    return 1;
}

static int error_clear(lua_State *L) {
    (void)L;
    clue_error_clear();
    return 0;
}

static int error_name(lua_State *L) {
    lua_pushstring(L, clue_error_name(capi_int(L, 1, "error_name"))); /* nil for NULL */
    return 1;
}

/* ---- handles ---- */

static const struct capi_word kinds[] = {
    {"context", CLUE_CONTEXT},
    {"program", CLUE_PROGRAM},
    {"kernel", CLUE_KERNEL},
    {"buffer", CLUE_BUFFER},
    {"queue", CLUE_QUEUE},
    {"event", CLUE_EVENT},
    {"device", CLUE_DEVICE},
    {"mapping", CLUE_MAPPING},
    {"image", CLUE_IMAGE},
    {"sampler", CLUE_SAMPLER},
    {"host_memory", CLUE_HOST_MEMORY},
    {"svm", CLUE_SVM},
    {NULL, 0},
};

static int handle_kind(lua_State *L) {
    return capi_push_word(L, kinds, clue_handle_kind(capi_int(L, 1, "handle_kind")));
}

static int handle_count(lua_State *L) {
    capi_push_whole(L, clue_handle_count());
    return 1;
}

static int handle_next(lua_State *L) {
    int32_t next = clue_handle_next(capi_int(L, 1, "handle_next"));
    return capi_push_whole_or_nil(L, next == 0, next);
}

static int handle_parent(lua_State *L) {
    int32_t parent = 0, code = clue_handle_parent(&parent, capi_int(L, 1, "handle_parent"));
    return capi_push_whole_or_nil(L, code, parent);
}

static int handle_free(lua_State *L) {
    static const char call[] = "handle_free";
    int32_t handle = capi_int(L, 1, call), kind = CLUE_NONE;
    if (!lua_isnoneornil(L, 2)) kind = capi_word(L, 2, kinds, "kind of handle", call);
    return capi_push_done(L, clue_handle_free(handle, kind));
}

static int handle_pointer(lua_State *L) {
    static const char call[] = "handle_pointer";
    int32_t id = capi_int(L, 1, call), kind = CLUE_NONE;
    void *pointer = NULL;
    if (!lua_isnoneornil(L, 2)) kind = capi_word(L, 2, kinds, "kind of handle", call);
    int32_t code = clue_handle_pointer(&pointer, id, kind);
    return capi_push_whole_or_nil(L, code, (int64_t)(intptr_t)pointer);
}

const luaL_Reg capi_handle_functions[] = {
    {"error", error_record},
    {"error_clear", error_clear},
    {"error_name", error_name},
    {"handle_count", handle_count},
    {"handle_parent", handle_parent},
    {"handle_free", handle_free},
    {"handle_kind", handle_kind},
    {"handle_next", handle_next},
    {"handle_pointer", handle_pointer},
    {"refusal_setup", capi_refusal_setup},
    {NULL, NULL},
};
