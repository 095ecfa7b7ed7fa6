/* undefined.c - the function that a source declares and calls, but that no source defines, and where it is called.
 *
 * Linkers name such a function without a place. Oclgrind does not link, and only refuses the kernel. Directives are
 * not carried out: this runs after a failure, to say what is probably its cause. */
#include "program/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static span word_at(const char *at) {
    size_t length = 0;
    while (is_in_name(at[length]))
        length++;
    return (span){at, length};
}

static const char *skip_blanks(const char *at) {
    return at + strspn(at, " \t\v\f\r\n");
}

/* Past the parentheses that begin here; NULL if they are not closed. */
static const char *skip_parentheses(const char *at) {
    int depth = 0;
    do {
        if (!*at) return NULL;
        depth += (*at == '(') - (*at == ')');
        at++;
    } while (depth > 0);
    return at;
}

/* The text without comments, strings and directives; on the heap. Lines stay. */
static char *code_of(const char *source) {
    char *code = text_copy(source);
    if (code) source_blank(code);
    for (char *line = code; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const size_t indent = strspn(line, " \t");
        for (char *at = line; line[indent] == '#' && *at && *at != '\n'; at++) {
            if (at[0] == '\\' && at[1] == '\n') at += 1;
            if (*at != '\n') *at = ' ';
        }
    }
    return code;
}

/* The next function that is declared or defined after `at`, which is outside all functions. Returns the place after
 * its parameters; NULL if there is none. */
static const char *next_function(span *name_out, bool *has_body_out, const char *at) {
    for (int depth = 0; *at;) {
        const span word = word_at(at);
        const char *after = word.length && !depth ? skip_blanks(at + word.length) : NULL;
        depth += (*at == '{') - (*at == '}');
        at += word.length ? word.length : 1;
        if (!after || *after != '(' || isdigit((unsigned char)*word.start)) continue;
        after = skip_parentheses(after);
        if (!after) return NULL;
        at = after;
        if (text_begins_with(word.start, "__attribute__")) continue;
        while (text_begins_with(after = skip_blanks(after), "__attribute__") && strchr(after, '('))
            if (!(after = skip_parentheses(strchr(after, '(')))) return NULL;
        if (*after != ';' && *after != '{') continue;
        *name_out = word;
        *has_body_out = *after == '{';
        return at;
    }
    return NULL;
}

static bool same(span a, span b) {
    return a.length == b.length && memcmp(a.start, b.start, a.length) == 0;
}

/* Whether the source has a function of this name: its definition, or as well only a declaration. */
static bool has_function(const char *code, span name, bool only_declared) {
    span found;
    bool has_body;
    for (const char *at = code; (at = next_function(&found, &has_body, at));)
        if ((has_body || only_declared) && same(found, name)) return true;
    return false;
}

/* The place of a call in a function's body; NULL if there is none. */
static const char *call_in(const char *code, span name) {
    int depth = 0;
    for (const char *at = code; *at;) {
        const span word = word_at(at);
        if (depth > 0 && same(word, name) && *skip_blanks(at + word.length) == '(') return at;
        depth += (*at == '{') - (*at == '}');
        at += word.length ? word.length : 1;
    }
    return NULL;
}

/* Where the function is called, " in line 2 of a.cl". Returns whether that is found. */
static bool undefined_call(char *out, size_t room, const char *source, const char *name) {
    char *code = code_of(source);
    const char *call = code ? call_in(code, (span){name, strlen(name)}) : NULL;
    struct text_line line;
    long physical = 1;
    for (const char *at = code; call && at < call; at++)
        physical += *at == '\n';
    free(code);
    *out = '\0';
    if (!call || !linemap_physical(&line, source, physical)) return false;
    (void)snprintf(out, room, " in line %ld%s%.*s", line.number, line.name.length ? " of " : "",
                   (int)line.name.length, line.name.start);
    return true;
}

/* A question about a source of a program; code: the source without comments and the like. */
typedef bool question(const program *p, const char *source, const char *code, span name);

/* Whether the answer is yes for one of the sources, or there is no memory to ask. */
static bool any_source(const program *p, question ask, span name) {
    bool yes = false;
    for (int32_t i = 0; i < p->source_count && !yes; i++) {
        const char *const source = p->sources[i]->text;
        char *code = code_of(source);
        yes = !code || ask(p, source, code, name);
        free(code);
    }
    return yes;
}

static bool defines(const program *p, const char *source, const char *code, span name) {
    (void)p, (void)source;
    return has_function(code, name, false);
}

/* Functions since OpenCL C 2.0, by the beginnings of their names: drivers compile their calls, and may lack them.
 */
static const char *const newer[] = {"work_group_", "sub_group_",     "get_sub_group_",   "read_pipe",
                                    "write_pipe",  "enqueue_kernel", "get_default_queue"};

/* A source may well have a function of its own with such a name. */
static bool is_newer(const char *code, const char *name) {
    bool begins = false;
    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++)
        begins = begins || text_begins_with(name, newer[i]);
    return begins && !has_function(code, (span){name, strlen(name)}, true);
}

void undefined_explain(const char *source, const char *name) {
    char place[300];
    char *code = code_of(source);
    (void)undefined_call(place, sizeof place, source, name);
    if (code && is_newer(code, name))
        error_explain(
            "the function '%s' is called%s, but is of OpenCL C 2.0 or later, and this driver seems to lack it",
            name, place);
    else
        error_explain("the function '%s' is called%s, but defined nowhere", name, place);
    free(code);
}

static bool explains_undefined(const program *p, const char *source, const char *code, span none) {
    span name;
    bool has_body;
    (void)none;
    for (const char *at = code; (at = next_function(&name, &has_body, at));) {
        char named[160], place[300];
        (void)snprintf(named, sizeof named, "%.*s", (int)name.length, name.start);
        if (has_body || any_source(p, defines, name) || !undefined_call(place, sizeof place, source, named))
            continue;
        undefined_explain(source, named);
        return true;
    }
    return false;
}

/* True if the words before a function's name, of the same declaration, have the one of kernels. */
static bool is_kernel(const char *code, span name) {
    const char *from = name.start;
    while (from > code && from[-1] != ';' && from[-1] != '}')
        from--;
    while (from < name.start) {
        const span word = word_at(from);
        if (same(word, (span){"kernel", 6}) || same(word, (span){"__kernel", 8})) return true;
        from += word.length ? word.length : 1;
    }
    return false;
}

static bool has_kernel(const program *p, const char *source, const char *code, span wanted) {
    span name;
    bool has_body;
    (void)p, (void)source;
    for (const char *at = code; (at = next_function(&name, &has_body, at));)
        if (has_body && same(name, wanted) && is_kernel(code, name)) return true;
    return false;
}

static bool explains_newer(const program *p, const char *source, const char *code, span none) {
    (void)p, (void)none;
    for (const char *at = code; *at;) {
        const span word = word_at(at);
        char named[160], place[300];
        (void)snprintf(named, sizeof named, "%.*s", (int)word.length, word.start);
        if (is_newer(code, named) && undefined_call(place, sizeof place, source, named)) {
            undefined_explain(source, named);
            return true;
        }
        at += word.length ? word.length : 1;
    }
    return false;
}

void undefined_advise(const program *p, const char *kernel) {
    const span wanted = {kernel, strlen(kernel)};
    if (any_source(p, explains_undefined, wanted) || !any_source(p, has_kernel, wanted) ||
        any_source(p, explains_newer, wanted))
        return;
    error_explain(
        "the source has this kernel, but the driver cannot make it: it may call a function that the driver "
        "lacks");
}
