/* world.c - the ranks of the job: MPI's start and its end.
 *
 * The end is a handler of the process's exit, which knows the exit status in every interpreter: 0 finalises MPI,
 * any other ends all ranks. Otherwise the others would wait for messages of a rank that is gone. The handler runs
 * after Lua has closed, so the module must stay loaded (-z nodelete in cmake/lua.cmake). */
#include "../../host/sys/system.h"
#include "module.h"

#include <stdlib.h>

static struct {
    bool runs;
    int64_t process; /* a child that was forked is no rank */
    int rank, size, local_rank, local_size;
} world;

int world_size(void) {
    return world.size;
}

_Noreturn static void end_all(int status) {
    world.runs = false;
    (void)fflush(stdout);
    (void)fflush(stderr);
    (void)MPI_Abort(MPI_COMM_WORLD, status);
    _Exit(status);
}

static void at_exit(int status) {
    if (!world.runs || world.process != process_id()) return;
    world.runs = false;
    (void)fflush(stdout);
    if (status != 0) {
        if (world.size == 1) return; /* mpirun, if there is one, sees the status */
        fprintf(stderr, "clue: rank %d of %d failed with exit status %d, which ends all ranks\n", world.rank,
                world.size, status);
        end_all(status);
    }
    if (request_count() > 0) {
        fprintf(stderr, "clue: rank %d of %d ended before %d of its messages: call wait() on each request\n",
                world.rank, world.size, request_count());
        end_all(EXIT_FAILURE);
    }
    (void)MPI_Finalize();
}

static int start(void) {
    int provided, started, code = MPI_Initialized(&started);
    if (code == MPI_SUCCESS && !started) code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    if (code == MPI_SUCCESS) code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS) code = MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    if (code == MPI_SUCCESS) code = MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    return code;
}

/* The ranks on this machine are a group of MPI's, those that can share memory. */
static int find_neighbours(void) {
    MPI_Comm node;
    int code = MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    if (code == MPI_SUCCESS) code = MPI_Comm_rank(node, &world.local_rank);
    if (code == MPI_SUCCESS) code = MPI_Comm_size(node, &world.local_size);
    if (code == MPI_SUCCESS) code = MPI_Comm_free(&node);
    return code;
}

void world_start(lua_State *L) {
    if (world.size > 0) return;
    failure_check(L, start(), "MPI_Init_thread");
    world.process = process_id();
    world.runs = true;
    exit_watch(at_exit);
    failure_check(L, find_neighbours(), "MPI_Comm_split_type");
}

/* rank, size, and the same among the ranks of this machine */
static int world_place(lua_State *L) {
    world_start(L);
    lua_pushinteger(L, world.rank);
    lua_pushinteger(L, world.size);
    lua_pushinteger(L, world.local_rank);
    lua_pushinteger(L, world.local_size);
    return 4;
}

static int world_time(lua_State *L) {
    world_start(L);
    lua_pushnumber(L, MPI_Wtime());
    return 1;
}

static int world_abort(lua_State *L) {
    const int status = (int)part_whole(L, 1, 1, 255);
    world_start(L);
    fprintf(stderr, "clue: rank %d of %d ends all ranks with exit status %d\n", world.rank, world.size, status);
    end_all(status);
}

const luaL_Reg world_functions[] = {
    {"abort", world_abort},
    {"place", world_place},
    {"time", world_time},
    {NULL, NULL},
};
