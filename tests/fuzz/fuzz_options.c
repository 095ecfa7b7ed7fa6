/* fuzz_options.c - clue's own command line, up to the script's name.
 *
 * Input: the arguments, each ended by a zero. Every option that is accepted points at an argument, and a time limit
 * is one that can be set.
 *
 * suite: quick
 * runs: 50000 */
#include "fuzz.h"

#include "main/main.h"

enum { MOST = 64 };

static int said;

/* In place of that of host/main/report.c. */
void clue_report_say(const char *format, ...) {
    said += *format != '\0';
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    return 0;
}

static void require_sound(const struct clue_options *options) {
    fuzz_require(options->word >= 1 && options->word <= options->count);
    fuzz_require(options->action_count <= options->count && !options->arguments[options->count]);
    fuzz_require(options->time_limit == 0 ||
                 (options->time_limit >= 0.001 && options->time_limit <= CLUE_LONGEST_TIME_LIMIT));
    for (int i = 0; i < options->action_count; i++)
        fuzz_require(strchr("eljO", options->actions[i].letter) && options->actions[i].text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fuzz_input from = {data, data + size};
    char *given[MOST + 1] = {0}, *arguments[MOST + 1];
    struct clue_options options;
    int count = 0;
    for (given[count++] = strdup("clue"); count < MOST && from.at < from.end; count++)
        given[count] = fuzz_text(&from);
    memcpy(arguments, given, sizeof arguments); /* the parser takes words out */
    said = 0;
    if (clue_options_parse(&options, count, arguments))
        require_sound(&options);
    else
        fuzz_require(said == 1);
    clue_options_free(&options);
    while (count)
        free(given[--count]);
    return 0;
}
