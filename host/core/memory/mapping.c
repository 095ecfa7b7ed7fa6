/* mapping.c - the host's views of buffers, images and shared virtual memory.
 *
 * A mapping holds its buffer, and unmaps it when it is freed. So memory that a driver gave is never freed here, and
 * what the host wrote is never lost. Transfers of other memory may use a mapping as the host's memory; it is
 * unmapped when they have ended. Drivers accept a second unmapping, so the handle notices it. */
#include "memory/internal.h"

#include <stdlib.h>

static const char map_call[] = "clEnqueueMapBuffer";
static const char map_svm_call[] = "clEnqueueSVMMap";
static const char unmap_call[] = "clEnqueueUnmapMemObject";
static const char unmap_svm_call[] = "clEnqueueSVMUnmap";

typedef struct mapping {
    object base;
    buffer *buffer;
    void *data; /* NULL after it was unmapped */
    lease lease;
    bool writes;
    bool free;            /* of fine-grained memory, so it excludes nothing */
    bool view;            /* of fine-grained memory, without a command: nothing must be unmapped */
    struct mapping *next; /* see `waiting` */
} mapping;

static bool is_svm(const mapping *self) {
    return self->buffer->base.kind == CLUE_SVM;
}

static void count(const mapping *self, int32_t change) {
    buffer *b = self->buffer;
    if (self->free) return;
    *(self->writes ? &b->write_mappings : &b->read_mappings) += change;
    while ((b = b->parent))
        *(self->writes ? &b->part_write_mappings : &b->part_read_mappings) += change;
}

static void unmap_on(cl_command_queue on, const mapping *self) {
    cl_event event = NULL;
    const cl_int code = is_svm(self)
                            ? clEnqueueSVMUnmap(on, self->data, 0, NULL, &event)
                            : clEnqueueUnmapMemObject(on, self->buffer->memory, self->data, 0, NULL, &event);
    if (code != CL_SUCCESS) return;
    (void)clFlush(on);
    (void)clWaitForEvents(1, &event);
    (void)clReleaseEvent(event);
}

/* Unmaps on the context's own queue, or on another one if that waits for a user event. */
static void unmap_and_wait(const mapping *self) {
    queue *own = &self->buffer->context->own;
    const bool waits = own->last && execution_gate(own->last);
    const cl_command_queue on = waits ? queue_aside(own) : own->queue;
    if (on) unmap_on(on, self);
}

/* Its memory passes to the device, or was only seen. */
static void end(mapping *self) {
    count(self, -1);
    lease_end(&self->lease);
    self->data = NULL;
}

static void release(mapping *self) {
    if (self->data) {
        if (!self->view) unmap_and_wait(self);
        end(self);
    }
    object_release(&self->buffer->base);
    free(self);
}

static mapping *waiting; /* freed, but transfers that wait for a user event will use them */

/* Waits for other transfers. Behind a view is shared virtual memory, which waits for all of them itself. */
static bool is_used(const mapping *self) {
    return self->data && !self->view && in_flight(self->data, self->lease.size, true);
}

static void release_unused(void) {
    for (mapping **at = &waiting; *at;) {
        mapping *self = *at;
        if (is_used(self)) {
            at = &self->next;
        } else {
            *at = self->next;
            release(self);
        }
    }
}

static void mapping_destroy(object *base) {
    mapping *self = (mapping *)base;
    self->next = waiting;
    waiting = self;
    release_unused();
}

static object *parent_of(const object *self) {
    return &((const mapping *)self)->buffer->base;
}

static const object_class mapping_class = {.kind = CLUE_MAPPING, .destroy = mapping_destroy, .parent = parent_of};

/* ---- mapping ---- */

static int32_t check_flags(int64_t flags, const char *call) {
    const int64_t known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    if (flags <= 0 || flags & ~known)
        return error_record(
            CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
            "0x%llx are not mapping flags: use CL_MAP_READ, CL_MAP_WRITE or CL_MAP_WRITE_INVALIDATE_REGION",
            (unsigned long long)flags);
    if (flags & CL_MAP_WRITE_INVALIDATE_REGION && flags != CL_MAP_WRITE_INVALIDATE_REGION)
        return error_record(
            CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
            "CL_MAP_WRITE_INVALIDATE_REGION cannot be combined with others: it leaves nothing to read");
    return 0;
}

static int32_t check(const buffer *b, int64_t flags, int64_t offset, int64_t size, const char *call) {
    int32_t code = check_flags(flags, call);
    if (code == 0) code = buffer_check_range(b, offset, size, call);
    if (code == 0) code = buffer_check_mappings(b, flags != CL_MAP_READ, call);
    if (code || size > 0) return code;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call, "0 bytes: there is nothing to map");
}

