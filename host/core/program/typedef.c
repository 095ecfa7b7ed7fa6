/* typedef.c - finds the OpenCL types that the typedefs in a program's sources stand for.
 *
 * Drivers give an argument's type by the typedef's name, and PoCL accepts a value of any size for it. So the
 * sources are read as they are built, with their included files, macros and conditions. A typedef stays unknown if
 * what it stands for is not certain: it depends on what only the compiler knows, or two that contradict each other
 * may count. */
#include "program/internal.h"
#include "program/macro.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MOST_CHARACTERS: those of all texts together, each counted as often as it is read. Macros that name each other
 * several times, and files that include each other so, make any number of them. */
enum { MOST_WORDS = 12, MOST_LENGTH = 64, MOST_LEVELS = 64, MOST_DEPTH = 40, MOST_CHARACTERS = 4 << 20 };

/* ---- what was found ---- */

struct typedefs {
    struct definition {
        char name[MOST_LENGTH];
        struct plain_type type; /* zeros: not known, or not a plain one */
        bool certain;           /* the compiler reads one of its definitions for certain */
    } * list;
    int32_t count;
    bool open; /* there may be others, in files that cannot be read */
};

static const struct plain_type no_type;

static bool same(struct plain_type one, struct plain_type other) {
    return one.element == other.element && one.width == other.width && one.object == other.object;
}

static struct definition *find(const struct typedefs *all, const char *name) {
    for (int32_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i].name, name) == 0) return &all->list[i];
    return NULL;
}

static void add(struct typedefs *all, const char *name, struct plain_type type, bool certain) {
    struct definition *found = find(all, name);
    if (found) {
        if (!same(found->type, type)) found->type = no_type;
        found->certain |= certain;
        return;
    }
    found = realloc(all->list, (size_t)(all->count + 1) * sizeof *found);
    if (!found) {
        all->open = true;
        return;
    }
    all->list = found;
    found = &all->list[all->count++];
    *found = (struct definition){.type = type, .certain = certain};
    snprintf(found->name, sizeof found->name, "%s", name);
}

/* ---- one typedef ---- */

/* What is being read. */
struct reading {
    const struct includes *with;
    struct typedefs *found;
    struct macros macros;
    struct level {
        enum truth outer, earlier, active; /* of what is around it, of a branch before this one, of this one */
    } levels[MOST_LEVELS];
    int level;
    int depth;   /* of included files */
    size_t read; /* characters so far */
    bool lost;   /* this cannot be read */
    bool begun;  /* a declaration, in which no "typedef" was read yet */
    bool inside; /* a typedef, whose words these are: */
    char words[MOST_WORDS][MOST_LENGTH];
    int word_count, braces;
    bool odd;  /* it has more than plain words, or a word that is not certain */
    bool late; /* it has words before "typedef" */
};

static enum truth active(const struct reading *r) {
    return r->level ? r->levels[r->level - 1].active : CERTAINLY;
}

static struct plain_type known_type(const struct reading *r, const char *name) {
    struct plain_type type = no_type;
    const struct definition *earlier = find(r->found, name);
    if (earlier)
        type = earlier->type;
    else
        (void)plain_type_read(&type, name);
    return type;
}

/* The type of the words before the name. */
static struct plain_type type_of(const struct reading *r) {
    const int count = r->word_count - 1;
    char both[2 * MOST_LENGTH];
    if (count == 1 && strcmp(r->words[0], "unsigned") == 0)
        return (struct plain_type){.element = CLUE_UINT, .width = 1};
    if (count == 1) return known_type(r, r->words[0]);
    if (count != 2) return no_type;
    if (strcmp(r->words[0], "signed") == 0) return known_type(r, r->words[1]);
    snprintf(both, sizeof both, "%s %s", r->words[0], r->words[1]);
    return known_type(r, both);
}

/* Any word but the first may be a name in "float x[N], *y", and the first also in "long typedef x". None of them is
 * known then. */
static void add_odd(struct reading *r) {
    struct plain_type type;
    for (int i = r->late ? 0 : 1; i < r->word_count; i++)
        if (!plain_type_read(&type, r->words[i])) add(r->found, r->words[i], no_type, true);
}

static void finish_typedef(struct reading *r) {
    struct plain_type type;
    r->inside = r->begun = false;
    if (r->odd || r->word_count < 2) {
        add_odd(r);
        return;
    }
    type = type_of(r);
    if (active(r) == PERHAPS && r->found->open) type = no_type;
    add(r->found, r->words[r->word_count - 1], type, active(r) == CERTAINLY);
}

static void give_up(struct reading *r) {
    r->lost = true;
    r->found->count = 0;
    r->found->open = true;
}

