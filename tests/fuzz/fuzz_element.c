/* fuzz_element.c - numbers as text: arguments on the command line, elements of arrays, fields of files.
 *
 * Input: a byte for the type, then the text. Text that is accepted gives a number whose own text is accepted too,
 * and gives the same number.
 *
 * suite: quick
 * runs: 200000 */
#include "fuzz.h"

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    return 0;
}

static void require_same_again(const void *element, int32_t type) {
    char printed[32];
    uint64_t again = 0;
    const double value = clue_element_load(element, type);
    fuzz_require(clue_element_print(printed, element, type) == 1 && *printed && strlen(printed) < sizeof printed);
    if (value != value) return; /* not a number, in any of its forms */
    fuzz_require(clue_element_parse(&again, type, printed));
    fuzz_require(memcmp(&again, element, (size_t)clue_type_size(type)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fuzz_input from = {data, data + size};
    const int32_t type = CLUE_CHAR + fuzz_byte(&from) % CLUE_DOUBLE;
    char *text = fuzz_text(&from);
    struct number {
        uint64_t bits;
    } element = {0};
    if (clue_element_parse(&element, type, text)) require_same_again(&element, type);
    free(text);
    return 0;
}
