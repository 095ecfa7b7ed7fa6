/* layer.h - what the tests' OpenCL layers share. The ICD loader puts a layer between the host and the driver:
 * OPENCL_LAYERS=<the library>.
 *
 * A layer defines LAYER, its name, includes this file, and defines begin(), which puts its own calls into `table`.
 * The loader says nothing about a layer that it cannot load, so a test must notice that nothing happened. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_layer.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cl_icd_dispatch *next; /* the next layer's table, or the loader's own */
static cl_icd_dispatch table;       /* ours */

static void begin(void);

static cl_int give(size_t room, void *value, size_t *size_out, const void *source, size_t size) {
    if (value != NULL && room < size) return CL_INVALID_VALUE;
    if (value != NULL) memcpy(value, source, size);
    if (size_out != NULL) *size_out = size;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *size_out) {
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    if (name == CL_LAYER_API_VERSION) return give(size, value, size_out, &version, sizeof version);
    if (name == CL_LAYER_NAME) return give(size, value, size_out, LAYER, sizeof LAYER);
    return CL_INVALID_VALUE;
}

/* If the loader's table is shorter than that of the headers, the rest of ours stays NULL. */
CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target, cl_uint *entries_out,
                                            const cl_icd_dispatch **table_out) {
    const cl_uint known = sizeof table / sizeof(void *);
    if (target == NULL || entries_out == NULL || table_out == NULL) return CL_INVALID_VALUE;
    *entries_out = entries < known ? entries : known;
    *table_out = &table;
    next = target;
    memcpy(&table, target, *entries_out * sizeof(void *));
    begin();
    return CL_SUCCESS;
}
