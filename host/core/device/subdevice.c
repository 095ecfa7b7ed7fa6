/* subdevice.c - parts of devices (OpenCL: sub-devices).
 *
 * A part is a device in every respect, and its object has the core's description of it. The device is asked what it
 * can do before it is divided, because Mesa's rusticl crashes when it should refuse. */
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clCreateSubDevices";

enum { MOST_VALUES = 4096, MOST_WAYS = 16 };

/* The division to make, after all checks. */
typedef struct division {
    device *on;
    cl_device_partition_property properties[MOST_VALUES + 3];
} division;

static void subdevice_destroy(object *self) {
    subdevice *part = (subdevice *)self;
    (void)clReleaseDevice(part->device.id);
    object_release(part->parent);
    free(part->device.name);
    free(part);
}

static void *pointer_of(const object *self) {
    return ((const subdevice *)self)->device.id;
}

static const object_class subdevice_class = {
    .kind = CLUE_DEVICE, .destroy = subdevice_destroy, .pointer = pointer_of};

/* ---- what the device can do ---- */

static const struct {
    cl_device_partition_property property;
    const char *name;
} ways[] = {
    {CL_DEVICE_PARTITION_EQUALLY, "equally"},
    {CL_DEVICE_PARTITION_BY_COUNTS, "by counts"},
    {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, "by affinity domain"},
};

static const struct {
    cl_device_affinity_domain domain;
    const char *name;
} domains[] = {
    {CL_DEVICE_AFFINITY_DOMAIN_NUMA, "numa"},
    {CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, "l4_cache"},
    {CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, "l3_cache"},
    {CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, "l2_cache"},
    {CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, "l1_cache"},
    {CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, "next_partitionable"},
};

static void add_word(char *text, size_t room, const char *word) {
    const size_t used = strlen(text);
    snprintf(text + used, room - used, "%s%s", used ? ", " : "", word);
}

/* True if the device can be divided in this way. If not, lists the ways that it has. */
static bool has_way(const device *on, cl_device_partition_property wanted, char *list, size_t room) {
    cl_device_partition_property can[MOST_WAYS] = {0};
    bool found = false;
    if (clGetDeviceInfo(on->id, CL_DEVICE_PARTITION_PROPERTIES, sizeof can, can, NULL) != CL_SUCCESS) can[0] = 0;
    *list = '\0';
    for (size_t i = 0; i < MOST_WAYS && can[i]; i++)
        for (size_t j = 0; j < sizeof ways / sizeof ways[0]; j++) {
            if (ways[j].property != can[i]) continue;
            found = found || can[i] == wanted;
            add_word(list, room, ways[j].name);
        }
    return found;
}

static const char *name_of_way(cl_device_partition_property property) {
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (ways[i].property == property) return ways[i].name;
    return NULL;
}

static int32_t check_way(const device *on, cl_device_partition_property property) {
    const char *name = name_of_way(property);
    char list[80];
    if (!name)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "0x%llx is not a way to divide a device",
                            (unsigned long long)property);
    if (has_way(on, property, list, sizeof list)) return 0;
    if (!*list)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_LIMIT, call, "%s cannot be divided into parts", on->name);
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_LIMIT, call, "%s cannot be divided %s; it can be divided %s",
                        on->name, name, list);
}

static int32_t check_domain(const device *on, int64_t domain) {
    cl_device_affinity_domain has = 0;
    char list[120] = "";
    const char *name = NULL;
    (void)clGetDeviceInfo(on->id, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof has, &has, NULL);
    for (size_t i = 0; i < sizeof domains / sizeof domains[0]; i++) {
        if (has & domains[i].domain) add_word(list, sizeof list, domains[i].name);
        if ((cl_device_affinity_domain)domain == domains[i].domain) name = domains[i].name;
    }
    if (name && has & (cl_device_affinity_domain)domain) return 0;
    if (!name)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "0x%llx is not an affinity domain",
                            (unsigned long long)domain);
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_LIMIT, call,
                        "%s cannot be divided by the affinity domain %s, only by: %s", on->name, name,
                        *list ? list : "none");
}

