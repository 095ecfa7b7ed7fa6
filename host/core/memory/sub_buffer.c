/* sub_buffer.c - parts of buffers, with handles of their own.
 *
 * Drivers accept offsets that their device cannot address, and parts that end after their buffer. Both are checked
 * here. */
#include "memory/internal.h"

static const char create_call[] = "clCreateSubBuffer";

/* ---- flags ---- */

static const struct {
    cl_mem_flags flag;
    const char *name;
} flag_names[] = {
    {CL_MEM_READ_WRITE, "CL_MEM_READ_WRITE"},         {CL_MEM_WRITE_ONLY, "CL_MEM_WRITE_ONLY"},
    {CL_MEM_READ_ONLY, "CL_MEM_READ_ONLY"},           {CL_MEM_HOST_WRITE_ONLY, "CL_MEM_HOST_WRITE_ONLY"},
    {CL_MEM_HOST_READ_ONLY, "CL_MEM_HOST_READ_ONLY"}, {CL_MEM_HOST_NO_ACCESS, "CL_MEM_HOST_NO_ACCESS"},
};

static const char *name_of(cl_mem_flags flag) {
    for (size_t i = 0; i < sizeof flag_names / sizeof flag_names[0]; i++)
        if (flag_names[i].flag == flag) return flag_names[i].name;
    return "";
}

/* True if an object with the child's flags would be allowed more than its parent. */
static bool is_refused(cl_mem_flags parent, cl_mem_flags child) {
    static const struct {
        cl_mem_flags parent, children;
    } refused[] = {
        {CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY},
        {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY},
        {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY},
        {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
        {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (refused[i].parent == parent && refused[i].children & child) return true;
    return false;
}

int32_t buffer_check_inherited(const buffer *parent, int64_t flags, const char *call) {
    if (flags & CL_MEM_ALLOC_HOST_PTR)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                            "CL_MEM_ALLOC_HOST_PTR is only for the buffer, which already has its memory");
    for (cl_mem_flags theirs = CL_MEM_READ_WRITE; theirs <= CL_MEM_HOST_NO_ACCESS; theirs <<= 1)
        for (cl_mem_flags ours = CL_MEM_READ_WRITE; ours <= CL_MEM_HOST_NO_ACCESS; ours <<= 1)
            if (parent->flags & theirs && (cl_mem_flags)flags & ours && is_refused(theirs, ours))
                return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                                    "the buffer is %s: an object made from it cannot be %s", name_of(theirs),
                                    name_of(ours));
    return 0;
}

/* ---- making ---- */

/* In bytes; OpenCL gives bits. */
static int64_t alignment_of(const device *on) {
    cl_uint bits = 0;
    if (clGetDeviceInfo(on->id, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL) != CL_SUCCESS) return 1;
    return bits >= 8 ? bits / 8 : 1;
}

/* The device with the greatest alignment, which is a multiple of all others: they are powers of two. */
static const device *strictest(const context *c) {
    const device *on = c->device;
    for (cl_uint i = 1; i < c->device_count; i++)
        if (alignment_of(c->devices[i]) > alignment_of(on)) on = c->devices[i];
    return on;
}

static int32_t check_place(const buffer *parent, int64_t offset, int64_t size) {
    const device *on = strictest(parent->context);
    const int64_t alignment = alignment_of(on);
    int32_t code = buffer_check_range(parent, offset, size, create_call);
    if (code) return code;
    if (size == 0)
        return error_record(CL_INVALID_BUFFER_SIZE, CLUE_CAUSE_SIZE, create_call,
                            "a sub-buffer of 0 bytes: it needs at least 1");
    if (offset % alignment == 0) return 0;
    return error_record(CL_MISALIGNED_SUB_BUFFER_OFFSET, CLUE_CAUSE_OFFSET, create_call,
                        "offset %lld: on %s a sub-buffer must begin at a multiple of %lld bytes "
                        "(CL_DEVICE_MEM_BASE_ADDR_ALIGN), for example %lld or %lld",
                        (long long)offset, on->name, (long long)alignment, (long long)(offset - offset % alignment),
                        (long long)(offset - offset % alignment + alignment));
}

static int32_t check(const buffer *parent, int64_t flags, int64_t offset, int64_t size) {
    int32_t code = buffer_check_flags(flags, create_call);
    if (code == 0 && parent->parent)
        code = error_record(CL_INVALID_MEM_OBJECT, CLUE_CAUSE_PARAMETER, create_call,
                            "buffer %d is a sub-buffer itself: make this one from buffer %d",
                            (int)parent->base.handle, (int)parent->parent->base.handle);
    if (code == 0) code = buffer_check_inherited(parent, flags, create_call);
    return code ? code : check_place(parent, offset, size);
}

/* Flags that are not given come from the parent; drivers report them, too. */
static cl_mem_flags settled(const buffer *parent, cl_mem_flags flags) {
    const cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    const cl_mem_flags host = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
    if (!(flags & access)) flags |= parent->flags & access;
    return flags & host ? flags : flags | (parent->flags & host);
}

int32_t clue_buffer_create_sub(int32_t *buffer_out, int32_t handle, int64_t flags, int64_t offset, int64_t size) {
    buffer *parent = (buffer *)handle_find(handle, CLUE_BUFFER, create_call);
    const cl_buffer_region region = {(size_t)offset, (size_t)size};
    buffer *self;
    int32_t code;
    if (!parent) return clue_error_code();
    if ((code = check(parent, flags, offset, size))) return code;
    self = buffer_new();
    if (!self) return error_out_of_memory(create_call);
    object_retain(&parent->context->base);
    object_retain(&parent->base);
    self->context = parent->context;
    self->parent = parent;
    self->size = size;
    self->offset = offset;
    self->flags = settled(parent, (cl_mem_flags)flags);
    code = CL_MAKE(&self->memory, clCreateSubBuffer, parent->memory, (cl_mem_flags)flags,
                   CL_BUFFER_CREATE_TYPE_REGION, &region);
    if (code == 0) code = handle_open(buffer_out, &self->base, &buffer_class, create_call);
    if (code) buffer_destroy(&self->base);
    return code;
}
