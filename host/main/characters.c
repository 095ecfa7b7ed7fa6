/* characters.c - refuses a script with characters that look like others. LuaJIT takes them for parts of names, so
 * "local", a no-break space and "n = 5" set a global variable, without an error. */
#include "main.h"

#include <string.h>

#include "clue.h"

/* Pushes what is in a file; NULL if it cannot be read, which Lua then says. */
static const char *push_file(lua_State *L, const char *path, size_t *size_out) {
    FILE *file = file_open(path, "rb");
    luaL_Buffer text;
    size_t got;
    if (!file) return NULL;
    luaL_buffinit(L, &text);
    do {
        got = fread(luaL_prepbuffer(&text), 1, LUAL_BUFFERSIZE, file);
        luaL_addsize(&text, got);
    } while (got > 0);
    (void)fclose(file);
    luaL_pushresult(&text);
    return lua_tolstring(L, -1, size_out);
}

/* Pushes the text with spaces in place of comments and strings. */
static const char *push_code(lua_State *L) {
    clue_setup_require(L, "clue.literals");
    lua_getfield(L, -1, "mask");
    lua_pushvalue(L, -3);
    lua_call(L, 1, 1);
    return lua_tostring(L, -1);
}

static int refuse(lua_State *L, const char *path, const char *text, const char *at, const char *what) {
    int line = 1;
    for (const char *end; (end = memchr(text, '\n', (size_t)(at - text))); text = end + 1)
        line++;
    return luaL_error(L, "%s:%d: column %d has %s", path, line, (int)(at - text) + 1, what);
}

void clue_characters_check(lua_State *L, const char *path) {
    const int top = lua_gettop(L);
    path_facts facts;
    char what[CLUE_ODD_SIZE];
    size_t size;
    int64_t first, at;
    const char *text, *code;
    if (path_look(&facts, path, true) != PATH_FILE || !(text = push_file(L, path, &size))) return;
    if (size > 1 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        luaL_error(L,
                   "%s is in UTF-16, which Lua does not read: save it as UTF-8, as iconv -f UTF-16 -t UTF-8 does",
                   path);
    first = size > 2 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    if (*text != '\x1b' && clue_text_odd(what, text, first, (int64_t)size) >= 0) {
        code = push_code(L);
        at = clue_text_odd(what, code, first, (int64_t)size);
        if (at >= 0) refuse(L, path, code, code + at, what);
    }
    lua_settop(L, top);
}
