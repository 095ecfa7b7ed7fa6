/* fail_nth.c - an OpenCL layer for fault injection: the n-th OpenCL call fails, and a report at exit counts the
 * objects that were not released.
 *
 * The ICD loader puts the layer between the host and the driver: OPENCL_LAYERS=<this library>. Its settings are
 * environment variables:
 *   CLUE_FAIL_CLASS   act: calls whose refusal is a failure, by calls.def (the default); ask: calls that only ask
 *   CLUE_FAIL_NTH     which of them fails, counted from 1; 0 or unset: none
 *   CLUE_FAIL_CODE    with which of its codes in codes.def, counted from 1; 0 or unset: with the lack of memory or
 *                     resources that every call may meet; beyond its codes: with the last
 *   CLUE_FAIL_REPORT  the file that it writes at exit, one "name value" on each line: how many calls of the class
 *                     there were, which one failed ("-": none), with which code, how many codes it may return, and
 *                     how many objects of each kind are unreleased
 *
 *   CLUE_FAIL_LIST    a file to which it adds the name of each call of the class, in their order
 *
 * The loader says nothing about a layer that it cannot load, so a test must check that the report exists. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include "trace/calls.h"

#include <CL/cl_ext.h>
#include <CL/cl_layer.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum call_class { ACT, ASK };
enum kind { CONTEXT, QUEUE, PROGRAM, KERNEL, MEMORY, EVENT, DEVICE, SAMPLER, SVM, KINDS };

static const char *const kind_names[KINDS] = {"context", "queue",  "program", "kernel", "memory",
                                              "event",   "device", "sampler", "svm"};
static const cl_icd_dispatch *next; /* the next layer's table, or the loader's own */
static cl_icd_dispatch table;       /* ours */
static enum call_class chosen_class;
static long chosen, chosen_code, calls, live[KINDS];
static const char *failed = "-";
static cl_int failed_code;
static size_t code_count;
static FILE *list;

#define CODES(name, ...) static const cl_int codes_##name[] = {__VA_ARGS__};
#include "codes.def"

static bool fails(enum call_class class, const char *function) {
    if (class != chosen_class) return false;
    calls += 1;
    if (list) (void)fprintf(list, "%s\n", function);
    if (calls != chosen) return false;
    failed = function;
    return true;
}

/* The code that the call fails with. The n-th call may be another than in the run before, with fewer codes: a
 * driver's timing decides on some. */
static cl_int pick(const cl_int *codes, size_t count, cl_int usual) {
    const size_t which = chosen_code > (long)count ? count : (size_t)chosen_code;
    code_count = count;
    failed_code = which > 0 ? codes[which - 1] : usual;
    return failed_code;
}
#define PICK(name, usual) pick(codes_##name, sizeof codes_##name / sizeof(cl_int), usual)

/* ---- each call of the core, by its kind in calls.def ---- */

