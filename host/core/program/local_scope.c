/* local_scope.c - what to do about a __local variable that a kernel declares in an inner scope.
 *
 * Clang's compilers refuse it. NVIDIA's accepts it, so published kernels have such declarations. The remedy is to
 * move the declaration to the beginning of the kernel's body; this finds the declaration and that place. */
#include "program/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Past a comment or a literal that begins here; otherwise past one character. */
static const char *skip_token(const char *at) {
    const char *end;
    if (strncmp(at, "//", 2) == 0) return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) {
        end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'') return at + 1;
    for (end = at + 1; *end && *end != *at && *end != '\n'; end++)
        if (*end == '\\' && end[1]) end++;
    return end + (*end != '\0');
}

/* The '{' that begins the body of the function around a place; NULL if the place is outside all functions. */
static const char *body_around(const char *source, const char *place) {
    const char *body = NULL;
    int depth = 0;
    for (const char *at = source; at < place && *at; at = skip_token(at)) {
        if (*at == '{' && depth++ == 0) body = at;
        if (*at == '}' && depth > 0) depth--;
    }
    return depth > 0 ? body : NULL;
}

static bool begins_word(const char *line, const char *at) {
    return at == line || !is_in_name(at[-1]);
}

/* The declaration in a line, from its address space to its semicolon; the whole line if that is not found. */
static span declaration_in(span line) {
    static const char *const words[] = {"__local ", "local "};
    const char *end = line.start + line.length;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t length = strlen(words[i]);
        for (const char *at = line.start; at + length < end; at++) {
            const char *stop;
            if (strncmp(at, words[i], length) != 0 || !begins_word(line.start, at)) continue;
            stop = memchr(at, ';', (size_t)(end - at));
            return (span){at, (size_t)((stop ? stop + 1 : end) - at)};
        }
    }
    while (line.length > 0 && isspace((unsigned char)*line.start)) {
        line.start++;
        line.length--;
    }
    return line;
}

/* How many lines the body's '{' is above the declaration, by the numbers that a log would give; -1 if they are in
 * different files. */
static long lines_above(const char *source, const struct text_line *found, const char *body) {
    struct text_line first;
    long physical = 1;
    for (const char *at = source; at < body; at++)
        physical += *at == '\n';
    if (!linemap_physical(&first, source, physical)) return -1;
    if (first.name.length != found->name.length ||
        memcmp(first.name.start, found->name.start, found->name.length) != 0)
        return -1;
    return found->number - first.number;
}

static bool find_line(struct text_line *found, const char **source_out, const struct build_text *of, span file,
                      long line) {
    const char *header = linemap_header(of, file);
    *source_out = header ? header : of->source;
    return header ? linemap_physical(found, header, line) : linemap_find(found, of->source, file, line);
}

bool local_scope_advise(const struct build_text *of, span file, long line, const char *named) {
    struct text_line found;
    const char *source, *body;
    char reason[256];
    span declaration;
    long above;
    if (!find_line(&found, &source, of, file, line)) return false;
    body = body_around(source, found.text.start);
    above = body ? lines_above(source, &found, body) : -1;
    if (above <= 0) return false;
    declaration = declaration_in(found.text);
    snprintf(
        reason, sizeof reason,
        "a __local variable can be declared only in the outermost scope of a kernel: move '%.*s' to just below "
        "the kernel's '{'",
        (int)(declaration.length < 120 ? declaration.length : 120), declaration.start);
    error_explain_lines(named, (int32_t)line, reason, (int32_t)above);
    return true;
}