/* Counts a text that is about to be read; false if that would be too much. */
static bool may_read(struct reading *r, const char *text) {
    r->read += strlen(text) + 1;
    if (r->read > MOST_CHARACTERS) give_up(r);
    return !r->lost;
}

static void take_text(struct reading *r, const char *text, int depth);

static void keep_word(struct reading *r, const char *word, size_t length) {
    if (length >= MOST_LENGTH) r->odd = true;
    if (r->word_count == MOST_WORDS) {
        r->odd = true;
        r->word_count--;
    }
    snprintf(r->words[r->word_count++], MOST_LENGTH, "%.*s", (int)length, word);
}

static bool is(const char *word, size_t length, const char *text) {
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

/* One that changes nothing in how a value, an image or a sampler is passed. */
static bool is_qualifier(const char *word, size_t length) {
    static const char *const qualifiers[] = {"const",      "volatile",    "read_only",    "write_only",
                                             "read_write", "__read_only", "__write_only", "__read_write"};
    for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++)
        if (is(word, length, qualifiers[i])) return true;
    return false;
}

static void take_word(struct reading *r, const char *word, size_t length, int depth) {
    const char *body = "";
    enum macro_state state = MACRO_UNDEFINED;
    if (is(word, length, "typedef")) {
        r->inside = true;
        r->late = r->begun;
        r->odd = depth > 0 || r->late;
        r->word_count = r->braces = 0;
        return;
    }
    if (!r->inside) r->begun = true;
    if (!r->inside || is_qualifier(word, length)) return;
    if (macro_listed(&r->macros, word, length)) state = macro_find(&body, &r->macros, word, length);
    if (word[0] == '_' || state == MACRO_UNCERTAIN || depth > MOST_DEPTH) r->odd = true;
    if (state == MACRO_DEFINED && depth <= MOST_DEPTH)
        take_text(r, body, depth + 1);
    else if (r->braces == 0)
        keep_word(r, word, length);
}

static void take_mark(struct reading *r, char mark) {
    if (!r->inside) {
        if (strchr(";{}", mark)) r->begun = false;
        return;
    }
    if (mark == '{') r->braces++;
    if (mark == '}') r->braces--;
    if (mark == ';' && r->braces <= 0)
        finish_typedef(r);
    else if (!isspace((unsigned char)mark))
        r->odd = true;
}

/* The words and marks of a line without comments, or of a macro. */
static void take_text(struct reading *r, const char *text, int depth) {
    if (!may_read(r, text)) return;
    while (*text && !r->lost) {
        size_t length = 0;
        while (is_in_name(text[length]))
            length++;
        if (length)
            take_word(r, text, length, depth);
        else
            take_mark(r, *text);
        text += length ? length : 1;
    }
}

/* ---- directives ---- */

static void read_text(struct reading *r, const char *text);

static enum truth opposite(enum truth of) {
    return (enum truth)(CERTAINLY - of);
}

static enum truth least(enum truth one, enum truth other) {
    return one < other ? one : other;
}

/* Opens a level, or begins its next branch. */
static void open_level(struct reading *r, enum truth condition) {
    const enum truth outer = active(r);
    if (r->level == MOST_LEVELS)
        give_up(r);
    else
        r->levels[r->level++] = (struct level){outer, condition, least(outer, condition)};
}

static void next_branch(struct reading *r, enum truth condition) {
    struct level *l = r->level ? &r->levels[r->level - 1] : NULL;
    if (!l) return;
    l->active = least(least(l->outer, opposite(l->earlier)), condition);
    if (condition > l->earlier) l->earlier = condition;
}

static const char *given_header(const struct reading *r, const char *name) {
    const struct build_text *of = r->with->of;
    for (size_t i = 0; i < (size_t)of->header_count; i++)
        if (strcmp(of->headers[2 * i], name) == 0) return of->headers[2 * i + 1];
    return NULL;
}

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The text of an included file, if only one can be meant. */
static const char *text_of(const struct reading *r, const char *name) {
    const char *found = given_header(r, name);
    for (int32_t i = 0; i < r->with->count; i++) {
        const struct included *file = &r->with->files[i];
        if (strcmp(base_of(file->name), base_of(name)) != 0) continue;
        if (found && strcmp(found, file->text) != 0) return NULL;
        found = file->text;
    }
    return found;
}

/* From here on, anything may be defined that this cannot see. */
static void forget(struct reading *r) {
    macros_forget(&r->macros);
    r->found->open = true;
    for (int32_t i = 0; i < r->found->count; i++)
        if (!r->found->list[i].certain) r->found->list[i].type = no_type;
}

