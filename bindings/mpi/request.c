/* request.c - what was started and is not complete. A request's number is its place in a list.
 *
 * Ctrl-C can raise an error in Lua as soon as a function here returns. So what became of a request stays here until
 * Lua has it and says so, by `forget`: an error of Lua's never means that MPI is done with an array.
 *
 * Open MPI's own waiting keeps a core busy. Ranks often share cores with each other and with a CPU device, so those
 * that wait long sleep between two looks. */
#include "../../host/sys/system.h"
#include "module.h"

#include <stdlib.h>

struct request {
    MPI_Request request;
    MPI_Datatype type;
    const char *call; /* NULL: free */
    bool is_over;     /* then these tell how it ended */
    int code;
    MPI_Status status;
};

static struct request *requests;
static int32_t room;

int request_count(void) {
    int count = 0;
    for (int32_t i = 0; i < room; i++)
        count += requests[i].call && !requests[i].is_over;
    return count;
}

_Noreturn static void refuse_more(lua_State *L, int32_t wanted) {
    luaL_error(L, "there is not enough memory for %d requests", (int)wanted);
    abort(); /* not reached: Lua's headers do not say that luaL_error never returns */
}

static void grow(lua_State *L) {
    const int32_t wanted = room ? 2 * room : 8;
    struct request *more = realloc(requests, (size_t)wanted * sizeof *more);
    if (!more) refuse_more(L, wanted);
    requests = more;
    for (; room < wanted; room++)
        requests[room].call = NULL;
}

int32_t request_new(lua_State *L, const char *call, MPI_Datatype type, MPI_Request **request_out) {
    int32_t number = 0;
    while (number < room && requests[number].call)
        number++;
    if (number == room) grow(L);
    requests[number] = (struct request){.request = MPI_REQUEST_NULL, .type = type, .call = call};
    *request_out = &requests[number].request;
    return number;
}

int request_started(lua_State *L, int32_t number, int code) {
    const char *call = requests[number].call;
    if (code != MPI_SUCCESS) requests[number].call = NULL;
    failure_check(L, code, call);
    lua_pushinteger(L, number);
    return 1;
}

/* ---- waiting ---- */

static const double busy = 2e-3, patience = 0.05; /* seconds */

/* MPI moves a large message piece by piece, as we look. So a rank looks often, and at first without a pause. */
static void rest(double waited) {
    if (waited < busy)
        thread_yield();
    else
        time_pause(50e-6);
}

/* Looks until the request is over, or for so many seconds. */
static void look(struct request *self, double seconds) {
    const double start = MPI_Wtime();
    while (!self->is_over) {
        int complete = 0;
        double waited;
        self->code = MPI_Test(&self->request, &complete, &self->status);
        self->is_over = complete || self->code != MPI_SUCCESS;
        waited = MPI_Wtime() - start;
        if (waited >= seconds) return;
        if (!self->is_over) rest(waited);
    }
}

static struct request *numbered(lua_State *L) {
    const int32_t number = (int32_t)part_whole(L, 1, 0, room - 1);
    if (!requests[number].call) failure_refuse(L, 1, "no request has the number %d", (int)number);
    return &requests[number];
}

/* Pushes nothing if it is not complete; the rank and the tag of a message, and how many elements it has, -1 if they
 * are not whole; or false and an error object if it failed. */
static int finish(lua_State *L, double seconds) {
    struct request *self = numbered(L);
    int count = 0;
    look(self, seconds);
    if (!self->is_over) return 0;
    if (self->code != MPI_SUCCESS) {
        lua_pushboolean(L, 0);
        failure_push(L, self->code, self->call);
        return 2;
    }
    if (self->type != MPI_DATATYPE_NULL) (void)MPI_Get_count(&self->status, self->type, &count);
    lua_pushinteger(L, self->status.MPI_SOURCE);
    lua_pushinteger(L, self->status.MPI_TAG);
    lua_pushinteger(L, count == MPI_UNDEFINED ? -1 : count);
    return 3;
}

static int request_test(lua_State *L) {
    return finish(L, 0);
}

/* Returns after a while in any case, so that Ctrl-C reaches Lua. */
static int request_wait(lua_State *L) {
    return finish(L, patience);
}

/* Frees the number of a request that is over. */
static int request_forget(lua_State *L) {
    struct request *self = numbered(L);
    if (self->is_over) self->call = NULL;
    return 0;
}

const luaL_Reg request_functions[] = {
    {"forget", request_forget},
    {"test", request_test},
    {"wait", request_wait},
    {NULL, NULL},
};
