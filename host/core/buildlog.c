/* buildlog.c - makes a driver's build log readable: the source's own line and a caret under every message.
 *
 * Drivers name a place as FILE:LINE:COLUMN, where FILE is a temporary of theirs; some print the source line
 * themselves, and then nothing is added. Text that names no place in the source passes through. */
#include "core.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char *bytes;
    size_t length, room;
    bool failed;
} text;

typedef struct span {
    const char *start;
    size_t length;
} span;

static void append(text *to, const char *bytes, size_t length) {
    if (to->failed) return;
    if (to->length + length + 1 > to->room) {
        size_t room = (to->length + length + 1) * 2;
        char *grown = realloc(to->bytes, room);
        if (!grown) {
            to->failed = true;
            return;
        }
        to->bytes = grown;
        to->room = room;
    }
    memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
    to->bytes[to->length] = '\0';
}

static span line_at(const char *start) {
    return (span){start, strcspn(start, "\n")};
}

static const char *after(span line) {
    return line.start + line.length + (line.start[line.length] == '\n');
}

/* Line number (from 1) of the source, without its end; length 0 where there is no such line. */
static span source_line(const char *source, long number) {
    span line = line_at(source);
    for (long i = 1; i < number && *line.start; i++)
        line = line_at(after(line));
    if (line.length > 0 && line.start[line.length - 1] == '\r') line.length--;
    return line;
}

static bool ends_with(span whole, const char *ending) {
    const size_t length = strlen(ending);
    return whole.length >= length && memcmp(whole.start + whole.length - length, ending, length) == 0;
}

/* Headers and -D options have lines of their own. file: what stands before the line's number. */
static bool is_elsewhere(span file) {
    return ends_with(file, ".h") || ends_with(file, "<command line>") || ends_with(file, "<built-in>") ||
           ends_with(file, "<scratch space>");
}

/* Finds "FILE:LINE:COLUMN" in a line of the log, unless FILE is another than the source. */
static bool find_place(span line, long *line_out, long *column_out) {
    const char *end = line.start + line.length;
    for (const char *p = line.start; p + 3 < end; p++) {
        char *stop;
        if (*p != ':' || !isdigit((unsigned char)p[1])) continue;
        *line_out = strtol(p + 1, &stop, 10);
        if (stop >= end || *stop != ':' || !isdigit((unsigned char)stop[1])) continue;
        *column_out = strtol(stop + 1, &stop, 10);
        if (*line_out <= 0 || *column_out <= 0) continue;
        return !is_elsewhere((span){line.start, (size_t)(p - line.start)});
    }
    return false;
}

/* Whether the driver shows the line itself: a caret stands under what follows its message. */
static bool already_shown(const char *next) {
    const span carets = line_at(after(line_at(next)));
    return memchr(carets.start, '^', carets.length) && strspn(carets.start, " \t\r|^~") >= carets.length;
}

/* Columns count bytes. Tabs stay, and what follows a character's first byte (UTF-8) takes no room. */
static void append_place(text *to, span source, long column) {
    append(to, "    ", 4);
    append(to, source.start, source.length);
    append(to, "\n    ", 5);
    for (long i = 1; i < column && (size_t)i <= source.length; i++) {
        const char byte = source.start[i - 1];
        if ((byte & 0xc0) != 0x80) append(to, byte == '\t' ? "\t" : " ", 1);
    }
    append(to, "^\n", 2);
}

char *buildlog_annotate(const char *log, const char *source) {
    text out = {0};
    append(&out, "", 0);
    for (const char *next = log; *next;) {
        const span line = line_at(next);
        long number, column;
        next = after(line);
        append(&out, line.start, line.length);
        append(&out, "\n", 1);
        if (find_place(line, &number, &column)) {
            const span shown = source_line(source, number);
            if (shown.length > 0 && !already_shown(next)) append_place(&out, shown, column);
        }
    }
    if (out.failed) {
        free(out.bytes);
        return NULL;
    }
    return out.bytes;
}
