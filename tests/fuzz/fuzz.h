/* fuzz.h - shared by the fuzz targets: the two functions that libFuzzer calls, and how a target reads its input.
 *
 * Each target is one C file. It says which code it gives arbitrary bytes to, and what must hold for any of them.
 * The fuzz preset links it with libFuzzer; other builds link it with replay.c, which runs it once for each file of
 * its corpus. */
#ifndef CLUE_FUZZ_H
#define CLUE_FUZZ_H

#include "clue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***arguments);

/* Ends the process if this does not hold: libFuzzer then keeps the input. */
#define fuzz_require(holds)                                                                                        \
    do {                                                                                                           \
        if (!(holds)) {                                                                                            \
            (void)fprintf(stderr, "%s:%d: this does not hold: %s\n", __FILE__, __LINE__, #holds);                  \
            abort();                                                                                               \
        }                                                                                                          \
    } while (0)

struct fuzz_input {
    const uint8_t *at, *end;
};

/* The next part of the input as a text on the heap: up to a zero byte, or the rest; "" at the end. */
static inline char *fuzz_text(struct fuzz_input *from) {
    size_t length = 0;
    char *text;
    while (from->at + length < from->end && from->at[length])
        length++;
    text = malloc(length + 1);
    fuzz_require(text);
    if (length) memcpy(text, from->at, length);
    text[length] = '\0';
    from->at += length;
    from->at += from->at < from->end;
    return text;
}

/* The next byte; 0 at the end. */
static inline uint8_t fuzz_byte(struct fuzz_input *from) {
    return from->at < from->end ? *from->at++ : 0;
}

#endif
