/* internal.h - what the files of this folder share; program.h is for the other folders, and cache/cache.h for the
 * cache. */
#ifndef CLUE_PROGRAM_INTERNAL_H
#define CLUE_PROGRAM_INTERNAL_H

#include "device/device.h"
#include "program/program.h"

#include <ctype.h>

/* ---- for all files that read sources ---- */

static inline bool is_in_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* ---- program_object.c ---- */

/* A program without source or binary, which holds the context; NULL and a recorded failure if there is no
 * memory. */
program *program_new(context *c, const char *call);
void program_destroy(object *self);
extern const object_class program_class;
/* The build log of one device, or of the one whose build failed. Drivers without one answer "" or refuse; both give
 * "". NULL: no memory. */
char *program_read_log_on(const program *p, const device *on);
char *program_read_log(const program *p);
int32_t program_read_kernels(program *p);
/* Completes the record of a failed build: adds the annotated log, and the cause if it can be found. */
void program_explain(const program *p, struct build_text of, int32_t code);

/* ---- program.c ---- */

/* Builds a program that was made from a binary or an intermediate language. */
int32_t program_build_made(program *p, const char *options);

/* ---- program_source.c ---- */

int32_t program_check_source(const char *source, int64_t length);
int32_t program_check_headers(const struct build_text *of);
/* On the heap, without byte order marks at the beginnings of lines; NULL: no memory. */
char *program_copy_source(const char *source, int64_t length);
const char *program_after_mark(const char *text); /* after the byte order mark that it may begin with */
/* Remembers the text that the program is made from; false if there is no memory. */
bool program_add_source(program *p, const struct build_text *of, const char *options);
bool program_add_sources_of(program *p, const program *linked);
void program_drop_sources(program *p);
/* Finds the typedefs of the source that was added last. */
void program_learn_typedefs(program *p, const struct includes *with, const char *options);

/* ---- program_options.c ---- */

#define ARGUMENT_INFORMATION "-cl-kernel-arg-info"

/* The next word of build options, without quotation marks. Returns the text after it; NULL if there is no word. */
const char *options_next(const char *at, char *word_out, size_t room);
/* "-cl-kernel-arg-info OPTIONS CLUE_BUILD_OPTIONS" on the heap, in the form that all drivers read alike. NULL and a
 * recorded failure: no memory, or a quotation mark is not closed, which gets the code `refusal`. on: NULL for any
 * device. */
char *program_options(const device *on, const char *options, int32_t refusal, const char *call);
/* The same for the linker, which gets no more than these. */
char *program_link_options(const char *options);
/* The same options as the driver gets them, without folders that it cannot read; on the heap. NULL: no memory. */
char *program_driver_options(const device *on, const char *options);
/* Refuses options that would crash the driver, with this code. */
int32_t program_check_options(const device *on, const char *options, int32_t refusal, const char *call);
/* False if the driver must get the texts of the headers in this folder: its name has spaces, and PoCL makes the
 * quotation marks a part of it, which rusticl cannot read at all. */
bool device_reads_folder(const device *on, const char *folder);

/* ---- program_link.c ---- */

/* Compiles with the included files as texts, and links: drivers take headers only from a compiler that runs apart.
 */
int32_t program_build_with_texts(program *p, const struct includes *with, const char *options);

/* ---- linemap.c, buildlog.c and others ---- */

typedef struct span { /* a part of a text */
    const char *start;
    size_t length;
} span;

/* ---- advice.c, build_advice.c: what can be done about a failure ---- */

/* "use float, or a device that has it: 0, 2" */
void advice_doubles(char *out, size_t room);
/* "; is '__kernel' meant?" behind Clang's "unknown type name '__kernal'"; "" behind anything else. */
void advice_type(char *out, size_t room, const char *what);
/* The record of a failed build, by its log, where that has a form which is known. */
void build_advise(const char *log, const struct build_text *of);

/* ---- local_scope.c ---- */

/* The record of a build that fails because of the __local declaration in this line of a file, which the record
 * calls `named`; false if the line or the kernel around it is not found. */
bool local_scope_advise(const struct build_text *of, span file, long line, const char *named);

/* ---- buildlog.c ---- */

/* The log with the source's line and a caret under every message that names a place; malloced, NULL: no memory. */
char *buildlog_annotate(const char *log, const struct build_text *of);

/* ---- linemap.c ---- */

span span_line(const char *start); /* up to its end, without that */
const char *span_after(span line); /* where the next one begins */
bool span_ends_with(span whole, span ending);

struct text_line {
    span text;
    span name;     /* that #line gave, empty for the driver's own */
    span written;  /* what a template made the text of, empty where it is as it was written */
    long number;   /* as #line has it */
    long physical; /* as it stands in the text */
    int count;     /* how many lines a template made from the same one */
};

/* The line with this number in the text, from 1; false if there is none. */
bool linemap_physical(struct text_line *line_out, const char *source, long number);
/* The line with this number according to #line, in the file that a log names. */
bool linemap_find(struct text_line *line_out, const char *source, span file, long number);
/* The name that a log's file has by a #line in the source or in a header; else empty. */
span linemap_name(const struct build_text *of, span file);
/* The text of the header that a log names as a file; NULL if it is not a header. */
const char *linemap_header(const struct build_text *of, span file);

/* ---- include_scan.c: what makes a compiler read a file ---- */

enum directive {
    NO_DIRECTIVE,
    INCLUDES,
    DOUBTFUL, /* something is included, but its name cannot be found */
};

struct include {
    bool quoted; /* "name", not <name> */
    char name[1024];
};

/* The text with continued lines joined, on the heap; NULL: no memory. The next two functions take such a text. */
char *include_text(const char *text);
/* True if the compiled text may depend on more than the directives show. */
bool include_is_doubtful(const char *text);
/* The next directive after *at, which moves behind the directive's mark; NO_DIRECTIVE at the end. */
enum directive include_next(struct include *out, const char **at);

/* ---- include_files.c ---- */

/* Refuses an include for which a compiler would wait for ever. */
int32_t includes_check(const struct includes *all, const char *call);
/* The options and a macro that changes with the included files, on the heap: drivers keep what they compile, and
 * some compare only the source and the options. NULL: no memory. */
char *includes_mark(const struct includes *all, const device *on, const char *options);
/* True if the driver cannot read a folder, so that it must get the found files as texts. */
bool includes_need_texts(const struct includes *all, const device *on);
/* The text, with the found files among its headers if they are needed as texts. The list of headers is on the heap,
 * and what it names lasts as long as `all`. false: no memory. */
bool includes_as_texts(struct build_text *out, const struct includes *all, const device *on);

/* ---- typedef.c ---- */

/* The typedefs in a source; NULL if it has none, or there is no memory. */
struct typedefs *typedefs_read(const struct includes *with, const char *options);
void typedefs_free(struct typedefs *all);
/* Replaces comments and what is in quotation marks by blanks, but not the names of included files. Lines stay. */
void source_blank(char *text);

/* ---- undefined.c ---- */

/* The record of a failure whose cause is this function, which is called, but not there. */
void undefined_explain(const char *source, const char *name);

/* ---- program_key.c ---- */

/* The text that decides the result of a build, on the heap; NULL if the program must not be shared or kept. */
char *program_key(const device *on, const struct includes *with, const char *options);

#endif
