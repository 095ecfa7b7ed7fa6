/* visible.c - makes text of others safe to print: writes \x1b and so on for bytes that would control a terminal or
 * are not text. Finds characters in sources that look like others.
 *
 * Names, source lines, logs and files come from drivers and from people whom the reader may not trust. An escape
 * sequence in them could hide a line, rename a window, or type into the shell. Tabs and line breaks stay. */
#include "clue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef const unsigned char *bytes;

/* The number of bytes of the UTF-8 character that begins here; 0 if none does: a misplaced byte, an overlong form,
 * half of a surrogate pair, or a number past the last character. */
static int64_t character_length(bytes at, int64_t left, uint32_t *code_out) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int64_t length = *at < 0x80 ? 1 : *at >= 0xf0 && *at < 0xf8 ? 4 : *at >= 0xe0 ? 3 : *at >= 0xc0 ? 2 : 0;
    uint32_t code;
    if (length == 0 || *at >= 0xf8 || length > left) return 0;
    code = length == 1 ? *at : *at & (0xffU >> (length + 1));
    for (int64_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (at[i] & 0x3fU);
    }
    *code_out = code;
    return code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? length : 0;
}

/* True for control characters of ASCII and Unicode, and for those that change the direction of text. */
static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

/* The number of bytes from here that can be printed as they are: a character or a line break. */
static int64_t harmless_length(bytes at, int64_t left) {
    uint32_t code = 0;
    int64_t length;
    if (*at == '\n' || *at == '\t') return 1;
    if (*at == '\r') return left > 1 && at[1] == '\n';
    length = character_length(at, left, &code);
    return length > 0 && !is_control(code) ? length : 0;
}

int64_t clue_text_visible(char *out, const char *text, int64_t size) {
    static const char digits[] = "0123456789abcdef";
    bytes at = (bytes)text, end = at + size;
    char *to = out;
    while (at < end) {
        int64_t length = harmless_length(at, end - at);
        if (length > 0) {
            memcpy(to, at, (size_t)length);
            to += length;
            at += length;
            continue;
        }
        *to++ = '\\';
        *to++ = 'x';
        *to++ = digits[*at >> 4];
        *to++ = digits[*at & 15];
        at++;
    }
    *to = '\0';
    return to - out;
}

/* ---- characters that look like others ---- */

/* The characters from first to last; instead: what to write, NULL for nothing. */
struct lookalike {
    uint32_t first, last;
    const char *what, *instead;
};

static const char invisible[] = "an invisible character", wide[] = "a space of another width";
static const char quotation[] = "a typographic quotation mark", dash[] = "a dash";

static const struct lookalike lookalikes[] = {
    {0xa0, 0xa0, "a no-break space", "a space"},
    {0xad, 0xad, "a soft hyphen", NULL},
    {0x1680, 0x1680, wide, "a space"},
    {0x2000, 0x200a, wide, "a space"},
    {0x200b, 0x200f, invisible, NULL},
    {0x2010, 0x2015, dash, "-"},
    {0x2018, 0x201b, quotation, "'"},
    {0x201c, 0x201f, quotation, "\""},
    {0x2028, 0x2029, "a line separator", "a new line"},
    {0x202a, 0x202e, invisible, NULL},
    {0x202f, 0x202f, wide, "a space"},
    {0x2032, 0x2032, "a prime", "'"},
    {0x2033, 0x2033, "a double prime", "\""},
    {0x205f, 0x205f, wide, "a space"},
    {0x2060, 0x2064, invisible, NULL},
    {0x2066, 0x2069, invisible, NULL},
    {0x2212, 0x2212, "a minus sign of mathematics", "-"},
    {0x3000, 0x3000, wide, "a space"},
    {0xfeff, 0xfeff, "a byte order mark", NULL},
    {0xff01, 0xff5e, "a character of another width", NULL},
};

static const struct lookalike *lookalike_of(uint32_t code) {
    for (size_t i = 0; i < sizeof lookalikes / sizeof *lookalikes; i++)
        if (code >= lookalikes[i].first && code <= lookalikes[i].last) return &lookalikes[i];
    return NULL;
}

int64_t clue_text_odd(char *what_out, const char *text, int64_t from, int64_t size) {
    uint32_t code = 0;
    for (int64_t at = from, length = 1; size > at; at += length ? length : 1) {
        const struct lookalike *odd;
        char letter[] = "a";
        const char *instead;
        length = (unsigned char)text[at] < 0x80 ? 1 : character_length((bytes)text + at, size - at, &code);
        if (length < 2 || !(odd = lookalike_of(code))) continue;
        letter[0] = (char)(code - 0xfee0);
        instead = code >= 0xff01 && code <= 0xff5e ? letter : odd->instead;
        (void)snprintf(what_out, CLUE_ODD_SIZE, "%s (U+%04X): %s%s", odd->what, (unsigned)code,
                       instead ? "write " : "remove it", instead ? instead : "");
        return at;
    }
    return -1;
}
