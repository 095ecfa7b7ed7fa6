/* program_options.c - the options of a build: adds some, and refuses those that would crash a driver.
 *
 * -cl-kernel-arg-info always comes first, because PoCL and NVIDIA have no information about arguments without
 * it. */
#include "program/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\n\v\f\r";

static bool is_blank(char c) {
    return c && strchr(blanks, c);
}

const char *options_next(const char *at, char *word_out, size_t room) {
    size_t used = 0;
    bool quoted = false;
    at += strspn(at, blanks);
    if (!*at) return NULL;
    for (; *at && (quoted || !is_blank(*at)); at++)
        if (*at == '"')
            quoted = !quoted;
        else if (used + 1 < room)
            word_out[used++] = *at;
    word_out[used] = '\0';
    return at;
}

void options_drop_folders(char *options, bool all) {
    char *to = options, word[4096] = "";
    const char *end;
    for (const char *from = options; (end = options_next(from, word, sizeof word)); from = end) {
        bool folder = strncmp(word, "-I", 2) == 0;
        if (folder && !word[2] && options_next(end, word, sizeof word)) end = options_next(end, word, sizeof word);
        if (folder && (all || strchr(word, ' '))) continue;
        memmove(to, from, (size_t)(end - from));
        to += end - from;
    }
    *to = '\0';
    memmove(options, options + strspn(options, " "), strlen(options + strspn(options, " ")) + 1);
}

/* ---- the normal form ----
 *
 * Drivers disagree on where an option ends: at a blank only, or also at a tab or the end of a line; and on which
 * marks keep blanks together. So they get words with single blanks between them, and quotation marks (") only
 * around what has blanks. Apostrophes at the start of a word or of what follows -D, -I and -U are read as such
 * marks. After a '=' they belong to the value, a character of C, and keep its blanks: SEPARATOR=' '. */

static bool begins_value(const char *word, const char *at) {
    return at == word || (at == word + 2 && word[0] == '-' && word[1] && strchr("DIU", word[1]));
}

/* Copies a word without its marks. Returns the text after it; NULL if a mark is not closed, or if a mark would be a
 * part of the word. */
static const char *read_word(char *to, const char *at) {
    const char *const word = at;
    bool keep = false;
    for (char mark = '\0'; *at || mark; at++) {
        const bool opens = !mark && (*at == '"' || (*at == '\'' && (begins_value(word, at) || at[-1] == '=')));
        if (!*at || (*at == '"' && (mark == '\'' || (at > word && at[-1] == '\\')))) return NULL;
        if (!mark && is_blank(*at)) break;
        if (opens) keep = *at == '\'' && !begins_value(word, at);
        if ((!opens && *at != mark) || keep) *to++ = (char)(is_blank(*at) && *at != '\t' ? ' ' : *at);
        if (opens || *at == mark) mark = (char)(mark ? '\0' : *at);
    }
    *to = '\0';
    return at;
}

/* True if a driver would read another word. spare: room for one. */
static bool needs_marks(char *spare, const char *word) {
    return !*word || strpbrk(word, blanks) || !read_word(spare, word) || strcmp(spare, word) != 0;
}

/* Where a word's marks begin. PoCL reads them only there. */
static size_t before_marks(const char *word) {
    const size_t name = strcspn(word, "= \t'");
    if (word[name] == '=') return name + 1;
    return begins_value(word, word + 2) ? 2 : 0;
}

static char *put(char *to, const char *text, size_t count) {
    memcpy(to, text, count);
    to[count] = '\0';
    return to + count;
}

/* Appends options to `all`, in their normal form. word, spare: room for each word. False: a mark is not closed. */
static bool add_words(char *all, const char *options, char *word, char *spare) {
    char *to = all + strlen(all);
    while (*(options += strspn(options, blanks))) {
        size_t start, count;
        if (!(options = read_word(word, options))) return false;
        if (to > all) *to++ = ' ';
        count = strlen(word);
        if (!needs_marks(spare, word)) {
            to = put(to, word, count);
            continue;
        }
        if (count && word[count - 1] == '\\') return false;
        start = before_marks(word);
        to = put(put(to, word, start), "\"", 1);
        to = put(put(to, word + start, count - start), "\"", 1);
    }
    return true;
}

static bool add_options(char *all, const char *options, int32_t *code, int32_t refusal, const char *call) {
    const size_t room = strlen(options) + 1;
    char *word = malloc(2 * room);
    if (!word)
        *code = error_out_of_memory(call);
    else if (!add_words(all, options, word, word + room))
        *code = error_record(refusal, CLUE_CAUSE_PARAMETER, call,
                             "a quotation mark is not closed, or is a part of a value, in the options %s: put such "
                             "macros before the source, as cl.define does",
                             options);
    free(word);
    return *code == 0;
}

/* The options, in their normal form, after `first`. */
static char *join_options(const char *first, const char *options, const char *added, int32_t refusal,
                          const char *call) {
    char *all = malloc(strlen(first) + 2 * (strlen(options) + strlen(added)) + 3);
    int32_t code = all ? 0 : error_out_of_memory(call);
    if (!all) return NULL;
    put(all, first, strlen(first));
    if (add_options(all, options, &code, refusal, call) && add_options(all, added, &code, refusal, call))
        return all;
    free(all);
    return NULL;
}

/* ---- the options of a build ---- */

