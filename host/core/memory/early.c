/* early.c - memory that PoCL must find when a buffer or an image is made.
 *
 * PoCL 3.1 finds it at the first use, and ends the process in an assertion if there is none. If it must be found at
 * once, the shortage is an error, after which a script's collector can free something. Small buffers stay as they
 * are: they are made faster that way, and if there is no room for them, PoCL's own structures find none either. */
#include "memory/internal.h"

#include <stdlib.h>

enum { SMALL = 1 << 16, ALIGNMENT = 4096 };

cl_mem_flags early_flags(const buffer *b) {
    if (!b->context->device->pocl || b->size < SMALL || b->flags & CL_MEM_USE_HOST_PTR) return b->flags;
    return b->flags | CL_MEM_ALLOC_HOST_PTR;
}

bool early_needs_pixels(const buffer *of, const void *host) {
    return of->context->device->pocl && !of->parent && !host;
}

/* The image was made. PoCL frees the pixels when nothing uses it any more. */
static void CL_CALLBACK free_pixels(cl_mem memory, void *pixels) {
    (void)memory;
    free(pixels);
}

int32_t early_image(buffer *b, const cl_image_format *format, const cl_image_desc *shape, int64_t bytes) {
    const cl_mem_flags flags = (b->flags & ~(cl_mem_flags)CL_MEM_ALLOC_HOST_PTR) | CL_MEM_USE_HOST_PTR;
    void *pixels = NULL;
    int32_t code;
    if (posix_memalign(&pixels, ALIGNMENT, (size_t)bytes) != 0) return error_out_of_memory("clCreateImage");
    code = CL_MAKE(&b->memory, clCreateImage, b->context->context, flags, format, shape, pixels);
    if (code == 0) {
        code = CL_CALL(clSetMemObjectDestructorCallback, b->memory, free_pixels, pixels);
        if (code == 0) return 0;
        (void)clReleaseMemObject(b->memory);
        b->memory = NULL;
    }
    free(pixels);
    return code;
}
