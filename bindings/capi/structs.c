/* structs.c - the structs of clue.h for images and boxes, number by number. */
#include "capi.h"

void capi_origin(lua_State *L, int64_t *origin_out, int position, const char *call) {
    origin_out[0] = origin_out[1] = origin_out[2] = 0;
    if (!lua_isnoneornil(L, position)) (void)capi_sizes(L, origin_out, 3, position, call);
}

void capi_box(lua_State *L, int64_t *origin_out, int64_t *region_out, int position, const char *call) {
    capi_origin(L, origin_out, position, call);
    (void)capi_sizes(L, region_out, 3, position + 1, call);
}

void capi_rect(lua_State *L, clue_rect *rect_out, int position, const char *call) {
    capi_box(L, rect_out->from_origin, rect_out->region, position, call);
    capi_origin(L, rect_out->to_origin, position + 2, call);
    rect_out->from_row_pitch = capi_long(L, position + 3, call);
    rect_out->from_slice_pitch = capi_long(L, position + 4, call);
    rect_out->to_row_pitch = capi_long(L, position + 5, call);
    rect_out->to_slice_pitch = capi_long(L, position + 6, call);
}

void capi_image_part(lua_State *L, clue_image_part *part_out, int position, const char *call) {
    capi_box(L, part_out->origin, part_out->region, position, call);
    part_out->row_pitch = capi_long(L, position + 2, call);
    part_out->slice_pitch = capi_long(L, position + 3, call);
}

void capi_shape(lua_State *L, clue_image_shape *shape_out, int position, const char *call) {
    *shape_out = (clue_image_shape){.buffer = 0};
    shape_out->type = (uint32_t)capi_int(L, position, call);
    shape_out->order = (uint32_t)capi_int(L, position + 1, call);
    shape_out->channel = (uint32_t)capi_int(L, position + 2, call);
    shape_out->width = capi_long(L, position + 3, call);
    shape_out->height = capi_long(L, position + 4, call);
    shape_out->depth = capi_long(L, position + 5, call);
    shape_out->array_size = capi_long(L, position + 6, call);
}
