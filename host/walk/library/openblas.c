/* openblas.c - the product by OpenBLAS, through the C interface of BLAS. */
#include "../../sys/system.h"
#include "../failure.h"
#include "shared.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROW_MAJOR = 101, NO_TRANS = 111 }; /* of cblas.h */

static struct {
    char version[160];
    void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
    void (*dgemm)(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *,
                  int);
    void (*set_threads)(int);
    char *(*config)(void);
    char *(*core)(void);
} openblas;

/* It knows few processors by their names, and takes kernels for AVX2 on the others. Those for AVX-512 are the
 * fastest where there is AVX-512. */
static void choose_kernels(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        (void)(getenv("OPENBLAS_CORETYPE") || process_set_variable("OPENBLAS_CORETYPE", "SkylakeX"));
#endif
}

int32_t openblas_load(const char **version_out) {
    static const char *const names[] = {"libopenblas.so.0", NULL};
    const shared_symbol symbols[] = {
        {"cblas_sgemm", (void *)&openblas.sgemm},
        {"cblas_dgemm", (void *)&openblas.dgemm},
        {"openblas_set_num_threads", (void *)&openblas.set_threads},
        {"openblas_get_config", (void *)&openblas.config},
        {"openblas_get_corename", (void *)&openblas.core},
        {NULL, NULL},
    };
    if (!openblas.version[0]) {
        char name[32] = "", number[32] = "";
        int32_t code;
        choose_kernels();
        code = shared_load("library_load", names, symbols);
        if (code != WALK_DONE) return code;
        (void)sscanf(openblas.config(), "%31s %31s", name, number); /* "OpenBLAS 0.3.21 ..." */
        snprintf(openblas.version, sizeof openblas.version, "%s %s with its kernels for %s", name, number,
                 openblas.core());
    }
    *version_out = openblas.version;
    return WALK_DONE;
}

int32_t library_openblas_product(const walk_product *p, int32_t threads) {
    const char *version;
    const int m = (int)p->m, n = (int)p->n, k = (int)p->k;
    const int32_t code = openblas_load(&version);
    if (code != WALK_DONE) return code;
    openblas.set_threads(threads);
    if (p->type == CLUE_DOUBLE)
        openblas.dgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, m, n, k, 1, p->a, k, p->b, n, 0, p->c, n);
    else
        openblas.sgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, m, n, k, 1, p->a, k, p->b, n, 0, p->c, n);
    return WALK_DONE;
}
