/* fail_memory.c - preloaded, it fails the n-th allocation of clue's own code: of the executable, of libclue and of
 * the bindings (malloc and its like), or of Lua's state (its allocator). Drivers, libc and LuaJIT get all they ask
 * for.
 *
 * Its settings are those of turn.h, and:
 *   CLUE_FAIL_CLASS    core: of our C code (the default); lua: of Lua's state, those that ask for more
 *   CLUE_FAIL_VARIANT  1: all after it fail, too, as when memory is at its end; otherwise only this one
 *
 * It reports when the failure occurs, and at exit: "calls N", "failed PLACE". Processes that clue starts inherit
 * the settings and count for themselves. */
#define _GNU_SOURCE /* RTLD_NEXT: NOLINT(clang-diagnostic-reserved-macro-identifier) */
#include "turn.h"

typedef void *(*lua_alloc)(void *data, void *block, size_t old_size, size_t new_size);

/* glibc's own names: NOLINTBEGIN(clang-diagnostic-reserved-identifier) */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

static bool is_ready, counts_lua;
static long calls;
static char failed[256] = "-";

static void report(void) {
    char text[512];
    (void)snprintf(text, sizeof text, "calls %ld\nfailed %s\n", calls, failed);
    turn_report(text);
}

/* ---- clue's own calls ---- */

/* True for the executable, libclue and the modules of C: <build>/clue, libclue.so.0.1.0, lua/clue/NAME.so. */
static bool is_our_image(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return strcmp(name, "clue") == 0 || strncmp(name, "libclue.so", 10) == 0 || strstr(path, "/lua/clue/") != NULL;
}

/* True if the code at a return address is clue's. Remembers the answers: allocations are many, and places few. */
static bool is_our_caller(void *address) {
    enum { PLACES = 4096 };
    static void *known[PLACES];
    static bool answers[PLACES];
    const size_t place = ((uintptr_t)address >> 1) % PLACES;
    Dl_info about;
    if (known[place] == address) return answers[place];
    answers[place] = dladdr(address, &about) && about.dli_fname && is_our_image(about.dli_fname);
    known[place] = address;
    return answers[place];
}

__attribute__((constructor)) static void begin(void) {
    const char *class = getenv("CLUE_FAIL_CLASS");
    if (!turn_is_on()) return;
    counts_lua = class && strcmp(class, "lua") == 0;
    turn_begin();
    is_ready = true;
    atexit(report);
}

static bool fails(const char *what, void *caller) {
    Dl_info about;
    calls++;
    if (turn_comes(calls, 0, 1)) {
        if (!caller || !dladdr(caller, &about)) about = (Dl_info){.dli_fname = "lua", .dli_sname = NULL};
        (void)snprintf(failed, sizeof failed, "%s,%s,%s", what, about.dli_fname,
                       about.dli_sname ? about.dli_sname : "?");
        report();
    } else if (!turn_stays(calls))
        return false;
    errno = ENOMEM;
    return true;
}

#define FAILS(what)                                                                                                \
    (is_ready && !counts_lua && is_our_caller(__builtin_return_address(0)) &&                                      \
     fails(what, __builtin_return_address(0)))

/* ---- our C code ---- */

void *malloc(size_t size) {
    return FAILS("malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return FAILS("calloc") ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    return FAILS("realloc") ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return FAILS("aligned_alloc") ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **block_out, size_t alignment, size_t size) {
    void *block;
    if (FAILS("posix_memalign")) return ENOMEM;
    block = __libc_memalign(alignment, size);
    if (!block) return ENOMEM;
    *block_out = block;
    return 0;
}

static char *copy(const char *text, size_t length) {
    char *made = __libc_malloc(length + 1);
    if (!made) return NULL;
    memcpy(made, text, length);
    made[length] = '\0';
    return made;
}

char *strdup(const char *text) {
    return FAILS("strdup") ? NULL : copy(text, strlen(text));
}

char *strndup(const char *text, size_t most) {
    return FAILS("strndup") ? NULL : copy(text, strnlen(text, most));
}

FILE *open_memstream(char **text_out, size_t *size_out) {
    static FILE *(*next)(char **, size_t *);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "open_memstream");
    return FAILS("open_memstream") ? NULL : next(text_out, size_out);
}

/* ---- Lua's state ---- */

static lua_alloc state_alloc;

/* Lua counts on this: a block can always be freed or made smaller. */
static void *allocate(void *data, void *block, size_t old_size, size_t new_size) {
    const bool grows = new_size > (block ? old_size : 0);
    if (grows && fails("state", NULL)) return NULL;
    return state_alloc(data, block, old_size, new_size);
}

void *luaL_newstate(void);
void *luaL_newstate(void) {
    void *(*make)(void), *state;
    lua_alloc (*get)(void *, void **);
    void (*set)(void *, lua_alloc, void *), *data;
    *(void **)&make = dlsym(RTLD_NEXT, "luaL_newstate");
    *(void **)&get = dlsym(RTLD_NEXT, "lua_getallocf");
    *(void **)&set = dlsym(RTLD_NEXT, "lua_setallocf");
    state = make();
    if (!counts_lua || !state) return state;
    state_alloc = get(state, &data);
    set(state, allocate, data);
    return state;
}