/* The number of characters between "-D", "-I" or "-U" and its value, if that is a word of one character; else 0. */
static size_t gap_before_short_word(const char *option) {
    const char *word;
    if (option[0] != '-' || !option[1] || !strchr("DIU", option[1]) || option[2] != ' ') return 0;
    word = option + 2 + strspn(option + 2, " ");
    return strcspn(word, " ") == 1 ? (size_t)(word - option - 2) : 0;
}

/* Turns "-D A" into "-DA", and the same for -I and -U: rusticl reads two characters of every word, and ends the
 * process if there is only one. */
static void join_short_words(char *options) {
    for (char *at = options; *at; at++) {
        const size_t gap = at == options || at[-1] == ' ' ? gap_before_short_word(at) : 0;
        if (gap) memmove(at + 2, at + 2 + gap, strlen(at + 2 + gap) + 1);
    }
}

char *program_options(const device *on, const char *options, int32_t refusal, const char *call) {
    const char *added = getenv("CLUE_BUILD_OPTIONS");
    char *all = join_options(ARGUMENT_INFORMATION, options ? options : "", added ? added : "", refusal, call);
    if (all && on && on->rusticl) join_short_words(all);
    return all;
}

char *program_link_options(const char *options) {
    return join_options("", options ? options : "", "", CL_INVALID_LINKER_OPTIONS, "clLinkProgram");
}

static span next_word(const char *from) {
    from += strspn(from, " ");
    return (span){from, strcspn(from, " ")};
}

/* True if the next word is the option's value. */
static bool takes_word(span option) {
    static const char *const options[] = {"-D", "-I", "-U", "-x", "-include", "-isystem"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (option.length == strlen(options[i]) && memcmp(option.start, options[i], option.length) == 0)
            return true;
    return false;
}

/* Finds a word of one character, or one that is neither an option nor an option's value: Clang in rusticl takes it
 * for a second file to compile. length 0: there is none. */
static span word_to_crash_at(const char *options) {
    span before = {"", 0}, word;
    for (word = next_word(options); word.length > 0; word = next_word(word.start + word.length)) {
        if (word.length == 1 || (word.start[0] != '-' && !takes_word(before))) break;
        before = word;
    }
    return word;
}

static const char stray[] = "which does not begin with a dash and belongs to no option before it";

/* The first word that Clang in Oclgrind takes for a second file to compile. Oclgrind reads quotation marks, and
 * passes "-o" with the next word on. word_out is empty if there is none. */
static void stray_word(char *word_out, size_t room, const char *options) {
    char before[32] = "";
    for (const char *at = options; (at = options_next(at, word_out, room));) {
        const bool is_value = takes_word((span){before, strlen(before)}) || strcmp(before, "-o") == 0;
        if (!is_value && word_out[0] && (word_out[0] != '-' || !word_out[1])) return;
        (void)snprintf(before, sizeof before, "%.31s", is_value ? "" : word_out);
    }
    word_out[0] = '\0';
}

/* Oclgrind crashes when it should refuse. */
static int32_t check_for_oclgrind(const device *on, const char *options, int32_t refusal, const char *call) {
    char word[256];
    stray_word(word, sizeof word, options);
    if (!word[0]) return 0;
    return error_record(refusal, CLUE_CAUSE_PARAMETER, call,
                        "%s cannot read the option '%s', %s: %s; remove it, and look at CLUE_BUILD_OPTIONS",
                        on->name, word, stray, options);
}

/* rusticl crashes when it should refuse. */
static int32_t check_for_rusticl(const device *on, char *options, int32_t refusal, const char *call) {
    span word;
    const char *what;
    options_drop_folders(options, false); /* it gets the texts of these headers */
    if (strchr(options, '"'))
        return error_record(refusal, CLUE_CAUSE_PARAMETER, call,
                            "%s cannot read options with quotation marks: %s; put macros with blanks before the "
                            "source, as cl.define does",
                            on->name, options);
    word = word_to_crash_at(options);
    what = word.length == 1 ? "a word of one character" : stray;
    if (word.length == 0) return 0;
    return error_record(refusal, CLUE_CAUSE_PARAMETER, call,
                        "%s cannot read the option '%.*s', %s: %s; remove it, and look at CLUE_BUILD_OPTIONS",
                        on->name, (int)word.length, word.start, what, options);
}

int32_t program_check_options(const device *on, const char *options, int32_t refusal, const char *call) {
    char *copy;
    int32_t code;
    if (on->oclgrind) return check_for_oclgrind(on, options, refusal, call);
    if (!on->rusticl) return 0;
    copy = text_copy(options);
    code = copy ? check_for_rusticl(on, copy, refusal, call) : error_out_of_memory(call);
    free(copy);
    return code;
}

bool device_reads_folder(const device *on, const char *folder) {
    return !strchr(folder, ' ') || !(on->pocl || on->rusticl);
}

/* Without carets, clang does not count its messages on the process's stderr. The log needs none of PoCL's, and
 * Oclgrind shows its own.
 *
 * PoCL checks its options word by word at spaces, but passes them to its compiler word by word at blanks, which
 * include tabs. So an option that PoCL does not know gets through after a tab. */
char *program_driver_options(const device *on, const char *options) {
    const char *const quiet = !on->counts_aloud ? ""
                              : on->pocl        ? " -DCLUE_NO_COUNT\t-fno-caret-diagnostics"
                                                : " -fno-caret-diagnostics";
    char *all = malloc(strlen(options) + strlen(quiet) + 1);
    if (!all) return NULL;
    put(all, options, strlen(options));
    if (on->pocl || on->rusticl) options_drop_folders(all, false);
    put(all + strlen(all), quiet, strlen(quiet));
    return all;
}
