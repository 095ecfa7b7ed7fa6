/* device.c - all platforms and devices of the machine; a device's ordinal is its place in the list.
 *
 * The first question makes the list, and with that the loader loads the vendors' drivers. A platform without
 * devices is normal and stays in the list. Nothing here makes a context. */
#include "device/device.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    bool listed;
    cl_platform_id *platforms;
    int32_t platform_count;
    device *devices;
    int32_t device_count;
    cl_int refusal; /* the first code other than "no device", and the platform that gave it */
    int32_t refused_by;
} machine;

static bool is_oclgrind(cl_platform_id platform) {
    char name[16] = "";
    return clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
           strcmp(name, "Oclgrind") == 0;
}

/* The driver that clue adds for --device oclgrind comes last, so that the others keep their numbers. */
static void put_added_last(void) {
    int32_t i = 0;
    cl_platform_id added;
    if (!clue_drivers_added()) return;
    while (i < machine.platform_count && !is_oclgrind(machine.platforms[i]))
        i++;
    if (i == machine.platform_count) return;
    added = machine.platforms[i];
    for (; i < machine.platform_count - 1; i++)
        machine.platforms[i] = machine.platforms[i + 1];
    machine.platforms[i] = added;
}

static int32_t list_platforms(void) {
    cl_uint count = 0;
    int32_t code = clGetPlatformIDs(0, NULL, &count);
    if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == 0 && count == 0)) return 0; /* no driver is registered */
    if (code) return error_check(code, "clGetPlatformIDs");
    machine.platforms = calloc(count, sizeof *machine.platforms);
    if (!machine.platforms) return error_out_of_memory("clGetPlatformIDs");
    if ((code = CL_CALL(clGetPlatformIDs, count, machine.platforms, NULL))) return code;
    machine.platform_count = (int32_t)count;
    put_added_last();
    return 0;
}

static int32_t append_devices(int32_t platform_index, const cl_device_id *ids, cl_uint count) {
    device *devices = realloc(machine.devices, ((size_t)machine.device_count + count) * sizeof *devices);
    if (!devices) return error_out_of_memory("clGetDeviceIDs");
    machine.devices = devices;
    for (cl_uint i = 0; i < count; i++, machine.device_count++)
        devices[machine.device_count] = (device){.platform = machine.platforms[platform_index],
                                                 .id = ids[i],
                                                 .platform_index = platform_index,
                                                 .index = (int32_t)i,
                                                 .ordinal = machine.device_count};
    return 0;
}

/* The refusal is reported if no platform has a device. */
static void note_refusal(int32_t platform_index, cl_int code) {
    if (code == CL_DEVICE_NOT_FOUND || machine.refusal) return;
    machine.refusal = code;
    machine.refused_by = platform_index;
}

static int32_t list_devices_of(int32_t platform_index) {
    const cl_platform_id platform = machine.platforms[platform_index];
    cl_device_id *ids;
    cl_uint count = 0;
    /* Not through CL_CALL: a driver that finds no hardware refuses here, and that is not a failure. */
    int32_t code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
    if (code) note_refusal(platform_index, code);
    if (code || count == 0) return 0;
    ids = calloc(count, sizeof(cl_device_id));
    if (!ids) return error_out_of_memory("clGetDeviceIDs");
    code = CL_CALL(clGetDeviceIDs, platform, CL_DEVICE_TYPE_ALL, count, ids, NULL);
    if (code == 0) code = append_devices(platform_index, ids, count);
    free(ids);
    return code;
}

static void forget_machine(void) {
    free(machine.platforms);
    free(machine.devices);
    memset(&machine, 0, sizeof machine);
}

static int32_t ordinal_of(cl_device_id id) {
    for (int32_t i = 0; i < machine.device_count; i++)
        if (machine.devices[i].id == id) return i;
    return -1;
}

/* Makes the whole list or none: after a failure, the next call starts again. */
static int32_t list_machine(void) {
    int32_t code = error_forked("clGetPlatformIDs");
    if (code || machine.listed) return code;
    process_prepare();
    code = *clue_limits_text() ? process_check_threads("clGetPlatformIDs") : 0;
    waiting_for("the drivers to start (`clue doctor` tries each by itself)");
    if (code == 0) code = list_platforms();
    for (int32_t i = 0; i < machine.platform_count && code == 0; i++)
        code = list_devices_of(i);
    waiting_is_over();
    process_restore();
    machine.listed = code == 0;
    trace_ordinal = ordinal_of;
    if (code) forget_machine();
    return code;
}

