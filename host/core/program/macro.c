/* macro.c - what is known about the macros of a source at a place in it, and whether a condition holds there.
 *
 * Not everything can be known: compilers have macros of their own, and a file that cannot be read may define
 * others. What is uncertain stays uncertain through every computation, so that an answer can be relied on. */
#include "program/macro.h"

#include "program/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* MOST_OPERANDS: of one condition. Macros that name each other several times make any number of them. */
enum { MOST_DEPTH = 32, MOST_OPERANDS = 100000 };

/* ---- the table ---- */

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static struct macro *find(const struct macros *all, const char *name, size_t length) {
    for (int32_t i = 0; i < all->count; i++)
        if (strncmp(all->list[i].name, name, length) == 0 && !all->list[i].name[length]) return &all->list[i];
    return NULL;
}

/* True for names that a compiler may define by itself. */
static bool is_reserved(const char *name) {
    static const char *const beginnings[] = {"_", "cl_", "cles_", "CL_", "CLK_", "FP_", "POCL", "M_"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (text_begins_with(name, beginnings[i])) return true;
    return false;
}

enum macro_state macro_find(const char **body_out, const struct macros *all, const char *name, size_t length) {
    const struct macro *found = find(all, name, length);
    *body_out = found && found->body ? found->body : "";
    if (found) return found->state;
    return all->open || is_reserved(name) ? MACRO_UNCERTAIN : MACRO_UNDEFINED;
}

bool macro_listed(const struct macros *all, const char *name, size_t length) {
    return find(all, name, length) != NULL;
}

static void set(struct macros *all, span name, enum macro_state state, span body) {
    struct macro *found = find(all, name.start, name.length);
    if (!found) {
        struct macro *more = realloc(all->list, (size_t)(all->count + 1) * sizeof *more);
        if (more) all->list = more;
        if (!more || !(more[all->count].name = strndup(name.start, name.length))) {
            all->open = true;
            return;
        }
        found = &more[all->count++];
        found->body = NULL;
    }
    free(found->body);
    found->body = strndup(body.start, body.length);
    found->state = found->body ? state : MACRO_UNCERTAIN;
}

static span word_at(const char *at) {
    span word = {.start = at};
    while (is_word(at[word.length]))
        word.length++;
    return word;
}

static const char *skip_blanks(const char *at) {
    return at + strspn(at, " \t\v\f\r");
}

void macro_define(struct macros *all, const char *rest, enum truth when) {
    const span name = word_at(skip_blanks(rest));
    const char *body = name.start + name.length;
    const enum macro_state state = *body == '(' ? MACRO_UNCERTAIN : MACRO_DEFINED;
    if (name.length == 0 || when == CERTAINLY_NOT) return;
    body = skip_blanks(body);
    set(all, name, when == CERTAINLY ? state : MACRO_UNCERTAIN, (span){body, strlen(body)});
}

void macro_undefine(struct macros *all, const char *rest, enum truth when) {
    const span name = word_at(skip_blanks(rest));
    if (name.length == 0 || when == CERTAINLY_NOT) return;
    set(all, name, when == CERTAINLY ? MACRO_UNDEFINED : MACRO_UNCERTAIN, (span){"", 0});
}

void macros_forget(struct macros *all) {
    all->open = true;
    for (int32_t i = 0; i < all->count; i++)
        all->list[i].state = MACRO_UNCERTAIN;
}

/* The text after -D: "NAME", "NAME=VALUE". */
static void define_option(struct macros *all, const char *given) {
    const span name = word_at(given);
    const char *value = given + name.length;
    if (*value == '=')
        set(all, name, MACRO_DEFINED, (span){value + 1, strlen(value + 1)});
    else
        set(all, name, *value ? MACRO_UNCERTAIN : MACRO_DEFINED, (span){"1", 1});
}

void macros_read_options(struct macros *all, const char *options) {
    char word[1024];
    for (const char *at = options; (at = options_next(at, word, sizeof word));) {
        const int kind = word[0] == '-' && (word[1] == 'D' || word[1] == 'U') ? word[1] : 0;
        const bool alone = kind && !word[2];
        if (alone && !(at = options_next(at, word, sizeof word))) return;
        if (kind && strlen(word) + 1 == sizeof word) macros_forget(all); /* it was cut */
        if (kind == 'D') define_option(all, alone ? word : word + 2);
        if (kind == 'U') macro_undefine(all, alone ? word : word + 2, CERTAINLY);
    }
}

void macros_free(struct macros *all) {
    for (int32_t i = 0; i < all->count; i++) {
        free(all->list[i].name);
        free(all->list[i].body);
    }
    free(all->list);
}

/* ---- conditions ---- */

/* A number that may be unknown. */
struct value {
    bool known;
    long long number;
};

struct reader {
    const struct macros *macros;
    const char *at;
    int depth;
    int *left;   /* how many operands it may still have */
    bool failed; /* it is not an expression that is understood here */
};

static const struct value unknown = {false, 0};

static struct value known(long long number) {
    return (struct value){true, number};
}

static void skip(struct reader *r) {
    r->at = skip_blanks(r->at);
}

static bool accept(struct reader *r, const char *mark) {
    skip(r);
    if (!text_begins_with(r->at, mark)) return false;
    r->at += strlen(mark);
    return true;
}

static struct value read_binary(struct reader *r, int least);

static struct value read_all(const struct macros *macros, const char *text, int depth, int *left) {
    struct reader r = {.macros = macros, .at = text, .depth = depth, .left = left};
    struct value value;
    if (depth > MOST_DEPTH) return unknown;
    value = read_binary(&r, 0);
    skip(&r);
    return r.failed || *r.at ? unknown : value;
}

static struct value read_defined(struct reader *r) {
    const bool in_parentheses = accept(r, "(");
    const char *body;
    enum macro_state state;
    span name;
    skip(r);
    name = word_at(r->at);
    r->at += name.length;
    if (name.length == 0 || (in_parentheses && !accept(r, ")"))) r->failed = true;
    state = macro_find(&body, r->macros, name.start, name.length);
    return state == MACRO_UNCERTAIN ? unknown : known(state == MACRO_DEFINED);
}

static struct value read_word(struct reader *r) {
    const span word = word_at(r->at);
    const char *body;
    r->at += word.length;
    if (word.length == 7 && memcmp(word.start, "defined", 7) == 0) return read_defined(r);
    switch (macro_find(&body, r->macros, word.start, word.length)) {
    case MACRO_DEFINED:
        return read_all(r->macros, body, r->depth + 1, r->left);
    case MACRO_UNDEFINED:
        return known(0);
    default:
        skip(r);
        if (*r->at == '(') r->failed = true; /* it may have parameters */
        return unknown;
    }
}

static struct value read_number(struct reader *r) {
    char *end;
    const long long number = strtoll(r->at, &end, 0);
    r->at = end + strspn(end, "uUlL");
    if (is_word(*r->at) || *r->at == '.') r->failed = true;
    return known(number);
}

static struct value read_operand(struct reader *r) {
    struct value value;
    skip(r);
    if (accept(r, "(")) {
        value = read_binary(r, 0);
        if (!accept(r, ")")) r->failed = true;
        return value;
    }
    if (accept(r, "!")) {
        value = read_operand(r);
        return value.known ? known(!value.number) : unknown;
    }
    if (accept(r, "-")) {
        value = read_operand(r);
        return value.known ? known((long long)-(unsigned long long)value.number) : unknown;
    }
    if (isdigit((unsigned char)*r->at)) return read_number(r);
    if (is_word(*r->at)) return read_word(r);
    r->failed = true;
    return unknown;
}

enum operation { OR, AND, EQUAL, UNEQUAL, AT_MOST, AT_LEAST, LESS, GREATER, PLUS, MINUS, TIMES };

/* A longer mark comes before its beginning. */
static const struct operator{
    const char *mark;
    int binds; /* how strongly */
    enum operation does;
}
operators[] = {{"||", 1, OR},      {"&&", 2, AND},      {"==", 3, EQUAL}, {"!=", 3, UNEQUAL},
               {"<=", 4, AT_MOST}, {">=", 4, AT_LEAST}, {"<", 4, LESS},   {">", 4, GREATER},
               {"+", 5, PLUS},     {"-", 5, MINUS},     {"*", 6, TIMES}};

/* OR and AND are known if one side decides. */
static struct value decide(enum operation does, struct value left, struct value right) {
    const bool deciding = does == OR;
    if ((left.known && (left.number != 0) == deciding) || (right.known && (right.number != 0) == deciding))
        return known(deciding);
    return left.known && right.known ? known(!deciding) : unknown;
}

static struct value compute(enum operation does, struct value left, struct value right) {
    if (does == OR || does == AND) return decide(does, left, right);
    if (!left.known || !right.known) return unknown;
    switch (does) {
    case EQUAL:
        return known(left.number == right.number);
    case UNEQUAL:
        return known(left.number != right.number);
    case AT_MOST:
        return known(left.number <= right.number);
    case AT_LEAST:
        return known(left.number >= right.number);
    case LESS:
        return known(left.number < right.number);
    case GREATER:
        return known(left.number > right.number);
    case PLUS:
        return known((long long)((unsigned long long)left.number + (unsigned long long)right.number));
    case MINUS:
        return known((long long)((unsigned long long)left.number - (unsigned long long)right.number));
    default:
        return known((long long)((unsigned long long)left.number * (unsigned long long)right.number));
    }
}

static const struct operator* next_operator(struct reader *r) {
    skip(r);
    if (text_begins_with(r->at, "<<") || text_begins_with(r->at, ">>")) return NULL;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (text_begins_with(r->at, operators[i].mark)) return &operators[i];
    return NULL;
}

static struct value read_binary(struct reader *r, int least) {
    struct value left;
    const struct operator* next;
    if (++r->depth > MOST_DEPTH || --*r->left < 0) r->failed = true;
    left = r->failed ? unknown : read_operand(r);
    while (!r->failed && (next = next_operator(r)) && next->binds > least) {
        r->at += strlen(next->mark);
        left = compute(next->does, left, read_binary(r, next->binds));
    }
    r->depth--;
    return left;
}

enum truth macros_test(const struct macros *all, const char *condition) {
    int left = MOST_OPERANDS;
    const struct value value = read_all(all, condition, 0, &left);
    if (!value.known || left < 0) return PERHAPS;
    return value.number ? CERTAINLY : CERTAINLY_NOT;
}
