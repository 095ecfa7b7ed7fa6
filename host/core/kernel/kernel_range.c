/* kernel_range.c - the range of an execution: copies it, and checks it before the driver sees it.
 *
 * Drivers react to a bad range with a bare code, with a wrong result (NVIDIA, for work-items beyond 31 bits), or
 * with the end of the process (PoCL, for too much local memory; rusticl, for 2^32 work-items). */
#include "kernel/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char enqueue[] = "clEnqueueNDRangeKernel";

/* ---- copying ---- */

static int32_t check_dimensions(const range *r, const int64_t *global) {
    const cl_uint most = r->on->dimensions;
    if (r->dimensions < 1 || r->dimensions > 3 || r->dimensions > most)
        return error_record(CL_INVALID_WORK_DIMENSION, CLUE_CAUSE_PARAMETER, enqueue,
                            "%d dimensions were given: 1 to %u are possible", (int)r->dimensions,
                            most < 3 ? most : 3);
    if (!global)
        return error_record(CL_INVALID_GLOBAL_WORK_SIZE, CLUE_CAUSE_PARAMETER, enqueue, "there is no global size");
    return 0;
}

static int32_t read_size(range *r, cl_uint i, int64_t offset, int64_t global, int64_t local) {
    if (global <= 0)
        return error_record(CL_INVALID_GLOBAL_WORK_SIZE, CLUE_CAUSE_SIZE, enqueue,
                            "global size %lld in dimension %u: %s", (long long)global, i,
                            global == 0 ? "there is nothing to execute; leave the call out"
                                        : "it must be at least 1");
    if (offset < 0)
        return error_record(CL_INVALID_GLOBAL_OFFSET, CLUE_CAUSE_OFFSET, enqueue,
                            "global offset %lld in dimension %u: it must be at least 0", (long long)offset, i);
    if (offset > INT64_MAX - global)
        return error_record(CL_INVALID_GLOBAL_OFFSET, CLUE_CAUSE_OFFSET, enqueue,
                            "global offset %lld in dimension %u: with a global size of %lld it overflows",
                            (long long)offset, i, (long long)global);
    if (r->has_local && local <= 0)
        return error_record(CL_INVALID_WORK_GROUP_SIZE, CLUE_CAUSE_SIZE, enqueue,
                            "local size %lld in dimension %u: it must be at least 1", (long long)local, i);
    r->offset[i] = (size_t)offset;
    r->global[i] = (size_t)global;
    r->local[i] = (size_t)local;
    return 0;
}

int32_t range_read(range *r, const int64_t *offset, const int64_t *global, const int64_t *local) {
    int32_t code = check_dimensions(r, global);
    r->has_local = local != NULL;
    for (cl_uint i = 0; code == 0 && i < r->dimensions; i++)
        code = read_size(r, i, offset ? offset[i] : 0, global[i], local ? local[i] : 0);
    return code;
}

/* ---- checking ---- */

static int32_t check_numbers(const range *r, const device *on) {
    for (cl_uint i = 0; i < r->dimensions; i++) {
        const size_t last = r->offset[i] + r->global[i] - 1;
        if (r->global[i] > on->most_items)
            return error_record(CL_INVALID_GLOBAL_WORK_SIZE, CLUE_CAUSE_LIMIT, enqueue,
                                "global size %zu in dimension %u: the maximum on %s is %zu; execute it in parts, "
                                "each from its own offset",
                                r->global[i], i, on->name, on->most_items);
        if (last > on->last_item)
            return error_record(CL_INVALID_GLOBAL_WORK_SIZE, CLUE_CAUSE_LIMIT, enqueue,
                                "the last work-item in dimension %u has number %zu, but %s counts only to %zu", i,
                                last, on->name, on->last_item);
    }
    return 0;
}

/* "16 x 16" */
static const char *sizes_text(const size_t *sizes, cl_uint dimensions) {
    static char text[80];
    int used = snprintf(text, sizeof text, "%zu", sizes[0]);
    for (cl_uint i = 1; i < dimensions; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, " x %zu", sizes[i]);
    return text;
}

