/* report.c - protected calls, and what users read after an error: "clue: script.lua:12: message" and a traceback of
 * their own lines. C functions and clue's own Lua files are left out, unless there is nothing else. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clue.h"
#include "main.h"

enum { HEAD = 12, TAIL = 10, SEARCHED = 200, SHOWN_AT_ONCE = 1024 };

static const char *hidden_folder = "";
static bool interrupts_are_brief, interrupted;

void clue_report_hide(const char *folder) {
    hidden_folder = folder;
}

void clue_report_interrupts_briefly(void) {
    interrupts_are_brief = true;
}

bool clue_report_interrupted(void) {
    return interrupted;
}

/* Messages quote text of others, which must be made safe to print. */
static void write_visible(const char *text, size_t size) {
    char shown[4 * SHOWN_AT_ONCE + 1];
    for (size_t part; size > 0; text += part, size -= part) {
        int64_t length;
        part = size < SHOWN_AT_ONCE ? size : SHOWN_AT_ONCE;
        while (part < size && part > 1 && ((unsigned char)text[part] & 0xc0) == 0x80)
            part--; /* so that no character is cut */
        length = clue_text_visible(shown, text, (int64_t)part);
        fwrite(shown, 1, (size_t)length, stderr);
    }
}

void clue_report_say(const char *format, ...) {
    va_list values, again;
    int size;
    char *text;
    va_start(values, format);
    va_copy(again, values);
    size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = malloc((size_t)size + 1);
    if (text) vsnprintf(text, (size_t)size + 1, format, values);
    va_end(values);
    fflush(stdout);
    fputs("clue: ", stderr);
    if (text)
        write_visible(text, (size_t)size);
    else
        fputs("there is not enough memory to give the reason", stderr);
    fputc('\n', stderr);
    free(text);
}

static bool is_hidden(const lua_Debug *frame, bool all) {
    size_t length = strlen(hidden_folder);
    if (frame->currentline <= 0) return true; /* C, or replaced by a tail call */
    return !all && length > 0 && frame->source[0] == '@' &&
           strncmp(frame->source + 1, hidden_folder, length) == 0 && frame->source[length + 1] == '/';
}

void clue_report_push_place(lua_State *L) {
    lua_Debug frame;
    for (int level = 0; level < SEARCHED && lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "Sl", &frame);
        if (is_hidden(&frame, false)) continue;
        lua_pushfstring(L, "%s:%d: ", frame.short_src, frame.currentline);
        return;
    }
    lua_pushliteral(L, "");
}

/* Pushes the name of the global that holds the frame's function, if there is one. It says more ("OnStart") than the
 * name under which clue's own code called it. */
static bool push_global_name(lua_State *L, lua_Debug *frame) {
    int top = lua_gettop(L);
    lua_getinfo(L, "f", frame);
    lua_getglobal(L, "_G");
    if (lua_istable(L, -1)) {
        lua_pushnil(L);
        while (lua_next(L, top + 2)) {
            if (lua_rawequal(L, -1, top + 1) && lua_type(L, -2) == LUA_TSTRING) {
                lua_pop(L, 1);
                lua_replace(L, top + 1);
                lua_settop(L, top + 1);
                return true;
            }
            lua_pop(L, 1);
        }
    }
    lua_settop(L, top);
    return false;
}

/* Pushes "\n\tscript.lua:12: in function 'name'". */
static void push_frame(lua_State *L, lua_Debug *frame) {
    lua_pushfstring(L, "\n\t%s:%d: in ", frame->short_src, frame->currentline);
    if (*frame->what == 'm')
        lua_pushliteral(L, "main chunk");
    else if (push_global_name(L, frame)) {
        lua_pushfstring(L, "function '%s'", lua_tostring(L, -1));
        lua_remove(L, -2);
    } else if (*frame->namewhat)
        lua_pushfstring(L, "function '%s'", frame->name);
    else
        lua_pushfstring(L, "function <%s:%d>", frame->short_src, frame->linedefined);
    lua_concat(L, 2);
}

