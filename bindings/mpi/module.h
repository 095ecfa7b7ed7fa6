/* module.h - what the files of the Lua module clue.mpi.luaNN share. Only clue.mpi loads it, which documents and
 * checks what scripts give; here only what would hurt the process is checked again.
 *
 * Everything that another rank must answer is started and gives the number of a request; request.c waits for it.
 * The module is compiled once for each Lua whose headers are installed, so it uses only what all of them have. Each
 * function has the hooks as its upvalues. */
#ifndef CLUE_MPI_MODULE_H
#define CLUE_MPI_MODULE_H

#include <lauxlib.h>
#include <lua.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "clue.h"

/* Functions of clue's modules: binding.array_view, error.new. */
enum { HOOK_ARRAY_VIEW = 1, HOOK_ERROR_NEW = 2, HOOKS = 2 };

/* ---- failure.c ---- */

/* Pushes an error object with MPI's own words. */
void failure_push(lua_State *L, int code, const char *call);
/* Raises one, unless the code is MPI_SUCCESS. */
void failure_check(lua_State *L, int code, const char *call);
_Noreturn void failure_refuse(lua_State *L, int position, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- world.c ---- */

/* Starts MPI at the first call. */
void world_start(lua_State *L);
int world_size(void);

/* ---- part.c: arguments ---- */

/* Elements of an array: where they are, how many, and what MPI calls their type. */
struct part {
    void *data;
    int count;
    int32_t type; /* clue's */
    MPI_Datatype datatype;
};

int64_t part_whole(lua_State *L, int position, int64_t least, int64_t most);
/* The array at a position, and the two numbers after it, first and count. */
struct part part_read(lua_State *L, int position);
/* The array at a position, which must have `count` elements for each rank, of the type of `like`. */
struct part part_whole_array(lua_State *L, int position, const struct part *like);

/* ---- request.c ---- */

/* Prepares a request, which the call then starts: *request_out is valid until the next call of Lua or of this. */
int32_t request_new(lua_State *L, const char *call, MPI_Datatype type, MPI_Request **request_out);
/* Pushes the number of a request that was started; if it was not, raises and forgets it. */
int request_started(lua_State *L, int32_t number, int code);
/* How many are not complete. */
int request_count(void);

extern const luaL_Reg world_functions[], message_functions[], collective_functions[], request_functions[];

#endif
