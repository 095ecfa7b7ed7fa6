/* fuzz_visible.c - clue_text_visible(), through which all names, logs and files of others reach the terminal.
 *
 * What it writes has no control characters but tabs and line breaks, fits into the room that clue.h promises, and
 * does not change if it is made visible again.
 *
 * suite: quick
 * runs: 50000 */
#include "fuzz.h"

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    return 0;
}

static void require_harmless(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i], next = (unsigned char)text[i + 1];
        fuzz_require(c >= 0x20 || c == '\n' || c == '\t' || (c == '\r' && next == '\n'));
        fuzz_require(c != 0x7f && !(c == 0xc2 && next < 0xa0)); /* DEL, and the control characters after it */
        fuzz_require(c < 0xf8 && c != 0xc0 && c != 0xc1);       /* never in UTF-8 */
    }
    fuzz_require(!strstr(text, "\xe2\x80\xae")); /* right to left */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *once = malloc(4 * size + 1), *twice = malloc(16 * size + 1);
    int64_t length, again;
    fuzz_require(once && twice);
    length = clue_text_visible(once, (const char *)data, (int64_t)size);
    fuzz_require(length >= (int64_t)size && length <= 4 * (int64_t)size);
    fuzz_require((size_t)length == strlen(once));
    require_harmless(once, (size_t)length);
    again = clue_text_visible(twice, once, length);
    fuzz_require(again == length && memcmp(once, twice, (size_t)length) == 0);
    free(once);
    free(twice);
    return 0;
}
