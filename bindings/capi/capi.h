/* capi.h - shared by the files of the binding over the Lua C API.
 *
 * Only translation lives here: from Lua's values to clue.h's calls and back, with the names, results and words of
 * bindings/ffi. It is compiled once for each Lua whose headers are installed (5.1, which LuaJIT shares, to 5.4), so
 * it uses only what all of them have; capi_* replaces the rest.
 *
 * lua_error() jumps: nothing that needs freeing may be held where it can happen. */
#ifndef CLUE_CAPI_H
#define CLUE_CAPI_H

#include <stdbool.h>

#include <lauxlib.h>
#include <lua.h>

#include "clue.h"

#if LUA_VERSION_NUM < 502
#define lua_rawlen lua_objlen
#endif

/* ---- module.c: results ---- */

/* Whole numbers become Lua integers if Lua has them, so that they print without ".0". */
void capi_push_whole(lua_State *L, int64_t value);
/* true, or nil for a failure. */
int capi_push_done(lua_State *L, int32_t code);
int capi_push_whole_or_nil(lua_State *L, int32_t code, int64_t value);
int capi_push_nil(lua_State *L);
/* The argument at a position says whether to wait for a transfer: only false means no. Then the address for its
 * event, else NULL. And its result: the event, or true; nil for a failure. */
int32_t *capi_event_out(lua_State *L, int position, int32_t *event);
int capi_push_transferred(lua_State *L, int32_t code, const int32_t *event_out);
/* Adds functions, ended by {NULL, NULL}, to the table on top. */
void capi_set_functions(lua_State *L, const luaL_Reg *functions);
/* table[name] = value, in the table on top. */
void capi_set_whole(lua_State *L, const char *name, int64_t value);
void capi_set_text(lua_State *L, const char *name, const char *text);

/* ---- argument.c: checks, which raise in the standard wording at the caller's line ---- */

/* Takes the function that reports refused arguments: report(call, position, problem, expected,
 * given) returns what to raise. expected is nil if the problem is not that something else was given. */