/* Checks reqd_work_group_size, because Oclgrind and rusticl run the kernel with any local size. */
static int32_t check_required_group(const range *r, const kernel *k) {
    const size_t *required = kernel_limits_on(k, r->on)->required_group;
    bool same = r->has_local;
    for (cl_uint i = 0; i < 3 && same; i++)
        same = required[i] == (i < r->dimensions ? r->local[i] : 1);
    if (same || required[0] == 0) return 0;
    return error_record(CL_INVALID_WORK_GROUP_SIZE, CLUE_CAUSE_PARAMETER, enqueue,
                        "kernel '%s' is compiled for a local size of %s: use exactly that", k->name,
                        sizes_text(required, 3));
}

/* The dimension in which the local size does not divide the global size; -1 for none. */
static int32_t uneven_dimension(const range *r) {
    for (cl_uint i = 0; r->has_local && i < r->dimensions; i++)
        if (r->local[i] && r->global[i] % r->local[i]) return (int32_t)i;
    return -1;
}

size_t range_divisor(size_t global, size_t most) {
    enum { STEPS = 1 << 16 }; /* more than the work-items of any device's work-groups */
    size_t local = most < global ? most : global;
    if (local > STEPS) local = STEPS;
    while (local > 1 && global % local)
        local--;
    return local ? local : 1;
}

static int32_t refuse_uneven(const range *r, int32_t i) {
    const size_t local = r->local[i], global = r->global[i];
    return error_record(CL_INVALID_WORK_GROUP_SIZE, CLUE_CAUSE_PARAMETER, enqueue,
                        "local size %zu does not divide global size %zu in dimension %d: use %zu, or a global size "
                        "of %zu and return from the kernel where the id is %zu or more",
                        local, global, (int)i, range_divisor(global, local), global + local - global % local,
                        global);
}

/* True if a work-group has more than `most` work-items. The product cannot overflow, because no factor is above
 * `most`. */
static bool group_exceeds(const range *r, size_t most) {
    size_t items = 1;
    for (cl_uint i = 0; r->has_local && i < r->dimensions; i++) {
        if (r->local[i] > most) return true;
        items *= r->local[i];
        if (items > most) return true;
    }
    return false;
}

/* Does not check the kernel's own limit (CL_KERNEL_WORK_GROUP_SIZE): rusticl and NVIDIA execute far larger
 * work-groups. */
static int32_t check_group_size(const range *r, const device *on) {
    for (cl_uint i = 0; r->has_local && i < r->dimensions; i++)
        if (r->local[i] > on->max_items[i])
            return error_record(CL_INVALID_WORK_ITEM_SIZE, CLUE_CAUSE_LIMIT, enqueue,
                                "local size %zu in dimension %u: the maximum on %s is %zu; without a local size "
                                "the driver chooses one",
                                r->local[i], i, on->name, on->max_items[i]);
    if (!group_exceeds(r, on->max_group)) return 0;
    return error_record(
        CL_INVALID_WORK_GROUP_SIZE, CLUE_CAUSE_LIMIT, enqueue,
        "a local size of %s: the maximum on %s is %zu work-items; without a local size the driver chooses one",
        sizes_text(r->local, r->dimensions), on->name, on->max_group);
}

static int32_t check_group(const range *r, const kernel *k) {
    const device *on = r->on;
    const int32_t uneven = on->non_uniform_groups ? -1 : uneven_dimension(r);
    const int32_t code = check_required_group(r, k);
    if (code) return code;
    return uneven >= 0 ? refuse_uneven(r, uneven) : check_group_size(r, on);
}

