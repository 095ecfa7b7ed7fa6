/* include_scan.c - the directives in a text that have a compiler read a file, however they are spelled.
 *
 * No preprocessor: conditions, comments and strings are not looked at, so a directive in one of them counts too.
 * What only some compilers take for a directive, or what cannot be read as one that names its file, is told as
 * such: better a program that is compiled once too often than one that is not what its files say. */
#include "program/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines ---- */

/* How many characters make the end of a line there, 0: it does not end. */
static size_t line_end(const char *at) {
    if (*at != '\n' && *at != '\r') return 0;
    return (at[1] == '\n' || at[1] == '\r') && at[1] != *at ? 2 : 1;
}

char *include_text(const char *text) {
    char *joined = malloc(strlen(text) + 1), *to = joined;
    if (!joined) return NULL;
    for (const char *from = text; *from;) {
        const size_t end = *from == '\\' ? line_end(from + 1) : 0;
        if (end)
            from += 1 + end;
        else
            *to++ = *from++;
    }
    *to = '\0';
    return joined;
}

/* A backslash, blanks, and the end of the line: some compilers join the lines, some do not. */
static bool has_doubtful_join(const char *text) {
    while ((text = strchr(text, '\\'))) {
        text++;
        if (isblank((unsigned char)*text) && line_end(text + strspn(text, " \t\v\f"))) return true;
    }
    return false;
}

/* ---- words ---- */

/* __has_include and its like, whatever they are called; what asks for no file is left out. */
static bool asks_for_a_file(const char *text) {
    static const char *const harmless[] = {"attribute", "builtin", "extension", "feature"};
    while ((text = strstr(text, "__has_"))) {
        bool known = false;
        text += strlen("__has_");
        for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
            known = known || text_begins_with(text, harmless[i]);
        if (!known) return true;
    }
    return false;
}

bool include_is_doubtful(const char *text) {
    static const char *const words[] = {"?\?=",          "?\?/",   "__DATE__", "__TIME",
                                        "include_alias", "incbin", ".include"}; /* of an assembler the last two */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i])) return true;
    return asks_for_a_file(text) || has_doubtful_join(text);
}

/* ---- directives ---- */

/* Behind blanks and comments. */
static const char *skip_blanks(const char *at) {
    for (;;) {
        const char *end;
        at += strspn(at, " \t\v\f");
        if (at[0] != '/' || at[1] != '*' || !(end = strstr(at + 2, "*/"))) return at;
        at = end + 2;
    }
}

static bool is(span word, const char *text) {
    return word.length == strlen(text) && memcmp(word.start, text, word.length) == 0;
}

static bool begins(span word, const char *with) {
    return word.length >= strlen(with) && memcmp(word.start, with, strlen(with)) == 0;
}

/* The name between quotation marks or angle brackets. */
static enum directive read_name(struct include *out, const char *at) {
    size_t length;
    out->quoted = *at == '"';
    if (*at != '"' && *at != '<') return DOUBTFUL;
    length = strcspn(++at, out->quoted ? "\"\n\r" : ">\n\r");
    if (length == 0 || length >= sizeof out->name || !at[length] || line_end(at + length)) return DOUBTFUL;
    memcpy(out->name, at, length);
    out->name[length] = '\0';
    return INCLUDES;
}

/* Of what stands behind the mark of a directive. */
static enum directive read_directive(struct include *out, const char *at) {
    span word = {.start = skip_blanks(at)};
    while (isalnum((unsigned char)word.start[word.length]) || word.start[word.length] == '_')
        word.length++;
    if (is(word, "include") || is(word, "import")) return read_name(out, skip_blanks(word.start + word.length));
    if (begins(word, "include") || begins(word, "embed") || begins(word, "__include")) return DOUBTFUL;
    return (unsigned char)*word.start >= 0x80 ? DOUBTFUL : NO_DIRECTIVE; /* maybe a blank of Unicode */
}

enum directive include_next(struct include *out, const char **at) {
    while (**at) {
        const size_t mark = **at == '#' ? 1 : strncmp(*at, "%:", 2) == 0 ? 2 : 0;
        enum directive found;
        *at += mark ? mark : 1;
        found = mark ? read_directive(out, *at) : NO_DIRECTIVE;
        if (found != NO_DIRECTIVE) return found;
    }
    return NO_DIRECTIVE;
}