static int32_t check_counts(const device *on, const int64_t *values, int32_t count, cl_uint units) {
    int64_t sum = 0;
    cl_uint most = 0;
    (void)clGetDeviceInfo(on->id, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof most, &most, NULL);
    for (int32_t i = 0; i < count; i++) {
        if (values[i] < 1 || values[i] > units)
            return error_record(CL_INVALID_DEVICE_PARTITION_COUNT, CLUE_CAUSE_SIZE, call,
                                "part %d has %s, and %s has %u", (int)i + 1, text_count(values[i], "compute unit"),
                                on->name, units);
        sum += values[i];
    }
    if (sum > units)
        return error_record(CL_INVALID_DEVICE_PARTITION_COUNT, CLUE_CAUSE_SIZE, call,
                            "the parts together have %lld compute units, and %s has %u", (long long)sum, on->name,
                            units);
    if (most && (cl_uint)count > most)
        return error_record(CL_INVALID_DEVICE_PARTITION_COUNT, CLUE_CAUSE_LIMIT, call,
                            "%s cannot be divided into %d parts: %u is the maximum", on->name, (int)count, most);
    return 0;
}

static int32_t check_values(const device *on, cl_device_partition_property property, const int64_t *values,
                            int32_t count) {
    cl_uint units = 0;
    int32_t code = CL_CALL(clGetDeviceInfo, on->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    if (code) return code;
    if (!values || count < 1 || count > MOST_VALUES || (property != CL_DEVICE_PARTITION_BY_COUNTS && count != 1))
        return error_record(
            CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
            "%d values were given: dividing by counts takes one for each part, any other way takes one",
            (int)count);
    if (property == CL_DEVICE_PARTITION_BY_COUNTS) return check_counts(on, values, count, units);
    if (property == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) return check_domain(on, values[0]);
    if (values[0] < 1 || values[0] > units)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call, "a part has %s, and %s has %u",
                            text_count(values[0], "compute unit"), on->name, units);
    return 0;
}

/* ---- dividing ---- */

static int32_t open_part(int32_t *part_out, device *of, cl_device_id id) {
    subdevice *part = calloc(1, sizeof *part);
    int32_t code;
    if (!part) {
        (void)clReleaseDevice(id);
        return error_out_of_memory(call);
    }
    part->device = (device){.platform = of->platform,
                            .id = id,
                            .platform_index = of->platform_index,
                            .index = of->index,
                            .ordinal = of->ordinal,
                            .part = &part->base};
    part->parent = of->part;
    if (part->parent) object_retain(part->parent);
    code = handle_open(part_out, &part->base, &subdevice_class, call);
    if (code == 0) return 0;
    subdevice_destroy(&part->base);
    return code;
}

/* Opens all of them or none. The driver's devices belong to this function from now on. */
static int32_t open_parts(int32_t *devices_out, device *of, const cl_device_id *ids, cl_uint count) {
    int32_t code = 0;
    cl_uint made = 0;
    for (cl_uint i = 0; i < count; i++)
        if (code)
            (void)clReleaseDevice(ids[i]);
        else if ((code = open_part(&devices_out[i], of, ids[i])) == 0)
            made++;
    for (cl_uint i = 0; code && i < made; i++)
        (void)clue_handle_free(devices_out[i], CLUE_DEVICE);
    return code;
}

static int32_t make_parts(int32_t *devices_out, const division *d, cl_uint count) {
    cl_device_id *ids = calloc(count, sizeof(cl_device_id));
    int32_t code;
    if (!ids) return error_out_of_memory(call);
    code = CL_CALL(clCreateSubDevices, d->on->id, d->properties, count, ids, NULL);
    if (code == 0) code = open_parts(devices_out, d->on, ids, count);
    free(ids);
    return code;
}

static int32_t divide(int32_t *devices_out, int32_t *count_out, int32_t capacity, const division *d) {
    cl_uint count = 0;
    int32_t code = CL_CALL(clCreateSubDevices, d->on->id, d->properties, 0, NULL, &count);
    if (code) return code;
    if (devices_out && (capacity < 0 || (cl_uint)capacity < count))
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call, "%s: there is room for only %d",
                            text_count(count, "part"), (int)capacity);
    if (devices_out && count) code = make_parts(devices_out, d, count);
    if (code == 0) *count_out = (int32_t)count;
    return code;
}

int32_t clue_device_partition(int32_t *devices_out, int32_t *count_out, int32_t capacity, int32_t id,
                              uint32_t property, const int64_t *values, int32_t value_count) {
    static division d; /* large; the library is single-threaded */
    int32_t code;
    d.on = device_find(id, call);
    if (!d.on) return clue_error_code();
    if ((code = device_learn_limits(d.on)) || (code = check_way(d.on, property)) ||
        (code = check_values(d.on, property, values, value_count)))
        return code;
    memset(d.properties, 0, sizeof d.properties); /* CL_DEVICE_PARTITION_BY_COUNTS_LIST_END is 0 as well */
    d.properties[0] = property;
    for (int32_t i = 0; i < value_count; i++)
        d.properties[i + 1] = values[i];
    return divide(devices_out, count_out, capacity, &d);
}
