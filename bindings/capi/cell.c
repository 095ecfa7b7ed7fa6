/* cell.c - numbers of any type anywhere in an array of uchar: the fields of structs, aligned or not. */
#include <string.h>

#include "capi.h"

/* (array, offset, code): the cell, and in *code_out its type. */
static char *cell_at(lua_State *L, int32_t *code_out, const char *call) {
    const struct capi_array *self = capi_array(L, 1, call);
    const int64_t offset = capi_long(L, 2, call);
    *code_out = capi_int(L, 3, call);
    if (self->code != CLUE_UCHAR) capi_refuse(L, 1, call, "array of uchar expected");
    if (clue_type_size(*code_out) == 0) capi_refuse(L, 3, call, "no type has code %d", (int)*code_out);
    capi_array_inside(L, self, offset, clue_type_size(*code_out), 2, call);
    return self->data + offset;
}

static int cell_load(lua_State *L) {
    int32_t code;
    const char *cell = cell_at(L, &code, "cell_load");
    if (!capi_element_push(L, cell, code)) lua_pushnil(L);
    return 1;
}

static int cell_store(lua_State *L) {
    int32_t code;
    char *cell = cell_at(L, &code, "cell_store"), element[8];
    bool stored = capi_element_set(L, 4, element, code);
    if (stored) memcpy(cell, element, (size_t)clue_type_size(code));
    lua_pushboolean(L, stored);
    return 1;
}

const luaL_Reg capi_cell_functions[] = {
    {"cell_load", cell_load},
    {"cell_store", cell_store},
    {NULL, NULL},
};
