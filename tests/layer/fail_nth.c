/* fail_nth.c - an OpenCL layer for fault injection: the n-th OpenCL call fails, and a report at exit counts the
 * objects that were not released.
 *
 * Its settings are environment variables, with those of turn.h:
 *   CLUE_FAIL_CLASS    act: calls whose refusal is a failure, by calls.def (the default); ask: calls that only ask
 *   CLUE_FAIL_VARIANT  with which of its codes in codes.def, counted from 1; 0 or unset: with the lack of memory or
 *                      resources that every call may meet; beyond its codes: with the last
 *   CLUE_FAIL_CODES    how many of its codes each call fails with, by CLUE_FAIL_EACH; 0 or unset: with the usual
 * one CLUE_FAIL_PLACES   M: of each function, only the first call and the M-th fail, by CLUE_FAIL_EACH
 *   CLUE_FAIL_LIST     a file for the name of each call of the class, in their order
 *
 * The report has one "name value" on each line: how many calls of the class there were, which one failed ("-":
 * none), with which code, and how many objects of each kind are unreleased. */
#define _GNU_SOURCE /* turn.h: NOLINT(clang-diagnostic-reserved-macro-identifier) */
#define LAYER "clue fault injection"
#include "layer.h"

#include "trace/calls.h"
#include "turn.h"

#include <CL/cl_ext.h>

enum call_class { ACT, ASK };
enum kind { CONTEXT, QUEUE, PROGRAM, KERNEL, MEMORY, EVENT, DEVICE, SAMPLER, SVM, KINDS };

static const char *const kind_names[KINDS] = {"context", "queue",  "program", "kernel", "memory",
                                              "event",   "device", "sampler", "svm"};
static enum call_class chosen_class;
static long chosen_codes, chosen_place, calls, live[KINDS];
static const char *failed = "-";
static cl_int failed_code;
static FILE *list;

#define CODES(name, ...) static const cl_int codes_##name[] = {__VA_ARGS__};
#include "codes.def"

struct function {
    const char *name;
    const cl_int *codes;
    size_t count;
    cl_int usual;
    long made;
};

static bool comes(const struct function *f) {
    const long last = chosen_codes < (long)f->count ? chosen_codes : (long)f->count;
    if (turn.folder && chosen_place && f->made != 1 && f->made != chosen_place) return false;
    return turn_comes(calls, last > 0, last);
}

/* The n-th call may be another than in the run before, with fewer codes: a driver's timing decides on some. */
static bool fails(enum call_class class, struct function *f) {
    if (class != chosen_class) return false;
    calls++;
    f->made++;
    if (list) (void)fprintf(list, "%s\n", f->name);
    if (!comes(f)) return false;
    failed = f->name;
    failed_code = f->usual;
    if (turn.variant > 0 && f->count)
        failed_code = f->codes[(turn.variant < (long)f->count ? (size_t)turn.variant : f->count) - 1];
    return true;
}

/* ---- each call of the core, by its kind in calls.def ---- */

/* codes: those that it may return, and the usual one; refuse: how the call fails; count: how it changes the counts
 * if it does not. */
#define FAILS(class, codes, refuse, count, result, name, ...)                                                      \
    static result CL_API_CALL fail_##name(CALL_PARAMETERS(__VA_ARGS__)) {                                          \
        static struct function function = {#name, codes};                                                          \
        result given;                                                                                              \
        if (fails(class, &function)) return refuse;                                                                \
        given = next->name(CALL_ARGUMENTS(__VA_ARGS__));                                                           \
        count;                                                                                                     \
        return given;                                                                                              \
    }
#define CODES_OF(name, usual) codes_##name, sizeof codes_##name / sizeof(cl_int), usual, 0
#define NO_CODES NULL, 0, 0, 0
#define NOTHING (void)0

static void *refuse_by(cl_int *error_out) {
    if (error_out != NULL) *error_out = failed_code;
    return NULL;
}

#define MAKES(kind, type, name, ...)                                                                               \
    FAILS(ACT, CODES_OF(name, CL_OUT_OF_HOST_MEMORY), refuse_by(error_out), live[kind] += given != NULL, type,     \
          name, __VA_ARGS__, (cl_int *)error_out)
#define ALLOCATES(kind, name, ...)                                                                                 \
    FAILS(ACT, NO_CODES, NULL, live[kind] += given != NULL, void *, name, __VA_ARGS__)
#define ANSWERS(class, usual, name, ...)                                                                           \
    FAILS(class, CODES_OF(name, usual), failed_code, NOTHING, cl_int, name, __VA_ARGS__)
#define ACTS(name, ...) ANSWERS(ACT, CL_OUT_OF_HOST_MEMORY, name, __VA_ARGS__)
#define WAITS(name, ...) ANSWERS(ACT, CL_OUT_OF_RESOURCES, name, __VA_ARGS__)
#define COMMANDS(name, bytes, blocking, ...)                                                                       \
    FAILS(ACT, CODES_OF(name, CL_OUT_OF_RESOURCES), failed_code,                                                   \
          live[EVENT] += given == CL_SUCCESS && event_out != NULL, cl_int, name, __VA_ARGS__, CALL_WAITS)
#define MAPS(name, bytes, ...)                                                                                     \
    FAILS(ACT, CODES_OF(name, CL_OUT_OF_RESOURCES), refuse_by(error_out),                                          \
          live[EVENT] += given != NULL && event_out != NULL, void *, name, __VA_ARGS__, CALL_WAITS,                \
          (cl_int *)error_out)
#define ASKS(name, ...) ANSWERS(ASK, CL_OUT_OF_HOST_MEMORY, name, __VA_ARGS__)
#define FINDS(name, ...) FAILS(ASK, NO_CODES, NULL, NOTHING, void *, name, __VA_ARGS__)
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
    char text[512];
    int size = snprintf(text, sizeof text, "calls %ld\nfailed %s\ncode %d\n", calls, failed, (int)failed_code);
    for (int kind = 0; kind < KINDS; kind++)
        size += snprintf(text + size, sizeof text - (size_t)size, "%s %ld\n", kind_names[kind], live[kind]);
    turn_report(text);
}

static void read_settings(void) {
    const char *class = getenv("CLUE_FAIL_CLASS"), *path = getenv("CLUE_FAIL_LIST");
    turn_begin();
    if (path) list = fopen(path, "w");
    chosen_class = class != NULL && strcmp(class, "ask") == 0 ? ASK : ACT;
    chosen_codes = turn_setting("CLUE_FAIL_CODES");
    chosen_place = turn_setting("CLUE_FAIL_PLACES");
}

static void begin(void) {
    replace_calls();
    read_settings();
    atexit(report);
}
