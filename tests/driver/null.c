/* null.c - an OpenCL driver whose calls succeed and do nothing: no kernel runs, no buffer has memory, reads leave
 * the host's memory as it is, events are complete at once.
 *
 * It serves to measure what clue itself costs, without a vendor's noise, and to see which calls clue makes:
 * environment variables make it record its calls, or fail at one (see null_watch.c). It reports OpenCL 1.2 and a
 * CPU device. It has the calls of host/core/trace/calls.def, and a few that other programs make. Any other call
 * ends the process with a message. */
#include "null.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEVICES = 16, MOST_UNITS = 4096 };

cl_icd_dispatch null_table;

static null_object platform = {.table = &null_table, .number = 1, .references = NEVER_FREED};
static null_object devices[MOST_DEVICES];
static cl_uint device_count, units;

/* ---- answers ---- */

cl_int null_answer(size_t size, void *value, size_t *size_out, const void *source, size_t source_size) {
    if (value && size < source_size) return CL_INVALID_VALUE;
    if (value && source_size) memcpy(value, source, source_size);
    if (size_out) *size_out = source_size;
    return CL_SUCCESS;
}

cl_int null_answer_text(size_t size, void *value, size_t *size_out, const char *text) {
    return null_answer(size, value, size_out, text, strlen(text) + 1);
}

/* The number's low bytes: hosts are little-endian, as everywhere in clue. */
cl_int null_answer_number(size_t size, void *value, size_t *size_out, size_t width, cl_ulong number) {
    return null_answer(size, value, size_out, &number, width);
}

cl_device_id null_device(cl_uint index) {
    return (cl_device_id)&devices[index];
}

/* ---- platform and devices ---- */

static cl_int CL_API_CALL get_platform_ids(cl_uint size, cl_platform_id *platforms, cl_uint *count_out) {
    if (platforms && size > 0) platforms[0] = (cl_platform_id)&platform;
    if (count_out) *count_out = 1;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id id, cl_platform_info name, size_t size, void *value,
                                            size_t *size_out) {
    const char *called = getenv("CLUE_NULL_PLATFORM");
    const struct {
        cl_platform_info name;
        const char *text;
    } texts[] = {{CL_PLATFORM_PROFILE, "FULL_PROFILE"},        {CL_PLATFORM_VERSION, "OpenCL 1.2 null"},
                 {CL_PLATFORM_NAME, called ? called : "null"}, {CL_PLATFORM_VENDOR, "clue's tests"},
                 {CL_PLATFORM_EXTENSIONS, "cl_khr_icd"},       {CL_PLATFORM_ICD_SUFFIX_KHR, "NULL"}};
    (void)id;
    WATCH(clGetPlatformInfo, " 0x%x", name);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].name == name) return null_answer_text(size, value, size_out, texts[i].text);
    return CL_INVALID_VALUE;
}

static cl_int CL_API_CALL get_device_ids(cl_platform_id of, cl_device_type type, cl_uint size, cl_device_id *ids,
                                         cl_uint *count_out) {
    (void)of;
    WATCH(clGetDeviceIDs, " 0x%llx", (unsigned long long)type);
    if ((type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT)) == 0) return CL_DEVICE_NOT_FOUND;
    for (cl_uint i = 0; ids && i < size && i < device_count; i++)
        ids[i] = null_device(i);
    if (count_out) *count_out = device_count;
    return CL_SUCCESS;
}

enum { TEXT = 0, UINT = sizeof(cl_uint), ULONG = sizeof(cl_ulong) }; /* size_t has the width of ULONG */

static const struct fact {
    cl_device_info name;
    int kind;
    cl_ulong number;
    const char *text;
} facts[] = {
    {CL_DEVICE_NAME, TEXT, 0, "null"},
    {CL_DEVICE_VENDOR, TEXT, 0, "clue's tests"},
    {CL_DEVICE_VERSION, TEXT, 0, "OpenCL 1.2 null"},
    {CL_DRIVER_VERSION, TEXT, 0, "1"},
    {CL_DEVICE_OPENCL_C_VERSION, TEXT, 0, "OpenCL C 1.2"},
    {CL_DEVICE_PROFILE, TEXT, 0, "FULL_PROFILE"},
    {CL_DEVICE_EXTENSIONS, TEXT, 0, "cl_khr_fp64"},
    {CL_DEVICE_BUILT_IN_KERNELS, TEXT, 0, ""},
    {CL_DEVICE_TYPE, ULONG, CL_DEVICE_TYPE_CPU, NULL},
    {CL_DEVICE_VENDOR_ID, UINT, 0, NULL},
    {CL_DEVICE_AVAILABLE, UINT, CL_TRUE, NULL},
    {CL_DEVICE_COMPILER_AVAILABLE, UINT, CL_TRUE, NULL},
    {CL_DEVICE_LINKER_AVAILABLE, UINT, CL_TRUE, NULL},
    {CL_DEVICE_MAX_CLOCK_FREQUENCY, UINT, 1, NULL},
    {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, UINT, 3, NULL},
    {CL_DEVICE_MAX_WORK_GROUP_SIZE, ULONG, 1024, NULL},
    {CL_DEVICE_SINGLE_FP_CONFIG, ULONG, CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST, NULL},
    {CL_DEVICE_DOUBLE_FP_CONFIG, ULONG, CL_FP_FMA | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST, NULL},
    {CL_DEVICE_ADDRESS_BITS, UINT, 64, NULL},
    {CL_DEVICE_ENDIAN_LITTLE, UINT, CL_TRUE, NULL},
    {CL_DEVICE_GLOBAL_MEM_SIZE, ULONG, 1ULL << 40, NULL},
    {CL_DEVICE_MAX_MEM_ALLOC_SIZE, ULONG, 1ULL << 38, NULL},
    {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, UINT, CL_NONE, NULL},
    {CL_DEVICE_LOCAL_MEM_TYPE, UINT, CL_LOCAL, NULL},
    {CL_DEVICE_LOCAL_MEM_SIZE, ULONG, 65536, NULL},
    {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, ULONG, 65536, NULL},
    {CL_DEVICE_MAX_CONSTANT_ARGS, UINT, 8, NULL},
    {CL_DEVICE_MAX_PARAMETER_SIZE, ULONG, 1024, NULL},
    {CL_DEVICE_MEM_BASE_ADDR_ALIGN, UINT, 1024, NULL},
    {CL_DEVICE_IMAGE_SUPPORT, UINT, CL_FALSE, NULL},
    {CL_DEVICE_EXECUTION_CAPABILITIES, ULONG, CL_EXEC_KERNEL, NULL},
    {CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, ULONG, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
     NULL},
    {CL_DEVICE_PROFILING_TIMER_RESOLUTION, ULONG, 1, NULL},
    {CL_DEVICE_PRINTF_BUFFER_SIZE, ULONG, 1 << 20, NULL},
    {CL_DEVICE_HOST_UNIFIED_MEMORY, UINT, CL_TRUE, NULL},
    {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, UINT, 1, NULL},
    {CL_DEVICE_PARTITION_PROPERTIES, ULONG, 0, NULL},
    {CL_DEVICE_PARTITION_AFFINITY_DOMAIN, ULONG, 0, NULL},
};

