/* internal.h - what the files of this folder share among themselves; memory.h is what the other folders see. */
#ifndef CLUE_MEMORY_INTERNAL_H
#define CLUE_MEMORY_INTERNAL_H

#include "memory/memory.h"

/* ---- buffer.c, buffer_copy.c, sub_buffer.c ---- */

/* For the classes of all that begin with a buffer. */
void buffer_destroy(object *self);
object *buffer_parent(const object *self);
void *buffer_pointer(const object *self);
extern const object_class buffer_class;
/* Flags and size are checked before; host: of the flags that need it, else NULL. */
int32_t buffer_make(int32_t *buffer_out, context *in, int64_t size, int64_t flags, void *host);
int32_t buffer_check_size(const context *c, int64_t size);
/* call: "clCreateBuffer" */
int32_t buffer_check_flags(int64_t flags, const char *call);
/* What is made from a buffer may do no more than the buffer itself. */
int32_t buffer_check_inherited(const buffer *parent, int64_t flags, const char *call);
/* The buffer of this handle, where it belongs to the queue's context; NULL and the failure recorded. q may be NULL:
 * the failure is recorded then. */
buffer *buffer_find(const queue *q, int32_t handle, const char *call);
/* Of a transfer with the host's memory: its range, that there is such memory, and that its mappings allow it. */
int32_t buffer_check_transfer(const buffer *b, int64_t offset, const void *data, int64_t size, bool writes,
                              const char *call);
int32_t buffer_refuse_nothing(const char *call); /* 0 bytes */
/* Whether its mappings allow this. */
int32_t buffer_check_mappings(const buffer *b, bool writes, const char *call);
/* Of a filling, and of a list that is migrated. */
int32_t buffer_check_pattern(int64_t offset, int64_t size, const void *pattern, int64_t pattern_size,
                             const char *call);
int32_t buffer_check_migration(int32_t count, const int32_t *objects, int64_t flags, const char *call);
/* Passes the code on, and tells what the driver's bare one means. */
int32_t buffer_explain(int32_t code);

/* ---- host_memory.c ---- */

/* Makes what is to lie in the host's memory, with CL_MEM_USE_HOST_PTR; wish: the maker's own. */
typedef int32_t host_memory_maker(int32_t *made_out, context *in, void *data, void *wish);
/* memory: as clue_buffer_create_in() has it. */
int32_t host_memory_lend(int32_t *made_out, int32_t *memory, context *in, void *data, int64_t size,
                         host_memory_maker *maker, void *wish, const char *call);
/* That there is memory, and that the flags do not contradict it. what: "a buffer" */
int32_t host_memory_check(const void *data, cl_mem_flags flags, const char *what, const char *call);

/* ---- svm.c ---- */

/* The memory of this handle, where it belongs to the queue's context; NULL and the failure recorded. q may be NULL:
 * the failure is recorded then. */
svm *svm_find(const queue *q, int32_t handle, const char *call);

/* ---- buffer.c, buffer_copy.c, svm_copy.c: what memory.c chooses from ---- */

int32_t buffer_write(int32_t *event_out, int32_t queue_handle, int32_t handle, int64_t offset, const void *data,
                     int64_t size);
int32_t buffer_read(int32_t *event_out, void *data_out, int32_t queue_handle, int32_t handle, int64_t offset,
                    int64_t size);
int32_t buffer_copy(int32_t *event_out, int32_t queue_handle, int32_t from, int64_t from_offset, int32_t to,
                    int64_t to_offset, int64_t size);
int32_t buffer_fill(int32_t *event_out, int32_t queue_handle, int32_t handle, int64_t offset, int64_t size,
                    const void *pattern, int64_t pattern_size);
int32_t buffer_migrate(int32_t *event_out, int32_t queue_handle, const int32_t *objects, int32_t count,
                       int64_t flags);
int32_t svm_write(int32_t *event_out, int32_t queue_handle, int32_t handle, int64_t offset, const void *data,
                  int64_t size);
int32_t svm_read(int32_t *event_out, void *data_out, int32_t queue_handle, int32_t handle, int64_t offset,
                 int64_t size);
int32_t svm_copy(int32_t *event_out, int32_t queue_handle, int32_t from_handle, int64_t from_offset,
                 int32_t to_handle, int64_t to_offset, int64_t size);
int32_t svm_fill(int32_t *event_out, int32_t queue_handle, int32_t handle, int64_t offset, int64_t size,
                 const void *pattern, int64_t pattern_size);
int32_t svm_migrate(int32_t *event_out, int32_t queue_handle, const int32_t *svms, int32_t count, int64_t flags);

/* ---- image.c, image_format.c ---- */

/* NULL and the failure recorded for what is none. */
const image_kind *image_kind_of(cl_mem_object_type type, const char *call);
int32_t image_pixel_bytes(int32_t *bytes_out, const cl_image_format *format);
/* Refuses a format that the context's device does not have for these, with those that it has. */
int32_t image_check_format(const cl_image_format *wanted, const image_kind *kind, cl_mem_flags flags,
                           const context *in);
/* The image of this handle, where it belongs to the queue's context and a command may write or read it; NULL and
 * the failure recorded. q may be NULL: the failure is recorded then. */
image *image_find(const queue *q, int32_t handle, bool writes, const char *call);
/* A part of an image, as drivers take it. */
struct image_place {
    size_t origin[3], region[3];
};
/* origin: NULL for the first pixel; region: NULL for all from there on. */
int32_t image_read_place(struct image_place *out, const image *self, const int64_t *origin, const int64_t *region,
                         const char *call);
int64_t image_place_bytes(const image *self, const struct image_place *place);

#endif
