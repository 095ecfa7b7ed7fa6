/* macro.h - what is known about the macros of a source at a place in it. Used by typedef.c. */
#ifndef CLUE_PROGRAM_MACRO_H
#define CLUE_PROGRAM_MACRO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum truth { CERTAINLY_NOT, PERHAPS, CERTAINLY };

enum macro_state {
    MACRO_UNDEFINED,
    MACRO_DEFINED,   /* without parameters, and its body is known */
    MACRO_UNCERTAIN, /* it may be defined, or has parameters */
};

struct macros {
    struct macro {
        char *name, *body;
        enum macro_state state;
    } * list;
    int32_t count;
    bool open; /* any other name may be defined */
};

/* What is known about a name, which has this length. *body_out: "" unless it is defined. */
enum macro_state macro_find(const char **body_out, const struct macros *all, const char *name, size_t length);
/* Whether a source or its options define the name, or undefine it, at least perhaps. */
bool macro_listed(const struct macros *all, const char *name, size_t length);
/* The text after #define and #undef, and whether the compiler reads that line. */
void macro_define(struct macros *all, const char *rest, enum truth when);
void macro_undefine(struct macros *all, const char *rest, enum truth when);
/* Anything may have been defined or changed here. */
void macros_forget(struct macros *all);
/* Every -D and -U of build options. */
void macros_read_options(struct macros *all, const char *options);
/* Whether the text after #if holds. */
enum truth macros_test(const struct macros *all, const char *condition);
void macros_free(struct macros *all);

#endif