/* All other device properties of OpenCL 1.2 are counts, widths or switches, and 0 here. */
static bool is_count(cl_device_info name) {
    return name >= CL_DEVICE_TYPE && name <= CL_DEVICE_PRINTF_BUFFER_SIZE;
}

static cl_int CL_API_CALL get_device_info(cl_device_id id, cl_device_info name, size_t size, void *value,
                                          size_t *size_out) {
    static const size_t items[] = {1024, 1024, 1024};
    const cl_platform_id of = (cl_platform_id)&platform;
    const char *il = getenv("CLUE_NULL_IL"), *svm = getenv("CLUE_NULL_SVM");
    WATCH(clGetDeviceInfo, " device %u 0x%x", null_number(id), name);
    if (name == CL_DEVICE_PLATFORM) return null_answer(size, value, size_out, &of, sizeof(cl_platform_id));
    if (name == CL_DEVICE_IL_VERSION && il) return null_answer_text(size, value, size_out, il);
    if (name == CL_DEVICE_SVM_CAPABILITIES && svm)
        return null_answer_number(size, value, size_out, sizeof(cl_ulong), null_setting("CLUE_NULL_SVM", 1, 15));
    if (name == CL_DEVICE_MAX_WORK_ITEM_SIZES) return null_answer(size, value, size_out, items, sizeof items);
    if (name == CL_DEVICE_MAX_COMPUTE_UNITS)
        return null_answer_number(size, value, size_out, sizeof(cl_uint), units);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (facts[i].name == name)
            return facts[i].kind == TEXT
                       ? null_answer_text(size, value, size_out, facts[i].text)
                       : null_answer_number(size, value, size_out, (size_t)facts[i].kind, facts[i].number);
    return is_count(name) ? null_answer_number(size, value, size_out, sizeof(cl_uint), 0) : CL_INVALID_VALUE;
}

/* ---- the driver ---- */

static void missing(void) {
    (void)fputs("null driver: it does not have this OpenCL call; add the call to tests/driver\n", stderr);
    abort();
}

/* Fills the table with missing(). Calls pass it arguments, which it does not take; it ends the process anyway. */
static void fill_with_missing(void) {
    void (*const function)(void) = missing;
    for (size_t at = 0; at + sizeof function <= sizeof null_table; at += sizeof function)
        memcpy((char *)&null_table + at, &function, sizeof function);
}

/* Runs once: the loader asks for the platforms before anything else. */
static void begin(void) {
    if (device_count) return;
    null_watch_begin();
    device_count = null_setting("CLUE_NULL_DEVICES", 1, MOST_DEVICES);
    units = null_setting("CLUE_NULL_UNITS", 1, MOST_UNITS);
    for (cl_uint i = 0; i < device_count; i++)
        devices[i] = (null_object){.table = &null_table, .number = i + 1, .references = NEVER_FREED};
    fill_with_missing();
    null_calls();
    null_table.clGetPlatformIDs = get_platform_ids;
    null_table.clGetPlatformInfo = get_platform_info;
    null_table.clGetDeviceIDs = get_device_ids;
    null_table.clGetDeviceInfo = get_device_info;
    null_object_calls();
    null_svm_calls();
    null_program_calls();
}

static cl_int CL_API_CALL icd_get_platform_ids(cl_uint size, cl_platform_id *platforms, cl_uint *count_out) {
    begin();
    return get_platform_ids(size, platforms, count_out);
}

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) {
    void *address = NULL;
    if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0) {
        cl_int(CL_API_CALL *const function)(cl_uint, cl_platform_id *, cl_uint *) = icd_get_platform_ids;
        memcpy(&address, &function, sizeof address);
    } else if (strcmp(name, "clGetPlatformInfo") == 0) {
        const __typeof__(null_table.clGetPlatformInfo) function = get_platform_info;
        memcpy(&address, &function, sizeof address);
    }
    return address;
}
