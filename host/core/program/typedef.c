/* typedef.c - finds the OpenCL number type that a typedef in a program's source stands for.
 *
 * Drivers give an argument's type by the typedef's name, and PoCL accepts a value of any size for it. Only plain
 * forms are read, like "typedef unsigned int index;". A typedef that depends on macros or conditions, or
 * contradicts another one, stays unknown. */
#include "program/program.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static int32_t type_named(const char *name) {
    for (int32_t type = CLUE_CHAR; type <= CLUE_DOUBLE; type++)
        if (strcmp(name, clue_type_name(type)) == 0) return type;
    return CLUE_AUTO;
}

/* The type in the text between "typedef" and ";" if that defines the name; else CLUE_AUTO. */
static int32_t element_of(const char *definition, const char *name) {
    char first[16], second[64], third[64], rest[2], unsigned_type[18];
    const int words =
        sscanf(definition, " %15[a-z] %63[A-Za-z0-9_] %63[A-Za-z0-9_] %1[^;]", first, second, third, rest);
    if (words == 2 && strcmp(second, name) == 0) return type_named(first);
    if (words != 3 || strcmp(first, "unsigned") != 0 || strcmp(third, name) != 0 || strlen(second) > 15)
        return CLUE_AUTO;
    snprintf(unsigned_type, sizeof unsigned_type, "u%.15s", second);
    return type_named(unsigned_type);
}

/* Sets *found to the type that the text's typedefs give the name; false if they contradict each other. */
static bool search(int32_t *found, const char *text, const char *name) {
    static const char keyword[] = "typedef";
    for (const char *at = text; (at = strstr(at, keyword)); at += sizeof keyword - 1) {
        const bool whole = (at == text || !is_word(at[-1])) && !is_word(at[sizeof keyword - 1]);
        const int32_t element = whole ? element_of(at + sizeof keyword - 1, name) : CLUE_AUTO;
        if (element && *found && element != *found) return false;
        if (element) *found = element;
    }
    return true;
}

int32_t typedef_element(const program *p, const char *name) {
    int32_t element = CLUE_AUTO;
    for (int32_t i = 0; i < p->source_count; i++) {
        const struct source *from = p->sources[i];
        if (!search(&element, from->text, name)) return CLUE_AUTO;
        for (int32_t k = 0; k < from->header_count; k++)
            if (!search(&element, from->headers[2 * k + 1], name)) return CLUE_AUTO;
    }
    return element;
}