const char *clue_device_refusal(void) {
    static char text[128];
    const char *name = clue_error_name(machine.refusal);
    text[0] = '\0';
    if (machine.refusal)
        (void)snprintf(text, sizeof text, "clGetDeviceIDs gave %s (%d) for platform %d",
                       name ? name : "an unknown error", (int)machine.refusal, (int)machine.refused_by);
    return text;
}

static void explain_no_device(const char *call) {
    const char *platforms = text_count(machine.platform_count, "platform");
    error_record(CL_DEVICE_NOT_FOUND, CLUE_CAUSE_DEVICE, call,
                 "there is no OpenCL device (%s): `clue doctor` shows why%s", platforms, clue_limits_text());
    if (machine.refusal)
        error_explain("there is no OpenCL device (%s): %s: `clue doctor` shows more%s", platforms,
                      clue_device_refusal(), clue_limits_text());
}

device *device_at(int32_t ordinal, const char *call) {
    if (list_machine()) return NULL;
    if (ordinal >= 0 && ordinal < machine.device_count) return &machine.devices[ordinal];
    if (machine.device_count == 0)
        explain_no_device(call);
    else if (machine.device_count == 1)
        error_record(CL_INVALID_DEVICE, CLUE_CAUSE_DEVICE, call, "there is no device %d: the only one is 0",
                     (int)ordinal);
    else
        error_record(CL_INVALID_DEVICE, CLUE_CAUSE_DEVICE, call,
                     "there is no device %d: there are 0 to %d, as `clue devices` lists them", (int)ordinal,
                     (int)machine.device_count - 1);
    return NULL;
}

device *device_find(int32_t id, const char *call) {
    object *found;
    if (id < CLUE_FIRST_HANDLE) return device_at(id, call);
    found = handle_find(id, CLUE_DEVICE, call);
    return found ? &((subdevice *)found)->device : NULL;
}

static char *device_text(const device *self, cl_device_info property) {
    size_t size = 0;
    char *text;
    if (CL_CALL(clGetDeviceInfo, self->id, property, 0, NULL, &size)) return NULL;
    text = calloc(1, size + 1);
    if (!text) {
        (void)error_out_of_memory("clGetDeviceInfo");
        return NULL;
    }
    if (CL_CALL(clGetDeviceInfo, self->id, property, size, text, NULL) == 0) return text;
    free(text);
    return NULL;
}

/* Asks for a property that a driver may not know; then the value stays as it was. */
static void try_ask(const device *self, cl_device_info property, void *value_out, size_t size) {
    (void)clGetDeviceInfo(self->id, property, size, value_out, NULL);
}

bool device_has_version(const device *self, int major, int minor) {
    char version[128] = "";
    char *end = version;
    long answer;
    try_ask(self, CL_DEVICE_VERSION, version, sizeof version - 1);
    if (!text_begins_with(version, "OpenCL ")) return false;
    answer = strtol(version + strlen("OpenCL "), &end, 10);
    return answer > major || (answer == major && *end == '.' && strtol(end + 1, NULL, 10) >= minor);
}

/* OpenCL 2 has work-groups of unequal size; in OpenCL 3 they are an option, and OpenCL 1 has none. */
static bool takes_non_uniform_groups(const device *self) {
    cl_bool answer = CL_FALSE;
    char version[128] = "";
    try_ask(self, CL_DEVICE_VERSION, version, sizeof version - 1);
    if (strncmp(version, "OpenCL 2.", 9) == 0) return true;
    if (strncmp(version, "OpenCL 1.", 9) != 0)
        try_ask(self, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, &answer, sizeof answer);
    return answer;
}

/* Facts about drivers that cannot be queried. */
static void learn_driver(device *self) {
    char platform[128] = "", driver[128] = "";
    (void)clGetPlatformInfo(self->platform, CL_PLATFORM_NAME, sizeof platform - 1, platform, NULL);
    try_ask(self, CL_DRIVER_VERSION, driver, sizeof driver - 1);
    self->rusticl = strcmp(platform, "rusticl") == 0;
    self->nvidia = strcmp(platform, "NVIDIA CUDA") == 0;
    self->pocl = strcmp(platform, "Portable Computing Language") == 0;
    self->keeps_order = self->nvidia;
    self->starts = self->nvidia || self->pocl;
    self->oclgrind = strcmp(platform, "Oclgrind") == 0;
    self->counts_aloud = self->oclgrind || (self->pocl && strncmp(driver, "3.1", 3) == 0);
    self->synchronous = self->oclgrind || (self->pocl && text_begins_with(self->name, "basic"));
    self->most_items = self->rusticl ? UINT32_MAX : INT64_MAX; /* with more, the process ends */
    self->last_item = self->nvidia ? INT32_MAX : INT64_MAX;    /* later items get a wrong get_global_id() */
}

