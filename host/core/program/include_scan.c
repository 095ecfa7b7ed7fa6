/* include_scan.c - finds the directives in a text that make a compiler read a file, in every spelling.
 *
 * This is not a preprocessor: it ignores conditions, comments and strings, so a directive in one of them counts
 * too. A directive that only some compilers know, or whose file cannot be read from it, is reported as doubtful: it
 * is better to compile a program once too often than to use one that does not match its files. */
#include "program/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- lines ---- */

/* The number of characters that end a line here; 0 if the line goes on. */
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

/* True for a backslash, blanks and the end of the line, because only some compilers join such lines. */
static bool has_doubtful_join(const char *text) {
    while ((text = strchr(text, '\\'))) {
        text++;
        if (isblank((unsigned char)*text) && line_end(text + strspn(text, " \t\v\f"))) return true;
    }
    return false;
}

/* ---- words ---- */

/* True for __has_include and similar words, whatever their name; words that ask for no file are excluded. */
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
    static const char *const words[] = {
        "?\?=",          "?\?/",   "__DATE__", "__TIME",
        "include_alias", "incbin", ".include"}; /* the last two belong to an assembler */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i])) return true;
    return asks_for_a_file(text) || has_doubtful_join(text);
}

/* ---- directives ---- */

/* The text after blanks and comments. */
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

/* Reads the name between quotation marks or angle brackets. */
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

/* Reads the text after the mark of a directive. */
static enum directive read_directive(struct include *out, const char *at) {
    span word = {.start = skip_blanks(at)};
    while (is_in_name(word.start[word.length]))
        word.length++;
    if (is(word, "include") || is(word, "import")) return read_name(out, skip_blanks(word.start + word.length));
    if (begins(word, "include") || begins(word, "embed") || begins(word, "__include")) return DOUBTFUL;
    return (unsigned char)*word.start >= 0x80 ? DOUBTFUL : NO_DIRECTIVE; /* it may be a Unicode blank */
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
