/* module.h - what the files of the Lua module share: arguments and results of calls.
 *
 * The module is compiled once for each Lua whose headers are installed (5.1, which LuaJIT shares, to 5.4), so it
 * uses only what all of them have. Each function has the hooks as its upvalues. lua_error() jumps, so nothing that
 * must be freed may be held when it can happen. */
#ifndef WALK_MODULE_H
#define WALK_MODULE_H

#include <lauxlib.h>
#include <lua.h>

#include "../walk.h"

/* Functions of clue's modules: binding.array_view, binding.array_code, error.new. */
enum { HOOK_ARRAY_VIEW = 1, HOOK_ARRAY_CODE = 2, HOOK_ERROR_NEW = 3, HOOKS = 3 };

/* ---- module.c: results ---- */

/* Returns no values; raises a failure. */
int module_done(lua_State *L, int32_t code);
/* Returns true or false, and where it is wrong; raises a failure. */
int module_verdict(lua_State *L, int32_t status, const walk_fault *fault);
void module_push_whole(lua_State *L, int64_t value);

/* ---- argument.c: checks, which raise in the standard wording at the caller's line ---- */

_Noreturn void argument_refuse(lua_State *L, int position, const char *call, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void argument_table(lua_State *L, int position, const char *call);
/* Refuses a Lua integer that no double holds. */
double argument_number(lua_State *L, int position, const char *call);
int32_t argument_int(lua_State *L, int position, const char *call);
int64_t argument_long(lua_State *L, int position, const char *call);
/* A string without zeros. */
const char *argument_text(lua_State *L, int position, const char *call);

/* A word and its number in walk.h; a list ends with a NULL word. */
struct word {
    const char *word;
    int32_t code;
};
/* what: "baseline", as in "no baseline is called abc" */
int32_t argument_word(lua_State *L, int position, const struct word *words, const char *what, const char *call);

/* Fields of the table at 1. The table keeps the values alive. */
bool field_is(lua_State *L, const char *name, const char *text);
bool field_is_nil(lua_State *L, const char *name);
double field_number(lua_State *L, const char *name, const char *call);
/* A whole number; one below 1 is refused with the message `least`. */
int64_t field_extent(lua_State *L, const char *name, const char *least, const char *call);
/* The memory of an array of this type, and its number of elements. */
void *field_array(lua_State *L, const char *name, int32_t type, int64_t *count_out, const char *call);

/* ---- product.c ---- */

/* The float or double product of the table at 1. */
walk_product product_read(lua_State *L, const char *call);

/* ---- what there are functions for: module_NAME in NAME.c, for each name in CMakeLists.txt ---- */

#define SUBJECT(name) extern const luaL_Reg module_##name[];
#include "subjects.inc"
#undef SUBJECT

#endif
