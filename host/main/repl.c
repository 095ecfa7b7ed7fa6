/* repl.c - the prompt: reads statements from standard input until its end, runs each, and prints the results.
 *
 * A line is tried as an expression first, then as a statement. An incomplete one continues at the second prompt.
 * Ctrl-C drops the typed text.
 *
 * Every prompt has the names cl and help of clue.repl.help. In a terminal, the module clue.repl (host/lua/repl)
 * shows the results, and reads the lines if there is libedit. It is called only between statements, in protected
 * mode, so an error in it costs no more than one line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clue.h"
#include "main.h"

static bool has_face, reads_face;

enum { MOST_FAILURES = 3 }; /* after so many failures in a row, no further line is read */

/* ---- the face: clue.repl ------------------------------------------------------------------------------------ */

/* True if input and output are a terminal that can move its cursor. */
static bool in_terminal(void) {
    const char *term = getenv("TERM");
    return terminal_is(STANDARD_INPUT) && terminal_is(STANDARD_OUTPUT) && term && *term &&
           strcmp(term, "dumb") != 0;
}

/* Calls clue.repl's function with the values on top; false if it failed, which has been printed. */
static bool call_face(lua_State *L, const char *name, int arguments, int results) {
    clue_setup_push_loaded(L, "clue.repl");
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    lua_insert(L, -arguments - 1);
    return clue_report_call(L, arguments, results);
}

static int load_face(lua_State *L) {
    clue_setup_require(L, "clue.repl");
    return 0;
}

static int give_names(lua_State *L) {
    clue_setup_require(L, "clue.repl.help");
    lua_getfield(L, -1, "give_names");
    lua_call(L, 0, 0);
    return 0;
}

static int load_editor(lua_State *L) {
    clue_setup_require(L, "clue.editor");
    return 0;
}

/* False, and the loader's reason is printed in a line, if the machine has no libedit. */
static bool has_editor(lua_State *L) {
    const char *reason;
    lua_pushcfunction(L, load_editor);
    if (lua_pcall(L, 0, 0, 0) == LUA_OK) return true;
    reason = lua_isstring(L, -1) ? lua_tostring(L, -1) : "";
    if (strrchr(reason, '\t')) reason = strrchr(reason, '\t') + 1;
    if (strstr(reason, "libedit"))
        clue_report_say("no editing, Tab or history at this prompt (Debian: apt install libedit2): %s", reason);
    else
        clue_report_say("no Tab or history at this prompt: this clue was built without libedit");
    lua_pop(L, 1);
    return false;
}

static void open_face(lua_State *L) {
    bool can_edit;
    has_face = reads_face = false;
    if (!in_terminal()) return;
    can_edit = has_editor(L);
    lua_pushcfunction(L, load_face);
    if (!clue_report_call(L, 0, 0)) return;
    lua_pushboolean(L, can_edit);
    if (!call_face(L, "open", 1, 1)) return;
    has_face = true;
    reads_face = lua_toboolean(L, -1);
    lua_pop(L, 1);
}

/* ---- lines -------------------------------------------------------------------------------------------------- */

static void push_prompt(lua_State *L, bool first) {
    lua_getglobal(L, "_G");
    lua_pushstring(L, first ? "_PROMPT" : "_PROMPT2");
    lua_rawget(L, -2); /* raw: an unset prompt must not install the MQL5 names */
    lua_remove(L, -2);
    if (lua_tostring(L, -1)) return;
    lua_pop(L, 1);
    lua_pushstring(L, first ? "> " : ">> ");
}

enum reading { LINE, INTERRUPTED, END };

/* Pushes a line from the terminal. */
static enum reading read_face(lua_State *L, bool first) {
    static int failures;
    const char *why;
    enum reading reading;
    push_prompt(L, first);
    if (!call_face(L, "read", 1, 2)) return ++failures < MOST_FAILURES ? INTERRUPTED : END;
    failures = 0;
    why = lua_tostring(L, -1);
    reading = !why ? LINE : strcmp(why, "end") == 0 ? END : INTERRUPTED;
    lua_pop(L, reading == LINE ? 1 : 2);
    return reading;
}

/* Pushes a line from anything else. */
static enum reading read_plain(lua_State *L, bool first) {
    luaL_Buffer line;
    int c, count = 0;
    push_prompt(L, first);
    fputs(lua_tostring(L, -1), stdout);
    fflush(stdout);
    lua_pop(L, 1);
    luaL_buffinit(L, &line);
    for (; (c = getc(stdin)) != EOF && c != '\n'; count++)
        luaL_addchar(&line, (char)c);
    luaL_pushresult(&line);
    if (c == EOF && (count == 0 || ferror(stdin))) {
        bool interrupted = clue_signal_take();
        lua_pop(L, 1);
        clearerr(stdin);
        putchar('\n');
        return interrupted ? INTERRUPTED : END;
    }
    while (count > 0 && lua_tostring(L, -1)[count - 1] == '\r')
        count--;
    lua_pushlstring(L, lua_tostring(L, -1), (size_t)count);
    lua_remove(L, -2);
    return LINE;
}

/* Pushes a line without its end. Leaves out "=" at the beginning of a statement, which older Luas need before an
 * expression. */