/* Properties that every driver must have. */
static int32_t learn_required(device *self) {
    const struct {
        cl_device_info property;
        size_t size;
        void *value;
    } required[] = {
        {CL_DEVICE_LOCAL_MEM_SIZE, sizeof self->local_memory, &self->local_memory},
        {CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof self->max_allocation, &self->max_allocation},
        {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, sizeof self->max_constant, &self->max_constant},
        {CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof self->max_group, &self->max_group},
        {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, sizeof self->dimensions, &self->dimensions},
    };
    int32_t code = 0;
    for (size_t i = 0; i < sizeof required / sizeof required[0] && code == 0; i++)
        code = CL_CALL(clGetDeviceInfo, self->id, required[i].property, required[i].size, required[i].value, NULL);
    return code;
}

int32_t device_learn_limits(device *self) {
    cl_device_fp_config doubles = 0;
    cl_bool images = CL_FALSE, unified = CL_FALSE;
    cl_command_queue_properties queues = 0;
    size_t timer_step = 0;
    int32_t code;
    if (self->limits_known) return 0;
    if (!self->name && !(self->name = device_text(self, CL_DEVICE_NAME))) return clue_error_code();
    if ((code = learn_required(self))) return code;
    self->max_items[0] = self->max_items[1] = self->max_items[2] = SIZE_MAX;
    try_ask(self, CL_DEVICE_MAX_WORK_ITEM_SIZES, self->max_items, sizeof self->max_items);
    try_ask(self, CL_DEVICE_DOUBLE_FP_CONFIG, &doubles, sizeof doubles);
    try_ask(self, CL_DEVICE_PROFILING_TIMER_RESOLUTION, &timer_step, sizeof timer_step);
    try_ask(self, CL_DEVICE_IMAGE_SUPPORT, &images, sizeof images);
    try_ask(self, CL_DEVICE_HOST_UNIFIED_MEMORY, &unified, sizeof unified);
    if (!unified) try_ask(self, CL_DEVICE_GLOBAL_MEM_SIZE, &self->own_memory, sizeof self->own_memory);
    try_ask(self, CL_DEVICE_SVM_CAPABILITIES, &self->svm, sizeof self->svm);
    try_ask(self, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, &queues, sizeof queues);
    self->images = images;
    self->doubles = doubles != 0;
    self->timed = timer_step != 0; /* rusticl's events have made-up times, and its timer has a step of 0 */
    self->non_uniform_groups = takes_non_uniform_groups(self);
    learn_driver(self);
    self->out_of_order = (queues & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    self->limits_known = true;
    return 0;
}

int32_t clue_platform_count(int32_t *count_out) {
    int32_t code = list_machine();
    if (code == 0) *count_out = machine.platform_count;
    return code;
}

int32_t clue_device_count(int32_t *count_out) {
    int32_t code = list_machine();
    if (code == 0) *count_out = machine.device_count;
    return code;
}

int32_t clue_device_locate(int32_t *platform_out, int32_t *index_out, int32_t ordinal) {
    const device *self = device_at(ordinal, "clGetDeviceIDs");
    if (!self) return clue_error_code();
    *platform_out = self->platform_index;
    *index_out = self->index;
    return 0;
}

int32_t clue_platform_info(int64_t *size_out, int32_t platform, uint32_t property, void *value, int64_t capacity) {
    size_t size = 0;
    int32_t code = list_machine();
    if (code || (code = error_check_capacity(capacity, "clGetPlatformInfo"))) return code;
    if (platform < 0 || platform >= machine.platform_count)
        return error_record(CL_INVALID_PLATFORM, CLUE_CAUSE_DEVICE, "clGetPlatformInfo",
                            "there is no platform %d: the number of platforms is %d", (int)platform,
                            (int)machine.platform_count);
    code = CL_CALL(clGetPlatformInfo, machine.platforms[platform], property, value ? (size_t)capacity : 0, value,
                   &size);
    if (code == 0) *size_out = (int64_t)size;
    return code;
}
