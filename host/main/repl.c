/* repl.c - the prompt: reads statements from standard input until it ends, runs each, prints what it gives.
 *
 * A line is tried as an expression first ("return <line>"), then as a statement; one that is incomplete goes on
 * behind the second prompt. Ctrl-C drops what was typed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "main.h"

/* Kept over the calls, so that an error leaves nothing behind. */
static char *line;
static size_t line_capacity;

static void print_prompt(lua_State *L, bool first) {
    lua_getglobal(L, "_G");
    lua_pushstring(L, first ? "_PROMPT" : "_PROMPT2");
    lua_rawget(L, -2); /* raw: a prompt that is not set installs nothing */
    const char *text = lua_tostring(L, -1);
    if (!text) text = first ? "> " : ">> ";
    fputs(text, stdout);
    fflush(stdout);
    lua_pop(L, 2);
}

enum reading { LINE, INTERRUPTED, END };

/* Pushes a line without its end. */
static enum reading read_line(lua_State *L, bool first) {
    print_prompt(L, first);
    ssize_t length = getline(&line, &line_capacity, stdin);
    if (length < 0) {
        bool interrupted = clue_signal_take();
        clearerr(stdin);
        putchar('\n');
        return interrupted ? INTERRUPTED : END;
    }
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
        length--;
    if (first && length > 0 && line[0] == '=') {
        lua_pushliteral(L, "return ");
        lua_pushlstring(L, line + 1, (size_t)length - 1);
        lua_concat(L, 2);
    } else
        lua_pushlstring(L, line, (size_t)length);
    return LINE;
}

/* Compiles the text on top: pushes the function or the message. */
static int compile(lua_State *L) {
    int text = lua_gettop(L);
    size_t length;
    lua_pushliteral(L, "return ");
    lua_pushvalue(L, text);
    lua_concat(L, 2);
    const char *expression = lua_tolstring(L, -1, &length);
    int status = luaL_loadbuffer(L, expression, length, "=stdin");
    lua_remove(L, -2);
    if (status == LUA_OK) return status;
    lua_pop(L, 1);
    const char *statement = lua_tolstring(L, text, &length);
    return luaL_loadbuffer(L, statement, length, "=stdin");
}

/* The parser stopped because the text ended: "... near <eof>", quoted by some Luas. */
static bool is_incomplete(lua_State *L, int status) {
    static const char end[] = "<eof>";
    size_t length;
    if (status != LUA_ERRSYNTAX) return false;
    const char *message = lua_tolstring(L, -1, &length);
    if (length > 0 && message[length - 1] == '\'') length--;
    return length >= strlen(end) && memcmp(message + length - strlen(end), end, strlen(end)) == 0;
}

/* Reads until the text compiles or cannot; leaves the function or the message at index 1. */
static enum reading read_statement(lua_State *L, int *status_out) {
    lua_settop(L, 0);
    enum reading reading = read_line(L, true);
    while (reading == LINE) {
        *status_out = compile(L);
        if (!is_incomplete(L, *status_out)) {
            lua_replace(L, 1);
            lua_settop(L, 1);
            return LINE;
        }
        lua_settop(L, 1);
        lua_pushliteral(L, "\n");
        reading = read_line(L, false);
        if (reading == LINE) lua_concat(L, 3);
    }
    return reading;
}

static void print_results(lua_State *L) {
    int count = lua_gettop(L);
    if (count == 0) return;
    lua_getglobal(L, "print");
    lua_insert(L, 1);
    clue_report_call(L, count, 0);
}

void clue_repl_run(lua_State *L) {
    int status = LUA_OK;
    for (;;) {
        enum reading reading = read_statement(L, &status);
        if (reading == END) break;
        if (reading == INTERRUPTED) continue;
        if (status != LUA_OK)
            clue_report_say("%s", lua_tostring(L, 1));
        else if (clue_report_call(L, 0, LUA_MULTRET))
            print_results(L);
    }
    lua_settop(L, 0);
}
