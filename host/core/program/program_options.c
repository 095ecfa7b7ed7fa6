/* program_options.c - the options of a build: adds some, and refuses those that would crash a driver.
 *
 * -cl-kernel-arg-info always comes first, because PoCL and NVIDIA have no information about arguments without
 * it. */
#include "program/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *options_next(const char *at, char *word_out, size_t room) {
    size_t used = 0;
    bool quoted = false;
    while (isspace((unsigned char)*at))
        at++;
    if (!*at) return NULL;
    for (; *at && (quoted || !isspace((unsigned char)*at)); at++)
        if (*at == '"')
            quoted = !quoted;
        else if (used + 1 < room)
            word_out[used++] = *at;
    word_out[used] = '\0';
    return at;
}

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

char *program_options(const device *on, const char *options) {
    const char *added = getenv("CLUE_BUILD_OPTIONS");
    size_t room;
    char *all;
    if (!options) options = "";
    if (!added) added = "";
    room = sizeof ARGUMENT_INFORMATION + strlen(options) + strlen(added) + 2;
    all = malloc(room);
    if (all)
        snprintf(all, room, "%s%s%s%s%s", ARGUMENT_INFORMATION, *options ? " " : "", options, *added ? " " : "",
                 added);
    if (all && on && on->rusticl) join_short_words(all);
    return all;
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

static bool has_open_quotation(const char *options) {
    bool open = false;
    for (; *options; options++)
        if (*options == '"') open = !open;
    return open;
}

/* Oclgrind crashes when it should refuse. */
static int32_t check_for_oclgrind(const device *on, const char *options, int32_t refusal, const char *call) {
    char word[256];
    if (has_open_quotation(options))
        return error_record(refusal, CLUE_CAUSE_PARAMETER, call, "a quotation mark is not closed: %s", options);
    stray_word(word, sizeof word, options);
    if (!word[0]) return 0;
    return error_record(refusal, CLUE_CAUSE_PARAMETER, call,
                        "%s cannot read the option '%s', %s: %s; remove it, and look at CLUE_BUILD_OPTIONS",
                        on->name, word, stray, options);
}

/* rusticl crashes when it should refuse. */
static int32_t check_for_rusticl(const device *on, const char *options, int32_t refusal, const char *call) {
    const span word = word_to_crash_at(options);
    const char *const what = word.length == 1 ? "a word of one character" : stray;
    if (strchr(options, '"'))
        return error_record(refusal, CLUE_CAUSE_PARAMETER, call, "%s cannot read options with quotation marks: %s",
                            on->name, options);
    if (word.length == 0) return 0;
    return error_record(refusal, CLUE_CAUSE_PARAMETER, call,
                        "%s cannot read the option '%.*s', %s: %s; remove it, and look at CLUE_BUILD_OPTIONS",
                        on->name, (int)word.length, word.start, what, options);
}

/* PoCL keeps quotation marks as a part of a folder's name. */
int32_t program_check_options(const device *on, const char *options, int32_t refusal, const char *call) {
    if (on->rusticl) return check_for_rusticl(on, options, refusal, call);
    if (on->oclgrind) return check_for_oclgrind(on, options, refusal, call);
    if (on->pocl && (strstr(options, "-I \"") || strstr(options, "-I\"")))
        return error_record(refusal, CLUE_CAUSE_PARAMETER, call,
                            "PoCL cannot read include folders with spaces in their names: %s; move the folder, or "
                            "pass the headers' texts",
                            options);
    return 0;
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
    const size_t room = strlen(options) + strlen(quiet) + 1;
    char *all = malloc(room);
    if (all) (void)snprintf(all, room, "%s%s", options, quiet);
    return all;
}
