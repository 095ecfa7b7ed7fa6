/* editor.c - the module clue.editor: reads lines from the terminal with libedit, for the prompt (clue.repl).
 *
 * Only a prompt in a terminal loads this module, so scripts start without libedit. There is one terminal, hence one
 * editor.
 *
 * While a line is read, signals are only noted. Ctrl-C drops the line and raises nothing; a signal that ends the
 * process does so after the terminal is restored. The character locale is the user's only in here; Lua's own
 * functions keep theirs. */
#include "../sys/system.h"

#include <errno.h>
#include <string.h>
#include <wchar.h>

#include <histedit.h>
#include <lauxlib.h>
#include <lua.h>

enum { HISTORY_SIZE = 2000, PROMPT_SIZE = 128 };

static struct {
    EditLine *line;
    History *history;
    void *characters; /* of the user */
    lua_State *state; /* the state that asked for the line; complete() is at this index */
    int complete;
    char prompt[PROMPT_SIZE];
    mbstate_t partial;
} editor;

/* ---- what libedit calls ------------------------------------------------------------------------------------- */

static char *prompt_text(EditLine *line) {
    (void)line;
    return editor.prompt;
}

/* Waits for a byte. False if a signal came that ends the reading. */
static bool wait_for_input(EditLine *line) {
    for (;;)
        switch (keys_wait()) {
        case KEYS_BYTE:
            return true;
        case KEYS_ENDED:
            return false;
        case KEYS_RESIZED:
            el_resize(line);
            break;
        case KEYS_STOP: /* Ctrl-Z */
            el_set(line, EL_PREP_TERM, 0);
            keys_stop();
            break;
        case KEYS_CONTINUED:
            el_set(line, EL_PREP_TERM, 0); /* the shell used the terminal meanwhile */
            el_set(line, EL_PREP_TERM, 1);
            el_set(line, EL_REFRESH);
            break;
        }
}

/* Reads one character: gives 1; 0 at the end of the input; -1 if a signal ended the reading. Skips bytes that are
 * not characters, and also 0, which libedit takes for every key that the terminal does not define. */
static int read_character(EditLine *line, wchar_t *character_out) {
    for (;;) {
        char byte;
        int count;
        size_t used;
        if (!wait_for_input(line)) return -1;
        count = keys_read(&byte);
        if (count == 0) return 0;
        if (count == -2) return -1;
        if (count < 0) continue;
        used = mbrtowc(character_out, &byte, 1, &editor.partial);
        if (used == 1) return 1;
        if (used == (size_t)-1) memset(&editor.partial, 0, sizeof editor.partial);
    }
}

/* Calls complete(text before the cursor); leaves its two results on the stack, nil if there is nothing to insert or
 * show. */
static void ask_for_completion(lua_State *L, EditLine *line) {
    const LineInfo *info = el_line(line);
    lua_settop(L, editor.complete);
    lua_pushvalue(L, editor.complete);
    lua_pushlstring(L, info->buffer, (size_t)(info->cursor - info->buffer));
    if (lua_pcall(L, 1, 2, 0) == 0) return;
    lua_settop(L, editor.complete); /* an error must not pass through libedit */
    lua_pushnil(L);
    lua_pushnil(L);
}

static unsigned char complete(EditLine *line, int key) {
    lua_State *L = editor.state;
    unsigned char answer = CC_ERROR;
    const char *insert, *list;
    (void)key;
    ask_for_completion(L, line);
    insert = lua_tostring(L, -2);
    list = lua_tostring(L, -1);
    if (insert && *insert && el_insertstr(line, insert) == 0) answer = CC_REFRESH;
    if (list && *list) {
        printf("\n%s\n", list);
        fflush(stdout);
        answer = CC_REDISPLAY;
    }
    lua_settop(L, editor.complete);
    return answer;
}

/* ---- the editor itself -------------------------------------------------------------------------------------- */

static void bind_keys(EditLine *line) {
    el_set(line, EL_ADDFN, "clue-complete", "complete a name", complete);
    el_set(line, EL_BIND, "^I", "clue-complete", NULL);
    el_set(line, EL_BIND, "^R", "em-inc-search-prev", NULL);
    el_set(line, EL_BIND, "\\e[3~", "ed-delete-next-char", NULL);
    el_set(line, EL_BIND, "\\e[1;5C", "em-next-word", NULL);
    el_set(line, EL_BIND, "\\e[1;5D", "ed-prev-word", NULL);
}

