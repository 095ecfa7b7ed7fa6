/* buildlog.c - makes a driver's build log readable: shows the source line and a caret below every message.
 *
 * Drivers name a place as FILE:LINE:COLUMN. FILE is a name from #line, a header, a file in an include folder, or a
 * temporary file that stands for the source. If a driver prints the line itself, it is not shown again. Text that
 * names no place is passed on unchanged. */
#include "../../sys/file.h"
#include "program/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char *bytes;
    size_t length, room;
    bool failed;
} text;

typedef struct place {
    span file; /* the text before the numbers */
    long line, column;
    const char *line_end; /* the end of the line's number */
} place;

/* Makes room for so many bytes more. */
static bool has_room(text *to, size_t more) {
    if (!to->failed && (!to->bytes || to->length + more > to->room)) {
        const size_t room = (to->length + more) * 2;
        char *grown = realloc(to->bytes, room);
        to->failed = !grown;
        if (grown) to->bytes = grown;
        if (grown) to->room = room;
    }
    return !to->failed;
}

static void append(text *to, const char *bytes, size_t length) {
    if (!has_room(to, length + 1)) return;
    memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
    to->bytes[to->length] = '\0';
}

static void append_text(text *to, const char *more) {
    append(to, more, strlen(more));
}

/* Appends bytes that are safe to print; the caret below still points at its character. */
static void append_visible(text *to, const char *bytes, size_t length) {
    if (!has_room(to, 4 * length + 1)) return;
    to->length += (size_t)clue_text_visible(to->bytes + to->length, bytes, (int64_t)length);
}

/* Appends a message. PoCL's headers rename what a program calls as a function of OpenCL C is called; here it has
 * the name that the program gave it. */
static void append_words(text *to, const char *bytes, size_t length) {
    static const char renamed[] = "'_cl_";
    const size_t skipped = sizeof renamed - 2;
    const char *end = bytes + length;
    for (const char *at = bytes; at + sizeof renamed - 1 <= end; at++) {
        if (memcmp(at, renamed, sizeof renamed - 1) != 0) continue;
        append(to, bytes, (size_t)(at + 1 - bytes));
        bytes = at + 1 + skipped;
        at = bytes - 1;
    }
    append(to, bytes, (size_t)(end - bytes));
}

static void append_line(text *to, span line) {
    append_text(to, "    ");
    append_visible(to, line.start, line.length);
    append_text(to, "\n");
}

/* True for files of the driver's own, which have lines of their own. */
static bool is_elsewhere(span file) {
    static const char *const endings[] = {".h", "<command line>", "<built-in>", "<scratch space>"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (span_ends_with(file, (span){endings[i], strlen(endings[i])})) return true;
    return false;
}

/* Finds "FILE:LINE:COLUMN" in a line of the log. */
static bool find_place(span line, place *out) {
    const char *end = line.start + line.length;
    for (const char *p = line.start; p + 3 < end; p++) {
        char *stop;
        if (*p != ':' || !isdigit((unsigned char)p[1])) continue;
        out->line = strtol(p + 1, &stop, 10);
        if (stop >= end || *stop != ':' || !isdigit((unsigned char)stop[1])) continue;
        out->line_end = stop;
        out->column = strtol(stop + 1, &stop, 10);
        if (out->line <= 0 || out->column <= 0) continue;
        out->file = (span){line.start, (size_t)(p - line.start)};
        return true;
    }
    return false;
}

/* True if the driver shows the line itself: then a caret is below the line after its message. */
static bool already_shown(const char *next) {
    const span carets = span_line(span_after(span_line(next)));
    return memchr(carets.start, '^', carets.length) && strspn(carets.start, " \t|^~") >= carets.length;
}

/* Columns count bytes. Tabs stay, and the bytes of a character after its first (UTF-8) have no width. */
static void append_caret(text *to, span source, long column) {
    text before = {0};
    const size_t length = (size_t)column - 1 < source.length ? (size_t)column - 1 : source.length;
    append_text(to, "    ");
    append_visible(&before, source.start, length);
    for (size_t i = 0; i < before.length; i++)
        if ((before.bytes[i] & 0xc0) != 0x80) append(to, before.bytes[i] == '\t' ? "\t" : " ", 1);
    to->failed = to->failed || before.failed;
    free(before.bytes);
    append_text(to, "^\n");
}

/* ---- files of include folders ---- */

/* Turns "error: /tmp/x.cl" into /tmp/x.cl. */
static span without_severity(span file) {
    static const char *const words[] = {"error: ", "warning: ", "note: ", "fatal error: "};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t length = strlen(words[i]);
        if (file.length > length && memcmp(file.start, words[i], length) == 0)
            return (span){file.start + length, file.length - length};
    }
    return file;
}

