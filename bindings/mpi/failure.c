/* failure.c - what MPI refuses, as an error object: 'MPI_Irecv: MPI_ERR_TRUNCATE (15): message truncated'. */
#include "module.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void failure_refuse(lua_State *L, int position, const char *format, ...) {
    char problem[200];
    va_list values;
    va_start(values, format);
    vsnprintf(problem, sizeof problem, format, values); /* NOLINT(clang-analyzer-valist.Uninitialized): it is set */
    va_end(values);
    luaL_error(L, "bad argument #%d (%s)", position, problem);
    abort(); /* not reached: Lua's headers do not say that luaL_error never returns */
}

static void set_text(lua_State *L, const char *name, const char *text, size_t length) {
    lua_pushlstring(L, text, length);
    lua_setfield(L, -2, name);
}

/* MPI's words are "MPI_ERR_TRUNCATE: message truncated": a name and a detail. */
static void set_words(lua_State *L, const char *words) {
    const char *colon = strstr(words, ": ");
    const char *detail = colon ? colon + 2 : words;
    if (colon) set_text(L, "name", words, (size_t)(colon - words));
    set_text(L, "detail", detail, strlen(detail));
}

void failure_push(lua_State *L, int code, const char *call) {
    char words[MPI_MAX_ERROR_STRING + 1] = "";
    int length = 0, class = code;
    (void)MPI_Error_class(code, &class);
    (void)MPI_Error_string(code, words, &length);
    lua_pushvalue(L, lua_upvalueindex(HOOK_ERROR_NEW));
    lua_createtable(L, 0, 4);
    lua_pushinteger(L, class);
    lua_setfield(L, -2, "code");
    set_text(L, "call", call, strlen(call));
    set_words(L, words);
    lua_call(L, 1, 1);
}

void failure_check(lua_State *L, int code, const char *call) {
    if (code == MPI_SUCCESS) return;
    failure_push(L, code, call);
    lua_error(L);
}
