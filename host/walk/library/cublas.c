/* cublas.c - the product by cuBLAS, in a CUDA context of its own: CUDA and OpenCL share no memory.
 *
 * Everything goes through CUDA's driver interface, which the display driver installs; the toolkit is not needed.
 * cuBLAS stores matrices by columns, so it computes the transposed product, B' A' = C', of the same memory. float
 * stays float: without being asked, cuBLAS does not round to TF32. */
#include "../failure.h"
#include "shared.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static struct {
    char version[64];
    /* of libcuda */
    int (*init)(unsigned);
    int (*device_by_pci)(int *, const char *);
    int (*retain)(void **, int);
    int (*set_current)(void *);
    int (*allocate)(uint64_t *, size_t);
    int (*release)(uint64_t);
    int (*fill)(uint64_t, unsigned char, size_t);
    int (*upload)(uint64_t, const void *, size_t);
    int (*download)(void *, uint64_t, size_t);
    int (*event_create)(void **, unsigned);
    int (*event_record)(void *, void *);
    int (*event_wait)(void *);
    int (*event_elapsed)(float *, void *, void *);
    /* of libcublas */
    int (*create)(void **);
    int (*property)(int, int *); /* 0, 1, 2: the version's numbers */
    int (*sgemm)(void *, int, int, int, int, int, const float *, const uint64_t, int, const uint64_t, int,
                 const float *, uint64_t, int);
    int (*dgemm)(void *, int, int, int, int, int, const double *, const uint64_t, int, const uint64_t, int,
                 const double *, uint64_t, int);
} cuda;

/* The product in work. */
static struct {
    void *cublas, *started, *ended;
    uint64_t a, b, c;
    walk_product product; /* its type and extents */
    bool ready;
} now;

static int32_t load_driver(void) {
    static const char *const names[] = {"libcuda.so.1", NULL};
    const shared_symbol symbols[] = {
        {"cuInit", (void *)&cuda.init},
        {"cuDeviceGetByPCIBusId", (void *)&cuda.device_by_pci},
        {"cuDevicePrimaryCtxRetain", (void *)&cuda.retain},
        {"cuCtxSetCurrent", (void *)&cuda.set_current},
        {"cuMemAlloc_v2", (void *)&cuda.allocate},
        {"cuMemFree_v2", (void *)&cuda.release},
        {"cuMemsetD8_v2", (void *)&cuda.fill},
        {"cuMemcpyHtoD_v2", (void *)&cuda.upload},
        {"cuMemcpyDtoH_v2", (void *)&cuda.download},
        {"cuEventCreate", (void *)&cuda.event_create},
        {"cuEventRecord", (void *)&cuda.event_record},
        {"cuEventSynchronize", (void *)&cuda.event_wait},
        {"cuEventElapsedTime", (void *)&cuda.event_elapsed},
        {NULL, NULL},
    };
    return shared_load("library_load", names, symbols);
}

