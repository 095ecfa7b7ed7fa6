/* linemap.c - finds the line of a program's text that a place in a build log means.
 *
 * "#line 5 "scan"" says that the next line is line 5 of scan. Most drivers name places in that way; Oclgrind and
 * NVIDIA's count all lines. If a template (clue.template) made the line from another one, the author's line stands
 * as a // comment after the directive. Only whole lines that begin with # are read; a #line inside a macro does not
 * count. */
#include "program/internal.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

span span_line(const char *start) {
    span line = {start, strcspn(start, "\n")};
    if (line.length > 0 && start[line.length - 1] == '\r') line.length--;
    return line;
}

const char *span_after(span line) {
    const char *end = line.start + line.length;
    end += *end == '\r';
    return end + (*end == '\n');
}

static bool same(span a, span b) {
    return a.length == b.length && memcmp(a.start, b.start, a.length) == 0;
}

bool span_ends_with(span whole, span ending) {
    return whole.length >= ending.length &&
           same((span){whole.start + whole.length - ending.length, ending.length}, ending);
}

static const char *skip_blanks(const char *at) {
    return at + strspn(at, " \t");
}

/* A walk over the lines of a text, without its #line directives. */
struct walk {
    const char *next;
    struct text_line at;
    long coming; /* the number of the next line */
};

/* True if the line is a #line; takes over its numbers then. */
static bool take_directive(struct walk *w, span line) {
    const char *end = line.start + line.length, *at = skip_blanks(line.start);
    char *behind;
    if (*at != '#') return false;
    at = skip_blanks(at + 1);
    if (strncmp(at, "line", 4) == 0) at = skip_blanks(at + 4);
    if (!isdigit((unsigned char)*at)) return false;
    w->coming = strtol(at, &behind, 10);
    at = skip_blanks(behind);
    if (*at == '"') {
        const size_t length = strcspn(at + 1, "\"\n");
        w->at.name = (span){at + 1, length};
        at = skip_blanks(at + 1 + length + (at[1 + length] == '"'));
    }
    w->at.written = (span){at, 0};
    if (at + 3 <= end && memcmp(at, "// ", 3) == 0) w->at.written = (span){at + 3, (size_t)(end - at) - 3};
    return true;
}

static struct walk walk_begin(const char *source) {
    return (struct walk){source, {.name = {"", 0}, .written = {"", 0}}, 1};
}

/* The next line; false at the end. */
static bool walk_on(struct walk *w) {
    w->at.written.length = 0;
    while (*w->next) {
        w->at.text = span_line(w->next);
        w->at.physical++;
        w->next = span_after(w->at.text);
        if (take_directive(w, w->at.text)) continue;
        w->at.number = w->coming;
        if (w->coming < LONG_MAX) w->coming++; /* a #line may name the greatest number */
        return true;
    }
    return false;
}

bool linemap_physical(struct text_line *line_out, const char *source, long number) {
    for (struct walk w = walk_begin(source); walk_on(&w);) {
        if (w.at.physical != number) continue;
        *line_out = w.at;
        line_out->count = 1;
        return true;
    }
    return false;
}

/* True if the file, as a log writes it ("error: scan"), has this name. */
static bool is_file(span file, span name) {
    const char *before = file.start + file.length - name.length - 1;
    if (name.length == 0 || !span_ends_with(file, name)) return false;
    return before < file.start || *before == ' ' || *before == '"' || *before == '/';
}

static span name_for(const char *source, span file) {
    for (struct walk w = walk_begin(source); walk_on(&w);)
        if (is_file(file, w.at.name)) return w.at.name;
    return (span){"", 0}; /* the driver's own name for the source */
}

/* A line that a template repeated is reported once, with the number of repetitions. Of other lines with one number,
 * the last counts: text before a source may be numbered like the source. */
bool linemap_find(struct text_line *line_out, const char *source, span file, long number) {
    const span name = name_for(source, file);
    line_out->count = 0;
    for (struct walk w = walk_begin(source); walk_on(&w);) {
        const int count = line_out->count;
        if (w.at.number != number || !same(w.at.name, name)) continue;
        if (count == 0 || line_out->written.length == 0) *line_out = w.at;
        line_out->count = w.at.written.length ? count + 1 : 1;
    }
    return line_out->count > 0;
}

span linemap_name(const struct build_text *of, span file) {
    for (size_t i = 0; i < (size_t)of->header_count; i++) {
        const span name = {of->headers[2 * i], strlen(of->headers[2 * i])};
        if (is_file(file, name)) return name;
    }
    return name_for(of->source, file);
}

const char *linemap_header(const struct build_text *of, span file) {
    for (size_t i = 0; i < (size_t)of->header_count; i++) {
        const char *name = of->headers[2 * i];
        if (is_file(file, (span){name, strlen(name)})) return of->headers[2 * i + 1];
    }
    return NULL;
}
