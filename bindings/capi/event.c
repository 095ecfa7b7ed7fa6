/* event.c - events. */
#include "capi.h"

const struct capi_word capi_clocks[] = {
    {"device", CLUE_CLOCK_DEVICE},
    {"host", CLUE_CLOCK_HOST},
    {NULL, 0},
};

static int event_status(lua_State *L) {
    int32_t status = 0, code = clue_event_status(&status, capi_int(L, 1, "event_status"));
    return capi_push_whole_or_nil(L, code, status);
}

static int event_wait(lua_State *L) {
    return capi_push_done(L, clue_event_wait(capi_int(L, 1, "event_wait")));
}

static int event_time(lua_State *L) {
    double seconds;
    int32_t clock;
    if (clue_event_time(&seconds, &clock, capi_int(L, 1, "event_time")) != 0) return 0;
    lua_pushnumber(L, seconds);
    return 1 + capi_push_word(L, capi_clocks, clock);
}

static int event_moment(lua_State *L) {
    static const char call[] = "event_moment";
    double seconds;
    int32_t event = capi_int(L, 1, call);
    if (clue_event_moment(&seconds, event, capi_int(L, 2, call)) != 0) return 0;
    lua_pushnumber(L, seconds);
    return 1;
}

static int user_event_create(lua_State *L) {
    int32_t event = 0, code = clue_user_event_create(&event, capi_int(L, 1, "user_event_create"));
    return capi_push_whole_or_nil(L, code, event);
}

static int user_event_set(lua_State *L) {
    static const char call[] = "user_event_set";
    int32_t event = capi_int(L, 1, call);
    return capi_push_done(L, clue_user_event_set(event, capi_int(L, 2, call)));
}

const luaL_Reg capi_event_functions[] = {
    {"event_moment", event_moment},
    {"event_status", event_status},
    {"event_time", event_time},
    {"event_wait", event_wait},
    {"user_event_create", user_event_create},
    {"user_event_set", user_event_set},
    {NULL, NULL},
};
