/* openblas.c - stands in for OpenBLAS where the tests need its answers: plain loops, or wrong ones. */
#include <stdlib.h>

void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a, int lda,
                 const float *b, int ldb, float beta, float *c, int ldc);
void cblas_dgemm(int order, int trans_a, int trans_b, int m, int n, int k, double alpha, const double *a, int lda,
                 const double *b, int ldb, double beta, double *c, int ldc);
void openblas_set_num_threads(int count);
char *openblas_get_config(void);
char *openblas_get_corename(void);

#define PRODUCT(REAL)                                                                                              \
    const REAL first = (REAL)(getenv("WRONG_PRODUCT") != NULL);                                                    \
    (void)order, (void)trans_a, (void)trans_b;                                                                     \
    for (int i = 0; i < m; i++)                                                                                    \
        for (int j = 0; j < n; j++) {                                                                              \
            REAL sum = first;                                                                                      \
            for (int l = 0; l < k; l++)                                                                            \
                sum += a[i * lda + l] * b[l * ldb + j];                                                            \
            c[i * ldc + j] = alpha * sum + beta * c[i * ldc + j];                                                  \
        }

void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a, int lda,
                 const float *b, int ldb, float beta, float *c, int ldc) {
    PRODUCT(float)
}

void cblas_dgemm(int order, int trans_a, int trans_b, int m, int n, int k, double alpha, const double *a, int lda,
                 const double *b, int ldb, double beta, double *c, int ldc) {
    PRODUCT(double)
}

void openblas_set_num_threads(int count) {
    (void)count;
}

char *openblas_get_config(void) {
    static char text[] = "OpenBLAS 9.8.7 for tests";
    return text;
}

char *openblas_get_corename(void) {
    static char text[] = "any processor";
    return text;
}