/* Prepares everything before the driver maps, so that a lack of memory never forces an unmapping. NULL and a
 * recorded failure if there is no memory or no handle. */
static mapping *open_mapping(int32_t *mapping_out, buffer *b, int64_t flags, const char *call) {
    mapping *self = calloc(1, sizeof *self);
    release_unused();
    if (!self) {
        (void)error_out_of_memory(call);
        return NULL;
    }
    self->buffer = b;
    self->writes = flags != CL_MAP_READ;
    object_retain(&b->base);
    if (handle_open(mapping_out, &self->base, &mapping_class, call) == 0) return self;
    mapping_destroy(&self->base);
    return NULL;
}

/* Completes a mapping, or frees its handle if the driver has refused. */
static int32_t mapped(void **data_out, int32_t *mapping_out, mapping *self, int64_t size, int32_t code) {
    const int32_t made = self->base.handle;
    if (self->data) {
        count(self, 1);
        lease_begin(&self->lease, self->data, size);
    }
    if (code) {
        (void)clue_handle_free(made, CLUE_MAPPING);
        return code;
    }
    *data_out = self->data;
    *mapping_out = made;
    return 0;
}

static int32_t map_buffer(void **data_out, int32_t *mapping_out, int32_t queue_handle, int32_t handle,
                          int64_t flags, int64_t offset, int64_t size) {
    queue *q = queue_find(queue_handle, map_call);
    buffer *b = buffer_find(q, handle, map_call);
    struct command command;
    mapping *self;
    int32_t made = 0, code;
    if (!b) return clue_error_code();
    if ((code = check(b, flags, offset, size, map_call))) return code;
    if (!(self = open_mapping(&made, b, flags, map_call))) return clue_error_code();
    code = command_begin(&command, q, "a mapping of a buffer", map_call, BLOCKING);
    if (code == 0) {
        code = CL_MAKE(&self->data, clEnqueueMapBuffer, q->queue, b->memory, command.blocking, (cl_map_flags)flags,
                       (size_t)offset, (size_t)size, q->waits.count, q->waits.events, command.event_at);
        code = command_end(&command, NULL, q, buffer_explain(code));
    }
    return mapped(data_out, mapping_out, self, size, code);
}

/* ---- shared virtual memory ---- */

static int32_t map_svm(void **data_out, int32_t *mapping_out, int32_t queue_handle, int32_t handle, int64_t flags,
                       int64_t offset, int64_t size) {
    queue *q = queue_find(queue_handle, map_svm_call);
    svm *of = svm_find(q, handle, map_svm_call);
    struct command command;
    mapping *self;
    int32_t made = 0, code;
    void *data;
    if (!of) return clue_error_code();
    if ((code = check(&of->memory, flags, offset, size, map_svm_call))) return code;
    data = (char *)of->data + offset;
    if (!(self = open_mapping(&made, &of->memory, flags, map_svm_call))) return clue_error_code();
    self->free = of->fine;
    code = command_begin(&command, q, "a mapping of shared virtual memory", map_svm_call, BLOCKING);
    if (code == 0) {
        code = CL_CALL(clEnqueueSVMMap, q->queue, command.blocking, (cl_map_flags)flags, data, (size_t)size,
                       q->waits.count, q->waits.events, command.event_at);
        if (code == 0) self->data = data;
        code = command_end(&command, NULL, q, code);
    }
    return mapped(data_out, mapping_out, self, size, code);
}

int32_t clue_queue_map(void **data_out, int32_t *mapping_out, int32_t queue_handle, int32_t handle, int64_t flags,
                       int64_t offset, int64_t size) {
    return handle_kind(handle) == CLUE_SVM
               ? map_svm(data_out, mapping_out, queue_handle, handle, flags, offset, size)
               : map_buffer(data_out, mapping_out, queue_handle, handle, flags, offset, size);
}

int32_t clue_svm_view(void **data_out, int32_t *mapping_out, int32_t handle, int64_t offset, int64_t size) {
    svm *of = (svm *)handle_find(handle, CLUE_SVM, map_svm_call);
    mapping *self;
    int32_t made = 0, code;
    if (!of) return clue_error_code();
    if (!of->fine)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, map_svm_call,
                            "svm %d is coarse-grained, so the host may touch it only while it is mapped: map it on "
                            "a queue, or make it with CL_MEM_SVM_FINE_GRAIN_BUFFER if the device has that",
                            (int)handle);
    if ((code = check(&of->memory, CL_MAP_READ | CL_MAP_WRITE, offset, size, map_svm_call))) return code;
    if (!(self = open_mapping(&made, &of->memory, CL_MAP_READ | CL_MAP_WRITE, map_svm_call)))
        return clue_error_code();
    self->free = self->view = true;
    self->data = (char *)of->data + offset;
    return mapped(data_out, mapping_out, self, size, 0);
}

