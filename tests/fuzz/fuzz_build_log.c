/* fuzz_build_log.c - what reads a driver's build log: the source lines and carets below its messages, #line, and
 * the advice for failures that are known.
 *
 * Input: a byte of flags, then log, source, a header's name and its text, each ended by a zero. The log is never
 * lost: every line of it that names no place stands unchanged in the result.
 *
 * suite: quick
 * runs: 50000 */
#include "fuzz.h"

#include "program/internal.h"

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    return 0;
}

/* True if the text has this line. */
static bool has_line(const char *text, const char *line, size_t length) {
    for (; *text; text += strcspn(text, "\n") + 1)
        if (strcspn(text, "\n") == length && memcmp(text, line, length) == 0) return true;
    return false;
}

static void require_log_in(const char *shown, const char *log) {
    for (; *log; log += strcspn(log, "\n") + (log[strcspn(log, "\n")] == '\n')) {
        const size_t length = strcspn(log, "\n");
        if (!memchr(log, ':', length)) fuzz_require(has_line(shown, log, length));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fuzz_input from = {data, data + size};
    const uint8_t flags = fuzz_byte(&from);
    char *log = fuzz_text(&from), *source = fuzz_text(&from), *name = fuzz_text(&from), *header = fuzz_text(&from);
    const char *const headers[] = {name, header};
    const struct build_text of = {source, headers, flags & 1, NULL, (flags & 2) != 0};
    char *shown = buildlog_annotate(log, &of);
    fuzz_require(shown);
    require_log_in(shown, log);
    (void)error_record(-11, CLUE_CAUSE_DRIVER, "clBuildProgram", "it failed");
    build_advise(log, &of);
    fuzz_require(clue_error_code() == -11 && *clue_error_text());
    clue_error_clear();
    free(shown);
    free(log);
    free(source);
    free(name);
    free(header);
    return 0;
}