static int32_t check_local_memory(const range *r, const kernel *k) {
    const device *on = r->on;
    const int64_t total = kernel_limits_on(k, on)->local_memory + arguments_local_memory(k);
    if ((cl_ulong)total <= on->local_memory) return 0;
    return error_record(CL_OUT_OF_RESOURCES, CLUE_CAUSE_LIMIT, enqueue,
                        "kernel '%s' needs %lld bytes of local memory, but %s has %llu: keep less there", k->name,
                        (long long)total, on->name, (unsigned long long)on->local_memory);
}

int32_t range_check(const range *r, const kernel *k) {
    int32_t code = check_numbers(r, r->on);
    if (code == 0) code = check_group(r, k);
    if (code == 0) code = check_local_memory(r, k);
    return code;
}

/* ---- explaining ---- */

/* For CL_OUT_OF_RESOURCES: finds the kernel's demand that is over its limit. */
static void explain_resources(const range *r, const kernel *k) {
    const device *on = r->on;
    const int64_t local = kernel_limits_on(k, on)->local_memory + arguments_local_memory(k);
    const int32_t constant = arguments_over_constant(k, on);
    if (on->nvidia && (cl_ulong)local + NVIDIA_OWN_LOCAL > on->local_memory)
        error_explain("kernel '%s' needs %lld bytes of local memory, and the driver up to %d more, but %s has %llu",
                      k->name, (long long)local, NVIDIA_OWN_LOCAL, on->name, (unsigned long long)on->local_memory);
    else if (group_exceeds(r, kernel_limits_on(k, on)->sure_group))
        error_explain(
            "a local size of %s is too large for kernel '%s' on %s: up to %zu work-items are certain to work",
            sizes_text(r->local, r->dimensions), k->name, on->name, kernel_limits_on(k, on)->sure_group);
    else if (constant >= 0)
        error_explain(
            "the buffer of argument %d of kernel '%s' has %lld bytes, but __constant memory on %s has only %llu",
            (int)constant, k->name, (long long)k->arguments[constant].buffer->size, on->name,
            (unsigned long long)on->max_constant);
}

void range_explain(const range *r, const kernel *k, int32_t code) {
    const int32_t uneven = uneven_dimension(r);
    if (fault_known(k->program->context)) return; /* a dead context refuses every range */
    if (code == CL_INVALID_WORK_GROUP_SIZE && uneven >= 0)
        (void)refuse_uneven(r, uneven);
    else if (code == CL_OUT_OF_RESOURCES || code == CL_INVALID_WORK_GROUP_SIZE || code == CL_INVALID_WORK_ITEM_SIZE)
        explain_resources(r, k);
}

/* ---- suggesting a local size ---- */

enum { ENOUGH = 256 }; /* work-items of a group: enough to hide waits, and several groups fit on a compute unit */

static const char suggest[] = "clGetKernelSuggestedLocalWorkSizeKHR";
typedef cl_int(CL_API_CALL *suggester)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                                       size_t *);

static bool has_extension(const device *on, const char *name) {
    size_t size = 0;
    char *all = NULL;
    bool found;
    if (clGetDeviceInfo(on->id, CL_DEVICE_EXTENSIONS, 0, NULL, &size) == CL_SUCCESS) all = calloc(1, size + 1);
    found =
        all && clGetDeviceInfo(on->id, CL_DEVICE_EXTENSIONS, size, all, NULL) == CL_SUCCESS && strstr(all, name);
    free(all);
    return found;
}

static bool is_possible(const range *r) {
    for (cl_uint i = 0; i < r->dimensions; i++)
        if (r->local[i] == 0) return false;
    return !group_exceeds(r, r->on->max_group);
}

/* OpenCL 3.1 has the function without KHR. Its devices must also list the extension; if one does not, its driver
 * may still give either function. NULL if the driver has none. */
static void *find_suggester(const device *on) {
    const bool core = device_has_version(on, 3, 1);
    void *address = NULL;
    if (core || has_extension(on, "cl_khr_suggested_local_work_size"))
        address = clGetExtensionFunctionAddressForPlatform(on->platform, suggest);
    if (core && !address)
        address = clGetExtensionFunctionAddressForPlatform(on->platform, "clGetKernelSuggestedLocalWorkSize");
    return address;
}

