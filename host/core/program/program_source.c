/* program_source.c - the sources of a program, as the caller gave them: a text with its options and headers, or
 * several for a linked program.
 *
 * Captures and typedefs need the sources, and drivers do not give back those of programs that were linked or came
 * from the cache. They are counted, because a linked program shares them with its parts. */
#include "program/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- checking a caller's texts ---- */

/* A byte order mark is only good for a file's beginning, but parts of a source often come from files. */
static const char mark[] = "\xef\xbb\xbf";

static int32_t refuse_utf16(const char *what) {
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clCreateProgramWithSource",
                        "%s is in UTF-16: save its file as UTF-8, as iconv -f UTF-16 -t UTF-8 FILE > NEW does",
                        what);
}

static bool is_utf16(const char *text, int64_t length) {
    if (length > 1 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) return true;
    return length > 3 && !text[0] == !text[2] && !text[1] == !text[3] && !text[0] != !text[1];
}

int32_t program_check_source(const char *source, int64_t length) {
    static const char call[] = "clCreateProgramWithSource";
    if (!source || length <= 0)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "the source is empty");
    if (is_utf16(source, length)) return refuse_utf16("the source");
    if (memchr(source, '\0', (size_t)length))
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "the source contains a zero byte");
    return 0;
}

char *program_copy_source(const char *source, int64_t length) {
    char *copy = calloc(1, (size_t)length + 1);
    char *to = copy;
    if (copy) memcpy(copy, source, (size_t)length);
    for (const char *from = copy; from && *from;) {
        if (from == copy || from[-1] == '\n') from = program_after_mark(from);
        if (*from) *to++ = *from++;
    }
    if (to) *to = '\0';
    return copy;
}

const char *program_after_mark(const char *text) {
    return text + (text_begins_with(text, mark) ? strlen(mark) : 0);
}

int32_t program_check_headers(const struct build_text *of) {
    static const char call[] = "clCompileProgram";
    if (of->header_count < 0)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                            "%d headers: the number must be at least 0", (int)of->header_count);
    if (of->header_count > 0 && !of->headers)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                            "the list of headers is NULL, but its length is %d", (int)of->header_count);
    for (size_t i = 0; i < (size_t)of->header_count; i++) {
        if (!of->headers[2 * i] || !*of->headers[2 * i])
            return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "header %zu has no name", i);
        if (!of->headers[2 * i + 1])
            return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "header '%s' has no text",
                                of->headers[2 * i]);
        if (is_utf16(of->headers[2 * i + 1], (int64_t)strlen(of->headers[2 * i + 1])))
            return refuse_utf16(of->headers[2 * i]);
    }
    return 0;
}

/* ---- keeping them ---- */

static void source_destroy(struct source *self) {
    for (int32_t i = 0; self->headers && i < 2 * self->header_count; i++)
        free(self->headers[i]);
    typedefs_free(self->typedefs);
    free(self->headers);
    free(self->text);
    free(self->options);
    free(self);
}

static bool copy_headers(struct source *self, const struct build_text *of) {
    if (of->header_count == 0) return true;
    self->headers = calloc((size_t)of->header_count * 2, sizeof *self->headers);
    if (!self->headers) return false;
    self->header_count = of->header_count;
    for (int32_t i = 0; i < 2 * of->header_count; i++)
        if (!(self->headers[i] = text_copy(of->headers[i]))) return false;
    return true;
}

static struct source *source_new(const struct build_text *of, const char *options) {
    struct source *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->text = text_copy(of->source);
    made->options = text_copy(options);
    if (made->text && made->options && copy_headers(made, of)) return made;
    source_destroy(made);
    return NULL;
}

static bool add(program *p, struct source *one) {
    struct source **more = realloc(p->sources, (size_t)(p->source_count + 1) * sizeof(struct source *));
    if (!more) return false;
    p->sources = more;
    p->sources[p->source_count++] = one;
    one->references++;
    return true;
}

bool program_add_source(program *p, const struct build_text *of, const char *options) {
    struct source *made = source_new(of, options);
    if (made && add(p, made)) return true;
    if (made) source_destroy(made);
    return false;
}

void program_learn_typedefs(program *p, const struct includes *with, const char *options) {
    p->sources[p->source_count - 1]->typedefs = typedefs_read(with, options);
}

bool program_add_sources_of(program *p, const program *linked) {
    for (int32_t i = 0; i < linked->source_count; i++)
        if (!add(p, linked->sources[i])) return false;
    return true;
}

void program_drop_sources(program *p) {
    for (int32_t i = 0; i < p->source_count; i++)
        if (--p->sources[i]->references == 0) source_destroy(p->sources[i]);
    free(p->sources);
    p->sources = NULL;
    p->source_count = 0;
}
