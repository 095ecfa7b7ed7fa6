/* error.c - the record of the last failure, and how refused arguments are reported. */
#include "capi.h"

static int error_record(lua_State *L) {
    int32_t code = clue_error_code();
    if (code == 0) return 0;
    lua_createtable(L, 0, 7);
    capi_set_whole(L, "code", code);
    capi_set_text(L, "name", clue_error_name(code));
    capi_set_text(L, "call", clue_error_call());
    capi_set_text(L, "detail", clue_error_detail());
    capi_push_word(L, capi_cause, clue_error_cause());
    lua_setfield(L, -2, "cause");
    capi_set_text(L, "text", clue_error_text());
    capi_set_text(L, "log", clue_error_log());
    return 1;
}

const luaL_Reg capi_error_functions[] = {
    {"error", error_record},
    {"refusal_setup", capi_refusal_setup},
    {NULL, NULL},
};