static enum reading read_line(lua_State *L, bool first) {
    enum reading reading = reads_face ? read_face(L, first) : read_plain(L, first);
    size_t length;
    const char *text;
    if (reading != LINE || !first) return reading;
    text = lua_tolstring(L, -1, &length);
    if (*text != '=') return LINE;
    lua_pushlstring(L, text + 1, length - 1);
    lua_remove(L, -2);
    return LINE;
}

/* ---- statements --------------------------------------------------------------------------------------------- */

/* Passes the results of an expression on. It is called with them so that the expression makes no tail call: errors
 * in tail calls have no line. */
static int pass(lua_State *L) {
    return lua_gettop(L);
}

/* Compiles `before`, the text and `after`; pushes the function, or a message. */
static int compile_between(lua_State *L, const char *before, int text, const char *after) {
    size_t length;
    const char *whole;
    int status;
    lua_pushstring(L, before);
    lua_pushvalue(L, text);
    lua_pushstring(L, after);
    lua_concat(L, 3);
    whole = lua_tolstring(L, -1, &length);
    status = luaL_loadbuffer(L, whole, length, "=stdin");
    lua_remove(L, -2);
    return status;
}

/* Compiles the text on top: pushes the function, to be called with pass(), or the message. Tries an expression
 * first. A statement gets a space before it, since Lua takes a text that begins with ESC for bytecode. The text has
 * no line break after it, which would move the error of a[1] to line 2; but if it ends in a comment, no bracket can
 * follow on its line. */
static int compile(lua_State *L) {
    static const char *const forms[][2] = {{"return (...)(", ")"}, {"return ", ""}, {" ", ""}};
    int text = lua_gettop(L), status = LUA_OK;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        lua_settop(L, text);
        status = compile_between(L, forms[i][0], text, forms[i][1]);
        if (status == LUA_OK) break;
    }
    return status;
}

/* True if the parser stopped at the end of the text: "... near <eof>", which some Luas quote. */
static bool is_incomplete(lua_State *L, int status) {
    static const char end[] = "<eof>";
    size_t length;
    const char *message;
    if (status != LUA_ERRSYNTAX) return false;
    message = lua_tolstring(L, -1, &length);
    if (length > 0 && message[length - 1] == '\'') length--;
    return length >= strlen(end) && memcmp(message + length - strlen(end), end, strlen(end)) == 0;
}

/* Reads until the text compiles or cannot be completed; leaves the function or the message at index 1. */
static enum reading read_statement(lua_State *L, int *status_out) {
    enum reading reading;
    lua_settop(L, 0);
    reading = read_line(L, true);
    while (reading == LINE) {
        *status_out = compile(L);
        if (!is_incomplete(L, *status_out)) {
            lua_pushvalue(L, 1);
            if (has_face)
                (void)call_face(L, "begin", 1, 0);
            else
                lua_pop(L, 1);
            if (*status_out == LUA_ERRSYNTAX) clue_report_add_hint(L, lua_tostring(L, 1));
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

/* Makes the string at an index safe to print: the prompt's echo comes from clue, not from the script. */
static void make_visible(lua_State *L, int index) {
    size_t size;
    const char *text = lua_tolstring(L, index, &size);
    char *shown = lua_newuserdata(L, 4 * size + 1);
    lua_pushlstring(L, shown, (size_t)clue_text_visible(shown, text, (int64_t)size));
    lua_replace(L, index);
    lua_pop(L, 1);
}

/* Prints the results as print() does. */
static int show_plainly(lua_State *L) {
    int count = lua_gettop(L);
    lua_getglobal(L, "print");
    lua_insert(L, 1);
    lua_getglobal(L, "tostring");
    for (int i = 2; i <= count + 1; i++) {
        lua_pushvalue(L, -1);
        lua_pushvalue(L, i);
        lua_call(L, 1, 1);
        if (lua_type(L, -1) == LUA_TSTRING) make_visible(L, lua_gettop(L));
        lua_replace(L, i);
    }
    lua_pop(L, 1);
    lua_call(L, count, 0);
    return 0;
}

static void print_results(lua_State *L) {
    int count = lua_gettop(L);
    if (count == 0) return;
    if (has_face) {
        (void)call_face(L, "show", count, 0);
        return;
    }
    lua_pushcfunction(L, show_plainly);
    lua_insert(L, 1);
    clue_report_call(L, count, 0);
}

void clue_repl_run(lua_State *L) {
    int status = LUA_OK;
    lua_pushcfunction(L, give_names);
    (void)clue_report_call(L, 0, 0);
    open_face(L);
    for (;;) {
        enum reading reading;
        clue_signal_forget_stop();
        reading = read_statement(L, &status);
        if (reading == END) break;
        if (reading == INTERRUPTED) continue;
        lua_pushcfunction(L, pass);
        if (status != LUA_OK)
            clue_report_say("%s", lua_tostring(L, 1));
        else if (clue_report_call(L, 1, LUA_MULTRET))
            print_results(L);
        lua_settop(L, 0);
        if (has_face) (void)call_face(L, "finish", 0, 0);
    }
    lua_settop(L, 0);
}
