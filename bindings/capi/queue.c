/* queue.c - queues beside a context's own, and what is enqueued on them. */
#include "capi.h"

/* (context, properties, device); without a device: on the context's first. */
static int queue_create(lua_State *L) {
    static const char call[] = "queue_create";
    int32_t context = capi_int(L, 1, call), queue = 0;
    int64_t properties = capi_long(L, 2, call);
    int32_t code = lua_isnoneornil(L, 3) ? clue_queue_create(&queue, context, properties)
                                         : clue_queue_create_on(&queue, context, capi_int(L, 3, call), properties);
    return capi_push_whole_or_nil(L, code, queue);
}

static int context_queue(lua_State *L) {
    int32_t queue = 0, code = clue_context_queue(&queue, capi_int(L, 1, "context_queue"));
    return capi_push_whole_or_nil(L, code, queue);
}

static int queue_finish(lua_State *L) {
    return capi_push_done(L, clue_queue_finish(capi_int(L, 1, "queue_finish")));
}

static int queue_flush(lua_State *L) {
    return capi_push_done(L, clue_queue_flush(capi_int(L, 1, "queue_flush")));
}

/* (queue, kernel, dimensions, offset, global, local); offset and local may be nil. */
static int queue_execute(lua_State *L) {
    static const char call[] = "queue_execute";
    struct capi_range r;
    int32_t queue = capi_int(L, 1, call), kernel = capi_int(L, 2, call), dimensions = capi_int(L, 3, call);
    int32_t event = 0;
    capi_range(L, &r, dimensions, 4, call);
    int32_t code = clue_queue_execute(&event, queue, kernel, dimensions, r.offset, r.global, r.local);
    return capi_push_whole_or_nil(L, code, event);
}

/* (queue, events) */
static int queue_wait_for(lua_State *L) {
    static const char call[] = "queue_wait_for";
    int32_t queue = capi_int(L, 1, call), count = 0;
    const int32_t *events = capi_ints(L, 2, &count, call);
    return capi_push_done(L, clue_queue_wait_for(queue, events, count));
}

/* (queue, objects, flags) */
static int queue_migrate(lua_State *L) {
    static const char call[] = "queue_migrate";
    int32_t queue = capi_int(L, 1, call), count = 0, event = 0;
    lua_settop(L, 3);
    const int32_t *objects = capi_ints(L, 2, &count, call);
    int32_t code = clue_queue_migrate(&event, queue, objects, count, capi_long(L, 3, call));
    return capi_push_whole_or_nil(L, code, event);
}

static int queue_marker(lua_State *L) {
    int32_t event = 0, code = clue_queue_marker(&event, capi_int(L, 1, "queue_marker"));
    return capi_push_whole_or_nil(L, code, event);
}

static int queue_barrier(lua_State *L) {
    int32_t event = 0, code = clue_queue_barrier(&event, capi_int(L, 1, "queue_barrier"));
    return capi_push_whole_or_nil(L, code, event);
}

/* ---- transfers: (queue, buffer, offset, array, first, count, blocking) ---- */

int capi_push_transferred(lua_State *L, int32_t code, const int32_t *event) {
    return event ? capi_push_whole_or_nil(L, code, *event) : capi_push_done(L, code);
}

int32_t *capi_event_out(lua_State *L, int position, int32_t *event) {
    *event = 0;
    return lua_isboolean(L, position) && !lua_toboolean(L, position) ? event : NULL;
}

static int queue_write(lua_State *L) {
    static const char call[] = "queue_write";
    int32_t queue = capi_int(L, 1, call), event, *event_out = capi_event_out(L, 7, &event);
    struct capi_transfer t = capi_transfer(L, 2, call);
    int32_t code = clue_queue_write(event_out, queue, t.buffer, t.offset, t.data, t.size);
    return capi_push_transferred(L, code, event_out);
}

static int queue_read(lua_State *L) {
    static const char call[] = "queue_read";
    int32_t queue = capi_int(L, 1, call), event, *event_out = capi_event_out(L, 7, &event);
    struct capi_transfer t = capi_transfer(L, 2, call);
    int32_t code = clue_queue_read(event_out, t.data, queue, t.buffer, t.offset, t.size);
    return capi_push_transferred(L, code, event_out);
}

/* ---- what the device does by itself ---- */

/* (queue, from, from_offset, to, to_offset, size) */
static int queue_copy(lua_State *L) {
    static const char call[] = "queue_copy";
    int32_t queue = capi_int(L, 1, call), from = capi_int(L, 2, call), event = 0;
    int64_t from_offset = capi_long(L, 3, call);
    int32_t to = capi_int(L, 4, call);
    int64_t to_offset = capi_long(L, 5, call), size = capi_long(L, 6, call);
    int32_t code = clue_queue_copy(&event, queue, from, from_offset, to, to_offset, size);
    return capi_push_whole_or_nil(L, code, event);
}

/* (queue, buffer, offset, size, pattern) */
static int queue_fill(lua_State *L) {
    static const char call[] = "queue_fill";
    int32_t queue = capi_int(L, 1, call), buffer = capi_int(L, 2, call), event = 0;
    int64_t offset = capi_long(L, 3, call), size = capi_long(L, 4, call);
    size_t length;
    const char *pattern = capi_bytes(L, 5, &length, call);
    int32_t code = clue_queue_fill(&event, queue, buffer, offset, size, pattern, (int64_t)length);
    return capi_push_whole_or_nil(L, code, event);
}

const luaL_Reg capi_queue_functions[] = {
    {"context_queue", context_queue}, {"queue_barrier", queue_barrier},
    {"queue_copy", queue_copy},       {"queue_create", queue_create},
    {"queue_execute", queue_execute}, {"queue_fill", queue_fill},
    {"queue_finish", queue_finish},   {"queue_flush", queue_flush},
    {"queue_marker", queue_marker},   {"queue_migrate", queue_migrate},
    {"queue_read", queue_read},       {"queue_wait_for", queue_wait_for},
    {"queue_write", queue_write},     {NULL, NULL},
};
