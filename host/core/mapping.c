/* mapping.c - the host's views of buffers.
 *
 * A mapping holds its buffer, and unmaps it when it goes: memory that a driver gave is never freed here, and what
 * the host wrote is never lost. Drivers answer to a second unmapping with success; the handle tells. */
#include "core.h"

#include <stdlib.h>

static const char map_call[] = "clEnqueueMapBuffer";
static const char unmap_call[] = "clEnqueueUnmapMemObject";

typedef struct mapping {
    object base;
    buffer *buffer;
    void *data; /* NULL once unmapped */
    bool writes;
} mapping;

buffer *mapping_buffer(object *self) {
    return ((mapping *)self)->buffer;
}

static void count(const mapping *self, int32_t change) {
    buffer *b = self->buffer;
    *(self->writes ? &b->write_mappings : &b->read_mappings) += change;
    while ((b = b->parent))
        *(self->writes ? &b->part_write_mappings : &b->part_read_mappings) += change;
}

static void unmap_and_wait(const mapping *self) {
    const cl_command_queue on = self->buffer->context->own.queue;
    cl_event event = NULL;
    if (clEnqueueUnmapMemObject(on, self->buffer->memory, self->data, 0, NULL, &event) != CL_SUCCESS) return;
    (void)clFlush(on);
    (void)clWaitForEvents(1, &event);
    (void)clReleaseEvent(event);
}

static void mapping_destroy(object *base) {
    mapping *self = (mapping *)base;
    if (self->data) {
        unmap_and_wait(self);
        count(self, -1);
    }
    object_release(&self->buffer->base);
    free(self);
}

/* ---- mapping ---- */

static int32_t check_flags(int64_t flags) {
    const int64_t known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    if (flags <= 0 || flags & ~known)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, map_call,
                            "0x%llx are no flags of a mapping: CL_MAP_READ, CL_MAP_WRITE and "
                            "CL_MAP_WRITE_INVALIDATE_REGION are",
                            (unsigned long long)flags);
    if (flags & CL_MAP_WRITE_INVALIDATE_REGION && flags != CL_MAP_WRITE_INVALIDATE_REGION)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, map_call,
                            "CL_MAP_WRITE_INVALIDATE_REGION stands alone: it leaves nothing to read");
    return 0;
}

static int32_t check(const buffer *b, int64_t flags, int64_t offset, int64_t size) {
    int32_t code = check_flags(flags);
    if (code == 0) code = buffer_check_range(b, offset, size, map_call);
    if (code == 0) code = buffer_check_mappings(b, flags != CL_MAP_READ, map_call);
    if (code || size > 0) return code;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, map_call, "0 bytes: there is nothing to map");
}

/* Everything of the core's is there before the driver maps, so that nothing has to be unmapped for want of it.
 * NULL, and the failure recorded: no memory, no handle. */
static mapping *open_mapping(int32_t *mapping_out, buffer *b, int64_t flags) {
    mapping *self = calloc(1, sizeof *self);
    if (!self) {
        (void)error_out_of_memory(map_call);
        return NULL;
    }
    self->buffer = b;
    self->writes = flags != CL_MAP_READ;
    object_retain(&b->base);
    if (handle_open(mapping_out, &self->base, CLUE_MAPPING, mapping_destroy, map_call) == 0) return self;
    mapping_destroy(&self->base);
    return NULL;
}

int32_t clue_queue_map(void **data_out, int32_t *mapping_out, int32_t queue_handle, int32_t handle, int64_t flags,
                       int64_t offset, int64_t size) {
    queue *q = queue_find(queue_handle, map_call);
    buffer *b = buffer_find(q, handle, map_call);
    struct command command;
    mapping *self;
    int32_t made = 0, code;
    if (!b) return clue_error_code();
    if ((code = check(b, flags, offset, size))) return code;
    if (!(self = open_mapping(&made, b, flags))) return clue_error_code();
    code = command_begin(&command, q, "a mapping of a buffer", map_call, BLOCKING);
    if (code == 0) {
        code = CL_MAKE(&self->data, clEnqueueMapBuffer, q->queue, b->memory, CL_TRUE, (cl_map_flags)flags,
                       (size_t)offset, (size_t)size, q->waits.count, q->waits.events, NULL);
        code = command_end(&command, NULL, q, code);
    }
    if (code) {
        self->data = NULL;
        (void)clue_handle_free(made, CLUE_MAPPING);
        return buffer_explain(code);
    }
    count(self, 1);
    *data_out = self->data;
    *mapping_out = made;
    return 0;
}

int32_t clue_queue_unmap(int32_t queue_handle, int32_t handle) {
    queue *q = queue_find(queue_handle, unmap_call);
    mapping *self = q ? (mapping *)handle_find(handle, CLUE_MAPPING, unmap_call) : NULL;
    struct command command;
    int32_t code;
    if (!self) return clue_error_code();
    if ((code = queue_check_context(q, self->buffer->context, "the mapped buffer", unmap_call))) return code;
    if ((code = command_begin(&command, q, "the unmapping of a buffer", unmap_call, NO_EVENT))) return code;
    code = CL_CALL(clEnqueueUnmapMemObject, q->queue, self->buffer->memory, self->data, q->waits.count,
                   q->waits.events, command.event_at);
    if (code == 0) {
        count(self, -1);
        self->data = NULL;
        (void)clue_handle_free(handle, CLUE_MAPPING);
    }
    return command_end(&command, NULL, q, code);
}
