/* rect.c - boxes of bytes between arrays and buffers, and between buffers. */
#include "capi.h"

static void origin_at(lua_State *L, int64_t *origin_out, int position, const char *call) {
    origin_out[0] = origin_out[1] = origin_out[2] = 0;
    if (!lua_isnoneornil(L, position)) (void)capi_sizes(L, origin_out, 3, position, call);
}

/* (..., from_origin, region, to_origin, from_row, from_slice, to_row, to_slice), from a position on. */
static void read_rect(lua_State *L, clue_rect *r, int position, const char *call) {
    origin_at(L, r->from_origin, position, call);
    (void)capi_sizes(L, r->region, 3, position + 1, call);
    origin_at(L, r->to_origin, position + 2, call);
    r->from_row_pitch = capi_long(L, position + 3, call);
    r->from_slice_pitch = capi_long(L, position + 4, call);
    r->to_row_pitch = capi_long(L, position + 5, call);
    r->to_slice_pitch = capi_long(L, position + 6, call);
}

/* (queue, buffer, array, box..., blocking) */
static int queue_write_rect(lua_State *L) {
    static const char call[] = "queue_write_rect";
    clue_rect r;
    int32_t queue = capi_int(L, 1, call), buffer = capi_int(L, 2, call), event;
    const struct capi_array *a = capi_array(L, 3, call);
    read_rect(L, &r, 4, call);
    int32_t *event_out = capi_event_out(L, 11, &event);
    int32_t code = clue_queue_write_rect(event_out, queue, buffer, a->data, a->count * capi_array_size(a), &r);
    return capi_push_transferred(L, code, event_out);
}

/* (queue, buffer, array, box..., blocking) */
static int queue_read_rect(lua_State *L) {
    static const char call[] = "queue_read_rect";
    clue_rect r;
    int32_t queue = capi_int(L, 1, call), buffer = capi_int(L, 2, call), event;
    const struct capi_array *a = capi_array(L, 3, call);
    read_rect(L, &r, 4, call);
    int32_t *event_out = capi_event_out(L, 11, &event);
    int32_t code = clue_queue_read_rect(event_out, a->data, queue, buffer, a->count * capi_array_size(a), &r);
    return capi_push_transferred(L, code, event_out);
}

/* (queue, from, to, box...) */
static int queue_copy_rect(lua_State *L) {
    static const char call[] = "queue_copy_rect";
    clue_rect r;
    int32_t queue = capi_int(L, 1, call), from = capi_int(L, 2, call), to = capi_int(L, 3, call), event = 0;
    read_rect(L, &r, 4, call);
    int32_t code = clue_queue_copy_rect(&event, queue, from, to, &r);
    return capi_push_whole_or_nil(L, code, event);
}

const luaL_Reg capi_rect_functions[] = {
    {"queue_copy_rect", queue_copy_rect},
    {"queue_read_rect", queue_read_rect},
    {"queue_write_rect", queue_write_rect},
    {NULL, NULL},
};
