/* text.c - functions on texts that C lacks: a copy, a number with its noun, and questions. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *text_count(int64_t count, const char *noun) {
    enum { TEXTS = 8 };
    static char texts[TEXTS][48];
    static int next;
    char *text = texts[next];
    next = (next + 1) % TEXTS;
    (void)snprintf(text, sizeof texts[0], "%lld %s%s", (long long)count, noun, count == 1 ? "" : "s");
    return text;
}

char *text_copy_part(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *text_copy(const char *text) {
    return text_copy_part(text, strlen(text));
}

void text_cut(char *to, size_t room, const char *text) {
    const char *end = memchr(text, '\0', room - 1);
    const size_t length = end ? (size_t)(end - text) : room - 1;
    memcpy(to, text, length);
    to[length] = '\0';
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
