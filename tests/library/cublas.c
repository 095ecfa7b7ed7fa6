/* cublas.c - stands in for cuBLAS, on the memory of the cuda.c beside it: plain loops, C by columns as there. */
#include <stdint.h>

int cublasCreate_v2(void **handle_out);
int cublasGetProperty(int which, int *value_out);
int cublasSgemm_v2(void *handle, int trans_a, int trans_b, int m, int n, int k, const float *alpha, uint64_t a,
                   int lda, uint64_t b, int ldb, const float *beta, uint64_t c, int ldc);
int cublasDgemm_v2(void *handle, int trans_a, int trans_b, int m, int n, int k, const double *alpha, uint64_t a,
                   int lda, uint64_t b, int ldb, const double *beta, uint64_t c, int ldc);

#define PRODUCT(REAL)                                                                                              \
    const REAL *const of_a = (const REAL *)(uintptr_t)a, *const of_b = (const REAL *)(uintptr_t)b;                 \
    REAL *const of_c = (REAL *)(uintptr_t)c;                                                                       \
    (void)trans_a, (void)trans_b, (void)beta;                                                                      \
    for (int j = 0; j < n; j++)                                                                                    \
        for (int i = 0; i < m; i++) {                                                                              \
            REAL sum = 0;                                                                                          \
            for (int l = 0; l < k; l++)                                                                            \
                sum += of_a[l * lda + i] * of_b[j * ldb + l];                                                      \
            of_c[j * ldc + i] = *alpha * sum;                                                                      \
        }                                                                                                          \
    return handle ? 0 : 1;

int cublasCreate_v2(void **handle_out) {
    static char handle;
    *handle_out = &handle;
    return 0;
}

int cublasGetProperty(int which, int *value_out) {
    *value_out = 9 - which;
    return 0;
}

int cublasSgemm_v2(void *handle, int trans_a, int trans_b, int m, int n, int k, const float *alpha, uint64_t a,
                   int lda, uint64_t b, int ldb, const float *beta, uint64_t c, int ldc) {
    PRODUCT(float)
}

int cublasDgemm_v2(void *handle, int trans_a, int trans_b, int m, int n, int k, const double *alpha, uint64_t a,
                   int lda, uint64_t b, int ldb, const double *beta, uint64_t c, int ldc) {
    PRODUCT(double)
}
