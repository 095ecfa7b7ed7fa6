/* fuzz_source.c - what reads the text of a program before the compiler does: #include in every spelling, the files
 * that options and directives name, macros, conditions, and typedefs.
 *
 * Input: source, build options, a header's name and its text, each ended by a zero. It ends for any text: a source
 * in which macros or includes multiply must not take longer than a moment. A typedef is found only if its name is
 * in one of the texts.
 *
 * suite: quick
 * runs: 1500 */
#include "fuzz.h"

#include "program/internal.h"

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    return 0;
}

static void look_for(const program *p, const char *name) {
    struct plain_type type = {0};
    if (!typedef_find(&type, p, name)) return;
    if (type.object) {
        fuzz_require(type.element == CLUE_AUTO && type.width == 0);
        return;
    }
    fuzz_require(type.element >= CLUE_CHAR && type.element <= CLUE_DOUBLE);
    fuzz_require(type.width >= 1 && type.width <= 16);
}

static void read_typedefs(const struct includes *all, const char *options) {
    struct source text = {.typedefs = typedefs_read(all, options)}, *sources[] = {&text};
    const program p = {.sources = sources, .source_count = 1};
    look_for(&p, "t");
    look_for(&p, "real");
    fuzz_require(!typedef_find(&(struct plain_type){0}, &p, "a name that no word of a source can be"));
    typedefs_free(text.typedefs);
}

static void read_source(const struct build_text *of, const char *options) {
    const device none = {0};
    struct includes all;
    char *marked;
    includes_find(&all, of, options);
    read_typedefs(&all, options);
    marked = includes_mark(&all, &none, options);
    fuzz_require(marked && text_begins_with(marked, options));
    free(marked);
    includes_free(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fuzz_input from = {data, data + size};
    char *source = fuzz_text(&from), *options = fuzz_text(&from), *name = fuzz_text(&from),
         *header = fuzz_text(&from);
    const char *const headers[] = {name, header};
    const struct build_text of = {source, headers, *name != '\0', NULL, false};
    read_source(&of, options);
    (void)local_scope_advise(&of, (span){name, strlen(name)}, 1 + (long)(size % 7), "it");
    free(source);
    free(options);
    free(name);
    free(header);
    return 0;
}
