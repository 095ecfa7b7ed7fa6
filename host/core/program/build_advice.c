/* build_advice.c - the reason why a program does not build, in one sentence from the compiler's log.
 *
 * Nearly every compiler is Clang, so a few forms are enough; for other forms the message only points to the log. */
#include "program/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text between a mark and an end that follows on the same line: "common.h"; false if there is none. */
static bool between(char *out, size_t room, const char *log, const char *mark, const char *end) {
    const char *start = strstr(log, mark);
    size_t length;
    if (!start) return false;
    start += strlen(mark);
    length = strcspn(start, end);
    if (length == 0 || length >= room) return false;
    snprintf(out, room, "%.*s", (int)length, start);
    return true;
}

/* The header in "'common.h' file not found". */
static bool find_header(char *out, size_t room, const char *log) {
    const char *end = strstr(log, "' file not found"), *start = end;
    if (!end) return false;
    while (start > log && start[-1] != '\'' && start[-1] != '\n')
        start--;
    if (start == end || (size_t)(end - start) >= room) return false;
    snprintf(out, room, "%.*s", (int)(end - start), start);
    return true;
}

/* " (A, B)": the folders of the options. */
static void list_folders(char *out, size_t room, const char *options) {
    char word[300];
    size_t used = 0;
    for (const char *at = options; at && (at = options_next(at, word, sizeof word));) {
        const bool alone = strcmp(word, "-I") == 0;
        const char *folder = alone ? word : word + 2;
        if (strncmp(word, "-I", 2) != 0) continue;
        if (alone && !(at = options_next(at, word, sizeof word))) break;
        if (used + strlen(folder) + 4 > room) break;
        used += (size_t)snprintf(out + used, room - used, "%s%s", used ? ", " : " (", folder);
    }
    (void)snprintf(out + used, room - used, "%s", used ? ")" : "");
}

static bool find_option(char *out, size_t room, const char *log) {
    return between(out, room, log, "Invalid build option: ", "\n") ||
           between(out, room, log, "unknown argument: '", "'\n") ||
           (strstr(log, "error: invalid value '") && between(out, room, log, "' in '", "'\n"));
}

/* "add" for "_Z3addi", as compilers name functions of several types. */
static void unmangle(char *name) {
    char *rest;
    size_t length;
    if (!text_begins_with(name, "_Z") || !isdigit((unsigned char)name[2])) return;
    length = strtoul(name + 2, &rest, 10);
    if (length == 0 || length > strlen(rest)) return;
    memmove(name, rest, length);
    name[length] = '\0';
}

static bool find_symbol(char *out, size_t room, const char *log) {
    return between(out, room, log, "Cannot find symbol ", " \n") ||
           between(out, room, log, "Unresolved external reference to \"", "\"\n") ||
           between(out, room, log, "Unresolved extern function '", "'\n");
}

static bool find_function(char *out, size_t room, const char *log) {
    if (!find_symbol(out, room, log)) return false;
    unmangle(out);
    return true;
}

/* The number in "FILE:LINE:COLUMN:" before `at`, on the same line; 0 if there is none. */
static long number_before(span *file_out, const char *log, const char *at) {
    const char *line = at;
    while (line > log && line[-1] != '\n')
        line--;
    file_out->start = line;
    for (; line < at; line++) {
        char *stop;
        long number;
        if (*line != ':' || !isdigit((unsigned char)line[1])) continue;
        number = strtol(line + 1, &stop, 10);
        file_out->length = (size_t)(line - file_out->start);
        if (*stop == ':' && isdigit((unsigned char)stop[1])) return number;
    }
    return 0;
}

/* Finds the first "FILE:2:10: error: what", or PoCL's "error: FILE:2:10: what": gives FILE, line 2 and what. */
static const char *find_error(span *file_out, long *line_out, const char *log) {
    static const char mark[] = "error: ";
    for (const char *at = log; (at = strstr(at, mark));) {
        const char *end = at + strcspn(at, "\n"), *what = at + sizeof mark - 1, *colon;
        if ((*line_out = number_before(file_out, log, at)) > 0) return what;
        for (colon = what; colon < end && !(colon[0] == ':' && colon[1] == ' '); colon++)
            continue;
        if (colon < end && (*line_out = number_before(file_out, log, colon)) > 0) return colon + 2;
        at = end;
    }
    return NULL;
}

/* How Clang refuses a __local variable in an inner scope. */
static const char inner_local[] =
    "variables in the local address space can only be declared in the outermost scope";

/* How it refuses one in a function that is no kernel. */
static const char function_local[] = "non-kernel function variable cannot be declared in local address space";

/* Whether the line has a character that looks like another one: compilers' words about that are hard to understand.
 */
static bool find_odd(char *reason, size_t room, const struct build_text *of, span file, long number) {
    const char *header = linemap_header(of, file);
    struct text_line line;
    char what[CLUE_ODD_SIZE], *copy;
    int64_t at = -1;
    if (!linemap_find(&line, header ? header : of->source, file, number)) return false;
    copy = text_copy(line.text.start);
    if (copy) copy[line.text.length] = '\0';
    if (copy) source_blank(copy);
    if (copy) at = clue_text_odd(what, copy, 0, (int64_t)line.text.length);
    free(copy);
    if (at >= 0) snprintf(reason, room, "column %d has %s", (int)at + 1, what);
    return at >= 0;
}

static void explain_error(const struct build_text *of, span file, long line, const char *what) {
    const span name = linemap_name(of, file);
    char named[256], reason[201], meant[40];
    snprintf(named, sizeof named, "%.*s", (int)name.length, name.start);
    if (strncmp(what, inner_local, strlen(inner_local)) == 0 && local_scope_advise(of, file, line, named)) return;
    if (strncmp(what, function_local, strlen(function_local)) == 0)
        what = "a __local variable can be declared only in a kernel: declare it there, and pass its address to the "
               "function, whose parameter is a __local pointer";
    advice_type(meant, sizeof meant, what);
    if (!find_odd(reason, sizeof reason, of, file, line))
        snprintf(reason, sizeof reason, "%.*s%s", (int)strcspn(what, "\n"), what, meant);
    error_explain_line(named, (int32_t)line, reason);
}

void build_advise(const char *log, const struct build_text *of) {
    char word[160], place[400];
    long line = 0;
    span file = {0};
    const char *what = find_error(&file, &line, log);
    if (find_header(word, sizeof word, log)) {
        list_folders(place, sizeof place, of->options);
        error_explain("the header '%s' is in none of the compiler's include folders%s: add its folder to the build "
                      "options, -I FOLDER",
                      word, place);
    } else if (find_option(word, sizeof word, log))
        error_explain(
            "the compiler does not accept the option %s: look at the build options, and at CLUE_BUILD_OPTIONS",
            word);
    else if (strstr(log, "Couldn't create Clang invocation"))
        error_explain("the compiler does not accept one of the options: look at the build options, and at "
                      "CLUE_BUILD_OPTIONS");
    else if (what)
        explain_error(of, file, line, what);
    else if (find_function(word, sizeof word, log))
        undefined_explain(of->source, word);
    else if (*clue_limits_text())
        error_explain("the compiler fails, and its log names no error of the source%s", clue_limits_text());
}
