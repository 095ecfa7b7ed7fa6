/* internal.h - what the files of this folder share; memory.h is for the other folders. */
#ifndef CLUE_MEMORY_INTERNAL_H
#define CLUE_MEMORY_INTERNAL_H

#include "memory/memory.h"

/* ---- buffer.c, buffer_copy.c, sub_buffer.c ---- */

/* Memory of zeros; NULL: there is none. */
buffer *buffer_new(void);
void buffer_destroy(object *self);
/* For the classes of all objects that begin with a buffer. Ends what the buffer holds, and leaves its own memory.
 */
void buffer_end(buffer *b);
object *buffer_parent(const object *self);
void *buffer_pointer(const object *self);
extern const object_class buffer_class;
/* backing.c: called for each buffer or image that was made. Counts its memory from now on, or from its first use;
 * not that of a parent or of the host. */
void backing_begin(buffer *b);
/* Called for each that is freed. */
void backing_end(buffer *b);
/* Counts its memory from now on. */
void backing_hold(buffer *b);
/* Finds the memory of one buffer or image. */
int32_t backing_of(buffer *b, const char *call);
/* pool.c: called for each freed buffer. True if the pool has its memory now; false: the caller releases it. */
bool pool_keep(const buffer *b);
/* Memory for a new buffer; NULL if the pool has none. */
cl_mem pool_take(const context *in, int64_t size, cl_mem_flags flags);
/* After a driver's lack of memory: gives all back, and keeps no more until a buffer is made. */
void pools_close(void);
int64_t pools_bytes(void);
/* Flags and size have been checked. host: for the flags that need it, else NULL. */
int32_t buffer_make(int32_t *buffer_out, context *in, int64_t size, int64_t flags, void *host);
int32_t buffer_check_size(const context *c, int64_t size);
/* Refuses flags of which a memory object can have one only. */
int32_t memory_check_exclusive(int64_t flags, const char *call);
/* call: "clCreateBuffer" */
int32_t buffer_check_flags(int64_t flags, const char *call);
/* The flags of an object that is made from a buffer may not allow more than the buffer's own. */
int32_t buffer_check_inherited(const buffer *parent, int64_t flags, const char *call);
/* The buffer behind this handle, if it is of the queue's context; NULL and a recorded failure if not. q may be
 * NULL: then its failure has been recorded already. */
buffer *buffer_find(const queue *q, int32_t handle, const char *call);
/* Checks a transfer: its range, whether there is host memory, and whether the buffer's mappings allow it. */
int32_t buffer_check_transfer(const buffer *b, int64_t offset, const void *data, int64_t size, bool writes,
                              const char *call);
int32_t buffer_refuse_nothing(const char *call); /* a size of 0 bytes */
/* Check a fill, and a list to migrate. */
int32_t buffer_check_pattern(int64_t offset, int64_t size, const void *pattern, int64_t pattern_size,
                             const char *call);
int32_t buffer_check_migration(int32_t count, const int32_t *objects, int64_t flags, const char *call);

/* ---- host_memory.c ---- */

/* Creates the buffer or image in the host's memory, with CL_MEM_USE_HOST_PTR. wish: the maker's own data. */
typedef int32_t host_memory_maker(int32_t *made_out, context *in, void *data, void *wish);
/* memory: as in clue_buffer_create_in(). */
int32_t host_memory_lend(int32_t *made_out, int32_t *memory, context *in, void *data, int64_t size,
                         host_memory_maker *maker, void *wish, const char *call);
/* Checks that memory was given, and that the flags agree with that. what: "a buffer" */
int32_t host_memory_check(const void *data, cl_mem_flags flags, const char *what, const char *call);

/* ---- memory_command.c ---- */

/* Returns the code, and explains a driver's bare one in the record. */
int32_t buffer_explain(int32_t code);
/* Enqueues a command on buffers that was checked, or records it if the queue does so. */
int32_t memory_command(int32_t *event_out, queue *q, const prepared *command);

/* ---- svm.c ---- */

/* The memory behind this handle, if it is of the queue's context; NULL and a recorded failure if not. q may be
 * NULL: then its failure has been recorded already. */
svm *svm_find(const queue *q, int32_t handle, const char *call);

/* ---- buffer.c, buffer_copy.c, svm_copy.c: the functions between which memory.c chooses ---- */

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

/* NULL and a recorded failure for an unknown type. */
const image_kind *image_kind_of(cl_mem_object_type type, const char *call);
int32_t image_pixel_bytes(int32_t *bytes_out, const cl_image_format *format);
/* Refuses a format that the context's device does not have, and lists those that it has. */
int32_t image_check_format(const cl_image_format *wanted, const image_kind *kind, cl_mem_flags flags,
                           const context *in);
/* The image behind this handle, if it is of the queue's context and a command may write or read it; NULL and a
 * recorded failure if not. q may be NULL: then its failure has been recorded already. */
image *image_find(const queue *q, int32_t handle, bool writes, const char *call);
/* A part of an image, as drivers take it. */
struct image_place {
    size_t origin[3], region[3];
};
/* origin: NULL for the first pixel; region: NULL for all pixels from the origin on. */
int32_t image_read_place(struct image_place *out, const image *self, const int64_t *origin, const int64_t *region,
                         const char *call);
int64_t image_place_bytes(const image *self, const struct image_place *place);

#endif
