/* capture.h - what the files of this folder share: one call of a kernel, kept in a folder. Used by no other folder.
 */
#ifndef CLUE_CAPTURE_H
#define CLUE_CAPTURE_H

#include "kernel/kernel.h"
#include "memory/memory.h"
#include "program/program.h"

#include <stdio.h>

/* ---- capture_file.c ---- */

/* Says that nothing, or no more, is captured, and why; false. */
__attribute__((format(printf, 1, 2))) bool capture_fail(const char *format, ...);
/* To be written; NULL, and says so, where it cannot be. */
FILE *capture_open_file(const char *folder, const char *name);
bool capture_close_file(FILE *file, const char *name);

/* ---- capture_write.c: the folder. All return whether it went well, and say why not ---- */

/* call.lua, and what it tells of: sources, arguments and the rest; not the memory's contents. */
bool capture_write_call(const char *folder, const struct kernel_call *call, long long number);

/* A copy of the script as replay.lua. */
bool capture_write_script(const char *folder, const char *script);

/* ---- capture_memory.c ---- */

enum capture_kind { IS_VALUE, IS_LOCAL, IS_BUFFER, IS_IMAGE, IS_SAMPLER, IS_UNKNOWN };
enum capture_kind capture_kind_of(const argument *a);
/* What is kept of an argument that is memory: itself, or what it lies in. */
const buffer *capture_memory(const kernel *k, int32_t index);
/* The first argument of which the same is kept. */
int32_t capture_first(const kernel *k, int32_t index);
/* The contents of all arguments that are memory; moment: "before" or "after". */
bool capture_write_memory(const char *folder, const struct kernel_call *call, const char *moment);

/* ---- capture_source.c ---- */

/* Writes a text as FOLDER/NAME.cl, and the headers that it was compiled with into FOLDER/INCLUDE/; how many these
 * are, -1: it failed. */
int capture_write_source(const char *folder, const char *name, const char *include, const struct source *from);
/* Takes out of build options what holds in this place only: every -I. */
void capture_drop_folders(char *options);

/* ---- capture_npy.c ---- */

struct capture_shape {
    int32_t type;           /* CLUE_INT */
    size_t elements, width; /* width: components of a vector, channels of a pixel */
};

/* type: as a driver tells an argument's, "float4*"; bytes where it is none that is known, or the size does not fit.
 */
struct capture_shape capture_shape_of(const char *type, size_t size);
bool capture_write_npy(const char *path, struct capture_shape shape, const void *data, size_t size);

#endif
