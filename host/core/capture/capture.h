/* capture.h - what the files of this folder share: one call of a kernel, saved in a folder. Used by no other
 * folder. */
#ifndef CLUE_CAPTURE_H
#define CLUE_CAPTURE_H

#include "kernel/kernel.h"
#include "memory/memory.h"
#include "program/program.h"

#include <stdio.h>

/* ---- capture_file.c ---- */

/* From here on (true) only the results can still fail to be captured; messages say so. */
void capture_has_call(bool has);
/* Prints why the capture fails; returns false. */
__attribute__((format(printf, 1, 2))) bool capture_fail(const char *format, ...);
/* Opens a file to write; NULL and a message if that fails. */
FILE *capture_open_file(const char *folder, const char *name);
bool capture_close_file(FILE *file, const char *folder, const char *name);
/* Writes a whole file, of two parts; false and a message if that fails. */
bool capture_write_file(const char *path, const void *head, size_t head_size, const void *data, size_t size);

/* ---- capture_write.c: the folder. All return false after they printed why they failed ---- */

/* Writes call.lua and the sources, but not the contents of memory. */
bool capture_write_call(const char *folder, const struct kernel_call *call, long long number);

/* Copies the script to replay.lua. */
bool capture_write_script(const char *folder, const char *script);

/* ---- capture_memory.c ---- */

enum capture_kind { IS_VALUE, IS_NULL, IS_LOCAL, IS_BUFFER, IS_IMAGE, IS_SAMPLER, IS_UNKNOWN };
enum capture_kind capture_kind_of(const argument *a);
/* The memory that is saved for an argument: its own, or the memory that contains it. */
const buffer *capture_memory(const kernel *k, int32_t index);
/* The first argument for which the same memory is saved. */
int32_t capture_first(const kernel *k, int32_t index);
/* Writes the contents of all arguments that are memory. moment: "before" or "after". */
bool capture_write_memory(const char *folder, const struct kernel_call *call, const char *moment);

/* ---- capture_source.c ---- */

/* Writes a text as FOLDER/NAME.cl, and the headers that it was compiled with into FOLDER/INCLUDE/. Returns the
 * number of headers; -1 after a failure. */
int capture_write_source(const char *folder, const char *name, const char *include, const struct source *from);

/* ---- capture_npy.c ---- */

struct capture_shape {
    int32_t type;           /* CLUE_INT */
    size_t elements, width; /* width: components of a vector or channels of a pixel */
};

/* type: that of an argument, as drivers write it ("float4*"). The result is bytes for an unknown type, and for a
 * size that does not fit. */
struct capture_shape capture_shape_of(const char *type, size_t size);
bool capture_write_npy(const char *path, struct capture_shape shape, const void *data, size_t size);

#endif