/* The number of levels, found by bisection, because every query walks the stack. */
static int count_levels(lua_State *L) {
    lua_Debug frame;
    int below = 0, above = 1;
    while (lua_getstack(L, above, &frame)) {
        below = above;
        above *= 2;
    }
    while (above - below > 1) {
        int middle = below + (above - below) / 2;
        if (lua_getstack(L, middle, &frame))
            below = middle;
        else
            above = middle;
    }
    return above;
}

/* Pushes the frames to show from *level to the end, at most `most`, as one string; moves *level past them. */
static int push_frames(lua_State *L, int *level, int end, int most, bool all) {
    lua_Debug frame;
    int shown = 0;
    lua_pushliteral(L, "");
    for (; *level < end && shown < most && lua_getstack(L, *level, &frame); ++*level) {
        lua_getinfo(L, "Sln", &frame);
        if (is_hidden(&frame, all)) continue;
        push_frame(L, &frame);
        lua_concat(L, 2);
        shown++;
    }
    return shown;
}

/* Pushes the traceback; "" if it would be empty. */
static bool push_traceback(lua_State *L, bool all) {
    int levels = count_levels(L);
    int level = 0;
    int shown;
    lua_pushliteral(L, "\nstack traceback:");
    shown = push_frames(L, &level, levels < SEARCHED ? levels : SEARCHED, HEAD, all);
    if (level < levels - TAIL) {
        level = levels - TAIL;
        lua_pushliteral(L, "\n\t...");
    } else
        lua_pushliteral(L, "");
    shown += push_frames(L, &level, levels, TAIL, all);
    lua_concat(L, 4);
    return shown > 0;
}

/* Replaces the error value on top by its text. */
static void to_text(lua_State *L) {
    if (luaL_callmeta(L, -1, "__tostring") && lua_isstring(L, -1)) {
        lua_remove(L, -2);
        return;
    }
    lua_settop(L, 1);
    if (lua_isstring(L, -1))
        lua_tostring(L, -1);
    else {
        lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, -1));
        lua_remove(L, -2);
    }
}

/* True for messages that a hint may belong to: of the parser, about values that are nil or of a wrong type, of
 * functions of tables about an array, and about modules. */
static bool may_have_hint(const char *message) {
    static const char *const marks[] = {" near ", "attempt to ", "pairs' metamethod", "table expected, got ",
                                        "' not found:"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (strstr(message, marks[i])) return true;
    return false;
}

static int find_hint(lua_State *L) {
    clue_setup_require(L, "clue.hint");
    lua_getfield(L, -1, "of");
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 2, 1);
    return 1;
}

void clue_report_add_hint(lua_State *L, const char *text) {
    const char *message = lua_tostring(L, -1);
    if (!message || !may_have_hint(message)) return;
    lua_pushcfunction(L, find_hint);
    lua_pushvalue(L, -2);
    lua_pushstring(L, text);
    if (lua_pcall(L, 2, 1, 0) != LUA_OK || !lua_isstring(L, -1)) {
        lua_pop(L, 1);
        return;
    }
    lua_pushliteral(L, "\nhint: ");
    lua_insert(L, -2);
    lua_concat(L, 3);
}

/* Message handler: takes the error value, gives the text with a traceback. nil stays nil: a Lua program that has
 * printed its reason calls error() without a message. */
static int add_traceback(lua_State *L) {
    lua_settop(L, 1);
    if (lua_isnil(L, 1)) return 1;
    interrupted = clue_signal_raised(L, 1);
    if (interrupted && interrupts_are_brief) {
        lua_pushliteral(L, "interrupted");
        return 1;
    }
    to_text(L);
    clue_report_add_hint(L, NULL);
    if (!push_traceback(L, false)) {
        lua_settop(L, 1);
        if (!push_traceback(L, true)) lua_settop(L, 1);
    }
    lua_concat(L, lua_gettop(L));
    return 1;
}

bool clue_report_call(lua_State *L, int arguments, int results) {
    int base = lua_gettop(L) - arguments;
    int status;
    const char *text;
    lua_pushcfunction(L, add_traceback);
    lua_insert(L, base);
    status = lua_pcall(L, arguments, results, base);
    lua_remove(L, base);
    if (status == LUA_OK) return true;
    text = lua_tostring(L, -1);
    if (!lua_isnil(L, -1)) clue_report_say("%s", text ? text : "error in error handling");
    lua_pop(L, 1);
    return false;
}
