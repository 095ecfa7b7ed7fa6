/* hooks.h - what Lua modules of C share whose functions call clue's Lua: each function has these of clue's own
 * functions, its hooks, as its first upvalues. */
#ifndef CLUE_MODULE_HOOKS_H
#define CLUE_MODULE_HOOKS_H

#include <lauxlib.h>
#include <lua.h>

struct hook {
    const char *module, *name; /* "clue.error", "new" */
};

/* Pushes a table with the functions of all lists; a NULL ends them. Hook i is upvalue i + 1 of each. Raises what
 * require() raises. */
void hooks_push_functions(lua_State *L, const struct hook *hooks, int hook_count, const luaL_Reg *const *lists);

#endif
