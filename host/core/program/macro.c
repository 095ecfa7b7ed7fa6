/* macro.c - what is known about the macros of a source at a place in it, and whether a condition holds there.
 *
 * Not everything can be known: drivers have macros of their own, and a file that cannot be read may define others.
 * What is uncertain stays uncertain through every computation, so that an answer can be relied on. */
#include "program/macro.h"

#include "program/internal.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* MOST_OPERANDS: of one condition. Macros that name each other several times make any number of them. */
enum { MOST_DEPTH = 32, MOST_OPERANDS = 100000 };

/* ---- the table ---- */

static struct macro *find(const struct macros *all, const char *name, size_t length) {
    for (int32_t i = 0; i < all->count; i++)
        if (strncmp(all->list[i].name, name, length) == 0 && !all->list[i].name[length]) return &all->list[i];
    return NULL;
}

/* True for names that a driver may define by itself. Some define every function of OpenCL C as a macro, so that
 * goes for all names in small letters. */
static bool is_reserved(const char *name, size_t length) {
    static const char *const beginnings[] = {
        "_",        "CL_",    "CLK_",   "FP_",     "M_",      "CHAR_",    "SCHAR_",   "UCHAR_",
        "SHRT_",    "USHRT_", "INT_",   "UINT_",   "LONG_",   "ULONG_",   "INT8_",    "INT16_",
        "INT32_",   "INT64_", "UINT8_", "UINT16_", "UINT32_", "UINT64_",  "INTPTR_",  "UINTPTR_",
        "PTRDIFF_", "SIZE_",  "FLT_",   "DBL_",    "HALF_",   "HUGE_VAL", "ATOMIC_",  "CLC_",
        "CLANG_",   "LLVM_",  "SPIR_",  "IMG_",    "POCL",    "ALTERA",   "INTELFPGA"};
    static const char *const names[] = {"NULL", "NAN", "INFINITY", "MAXFLOAT"};
    size_t small = 0;
    while (small < length && !isupper((unsigned char)name[small]))
        small++;
    if (small == length) return true;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (text_begins_with(name, beginnings[i])) return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) return true;
    return false;
}

enum macro_state macro_find(const char **body_out, const struct macros *all, const char *name, size_t length) {
    const struct macro *found = find(all, name, length);
    *body_out = found && found->body ? found->body : "";
    if (found) return found->state;
    return all->open || is_reserved(name, length) ? MACRO_UNCERTAIN : MACRO_UNDEFINED;
}

bool macro_listed(const struct macros *all, const char *name, size_t length) {
    return find(all, name, length) != NULL;
}

static void set(struct macros *all, span name, enum macro_state state, span body) {
    struct macro *found = find(all, name.start, name.length);
    if (!found) {
        struct macro *more = realloc(all->list, (size_t)(all->count + 1) * sizeof *more);
        if (more) all->list = more;
        if (!more || !(more[all->count].name = text_copy_part(name.start, name.length))) {
            all->open = true;
            return;
        }
        found = &more[all->count++];
        found->body = NULL;
    }
    free(found->body);
    found->body = text_copy_part(body.start, body.length);
    found->state = found->body ? state : MACRO_UNCERTAIN;
}

static span word_at(const char *at) {
    span word = {.start = at};
    while (is_in_name(at[word.length]))
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

/* A number that may be unknown. The preprocessor counts in 64 bits, and as if signed only if both sides are. */
struct value {
    bool known, is_unsigned;
    unsigned long long number;
};

struct reader {
    const struct macros *macros;
    const char *at;
    int depth;
    int *left;   /* how many operands it may still have */
    bool failed; /* it is not an expression that is understood here */
};

static const struct value unknown = {false, false, 0};

static struct value known(bool truth) {
    return (struct value){true, false, truth};
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
        return known(false);
    default:
        skip(r);
        if (*r->at == '(') r->failed = true; /* it may have parameters */
        return unknown;
    }
}

/* Hexadecimal and octal numbers from 2^63 on are unsigned; compilers do not agree on decimal ones. */
static struct value read_number(struct reader *r) {
    char *end;
    const bool decimal = *r->at != '0';
    struct value value = {.known = true};
    errno = 0;
    value.number = strtoull(r->at, &end, 0);
    r->at = end + strspn(end, "uUlL");
    while (end < r->at)
        value.is_unsigned |= toupper((unsigned char)*end++) == 'U';
    if (is_in_name(*r->at) || *r->at == '.' || errno) r->failed = true;
    if (value.is_unsigned || value.number <= LLONG_MAX) return value;
    value.is_unsigned = true;
    return decimal ? unknown : value;
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
        value.number = -value.number;
        return value;
    }
    if (isdigit((unsigned char)*r->at)) return read_number(r);
    if (is_in_name(*r->at)) return read_word(r);
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

static bool is_less(struct value left, struct value right, bool is_unsigned) {
    return is_unsigned ? left.number < right.number : (long long)left.number < (long long)right.number;
}

static struct value compute(enum operation does, struct value left, struct value right) {
    const bool is_unsigned = left.is_unsigned || right.is_unsigned;
    if (does == OR || does == AND) return decide(does, left, right);
    if (!left.known || !right.known) return unknown;
    switch (does) {
    case EQUAL:
        return known(left.number == right.number);
    case UNEQUAL:
        return known(left.number != right.number);
    case AT_MOST:
        return known(!is_less(right, left, is_unsigned));
    case AT_LEAST:
        return known(!is_less(left, right, is_unsigned));
    case LESS:
        return known(is_less(left, right, is_unsigned));
    case GREATER:
        return known(is_less(right, left, is_unsigned));
    case PLUS:
        return (struct value){true, is_unsigned, left.number + right.number};
    case MINUS:
        return (struct value){true, is_unsigned, left.number - right.number};
    default:
        return (struct value){true, is_unsigned, left.number * right.number};
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