/* The text of a file of this name, on the heap; NULL if there is none. */
static char *read_file(span file) {
    char path[4096];
    enum file_kind kind;
    const span name = without_severity(file);
    if (name.length == 0 || name.length >= sizeof path) return NULL;
    memcpy(path, name.start, name.length);
    path[name.length] = '\0';
    return file_text(path, &kind);
}

/* ---- a place's line ---- */

/* A driver's temporary copy of the source may still exist; it is not another file. */
static bool is_copy(const char *file, const char *source) {
    return text_begins_with(file, source);
}

static void append_found(text *to, const struct text_line *found, long column, bool shown) {
    char count[64];
    if (found->written.length) {
        append_line(to, found->written);
        (void)snprintf(count, sizeof count,
                       found->count > 1 ? "  from which this was made (the first of %d):\n"
                                        : "  from which this was made:\n",
                       found->count);
        append_text(to, count);
    }
    if (shown || found->text.length == 0) return;
    append_line(to, found->text);
    append_caret(to, found->text, column);
}

/* Appends a line of a header or a file. */
static void append_other(text *to, const char *other, const place *p, bool shown) {
    struct text_line found;
    if (!shown && linemap_physical(&found, other, p->line)) append_found(to, &found, p->column, false);
}

/* Appends the message, then its line. Corrects the place if the driver ignores #line. */
static void append_message(text *to, span line, const place *p, const struct build_text *of, bool shown) {
    struct text_line found;
    char number[32];
    const char *rest = line.start;
    const bool known = of->counts_all_lines ? linemap_physical(&found, of->source, p->line)
                                            : linemap_find(&found, of->source, p->file, p->line);
    if (known && of->counts_all_lines && (found.name.length || found.number != p->line)) {
        const span file = found.name.length ? found.name : p->file;
        (void)snprintf(number, sizeof number, ":%ld", found.number);
        append(to, file.start, file.length);
        append_text(to, number);
        rest = p->line_end;
    }
    append_words(to, rest, (size_t)(line.start + line.length - rest));
    append_text(to, "\n");
    if (known) append_found(to, &found, p->column, shown);
}

static void append_place(text *to, span line, const place *p, const struct build_text *of, bool shown) {
    const char *header = linemap_header(of, p->file);
    const bool named = !of->counts_all_lines && linemap_name(of, p->file).length > 0;
    char *file = header || named ? NULL : read_file(p->file);
    const bool other = header || (file && !is_copy(file, of->source));
    if (other || (!file && !named && is_elsewhere(p->file))) {
        append_words(to, line.start, line.length);
        append_text(to, "\n");
        if (other) append_other(to, header ? header : file, p, shown);
    } else {
        append_message(to, line, p, of, shown);
    }
    free(file);
}

char *buildlog_annotate(const char *log, const struct build_text *of) {
    text out = {0};
    append_text(&out, "");
    for (const char *next = log; *next;) {
        const span line = {next, strcspn(next, "\n")};
        place p;
        next = line.start + line.length + (line.start[line.length] == '\n');
        if (find_place(line, &p)) {
            append_place(&out, line, &p, of, already_shown(next));
        } else {
            append(&out, line.start, line.length);
            append_text(&out, "\n");
        }
    }
    if (out.failed) {
        free(out.bytes);
        return NULL;
    }
    return out.bytes;
}
