/* memory.h - buffers, images, samplers and shared virtual memory. Used by kernel, graph, capture. */
#ifndef CLUE_MEMORY_H
#define CLUE_MEMORY_H

#include "queue/queue.h"

/* ---- buffer.c, buffer_copy.c ---- */

/* Images (struct image) and shared virtual memory begin with a buffer, but have other kinds of handles. */
typedef struct buffer {
    object base;
    context *context;
    cl_mem memory;
    int64_t size;
    cl_mem_flags flags;
    struct buffer *parent; /* for a sub-buffer or an image in a buffer: the buffer whose memory it uses, held */
    int64_t offset;        /* in the parent */
    int64_t held;          /* the bytes that memory_hold() counts */
    bool unbacked;         /* the driver finds its memory when a command first uses it */
    struct buffer *next_asked;
    /* numbers of mappings; one for reading and writing counts as writing; a sub-buffer's also count in its
     * parent */
    int32_t read_mappings, write_mappings, part_read_mappings, part_write_mappings;
} buffer;

/* The buffer that has the memory: a sub-buffer's parent, otherwise the buffer itself. */
const buffer *buffer_memory(const buffer *b);
bool buffer_is_mapped(const buffer *b, bool for_writing);
int32_t buffer_check_range(const buffer *b, int64_t offset, int64_t size, const char *call);
/* Checks whether the buffer's mappings allow this. */
int32_t buffer_check_mappings(const buffer *b, bool writes, const char *call);

/* ---- backing.c: memory that the driver must find for a command ---- */

/* True if every buffer and image has its memory: then there is nothing to ask for. */
bool backing_complete(void);
/* Begins with zeros. Ask for each buffer or image of a command; then find the memory of those that have none. */
struct backing {
    buffer *asked;
    int64_t bytes;
};
void backing_ask(struct backing *self, buffer *b);
int32_t backing_find(const struct backing *self, const char *call);

/* ---- memory_command.c ---- */

/* Gives a command on buffers to the driver. */
int32_t memory_enqueue(const prepared *command, const queue *q, const wait_list *waits, cl_bool blocking,
                       cl_event *event_at);

/* ---- svm.c: shared virtual memory ---- */

/* For ranges and mappings it is a buffer, but without a memory object. */
typedef struct svm {
    buffer memory;
    void *data;
    bool fine;            /* CL_MEM_SVM_FINE_GRAIN_BUFFER */
    execution_list users; /* commands that are not known to have ended */
    remains remains;
} svm;

/* Makes room for one more user before it is enqueued; then adds it. The memory is not freed before all users have
 * ended. */
int32_t svm_reserve(svm *self, const char *call);
void svm_use(svm *self, execution *user);

/* ---- image_create.c ---- */

typedef struct image_kind {
    cl_mem_object_type type;
    const char *name, *argument; /* "2-D" and "image2d_t" */
    cl_device_info limits[4];    /* of width, height, depth and layers; 0: the kind has none */
} image_kind;

typedef struct image {
    buffer memory;
    const image_kind *kind;
    cl_image_format format;
    size_t pixel;     /* bytes */
    size_t region[3]; /* the whole image, as transfers count: layers along the axis after the image's own axes */
    int64_t layers, row_pitch;
} image;

/* ---- sampler.c ---- */

typedef struct sampler {
    object base;
    context *context;
    cl_sampler sampler;
    bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
} sampler;

#endif