static bool make_history(void) {
    HistEvent event;
    editor.history = history_init();
    if (!editor.history) return false;
    history(editor.history, &event, H_SETSIZE, HISTORY_SIZE);
    history(editor.history, &event, H_SETUNIQUE, 1);
    return true;
}

/* True if there is an editor; the first call makes it. The caller has set the locale. */
static bool make_editor(void) {
    if (editor.line) return true;
    if (!keys_open() || !make_history()) return false;
    editor.line = el_init("clue", stdin, stdout, stderr);
    if (!editor.line) return false;
    el_set(editor.line, EL_PROMPT, prompt_text);
    el_set(editor.line, EL_EDITOR, "emacs");
    el_set(editor.line, EL_SIGNAL, 0);
    el_set(editor.line, EL_GETCFN, read_character);
    el_set(editor.line, EL_HIST, history, editor.history);
    bind_keys(editor.line);
    el_source(editor.line, NULL); /* the user's ~/.editrc */
    return true;
}

/* ---- what Lua calls ----------------------------------------------------------------------------------------- */

/* start(): true, or nil if libedit cannot start in this terminal. Call it before all others. */
static int editor_start(lua_State *L) {
    void *outside;
    bool made;
    if (!editor.characters) editor.characters = characters_of_user();
    outside = characters_use(editor.characters);
    made = make_editor();
    characters_use(outside);
    if (!made) return 0;
    lua_pushboolean(L, true);
    return 1;
}

/* Pushes the results of a reading that gave no line. */
static int push_ending(lua_State *L, bool interrupted) {
    fputs(interrupted ? "^C\n" : "\n", stdout);
    fflush(stdout);
    lua_pushnil(L);
    lua_pushstring(L, interrupted ? "interrupted" : "end");
    return 2;
}

/* read(prompt, complete): a line without its end; or nil and "interrupted" or "end". complete(text) gets the text
 * before the cursor. It returns the text to insert there, or nil; and the text to show below, or nil. */
static int editor_read(lua_State *L) {
    const bool failed = ferror(stdout) != 0;
    int count = 0;
    void *outside;
    const char *text;
    bool interrupted;
    snprintf(editor.prompt, sizeof editor.prompt, "%s", luaL_checkstring(L, 1));
    luaL_checktype(L, 2, LUA_TFUNCTION);
    if (!editor.line) return luaL_error(L, "clue.editor: call start() first");
    editor.state = L;
    editor.complete = 2;
    fflush(stderr);
    outside = characters_use(editor.characters);
    keys_begin();
    el_set(editor.line, EL_PREP_TERM, 1); /* before the prompt, after which the user may type */
    text = el_gets(editor.line, &count);
    interrupted = keys_interrupted();
    characters_use(outside);
    keys_leave();
    if (!failed) clearerr(stdout); /* a signal may have cut the echo short; no output of the script is lost */
    if (interrupted || !text || count <= 0) return push_ending(L, interrupted);
    if (text[count - 1] == '\n') count--;
    lua_pushlstring(L, text, (size_t)count);
    return 1;
}

/* remember(text): adds a line for the arrow keys. */
static int editor_remember(lua_State *L) {
    HistEvent event;
    const char *text = luaL_checkstring(L, 1);
    void *outside;
    if (!editor.line) return luaL_error(L, "clue.editor: call start() first");
    outside = characters_use(editor.characters);
    history(editor.history, &event, H_ENTER, text);
    characters_use(outside);
    return 0;
}

/* append(path, text): appends to a file that only its owner may read; true, or nil and the reason. */
static int editor_append(lua_State *L) {
    size_t size;
    const char *path = luaL_checkstring(L, 1);
    const char *text = luaL_checklstring(L, 2, &size);
    if (!file_append_own(path, text, size)) { /* in one call, because two prompts may share the file */
        lua_pushnil(L);
        lua_pushstring(L, strerror(errno));
        return 2;
    }
    lua_pushboolean(L, true);
    return 1;
}

static const struct luaL_Reg functions[] = {
    {"append", editor_append},
    {"read", editor_read},
    {"remember", editor_remember},
    {"start", editor_start},
};

__attribute__((visibility("default"))) int luaopen_clue_editor(lua_State *L);

int luaopen_clue_editor(lua_State *L) {
    lua_newtable(L);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        lua_pushcfunction(L, functions[i].func);
        lua_setfield(L, -2, functions[i].name);
    }
    return 1;
}
