/* text.c - copies of texts. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

char *text_copy(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}
