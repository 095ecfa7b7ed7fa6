/* part.c - the memory of clue's arrays as MPI takes it: an address, a count and a type. */
#include "module.h"

#include <limits.h>

/* A half has no type of MPI's. Two bytes travel as well; clue.mpi refuses to reduce them. */
static MPI_Datatype datatype(int32_t type) {
    switch (type) {
    case CLUE_CHAR:
        return MPI_INT8_T;
    case CLUE_UCHAR:
        return MPI_UINT8_T;
    case CLUE_SHORT:
        return MPI_INT16_T;
    case CLUE_USHORT:
    case CLUE_HALF:
        return MPI_UINT16_T;
    case CLUE_INT:
        return MPI_INT32_T;
    case CLUE_UINT:
        return MPI_UINT32_T;
    case CLUE_LONG:
        return MPI_INT64_T;
    case CLUE_ULONG:
        return MPI_UINT64_T;
    case CLUE_FLOAT:
        return MPI_FLOAT;
    case CLUE_DOUBLE:
        return MPI_DOUBLE;
    default:
        return MPI_DATATYPE_NULL;
    }
}

int64_t part_whole(lua_State *L, int position, int64_t least, int64_t most) {
    lua_Number number = luaL_checknumber(L, position);
    if (!(number >= (lua_Number)least && number <= (lua_Number)most && number == (lua_Number)(int64_t)number))
        failure_refuse(L, position, "%.14g is not a whole number from %lld to %lld", number, (long long)least,
                       (long long)most);
    return (int64_t)number;
}

/* Only the binding knows arrays. */
static char *view(lua_State *L, int position, int64_t *count_out, int32_t *type_out) {
    uintptr_t address;
    lua_pushvalue(L, lua_upvalueindex(HOOK_ARRAY_VIEW));
    lua_pushvalue(L, position);
    lua_call(L, 1, 3);
    if (lua_isnil(L, -3)) failure_refuse(L, position, "%s", lua_tostring(L, -2));
    address = (uintptr_t)lua_tonumber(L, -3);
    *count_out = (int64_t)lua_tonumber(L, -2);
    *type_out = (int32_t)lua_tonumber(L, -1);
    lua_pop(L, 3);
    return (char *)address; /* NOLINT(performance-no-int-to-ptr): Lua has no other number for it */
}

struct part part_read(lua_State *L, int position) {
    struct part made = {0};
    int64_t first, given;
    char *data = view(L, position, &given, &made.type);
    first = part_whole(L, position + 1, 0, given);
    made.count = (int)part_whole(L, position + 2, 0, given - first < INT_MAX ? given - first : INT_MAX);
    made.data = data ? data + first * clue_type_size(made.type) : NULL;
    made.datatype = datatype(made.type);
    return made;
}

struct part part_whole_array(lua_State *L, int position, const struct part *like) {
    struct part made = *like;
    int64_t given, needed = (int64_t)like->count * world_size();
    made.data = view(L, position, &given, &made.type);
    if (made.type != like->type) failure_refuse(L, position, "both arrays must have one type");
    if (given < needed)
        failure_refuse(L, position, "an array of %lld for %lld elements", (long long)given, (long long)needed);
    return made;
}
