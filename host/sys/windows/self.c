/* self.c - this process: its number, command line, variables and processors; and what it is given before main(), so
 * that the rest of clue finds what it has elsewhere. */
#include "room.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

int64_t process_id(void) {
    return GetCurrentProcessId();
}

char *with_slashes(char *path) {
    for (char *at = path; (at = strchr(at, '\\'));)
        *at = '/';
    return path;
}

/* GetCommandLine() quotes; the words that C's library made of it do not. */
size_t process_arguments(char *out, size_t room, size_t from) {
    size_t size = 0, at = 0;
    for (int i = 0; i < __argc; i++)
        for (const char *next = __argv[i];; next++) {
            if (at++ >= from && size < room) out[size++] = *next;
            if (!*next) break;
        }
    return size;
}

/* Whoever drops a script on clue.exe gets a console that ends with this process, and could not read what it
 * printed. A task of the scheduler has nobody to press a key: those run in session 0. */
static void keep_console(void) {
    DWORD processes[2], session = 0;
    if (!terminal_is(STANDARD_INPUT) || !terminal_is(STANDARD_ERROR) || GetConsoleProcessList(processes, 2) != 1 ||
        !ProcessIdToSessionId(GetCurrentProcessId(), &session) || session == 0)
        return;
    (void)fflush(stdout);
    (void)fputs("\nclue has ended; Enter closes this window. ", stderr);
    (void)getchar();
}

/* The command interpreter completes paths with '\\'. Only what is there is taken for a path. */
void process_take_words(int count, char **words) {
    if (count > 1) (void)atexit(keep_console);
    for (int i = 1; i < count; i++)
        if (strchr(words[i], '\\') && GetFileAttributesA(words[i]) != INVALID_FILE_ATTRIBUTES)
            (void)with_slashes(words[i]);
}

bool process_program(char *path_out, size_t room) {
    const DWORD length = GetModuleFileNameA(NULL, path_out, (DWORD)room);
    if (length == 0 || length >= room) return false;
    (void)with_slashes(path_out);
    return true;
}

bool process_has_borrowed_rights(void) {
    return false;
}

void process_after_fork(void (*in_child)(void)) {
    (void)in_child;
}

void process_reserve_descriptors(void) {
    for (int i = STANDARD_INPUT; i <= STANDARD_ERROR; i++)
        if (_get_osfhandle(i) < 0 && _open("NUL", i == STANDARD_INPUT ? _O_WRONLY : _O_RDONLY) < 0) return;
}

int64_t process_most_descriptors(void) {
    return 64; /* a process is told of so many that it inherits */
}

const char *const *process_variables(void) {
    return (const char *const *)_environ;
}

bool process_set_variable(const char *name, const char *value) {
    return _putenv_s(name, value ? value : "") == 0;
}

int64_t process_processors(void) {
    return GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}

bool process_may_use_all_processors(void) {
    return false;
}

void process_limits(char *out, size_t room) {
    if (room > 0) out[0] = '\0';
}

void process_keep_freed_memory(void) {}

/* ---- before main() ---- */

static void set_unset(const char *name, const char *value) {
    if (value && *value && !getenv(name)) (void)process_set_variable(name, value);
}

static void set_folder(const char *name, const char *path) {
    char slashed[PATH_ROOM];
    if (!path || strlen(path) >= sizeof slashed) return;
    memcpy(slashed, path, strlen(path) + 1);
    set_unset(name, with_slashes(slashed));
}

/* A console shows UTF-8, and colours if it knows how. */
static void prepare_console(int descriptor) {
    const HANDLE console = GetStdHandle(descriptor == STANDARD_OUTPUT ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
    DWORD mode;
    if (!GetConsoleMode(console, &mode)) return;
    (void)SetConsoleOutputCP(CP_UTF8);
    if (SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING)) set_unset("TERM", "xterm-256color");
}

/* Files are bytes, as elsewhere: a line ends in what the program writes. */
__attribute__((constructor)) static void prepare(void) {
    _fmode = _O_BINARY;
    for (int i = STANDARD_INPUT; i <= STANDARD_ERROR; i++)
        if (_get_osfhandle(i) >= 0) (void)_setmode(i, _O_BINARY);
    (void)setvbuf(stderr, NULL, _IONBF, 0);
    (void)SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); /* a crash opens no window */
    set_folder("HOME", getenv("USERPROFILE"));
    set_folder("TMPDIR", getenv("TEMP"));
    prepare_console(STANDARD_OUTPUT);
    prepare_console(STANDARD_ERROR);
}
