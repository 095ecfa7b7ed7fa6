/* shared.c - loads shared objects at run time, so that no library is a condition for clue. */
#include "shared.h"

#include "../../sys/system.h"
#include "../failure.h"

static void *open_first(const char *const *names) {
    void *object = NULL;
    for (; *names && !object; names++)
        object = library_open(*names);
    return object;
}

int32_t shared_load(const char *call, const char *const *names, const shared_symbol *symbols) {
    void *object = open_first(names);
    if (!object) return failure_record(call, "%s", library_failure());
    for (; symbols->name; symbols++)
        if (!library_find(object, symbols->address_out, symbols->name))
            return failure_record(call, "%s has no function %s", names[0], symbols->name);
    return WALK_DONE;
}

int32_t library_load(const char **version_out, int32_t library) {
    static int32_t (*const loaders[])(const char **) = {openblas_load, clblast_load, cublas_load};
    return loaders[library](version_out);
}
