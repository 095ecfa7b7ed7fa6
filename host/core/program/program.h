/* program.h - programs, what they were made from, and what their source or the cache tells of their kernels.
 * Used by kernel, capture. */
#ifndef CLUE_PROGRAM_H
#define CLUE_PROGRAM_H

#include "queue/queue.h"

/* ---- program.c, program_source.c ---- */

/* A text that was compiled, with all that it was compiled with. */
struct source {
    int32_t references; /* of programs */
    char *text, *options;
    int32_t header_count;
    char **headers; /* name, text, name, text, ... of those that are no files */
};

typedef struct program {
    object base;
    context *context;
    cl_program program;
    char *log, *kernels;     /* kernels: "first;second" */
    char *arguments;         /* of one from the cache: what its kernels' arguments are; else NULL */
    struct source **sources; /* what it was made from: several of a linked one, none of a binary */
    int32_t source_count;
    char *link_options; /* of one that was linked; else NULL */
    bool compiled;      /* it waits for being linked, and has no kernels until then */
    char *told_log;     /* what clue_program_log() gave last of one device */
} program;

/* ---- advice.c ---- */

/* "; is 'scale' meant?", or "" */
void advice_kernel(char *out, size_t room, const program *p, const char *name);

/* ---- typedef.c ---- */

/* The number type that a typedef in the program's source stands for, CLUE_AUTO where that cannot be told. */
int32_t typedef_element(const program *p, const char *name);

/* ---- cache/program_cache.c: of a program from the cache, by its `arguments` ---- */

/* As clGetKernelArgInfo(). */
cl_int kept_argument_info(const char *arguments, const char *name, cl_uint index, cl_kernel_arg_info property,
                          size_t size, void *value, size_t *size_out);
/* CL_KERNEL_ATTRIBUTES: a part of what is kept. */
const char *kept_attributes(size_t *length_out, const char *arguments, const char *name);

/* ---- include_files.c: the files that a source includes ---- */

/* What a program was built from, for its log. */
struct build_text {
    const char *source;
    const char *const *headers; /* name, text, name, text, ... */
    int32_t header_count;
    bool counts_all_lines; /* by a driver that does not obey #line */
};

struct included {
    char *path, *name; /* name: its place under the folders of headers, "sub/a.h" */
    char *text;
    bool taken; /* most compilers take this one of those that the name may mean */
};

struct includes {
    const struct build_text *of;
    struct included *files;
    int32_t count;
    char **folders; /* of the options */
    int32_t folder_count;
    char *given_seen; /* of the headers that are no files, one each */
    char *endless;    /* what is included and no file; else NULL */
    bool any;         /* something is included, found or not */
    bool certain;     /* nothing but the files and the headers given can be */
};

void includes_find(struct includes *all, const struct build_text *of, const char *options);
void includes_free(struct includes *all);
/* The next word of build options, without quotation marks; behind it, or NULL: there is none. */
const char *options_next(const char *at, char *word_out, size_t room);

#endif