int capi_refusal_setup(lua_State *L);
/* Raises that, or else "bad argument #position to 'call' (...)". */
_Noreturn void capi_refuse(lua_State *L, int position, const char *call, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for a value that is not what was expected. */
_Noreturn void capi_mismatch(lua_State *L, int index, const char *expected, int position, const char *call);
/* What a value is, in words: "number", "array", "no value". */
const char *capi_found(lua_State *L, int index);
int32_t capi_int(lua_State *L, int position, const char *call);
int64_t capi_long(lua_State *L, int position, const char *call);
/* As a double. Refuses an integer that a double cannot hold, instead of rounding it. */
double capi_number(lua_State *L, int position, const char *call);
/* The number at a stack index; false if it is an integer that a double does not hold exactly. */
bool capi_exact_at(lua_State *L, int index, double *value_out);
bool capi_is_exact(lua_State *L, int index); /* the same question alone */
/* Whether the value at a stack index is a whole number from 0 that a double holds. */
bool capi_is_size(lua_State *L, int index, int64_t *size_out);
/* Takes any stack index; errors name it as the argument at a position. */
int32_t capi_int_at(lua_State *L, int index, int position, const char *call);
int64_t capi_long_at(lua_State *L, int index, int position, const char *call);
double capi_number_at(lua_State *L, int index, int position, const char *call);
const char *capi_text_at(lua_State *L, int index, int position, const char *call);
void capi_table(lua_State *L, int position, const char *call);
/* The numbers of a table, in memory of the collector, which stays on the stack, on top of the arguments. */
const int32_t *capi_ints(lua_State *L, int position, int32_t *count_out, const char *call);
/* Names and texts in turn in a table, and the number of pairs; the same. The table keeps their strings alive. */
const char **capi_pairs(lua_State *L, int position, int32_t *count_out, const char *call);
void capi_colour(lua_State *L, double *colour_out, int position, const char *call); /* four numbers of a table */
/* A string of any bytes; then one that C reads to its end. */
const char *capi_bytes(lua_State *L, int position, size_t *length_out, const char *call);
const char *capi_text(lua_State *L, int position, const char *call);

/* A word and what it means to clue.h; lists end with a NULL word. */
struct capi_word {
    const char *word;
    int32_t code;
};
/* what: "kind of handle", as in "no kind of handle is called window" */
int32_t capi_word(lua_State *L, int position, const struct capi_word *words, const char *what, const char *call);
/* Pushes the word for a code, nil if there is none. */
int capi_push_word(lua_State *L, const struct capi_word *words, int32_t code);

/* ---- element.c, array.c: typed arrays ---- */

struct capi_array {
    const void *mark; /* distinguishes it from any other userdata, see capi_array_test */
    char *data;       /* NULL if count is 0 */
    int64_t count;
    int32_t code;    /* CLUE_FLOAT, ... */
    int32_t mapping; /* the memory's owner, a handle; 0: the array; CAPI_UNMAPPED: it has no memory */
};

#define CAPI_UNMAPPED (-1)

/* NULL for anything that is not an array. */
struct capi_array *capi_array_test(lua_State *L, int index);
/* These also refuse an array whose memory was unmapped; capi_array_any takes it. */
struct capi_array *capi_array(lua_State *L, int position, const char *call);
struct capi_array *capi_array_any(lua_State *L, int position, const char *call);
int64_t capi_array_size(const struct capi_array *self); /* bytes of one element */
char *capi_array_at(const struct capi_array *self, int64_t index);
/* The kind of the memory's owner; NULL if the array owns it or has none. */
const char *capi_array_owner(const struct capi_array *self);
/* Pushes an array without elements. */
struct capi_array *capi_array_push(lua_State *L, int32_t code);
/* Refuses elements that are not all in the array. */
void capi_array_inside(lua_State *L, const struct capi_array *self, int64_t first, int64_t count, int position,
                       const char *call);
/* The same for a first element at a position and a count after it. */
void capi_array_range(lua_State *L, const struct capi_array *self, int64_t *first_out, int64_t *count_out,
                      int position, const char *call);
/* Pushes an element; pushes nothing and returns false if a double cannot hold it. */
bool capi_element_push(lua_State *L, const char *element, int32_t code);
/* Stores the number at a stack index; returns false if the type cannot hold it. */
bool capi_element_store(lua_State *L, int index, char *element, int32_t code);
/* The same for anything: numbers, and 64-bit numbers as text. */
bool capi_element_set(lua_State *L, int index, char *element, int32_t code);
/* Raises hook(array[, index[, value]]) at the line of the access, unless it is nil. The hook is an upvalue; the
 * first stack slots hold its arguments. */
int capi_element_raise(lua_State *L, int hook, int arguments);
/* Adds reading and writing of elements to the metatable on top. The hooks are at this stack index. */
void capi_element_open(lua_State *L, int hooks);

/* ---- range.c, structs.c: groups of numbers; position: that of the first of these arguments ---- */

struct capi_range {
    const int64_t *offset, *global, *local; /* offset and local: NULL for nil */
    int64_t room[3][3];
};

/* Copies the numbers of a Lua table or an array at a position into sizes_out, and returns it. */
const int64_t *capi_sizes(lua_State *L, int64_t *sizes_out, int dimensions, int position, const char *call);
/* Offset, global and local size, each a Lua table or an array. */
void capi_range(lua_State *L, struct capi_range *range_out, int32_t dimensions, int position, const char *call);
/* Three numbers, zeros for nil. */
void capi_origin(lua_State *L, int64_t *origin_out, int position, const char *call);
/* An origin, and three numbers. */
void capi_box(lua_State *L, int64_t *origin_out, int64_t *region_out, int position, const char *call);
/* A box, another origin; pitches of rows and slices at the first, then at the other. */
void capi_rect(lua_State *L, clue_rect *rect_out, int position, const char *call);
/* A box, pitches of rows and slices. */
void capi_image_part(lua_State *L, clue_image_part *part_out, int position, const char *call);
/* Type, order, channel, width, height, depth, array_size; without a buffer. */
void capi_shape(lua_State *L, clue_image_shape *shape_out, int position, const char *call);

/* ---- what the files export ---- */

/* Lists of words that are used outside the generated functions. */
extern const struct capi_word capi_cause[], capi_stream[];

extern const luaL_Reg capi_generated_functions[], capi_array_functions[], capi_buffer_functions[],
    capi_bulk_functions[], capi_cell_functions[], capi_error_functions[], capi_mapping_functions[],
    capi_opencl_functions[], capi_object_functions[], capi_png_functions[], capi_system_functions[],
    capi_table_functions[];

/* ---- object.c: objects that own handles ---- */

/* The first upvalues of the functions that make objects, or read their handles. */
enum { CAPI_LIVING = 1, CAPI_OWNED, CAPI_MADE, CAPI_HANDLE, CAPI_OWNERS = CAPI_HANDLE };
/* Pushes them from the table that object_setup made, and refuses any other. */
void capi_push_owners(lua_State *L, int position, const char *call);
/* Makes the table at an index an object, with the metatable at another. What lies above is taken off the stack. */
void capi_own(lua_State *L, int index, int32_t handle, int meta);
/* The handle at an index; 0 if it is none. */
int32_t capi_handle_at(lua_State *L, int index);
/* The handle of the object at an index, whose class is one of some, given by the addresses of their metatables; 0
 * if it is none, or was closed. Leaves up to two values on the stack. */
int32_t capi_object(lua_State *L, int index, const void *const *classes, int count);
/* Pushes a field of the table at an index, without metamethods; the name is an upvalue. */
void capi_push_field(lua_State *L, int table, int name);
/* Pushes the field of the table at a position, which must be a table. */
void capi_push_class(lua_State *L, int position, const char *name, const char *call);
/* Refuses what is not (objects, classes, rest): what object_setup made, a table with these tables, and a function.
 * NULL is behind the last name. */
void capi_check_setup(lua_State *L, const char *const *classes, const char *call);

/* ---- kernel.c ---- */

/* Adds its functions, which have upvalues, to the table on top. */
void capi_set_kernel_functions(lua_State *L);

#endif