static void include(struct reading *r, const char *directive) {
    const int level = r->level;
    struct include what;
    const char *at = directive, *text = NULL;
    if (active(r) == CERTAINLY_NOT) return;
    if (include_next(&what, &at) == INCLUDES && r->depth < MOST_DEPTH) text = text_of(r, what.name);
    if (!text) {
        forget(r);
        return;
    }
    r->depth++;
    read_text(r, text);
    r->depth--;
    r->level = level;
}

static void open_if_defined(struct reading *r, const char *name, bool wanted) {
    const char *body;
    const size_t length = strcspn(name, " \t\r");
    const enum macro_state state = macro_find(&body, &r->macros, name, length);
    enum truth truth = state == MACRO_DEFINED ? CERTAINLY : CERTAINLY_NOT;
    if (state == MACRO_UNCERTAIN) truth = PERHAPS;
    open_level(r, wanted ? truth : opposite(truth));
}

/* A line that begins with '#'. */
static void take_directive(struct reading *r, const char *line) {
    const char *name = line + 1 + strspn(line + 1, " \t");
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    const char *rest = name + length + strspn(name + length, " \t");
    if (is(name, length, "define")) macro_define(&r->macros, rest, active(r));
    if (is(name, length, "undef")) macro_undefine(&r->macros, rest, active(r));
    if (is(name, length, "include")) include(r, line);
    if (is(name, length, "if")) open_level(r, macros_test(&r->macros, rest));
    if (is(name, length, "ifdef")) open_if_defined(r, rest, true);
    if (is(name, length, "ifndef")) open_if_defined(r, rest, false);
    if (is(name, length, "elif")) next_branch(r, macros_test(&r->macros, rest));
    if (is(name, length, "elifdef") || is(name, length, "elifndef"))
        next_branch(r, PERHAPS); /* not in all compilers */
    if (is(name, length, "else")) next_branch(r, CERTAINLY);
    if (is(name, length, "endif") && r->level) r->level--;
}

/* ---- texts ---- */

/* The length of the comment, or of the text in quotation marks, that begins here; 0 if none does. */
static size_t length_of_skipped(const char *at, bool in_directive) {
    const char *end;
    size_t length = 1;
    if (at[0] == '/' && at[1] == '/') return strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        end = strstr(at + 2, "*/");
        return end ? (size_t)(end + 2 - at) : strlen(at);
    }
    if ((*at != '"' && *at != '\'') || in_directive) return 0;
    while (at[length] && at[length] != '\n' && at[length] != *at)
        length += at[length] == '\\' && at[length + 1] ? 2 : 1;
    return length + (at[length] == *at);
}

void source_blank(char *text) {
    bool in_directive = false, line_begins = true;
    for (char *at = text; *at;) {
        size_t length;
        if (*at == '\n') in_directive = false;
        if (line_begins && *at == '#') in_directive = true;
        line_begins = *at == '\n' || (line_begins && isspace((unsigned char)*at));
        length = length_of_skipped(at, in_directive);
        if (length == 0) at++;
        for (; length; length--, at++)
            if (*at != '\n') *at = ' ';
    }
}

static void take_line(struct reading *r, const char *line) {
    line += strspn(line, " \t\v\f\r");
    if (*line == '#')
        take_directive(r, line);
    else if (active(r) != CERTAINLY_NOT)
        take_text(r, line, 0);
}

static void read_text(struct reading *r, const char *text) {
    char *copy = may_read(r, text) ? include_text(text) : NULL, *line = copy;
    if (!copy) give_up(r);
    if (copy) source_blank(copy);
    while (line && *line && !r->lost) {
        char *end = line + strcspn(line, "\n");
        const bool last = !*end;
        *end = '\0';
        take_line(r, line);
        line = last ? end : end + 1;
    }
    free(copy);
}

struct typedefs *typedefs_read(const struct includes *with, const char *options) {
    struct reading r = {.with = with};
    if (!with->any && !strstr(with->of->source, "typedef")) return NULL;
    if (!(r.found = calloc(1, sizeof *r.found))) return NULL;
    r.macros.open = r.found->open = !with->certain;
    macros_read_options(&r.macros, options);
    read_text(&r, with->of->source);
    macros_free(&r.macros);
    return r.found;
}

void typedefs_free(struct typedefs *all) {
    if (all) free(all->list);
    free(all);
}

bool typedef_find(struct plain_type *out, const program *p, const char *name) {
    struct plain_type found = no_type;
    for (int32_t i = 0; i < p->source_count; i++) {
        const struct typedefs *all = p->sources[i]->typedefs;
        const struct definition *here = all ? find(all, name) : NULL;
        if (!here && all && all->open) return false;
        if (!here) continue;
        if (same(here->type, no_type)) return false;
        if (!same(found, no_type) && !same(found, here->type)) return false;
        found = here->type;
    }
    *out = found;
    return !same(found, no_type);
}
