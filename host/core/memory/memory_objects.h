/* memory_objects.h - buffers, shared virtual memory, images and samplers. A part of core.h, which alone includes
 * it. */
#ifndef CLUE_CORE_MEMORY_OBJECTS_H
#define CLUE_CORE_MEMORY_OBJECTS_H

/* ---- buffer.c, buffer_copy.c, host_memory.c, sub_buffer.c, mapping.c ---- */

/* An image is a buffer with more behind it, by another kind of handle (struct image). */
struct buffer {
    object base;
    context *context;
    cl_mem memory;
    int64_t size;
    cl_mem_flags flags;
    buffer *parent; /* of a sub-buffer or an image in a buffer: in whose memory it lies, held */
    int64_t offset; /* there */
    /* how many there are; one for both counts as one for writing; of a sub-buffer's its parent knows */
    int32_t read_mappings, write_mappings, part_read_mappings, part_write_mappings;
};

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
int32_t buffer_check_range(const buffer *b, int64_t offset, int64_t size, const char *call);
/* The buffer whose memory it lies in: itself, but for sub-buffers. */
const buffer *buffer_memory(const buffer *b);
bool buffer_is_mapped(const buffer *b, bool for_writing);
/* Whether its mappings allow this. */
int32_t buffer_check_mappings(const buffer *b, bool writes, const char *call);
/* Of a filling, and of a list that is migrated. */
int32_t buffer_check_pattern(int64_t offset, int64_t size, const void *pattern, int64_t pattern_size,
                             const char *call);
int32_t buffer_check_migration(int32_t count, const int32_t *objects, int64_t flags, const char *call);
/* Passes the code on, and tells what the driver's bare one means. */
int32_t buffer_explain(int32_t code);
/* Makes what is to lie in the host's memory, with CL_MEM_USE_HOST_PTR; wish: the maker's own. */
typedef int32_t host_memory_maker(int32_t *made_out, context *in, void *data, void *wish);
/* memory: as clue_buffer_create_in() has it. */
int32_t host_memory_lend(int32_t *made_out, int32_t *memory, context *in, void *data, int64_t size,
                         host_memory_maker *maker, void *wish, const char *call);
/* That there is memory, and that the flags do not contradict it. what: "a buffer" */
int32_t host_memory_check(const void *data, cl_mem_flags flags, const char *what, const char *call);

/* ---- svm.c, svm_copy.c: shared virtual memory ---- */

/* For ranges and mappings it is a buffer, without a memory object. */
struct svm {
    buffer memory;
    void *data;
    bool fine;            /* CL_MEM_SVM_FINE_GRAIN_BUFFER */
    execution_list users; /* that are not known to have ended */
    remains remains;
};

/* The memory of this handle, where it belongs to the queue's context; NULL and the failure recorded. q may be NULL:
 * the failure is recorded then. */
svm *svm_find(const queue *q, int32_t handle, const char *call);
/* Room for one more user, before it is enqueued; then the user itself: the memory is not freed before its end. */
int32_t svm_reserve(svm *self, const char *call);
void svm_use(svm *self, execution *user);

/* ---- image.c, image_copy.c, image_create.c, image_format.c ---- */

struct image_kind {
    cl_mem_object_type type;
    const char *name, *argument; /* "2-D" and "image2d_t" */
    cl_device_info limits[4];    /* of width, height, depth and layers; 0: it has none */
};

struct image {
    buffer memory;
    const image_kind *kind;
    cl_image_format format;
    size_t pixel;     /* bytes */
    size_t region[3]; /* all of it, as transfers count: layers along the axis behind the image's own */
    int64_t layers, row_pitch;
};

/* NULL and the failure recorded for what is none. */
const image_kind *image_kind_of(cl_mem_object_type type, const char *call);
int32_t image_pixel_bytes(int32_t *bytes_out, const cl_image_format *format);
/* Refuses a format that the context's device does not have for these, with those that it has. */
int32_t image_check_format(const cl_image_format *wanted, const image_kind *kind, cl_mem_flags flags,
                           const context *in);
/* Refuses an image whose pixels lie in a buffer: drivers crash at its transfers, or lose them. */
int32_t image_check_transfers(const struct image *self, const char *call);
/* The image of this handle, where it belongs to the queue's context and a command may write or read it; NULL and
 * the failure recorded. q may be NULL: the failure is recorded then. */
struct image *image_find(const queue *q, int32_t handle, bool writes, const char *call);
/* A part of an image, as drivers take it. */
struct image_place {
    size_t origin[3], region[3];
};
/* origin: NULL for the first pixel; region: NULL for all from there on. */
int32_t image_read_place(struct image_place *out, const struct image *self, const int64_t *origin,
                         const int64_t *region, const char *call);
int64_t image_place_bytes(const struct image *self, const struct image_place *place);

/* ---- sampler.c ---- */

struct sampler {
    object base;
    context *context;
    cl_sampler sampler;
    bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
};

#endif
