/* message.c - messages from one rank to another. */
#include "module.h"

enum { LARGEST_TAG = 32767 }; /* every MPI has these */

/* (array, first, count, to, tag) */
static int message_send(lua_State *L) {
    struct part part;
    MPI_Request *request;
    int32_t number;
    int to, tag;
    world_start(L);
    part = part_read(L, 1);
    to = (int)part_whole(L, 4, 0, world_size() - 1);
    tag = (int)part_whole(L, 5, 0, LARGEST_TAG);
    number = request_new(L, "MPI_Isend", MPI_DATATYPE_NULL, &request);
    return request_started(L, number,
                           MPI_Isend(part.data, part.count, part.datatype, to, tag, MPI_COMM_WORLD, request));
}

/* (array, first, count, from, tag); from and tag may be -1: any */
static int message_receive(lua_State *L) {
    struct part part;
    MPI_Request *request;
    int32_t number;
    int from, tag;
    world_start(L);
    part = part_read(L, 1);
    from = (int)part_whole(L, 4, -1, world_size() - 1);
    tag = (int)part_whole(L, 5, -1, LARGEST_TAG);
    number = request_new(L, "MPI_Irecv", part.datatype, &request);
    return request_started(L, number,
                           MPI_Irecv(part.data, part.count, part.datatype, from < 0 ? MPI_ANY_SOURCE : from,
                                     tag < 0 ? MPI_ANY_TAG : tag, MPI_COMM_WORLD, request));
}

const luaL_Reg message_functions[] = {
    {"receive", message_receive},
    {"send", message_send},
    {NULL, NULL},
};
