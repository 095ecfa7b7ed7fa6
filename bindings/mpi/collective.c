/* collective.c - what all ranks do together. Each call is MPI's non-blocking one, so that request.c can wait for
 * it. */
#include "module.h"

static int barrier(lua_State *L) {
    MPI_Request *request;
    int32_t number;
    world_start(L);
    number = request_new(L, "MPI_Ibarrier", MPI_DATATYPE_NULL, &request);
    return request_started(L, number, MPI_Ibarrier(MPI_COMM_WORLD, request));
}

/* (array, first, count, root) */
static int broadcast(lua_State *L) {
    struct part part;
    MPI_Request *request;
    int32_t number;
    int root;
    world_start(L);
    part = part_read(L, 1);
    root = (int)part_whole(L, 4, 0, world_size() - 1);
    number = request_new(L, "MPI_Ibcast", MPI_DATATYPE_NULL, &request);
    return request_started(L, number,
                           MPI_Ibcast(part.data, part.count, part.datatype, root, MPI_COMM_WORLD, request));
}

/* What scatter and gather take: (part, first, count, root, whole); whole is nil where the rank is not the root. */
struct deal {
    struct part part, whole;
    int root;
};

static struct deal deal_read(lua_State *L) {
    struct deal deal = {0};
    world_start(L);
    deal.part = part_read(L, 1);
    deal.root = (int)part_whole(L, 4, 0, world_size() - 1);
    if (!lua_isnoneornil(L, 5)) deal.whole = part_whole_array(L, 5, &deal.part);
    return deal;
}

static int scatter(lua_State *L) {
    struct deal deal = deal_read(L);
    const struct part *from = &deal.whole, *to = &deal.part;
    MPI_Request *request;
    int32_t number = request_new(L, "MPI_Iscatter", MPI_DATATYPE_NULL, &request);
    return request_started(L, number,
                           MPI_Iscatter(from->data, to->count, to->datatype, to->data, to->count, to->datatype,
                                        deal.root, MPI_COMM_WORLD, request));
}

static int gather(lua_State *L) {
    struct deal deal = deal_read(L);
    const struct part *from = &deal.part, *to = &deal.whole;
    MPI_Request *request;
    int32_t number = request_new(L, "MPI_Igather", MPI_DATATYPE_NULL, &request);
    return request_started(L, number,
                           MPI_Igather(from->data, from->count, from->datatype, to->data, from->count,
                                       from->datatype, deal.root, MPI_COMM_WORLD, request));
}

static MPI_Op operation(lua_State *L, int position) {
    static const char *const words[] = {"sum", "min", "max", NULL};
    const MPI_Op operations[] = {MPI_SUM, MPI_MIN, MPI_MAX};
    return operations[luaL_checkoption(L, position, NULL, words)];
}

/* (array, first, count, "sum"): the results replace the elements */
static int all_reduce(lua_State *L) {
    struct part part;
    MPI_Request *request;
    MPI_Op op;
    int32_t number;
    world_start(L);
    part = part_read(L, 1);
    op = operation(L, 4);
    if (part.type == CLUE_HALF) failure_refuse(L, 1, "MPI has no half");
    number = request_new(L, "MPI_Iallreduce", MPI_DATATYPE_NULL, &request);
    return request_started(
        L, number, MPI_Iallreduce(MPI_IN_PLACE, part.data, part.count, part.datatype, op, MPI_COMM_WORLD, request));
}

const luaL_Reg collective_functions[] = {
    {"all_reduce", all_reduce}, {"barrier", barrier}, {"broadcast", broadcast},
    {"gather", gather},         {"scatter", scatter}, {NULL, NULL},
};
