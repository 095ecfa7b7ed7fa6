/* editor.c - the module clue.editor: reads lines from the terminal with libedit, for the prompt (clue.repl).
 *
 * Only a prompt in a terminal loads this module, so scripts start without libedit. There is one terminal, hence one
 * editor.
 *
 * While a line is read, signals are only noted. They wake the wait for the next byte through a pipe, because they
 * may arrive in a driver's thread. Ctrl-C drops the line and raises nothing; a signal that ends the process does so
 * after the terminal is restored. The character locale is the user's only in here; Lua's own functions keep
 * theirs. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include <histedit.h>
#include <lauxlib.h>
#include <lua.h>

enum { HISTORY_SIZE = 2000, PROMPT_SIZE = 128 };

static const int watched[] = {SIGINT, SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP};
enum { WATCHED = sizeof watched / sizeof *watched };

static struct {
    EditLine *line;
    History *history;
    locale_t characters;
    lua_State *state; /* the state that asked for the line; complete() is at this index */
    int complete;
    char prompt[PROMPT_SIZE];
    mbstate_t partial;
} editor;

static volatile sig_atomic_t arrived[NSIG];
static int wake[2] = {-1, -1}; /* a pipe */

static bool take(int number) {
    bool came = arrived[number] != 0;
    arrived[number] = 0;
    return came;
}

/* ---- what libedit calls ------------------------------------------------------------------------------------- */

static char *prompt_text(EditLine *line) {
    (void)line;
    return editor.prompt;
}

/* Ctrl-Z: restores the terminal, and stops. */
static void stop(EditLine *line) {
    struct sigaction standard = {.sa_handler = SIG_DFL}, ours;
    el_set(line, EL_PREP_TERM, 0);
    sigaction(SIGTSTP, &standard, &ours);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
}

static void look_at_signals(EditLine *line) {
    char bytes[16];
    (void)!read(wake[0], bytes, sizeof bytes);
    if (take(SIGWINCH)) el_resize(line);
    if (take(SIGTSTP)) stop(line);
    if (!take(SIGCONT)) return;
    el_set(line, EL_PREP_TERM, 0); /* the shell used the terminal meanwhile */
    el_set(line, EL_PREP_TERM, 1);
    el_set(line, EL_REFRESH);
}

/* Waits for a byte. False if a signal came that ends the reading. */
static bool wait_for_input(EditLine *line) {
    struct pollfd wanted[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = wake[0], .events = POLLIN}};
    for (;;) {
        int ready = poll(wanted, 2, -1);
        if (ready < 0 && errno != EINTR) return false;
        if (ready > 0 && wanted[1].revents) look_at_signals(line);
        if (arrived[SIGINT] || arrived[SIGTERM] || arrived[SIGHUP]) return false;
        if (ready > 0 && wanted[0].revents) return true;
    }
}

/* Reads one character: gives 1; 0 at the end of the input; -1 if a signal ended the reading. Skips bytes that are
 * not characters, and also 0, which libedit takes for every key that the terminal does not define. */
static int read_character(EditLine *line, wchar_t *character_out) {
    for (;;) {
        char byte;
        ssize_t count;
        size_t used;
        if (!wait_for_input(line)) return -1;
        count = read(STDIN_FILENO, &byte, 1);
        if (count == 0) return 0;
        if (count < 0 && errno != EINTR && errno != EAGAIN) return -1;
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

/* If the user has no locale (LANG unset, or C), the terminal is assumed to show UTF-8. */
static locale_t user_locale(void) {
    locale_t found = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    locale_t before, better;
    bool single;
    if (!found) return newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    before = uselocale(found);
    single = MB_CUR_MAX == 1;
    uselocale(before);
    better = single ? newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0) : (locale_t)0;
    if (!better) return found;
    freelocale(found);
    return better;
}

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
    if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0 || !make_history()) return false;
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

/* ---- signals ------------------------------------------------------------------------------------------------ */

static void note(int number) {
    const int before = errno;
    arrived[number] = 1;
    (void)!write(wake[1], "", 1);
    errno = before;
}

/* Ignored signals stay ignored. */
static void watch_signals(struct sigaction before_out[WATCHED]) {
    struct sigaction action = {.sa_handler = note};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < WATCHED; i++) {
        arrived[watched[i]] = 0;
        sigaction(watched[i], NULL, &before_out[i]);
        if (before_out[i].sa_handler != SIG_IGN) sigaction(watched[i], &action, NULL);
    }
}

/* Raises a signal that ends the process again, now that the terminal is restored. */
static void leave_signals(const struct sigaction before[WATCHED]) {
    for (int i = 0; i < WATCHED; i++)
        sigaction(watched[i], &before[i], NULL);
    if (take(SIGTERM)) raise(SIGTERM);
    if (take(SIGHUP)) raise(SIGHUP);
}

/* ---- what Lua calls ----------------------------------------------------------------------------------------- */

/* start(): true, or nil if libedit cannot start in this terminal. Call it before all others. */
static int editor_start(lua_State *L) {
    locale_t outside;
    bool made;
    if (!editor.characters) editor.characters = user_locale();
    outside = uselocale(editor.characters);
    made = make_editor();
    uselocale(outside);
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
    struct sigaction before[WATCHED];
    const bool failed = ferror(stdout) != 0;
    int count = 0;
    locale_t outside;
    const char *text;
    bool interrupted;
    snprintf(editor.prompt, sizeof editor.prompt, "%s", luaL_checkstring(L, 1));
    luaL_checktype(L, 2, LUA_TFUNCTION);
    if (!editor.line) return luaL_error(L, "clue.editor: call start() first");
    editor.state = L;
    editor.complete = 2;
    fflush(stderr);
    outside = uselocale(editor.characters);
    watch_signals(before);
    el_set(editor.line, EL_PREP_TERM, 1); /* before the prompt, after which the user may type */
    text = el_gets(editor.line, &count);
    interrupted = take(SIGINT);
    uselocale(outside);
    leave_signals(before);
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
    locale_t outside;
    if (!editor.line) return luaL_error(L, "clue.editor: call start() first");
    outside = uselocale(editor.characters);
    history(editor.history, &event, H_ENTER, text);
    uselocale(outside);
    return 0;
}

/* append(path, text): appends to a file that only its owner may read; true, or nil and the reason. */
static int editor_append(lua_State *L) {
    size_t size;
    const char *path = luaL_checkstring(L, 1);
    const char *text = luaL_checklstring(L, 2, &size);
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    bool written = file >= 0 && write(file, text, size) ==
                                    (ssize_t)size; /* in one call, because two prompts may share the file */
    int why = errno;
    if (file >= 0) close(file);
    if (!written) {
        lua_pushnil(L);
        lua_pushstring(L, strerror(why));
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