/* ---- images ---- */

/* Drivers leave a pitch at 0 if there is only one row or slice. 1-D arrays have the pitch of their layers as the
 * slice pitch. */
static void write_pitches(clue_image_part *part, int64_t *size_out, const struct image *self,
                          const struct image_place *place, size_t row, size_t slice) {
    const int64_t length = (int64_t)(place->region[0] * self->pixel);
    if (self->kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY && slice) row = slice;
    part->row_pitch = row ? (int64_t)row : length;
    part->slice_pitch = slice ? (int64_t)slice : part->row_pitch * (int64_t)place->region[1];
    *size_out = length + part->row_pitch * (int64_t)(place->region[1] - 1) +
                part->slice_pitch * (int64_t)(place->region[2] - 1);
    for (int i = 0; i < 3; i++)
        part->region[i] = (int64_t)place->region[i];
}

/* For a part of a 1-D array, Mesa's rusticl gives memory outside the image. */
static int32_t check_lines(const struct image *self, const struct image_place *place, const char *call) {
    if (self->kind->type != CL_MEM_OBJECT_IMAGE1D_ARRAY || !self->memory.context->device->rusticl) return 0;
    if (place->origin[0] == 0 && place->origin[1] == 0) return 0;
    return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, call,
                        "rusticl maps a part of a 1-D array image at a wrong place: map from the first pixel on");
}

int32_t clue_queue_map_image(void **data_out, int64_t *size_out, int32_t *mapping_out, int32_t queue_handle,
                             int32_t handle, int64_t flags, clue_image_part *part) {
    static const char call[] = "clEnqueueMapImage";
    queue *q = queue_find(queue_handle, call);
    struct image *i = image_find(q, handle, flags != CL_MAP_READ, call);
    struct image_place place;
    struct command command;
    size_t row = 0, slice = 0;
    mapping *self;
    int32_t made = 0, code;
    if (!i) return clue_error_code();
    if ((code = check_flags(flags, call)) ||
        (code = image_read_place(&place, i, part->origin, part->region, call)) ||
        (code = check_lines(i, &place, call)))
        return code;
    if (!(self = open_mapping(&made, &i->memory, flags, call))) return clue_error_code();
    code = command_begin(&command, q, "a mapping of an image", call, BLOCKING);
    if (code == 0) {
        code = CL_MAKE(&self->data, clEnqueueMapImage, q->queue, i->memory.memory, command.blocking,
                       (cl_map_flags)flags, place.origin, place.region, &row, &slice, q->waits.count,
                       q->waits.events, command.event_at);
        code = command_end(&command, NULL, q, buffer_explain(code));
    }
    if (code == 0) write_pitches(part, size_out, i, &place, row, slice);
    return mapped(data_out, mapping_out, self, code ? 0 : *size_out, code);
}

/* ---- unmapping ---- */

static int32_t enqueue_unmap(const queue *q, const mapping *self, const struct command *c) {
    if (is_svm(self))
        return CL_CALL(clEnqueueSVMUnmap, q->queue, self->data, q->waits.count, q->waits.events, c->event_at);
    return CL_CALL(clEnqueueUnmapMemObject, q->queue, self->buffer->memory, self->data, q->waits.count,
                   q->waits.events, c->event_at);
}

static void unmapped(mapping *self, const struct command *by) {
    if (is_svm(self)) svm_use((svm *)self->buffer, by->made);
    end(self);
    (void)clue_handle_free(self->base.handle, CLUE_MAPPING);
}

static int32_t unmap(queue *q, mapping *self) {
    const char *call = is_svm(self) ? unmap_svm_call : unmap_call;
    const char *what = is_svm(self) ? "the unmapping of shared virtual memory" : "the unmapping of a buffer";
    struct command command;
    int32_t code = flights_settle(self->data, self->lease.size, q);
    if (code == 0 && is_svm(self)) code = svm_reserve((svm *)self->buffer, call);
    if (code == 0) code = command_begin(&command, q, what, call, NO_EVENT);
    if (code) return code;
    code = enqueue_unmap(q, self, &command);
    if (code == 0) unmapped(self, &command);
    return command_end(&command, NULL, q, code);
}

int32_t clue_queue_unmap(int32_t queue_handle, int32_t handle) {
    queue *q = queue_find(queue_handle, unmap_call);
    mapping *self = q ? (mapping *)handle_find(handle, CLUE_MAPPING, unmap_call) : NULL;
    int32_t code;
    if (!self) return clue_error_code();
    if ((code = queue_check_context(q, self->buffer->context, "the mapped buffer", unmap_call))) return code;
    return self->view ? clue_handle_free(handle, CLUE_MAPPING) : unmap(q, self);
}
