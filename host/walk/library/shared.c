/* shared.c - loads shared objects at run time, so that no library is a condition for clue. */
#include "shared.h"

#include "../failure.h"

#include <dlfcn.h>
#include <string.h>

static void *open_first(const char *const *names) {
    void *object = NULL;
    for (; *names && !object; names++)
        object = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return object;
}

int32_t shared_load(const char *call, const char *const *names, const shared_symbol *symbols) {
    void *object = open_first(names);
    if (!object) return failure_record(call, "%s", dlerror());
    for (; symbols->name; symbols++) {
        void *address = dlsym(object, symbols->name);
        if (!address) return failure_record(call, "%s has no function %s", names[0], symbols->name);
        /* ISO C has no conversion from object to function pointers. */
        memcpy(symbols->address_out, &address, sizeof address);
    }
    return WALK_DONE;
}

int32_t library_load(const char **version_out, int32_t library) {
    static int32_t (*const loaders[])(const char **) = {openblas_load, clblast_load, cublas_load};
    return loaders[library](version_out);
}
