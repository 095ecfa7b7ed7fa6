/* memory.h - buffers, images, samplers and shared virtual memory. Used by kernel, capture. */
#ifndef CLUE_MEMORY_H
#define CLUE_MEMORY_H

#include "queue/queue.h"

/* ---- buffer.c, buffer_copy.c ---- */

/* An image is a buffer with more behind it, by another kind of handle (struct image). */
typedef struct buffer {
    object base;
    context *context;
    cl_mem memory;
    int64_t size;
    cl_mem_flags flags;
    struct buffer *parent; /* of a sub-buffer or an image in a buffer: in whose memory it lies, held */
    int64_t offset;        /* there */
    /* how many there are; one for both counts as one for writing; of a sub-buffer's its parent knows */
    int32_t read_mappings, write_mappings, part_read_mappings, part_write_mappings;
} buffer;

/* The buffer whose memory it lies in: itself, but for sub-buffers. */
const buffer *buffer_memory(const buffer *b);
bool buffer_is_mapped(const buffer *b, bool for_writing);
int32_t buffer_check_range(const buffer *b, int64_t offset, int64_t size, const char *call);

/* ---- svm.c: shared virtual memory ---- */

/* For ranges and mappings it is a buffer, without a memory object. */
typedef struct svm {
    buffer memory;
    void *data;
    bool fine;            /* CL_MEM_SVM_FINE_GRAIN_BUFFER */
    execution_list users; /* that are not known to have ended */
    remains remains;
} svm;

/* Room for one more user, before it is enqueued; then the user itself: the memory is not freed before its end. */
int32_t svm_reserve(svm *self, const char *call);
void svm_use(svm *self, execution *user);

/* ---- image_create.c ---- */

typedef struct image_kind {
    cl_mem_object_type type;
    const char *name, *argument; /* "2-D" and "image2d_t" */
    cl_device_info limits[4];    /* of width, height, depth and layers; 0: it has none */
} image_kind;

typedef struct image {
    buffer memory;
    const image_kind *kind;
    cl_image_format format;
    size_t pixel;     /* bytes */
    size_t region[3]; /* all of it, as transfers count: layers along the axis behind the image's own */
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
