/* text.c - what C has no function for: copies of texts, and questions about them. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

char *text_copy(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

bool text_begins_with(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

bool text_lists(const char *names, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = names; *at; at += strcspn(at, ";"), at += *at == ';')
        if (strcspn(at, ";") == length && memcmp(at, name, length) == 0) return true;
    return false;
}