static int32_t load_cublas(void) {
    static const char *const names[] = {"libcublas.so", "libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                                        NULL};
    const shared_symbol symbols[] = {
        {"cublasCreate_v2", (void *)&cuda.create},
        {"cublasGetProperty", (void *)&cuda.property},
        {"cublasSgemm_v2", (void *)&cuda.sgemm},
        {"cublasDgemm_v2", (void *)&cuda.dgemm},
        {NULL, NULL},
    };
    return shared_load("library_load", names, symbols);
}

int32_t cublas_load(const char **version_out) {
    if (!cuda.version[0]) {
        int numbers[3] = {0};
        int32_t code = load_cublas();
        if (code == WALK_DONE) code = load_driver();
        if (code != WALK_DONE) return code;
        for (int i = 0; i < 3; i++)
            (void)cuda.property(i, &numbers[i]);
        snprintf(cuda.version, sizeof cuda.version, "cuBLAS %d.%d.%d", numbers[0], numbers[1], numbers[2]);
    }
    *version_out = cuda.version;
    return WALK_DONE;
}

static int32_t judged(int status, const char *call, const char *function) {
    return status == 0 ? WALK_DONE : failure_record(call, "%s: status %d", function, status);
}

static size_t bytes_of(const walk_product *p, int64_t rows, int64_t columns) {
    return (size_t)(rows * columns) * (p->type == CLUE_DOUBLE ? 8 : 4);
}

static int32_t make_context(const char *pci) {
    static const char call[] = "library_cublas_start";
    int device;
    void *context;
    int32_t code = judged(cuda.init(0), call, "cuInit");
    if (code == WALK_DONE) code = judged(cuda.device_by_pci(&device, pci), call, "cuDeviceGetByPCIBusId");
    if (code == WALK_DONE) code = judged(cuda.retain(&context, device), call, "cuDevicePrimaryCtxRetain");
    if (code == WALK_DONE) code = judged(cuda.set_current(context), call, "cuCtxSetCurrent");
    if (code == WALK_DONE) code = judged(cuda.create(&now.cublas), call, "cublasCreate");
    if (code == WALK_DONE) code = judged(cuda.event_create(&now.started, 0), call, "cuEventCreate");
    if (code == WALK_DONE) code = judged(cuda.event_create(&now.ended, 0), call, "cuEventCreate");
    return code;
}

static void release_memory(void) {
    uint64_t *const buffers[] = {&now.a, &now.b, &now.c};
    for (int i = 0; i < 3; i++) {
        if (*buffers[i]) (void)cuda.release(*buffers[i]);
        *buffers[i] = 0;
    }
}

int32_t library_cublas_start(const walk_product *p, const char *pci) {
    static const char call[] = "library_cublas_start", function[] = "cuMemAlloc";
    const char *version;
    int32_t code = cublas_load(&version);
    if (code == WALK_DONE && !now.cublas) code = make_context(pci);
    now.ready = false;
    if (code == WALK_DONE) release_memory();
    if (code == WALK_DONE) code = judged(cuda.allocate(&now.a, bytes_of(p, p->m, p->k)), call, function);
    if (code == WALK_DONE) code = judged(cuda.allocate(&now.b, bytes_of(p, p->k, p->n)), call, function);
    if (code == WALK_DONE) code = judged(cuda.allocate(&now.c, bytes_of(p, p->m, p->n)), call, function);
    now.product = *p;
    now.ready = code == WALK_DONE;
    return code;
}

/* Memory was allocated for one product, which the next calls must name. */
static int32_t check_started(const walk_product *p, const char *call) {
    const walk_product *const its = &now.product;
    if (now.ready && its->type == p->type && its->m == p->m && its->k == p->k && its->n == p->n) return WALK_DONE;
    return failure_record(call, "library_cublas_start was not called for this product");
}

int32_t library_cublas_upload(const walk_product *p) {
    static const char call[] = "library_cublas_upload", function[] = "cuMemcpyHtoD";
    int32_t code = check_started(p, call);
    if (code == WALK_DONE) code = judged(cuda.upload(now.a, p->a, bytes_of(p, p->m, p->k)), call, function);
    return code == WALK_DONE ? judged(cuda.upload(now.b, p->b, bytes_of(p, p->k, p->n)), call, function) : code;
}

int32_t library_cublas_reset(const walk_product *p) {
    static const char call[] = "library_cublas_reset";
    const int32_t code = check_started(p, call);
    return code == WALK_DONE ? judged(cuda.fill(now.c, 0, bytes_of(p, p->m, p->n)), call, "cuMemsetD8") : code;
}

static int multiply(const walk_product *p) {
    const int m = (int)p->m, n = (int)p->n, k = (int)p->k;
    const double one = 1, zero = 0;
    const float one_single = 1, zero_single = 0;
    if (p->type == CLUE_DOUBLE)
        return cuda.dgemm(now.cublas, 0, 0, n, m, k, &one, now.b, n, now.a, k, &zero, now.c, n);
    return cuda.sgemm(now.cublas, 0, 0, n, m, k, &one_single, now.b, n, now.a, k, &zero_single, now.c, n);
}

int32_t library_cublas_compute(double *seconds_out, const walk_product *p) {
    static const char call[] = "library_cublas_compute";
    float milliseconds = 0;
    int32_t code = check_started(p, call);
    if (code == WALK_DONE) code = judged(cuda.event_record(now.started, NULL), call, "cuEventRecord");
    if (code == WALK_DONE) code = judged(multiply(p), call, "cublasGemm");
    if (code == WALK_DONE) code = judged(cuda.event_record(now.ended, NULL), call, "cuEventRecord");
    if (code == WALK_DONE) code = judged(cuda.event_wait(now.ended), call, "cuEventSynchronize");
    if (code == WALK_DONE)
        code = judged(cuda.event_elapsed(&milliseconds, now.started, now.ended), call, "cuEventElapsedTime");
    *seconds_out = milliseconds * 1e-3;
    return code;
}

int32_t library_cublas_read(const walk_product *p) {
    static const char call[] = "library_cublas_read";
    const int32_t code = check_started(p, call);
    return code == WALK_DONE ? judged(cuda.download(p->c, now.c, bytes_of(p, p->m, p->n)), call, "cuMemcpyDtoH")
                             : code;
}
