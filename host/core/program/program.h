/* program.h - programs, the sources that they were made from, and what the source or the cache says about their
 * kernels. Used by kernel, capture. */
#ifndef CLUE_PROGRAM_H
#define CLUE_PROGRAM_H

#include "queue/queue.h"

/* ---- program.c, program_source.c ---- */

/* A text that was compiled, with its options and headers. */
struct source {
    int32_t references; /* by programs */
    char *text, *options;
    int32_t header_count;
    char **headers;            /* name, text, name, text, ... of the headers that are not files */
    struct typedefs *typedefs; /* NULL: it has none */
};

typedef struct program {
    object base;
    context *context;
    cl_program program;
    char *log, *kernels;     /* kernels: "first;second" */
    char *arguments;         /* for a program from the cache's files: the arguments of its kernels; else NULL */
    struct program *owner;   /* the program whose build this one shares, with the members above; else NULL */
    char *key;               /* of a build that may be shared or kept; else NULL */
    bool shareable, due;     /* due: to be kept in a file when it ends */
    struct program *older;   /* the next one that has a key */
    struct source **sources; /* the sources: several of a linked program, none of a binary */
    int32_t source_count;
    char *link_options; /* for a linked program; else NULL */
    bool compiled;      /* it must be linked, and has no kernels until then */
    char *device_log;   /* the last answer of clue_program_log() for one device */
} program;

/* 0 if the driver survives kernels of these names, "first;second"; else refuses the call. */
int32_t program_check_names(const program *p, const char *names, const char *call);

/* ---- advice.c ---- */

/* Gives a parameter the name that the source gives it. */
void advice_as_written(char *name, const program *of);
/* "; is 'scale' meant?", or "" */
void advice_kernel(char *out, size_t room, const program *p, const char *name);

/* ---- undefined.c ---- */

/* The record of a kernel that could not be made, though the source has it: the program calls a function that is
 * defined nowhere. */
void undefined_advise(const program *p, const char *kernel);

/* ---- program_options.c ---- */

/* Removes the options that name folders for headers: all, or only those of folders with spaces in their names. */
void options_drop_folders(char *options, bool all);

/* ---- plain_type.c, typedef.c ---- */

/* A type of numbers, or of an image or sampler. */
struct plain_type {
    int32_t element, width; /* float4 is CLUE_FLOAT and 4 */
    const char *object;     /* "image2d_t", "sampler_t"; NULL for numbers */
};

/* Reads OpenCL's name of a type, "float4" or "unsigned char"; false if it is not a plain one. */
bool plain_type_read(struct plain_type *out, const char *name);
/* The plain type that a typedef in the program's source stands for; false if that is not certain. */
bool typedef_find(struct plain_type *out, const program *p, const char *name);

/* ---- cache/program_cache.c: facts about a program from the cache, found in its `arguments` ---- */

/* Like clGetKernelArgInfo(). */
cl_int kept_argument_info(const char *arguments, const char *name, cl_uint index, cl_kernel_arg_info property,
                          size_t size, void *value, size_t *size_out);
/* CL_KERNEL_ATTRIBUTES, as a part of `arguments`. */
const char *kept_attributes(size_t *length_out, const char *arguments, const char *name);

/* ---- include_files.c: the files that a source includes ---- */

/* The text that a program was built from, to explain its log. */
struct build_text {
    const char *source;
    const char *const *headers; /* name, text, name, text, ... */
    int32_t header_count;
    const char *options;   /* NULL: unknown */
    bool counts_all_lines; /* the driver ignores #line */
};

struct included {
    char *path, *name; /* name: its place under the folders of headers, "sub/a.h" */
    char *text;
    bool taken; /* most compilers take this file, among those that the name may mean */
};

struct includes {
    const struct build_text *of;
    struct included *files;
    int32_t count;
    char **folders; /* from the options */
    int32_t folder_count;
    char *given_seen; /* for each header that is not a file */
    char *endless;    /* a path that is included but is not a file; else NULL */
    bool any;         /* there is an include, found or not */
    bool certain;     /* only the files and the given headers can be included */
};

void includes_find(struct includes *all, const struct build_text *of, const char *options);
void includes_free(struct includes *all);

#endif