/* refuse: how the call fails; count: how it changes the counts if it does not. */
#define FAILS(class, refuse, count, result, name, ...)                                                             \
    static result CL_API_CALL fail_##name(CALL_PARAMETERS(__VA_ARGS__)) {                                          \
        result given;                                                                                              \
        if (fails(class, #name)) refuse;                                                                           \
        given = next->name(CALL_ARGUMENTS(__VA_ARGS__));                                                           \
        count;                                                                                                     \
        return given;                                                                                              \
    }
#define NOTHING (void)0

static void *refuse_by(cl_int *error_out, cl_int code) {
    if (error_out != NULL) *error_out = code;
    return NULL;
}

#define MAKES(kind, type, name, ...)                                                                               \
    FAILS(ACT, return refuse_by(error_out, PICK(name, CL_OUT_OF_HOST_MEMORY)), live[kind] += given != NULL, type,  \
          name, __VA_ARGS__, (cl_int *)error_out)
#define ALLOCATES(kind, name, ...) FAILS(ACT, return NULL, live[kind] += given != NULL, void *, name, __VA_ARGS__)
#define ACTS(name, ...) FAILS(ACT, return PICK(name, CL_OUT_OF_HOST_MEMORY), NOTHING, cl_int, name, __VA_ARGS__)
#define WAITS(name, ...) FAILS(ACT, return PICK(name, CL_OUT_OF_RESOURCES), NOTHING, cl_int, name, __VA_ARGS__)
#define COMMANDS(name, bytes, blocking, ...)                                                                       \
    FAILS(ACT, return PICK(name, CL_OUT_OF_RESOURCES), live[EVENT] += given == CL_SUCCESS && event_out != NULL,    \
          cl_int, name, __VA_ARGS__, CALL_WAITS)
#define MAPS(name, bytes, ...)                                                                                     \
    FAILS(ACT, return refuse_by(error_out, PICK(name, CL_OUT_OF_RESOURCES)),                                       \
          live[EVENT] += given != NULL && event_out != NULL, void *, name, __VA_ARGS__, CALL_WAITS,                \
          (cl_int *)error_out)
#define ASKS(name, ...) FAILS(ASK, return PICK(name, CL_OUT_OF_HOST_MEMORY), NOTHING, cl_int, name, __VA_ARGS__)
#define FINDS(name, ...) FAILS(ASK, return NULL, NOTHING, void *, name, __VA_ARGS__)
/* The layer lets these succeed always. */
#define COUNTS(change, kind, name, type)                                                                           \
    static cl_int CL_API_CALL fail_##name(type object) {                                                           \
        cl_int code = next->name(object);                                                                          \
        live[kind] += code == CL_SUCCESS ? (change) : 0;                                                           \
        return code;                                                                                               \
    }
#define RETAINS(kind, name, type) COUNTS(1, kind, name, type)
#define RELEASES(kind, name, type) COUNTS(-1, kind, name, type)
#define FREES(kind, name, ...)                                                                                     \
    static void CL_API_CALL fail_##name(CALL_PARAMETERS(__VA_ARGS__)) {                                            \
        next->name(CALL_ARGUMENTS(__VA_ARGS__));                                                                   \
        live[kind] -= 1;                                                                                           \
    }
#include "trace/calls.def"

/* Without devices, the call only asks how many parts there would be, and makes none. */
static cl_int CL_API_CALL count_parts(cl_device_id device, const cl_device_partition_property *properties,
                                      cl_uint size, cl_device_id *devices, cl_uint *count_out) {
    const cl_int code = fail_clCreateSubDevices(device, properties, size, devices, count_out);
    if (code == CL_SUCCESS && devices != NULL) live[DEVICE] += size;
    return code;
}

/* ---- the layer ---- */

static void replace_calls(void) {
#define CALL(result, name, ...) table.name = fail_##name;
#include "trace/calls.def"
    table.clCreateSubDevices = count_parts;
}

static void report(void) {
    const char *path = getenv("CLUE_FAIL_REPORT");
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file == NULL) return;
    fprintf(file, "calls %ld\nfailed %s\ncode %d\ncodes %zu\n", calls, failed, (int)failed_code, code_count);
    for (int kind = 0; kind < KINDS; kind++)
        fprintf(file, "%s %ld\n", kind_names[kind], live[kind]);
    fclose(file);
}

static void read_settings(void) {
    const char *class = getenv("CLUE_FAIL_CLASS"), *nth = getenv("CLUE_FAIL_NTH"), *code = getenv("CLUE_FAIL_CODE");
    const char *path = getenv("CLUE_FAIL_LIST");
    if (path) list = fopen(path, "w");
    chosen_class = class != NULL && strcmp(class, "ask") == 0 ? ASK : ACT;
    chosen = nth == NULL ? 0 : strtol(nth, NULL, 10);
    chosen_code = code == NULL ? 0 : strtol(code, NULL, 10);
}

static cl_int answer(size_t size, void *value, size_t *size_out, const void *source, size_t source_size) {
    if (value != NULL && size < source_size) return CL_INVALID_VALUE;
    if (value != NULL) memcpy(value, source, source_size);
    if (size_out != NULL) *size_out = source_size;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *size_out) {
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char title[] = "clue fault injection";
    if (name == CL_LAYER_API_VERSION) return answer(size, value, size_out, &version, sizeof version);
    if (name == CL_LAYER_NAME) return answer(size, value, size_out, title, sizeof title);
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
    replace_calls();
    read_settings();
    atexit(report);
    return CL_SUCCESS;
}
