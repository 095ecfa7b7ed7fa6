/* origin.c - an object's parent, context and device. */
#include "queue/internal.h"

context *context_of(object *any) {
    while (any && any->kind != CLUE_CONTEXT)
        any = object_parent(any);
    return (context *)any;
}

int32_t clue_handle_parent(int32_t *parent_out, int32_t handle) {
    const object *found = handle_find(handle, CLUE_NONE, "clRetain");
    const object *parent = found ? object_parent(found) : NULL;
    if (!found) return clue_error_code();
    *parent_out = parent ? parent->handle : 0;
    return 0;
}

device *device_of_id(int32_t id, const char *call) {
    object *found;
    const context *in;
    if (id < CLUE_FIRST_HANDLE && id != -1)
        return device_at(id, call); /* -1 is the result of a creation that failed */
    found = handle_find(id, CLUE_NONE, call);
    if (!found) return NULL;
    if (found->kind == CLUE_DEVICE) return &((subdevice *)found)->device;
    in = context_of(found);
    if (in) return in->device;
    (void)error_record(CL_INVALID_DEVICE, CLUE_CAUSE_HANDLE, call, "%s %d belongs to no device",
                       handle_kind_name(found->kind), (int)id);
    return NULL;
}

int32_t clue_device_of(int32_t *ordinal_out, int32_t id) {
    const device *self = device_of_id(id, "clGetDeviceInfo");
    if (!self) return clue_error_code();
    *ordinal_out = self->ordinal;
    return 0;
}

int32_t clue_device_info(int64_t *size_out, int32_t id, uint32_t property, void *value, int64_t capacity) {
    size_t size = 0;
    const device *self = device_of_id(id, "clGetDeviceInfo");
    int32_t code;
    if (!self) return clue_error_code();
    if ((code = error_check_capacity(capacity, "clGetDeviceInfo"))) return code;
    code = CL_CALL(clGetDeviceInfo, self->id, property, value ? (size_t)capacity : 0, value, &size);
    if (code == 0) *size_out = (int64_t)size;
    if (code == CL_INVALID_VALUE && clGetDeviceInfo(self->id, property, 0, NULL, &size) == CL_INVALID_VALUE)
        error_explain("the driver of %s does not know the property 0x%x", self->name, (unsigned)property);
    return code;
}