/* Drivers refuse as long as an argument of the kernel is not set. */
static bool suggested_by_driver(range *r, const queue *q, const kernel *k) {
    void *address = find_suggester(r->on);
    suggester ask;
    if (!address) return false;
    memcpy(&ask, &address, sizeof ask);
    r->has_local = TRACED(suggest, CL_INVALID_OPERATION,
                          ask(q->queue, k->kernel, r->dimensions, r->offset, r->global, r->local)) == CL_SUCCESS;
    return r->has_local && is_possible(r);
}

/* The greatest number of work-items with which every compute unit gets a group, and the number that the device runs
 * at once. */
static size_t largest_group(size_t *step_out, const range *r, const kernel *k) {
    const size_t sure = kernel_limits_on(k, r->on)->sure_group;
    cl_uint units = 1;
    double most = 1;
    *step_out = 1;
    (void)clGetDeviceInfo(r->on->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    (void)clGetKernelWorkGroupInfo(k->kernel, r->on->id, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                   sizeof *step_out, step_out, NULL);
    for (cl_uint i = 0; i < r->dimensions; i++)
        most *= (double)r->global[i];
    most /= units ? units : 1;
    if (most < (double)*step_out) most = (double)*step_out;
    if (most > ENOUGH) most = ENOUGH;
    return most < (double)sure ? (size_t)most : sure;
}

/* The largest divisor, at most `most`, that is also a multiple of `step`; any divisor if there is none. */
static size_t divisor_by_steps(size_t global, size_t most, size_t step) {
    for (size_t local = step ? most - most % step : 0; local > 0; local -= step)
        if (global % local == 0) return local;
    return range_divisor(global, most);
}

/* The first dimension gets the most work-items, because its neighbours lie side by side in memory. */
static int32_t suggest_local(range *r, const kernel *k) {
    const size_t *required = kernel_limits_on(k, r->on)->required_group;
    size_t step, left = largest_group(&step, r, k);
    for (cl_uint i = 0; i < r->dimensions; i++) {
        const size_t most = left < r->on->max_items[i] ? left : r->on->max_items[i];
        r->local[i] = required[0] ? required[i] : divisor_by_steps(r->global[i], most, i == 0 ? step : 1);
        left /= r->local[i];
    }
    r->has_local = true;
    return check_group(r, k); /* the size that the kernel requires may not fit */
}

/* The number of dimensions: after them, all sizes are 1. */
static cl_uint dimensions_of(const int64_t *global) {
    cl_uint dimensions = 3;
    while (dimensions > 1 && global[dimensions - 1] == 1)
        dimensions--;
    return dimensions;
}

int32_t clue_queue_suggested_local_size(int64_t *x_out, int64_t *y_out, int64_t *z_out, int32_t *driver_out,
                                        int32_t queue_handle, int32_t handle, const int64_t *offset,
                                        const int64_t *global) {
    const queue *q = (queue *)handle_find(queue_handle, CLUE_QUEUE, suggest);
    const kernel *k = q ? (kernel *)handle_find(handle, CLUE_KERNEL, suggest) : NULL;
    range r = {.dimensions = 3, .local = {1, 1, 1}};
    int32_t code, by_driver;
    if (!k) return clue_error_code();
    r.on = q->device;
    code = queue_check_context(q, k->program->context, k->what, suggest);
    if (code || (code = range_read(&r, offset, global, NULL)) || (code = check_numbers(&r, r.on))) return code;
    r.dimensions = dimensions_of(global);
    r.local[1] = r.local[2] = 1;
    by_driver = suggested_by_driver(&r, q, k);
    if (!by_driver && (code = suggest_local(&r, k))) return code;
    *driver_out = by_driver;
    *x_out = (int64_t)r.local[0];
    *y_out = (int64_t)r.local[1];
    *z_out = (int64_t)r.local[2];
    return 0;
}
