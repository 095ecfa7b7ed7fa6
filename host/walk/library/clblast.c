/* clblast.c - the product by CLBlast, on a queue and buffers of the script, through CLBlast's C interface. */
#include "../failure.h"
#include "shared.h"

#include <stddef.h>

enum { ROW_MAJOR = 101, NO_TRANS = 111 }; /* of clblast_c.h */

static struct {
    bool is_loaded;
    int (*sgemm)(int, int, int, size_t, size_t, size_t, float, void *, size_t, size_t, void *, size_t, size_t,
                 float, void *, size_t, size_t, void **, void **);
    int (*dgemm)(int, int, int, size_t, size_t, size_t, double, void *, size_t, size_t, void *, size_t, size_t,
                 double, void *, size_t, size_t, void **, void **);
} clblast;

int32_t clblast_load(const char **version_out) {
    static const char *const names[] = {"libclblast.so.1", NULL};
    const shared_symbol symbols[] = {
        {"CLBlastSgemm", (void *)&clblast.sgemm}, {"CLBlastDgemm", (void *)&clblast.dgemm}, {NULL, NULL}};
    if (!clblast.is_loaded) {
        const int32_t code = shared_load("library_load", names, symbols);
        if (code != WALK_DONE) return code;
        clblast.is_loaded = true;
    }
    *version_out = ""; /* it has no function that tells it */
    return WALK_DONE;
}

/* OpenCL's objects behind the handles, in the order of library_buffers. */
static int32_t pointers_of(void *pointers_out[4], const library_buffers *given, const char *call) {
    const int32_t handles[] = {given->queue, given->a, given->b, given->c};
    for (int i = 0; i < 4; i++)
        if (clue_handle_pointer(&pointers_out[i], handles[i], CLUE_NONE) != 0)
            return failure_record(call, "%d is not a live handle", handles[i]);
    return WALK_DONE;
}

int32_t library_clblast_product(const walk_product *p, const library_buffers *buffers) {
    static const char call[] = "library_clblast_product";
    const char *version;
    const size_t m = (size_t)p->m, n = (size_t)p->n, k = (size_t)p->k;
    void *at[4]; /* queue, A, B, C */
    int status;
    int32_t code = clblast_load(&version);
    if (code == WALK_DONE) code = pointers_of(at, buffers, call);
    if (code != WALK_DONE) return code;
    if (p->type == CLUE_DOUBLE)
        status = clblast.dgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, m, n, k, 1, at[1], 0, k, at[2], 0, n, 0, at[3], 0, n,
                               &at[0], NULL);
    else
        status = clblast.sgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, m, n, k, 1, at[1], 0, k, at[2], 0, n, 0, at[3], 0, n,
                               &at[0], NULL);
    return status == 0 ? WALK_DONE : failure_record(call, "CLBlast's status is %d", status);
}
