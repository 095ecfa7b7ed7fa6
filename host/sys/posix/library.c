/* library.c - shared objects that are loaded when they are first wanted. */
#include "../system.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void library_describe(library_words *out, const char *name, int number) {
    (void)snprintf(out->file, sizeof out->file, "lib%s.so.%d", name, number);
    (void)snprintf(out->remedy, sizeof out->remedy, "Debian: apt install lib%s-%d", name, number);
}

void *library_open(const char *name) {
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

/* Uses memcpy, because ISO C cannot convert an object's pointer to a function's. */
bool library_find(void *library, void *function_out, const char *name) {
    void *symbol = dlsym(library, name);
    if (symbol) memcpy(function_out, &symbol, sizeof symbol);
    return symbol != NULL;
}

void library_close(void *library) {
    (void)dlclose(library);
}

const char *library_failure(void) {
    return dlerror();
}
