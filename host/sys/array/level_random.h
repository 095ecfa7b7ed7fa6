/* level_random.h - random words, and what becomes of them. Part of level.h. */

#include "philox.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

typedef uint64_t counter_vector __attribute__((vector_size(LOOPS_VECTOR)));

enum { TOGETHER = 2 * LOOPS_VECTOR / 8 }; /* blocks that are made at a time */

/* The products of the low halves with a number. Compilers do not find the instruction. */
static inline counter_vector multiply_low(counter_vector value, uint32_t by) {
#if LOOPS_VECTOR == 64
    return (counter_vector)_mm512_mul_epu32((__m512i)value, _mm512_set1_epi64(by));
#elif LOOPS_VECTOR == 32
    return (counter_vector)_mm256_mul_epu32((__m256i)value, _mm256_set1_epi64x(by));
#elif defined(__SSE2__)
    return (counter_vector)_mm_mul_epu32((__m128i)value, _mm_set1_epi64x(by));
#else
    return (value & UINT32_MAX) * by;
#endif
}

/* The four words of blocks; what is above the low half of an element does not count. Two vectors of each word,
 * since a product takes longer than all else in a round. */
static inline void mix(counter_vector words[4][2], uint64_t key) {
    uint32_t key_0 = (uint32_t)key, key_1 = (uint32_t)(key >> 32);
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        for (int i = 0; i < 2; i++) {
            const counter_vector of_0 = multiply_low(words[0][i], PHILOX_FACTOR_0);
            const counter_vector of_2 = multiply_low(words[2][i], PHILOX_FACTOR_2);
            words[0][i] = (of_2 >> 32) ^ words[1][i] ^ key_0;
            words[1][i] = of_2;
            words[2][i] = (of_0 >> 32) ^ words[3][i] ^ key_1;
            words[3][i] = of_0;
        }
        key_0 += PHILOX_STEP_0;
        key_1 += PHILOX_STEP_1;
    }
}

static inline void mix_blocks(uint32_t words_out[4 * TOGETHER], uint64_t first, uint64_t stream, uint64_t key) {
    static const uint64_t NUMBERS[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    uint64_t mixed[4][TOGETHER];
    counter_vector vectors[4][2] = {{{0}}};
    memcpy(vectors[0], NUMBERS, sizeof vectors[0]);
    for (int i = 0; i < 2; i++) {
        vectors[0][i] += first;
        vectors[1][i] = vectors[0][i] >> 32;
        vectors[2][i] += stream;
        vectors[3][i] += stream >> 32;
    }
    mix(vectors, key);
    memcpy(mixed, vectors, sizeof mixed);
    for (int i = 0; i < TOGETHER; i++)
        for (int word = 0; word < 4; word++)
            words_out[(int64_t)4 * i + word] = (uint32_t)mixed[word][i];
}

static void words(uint32_t *words_out, uint64_t first, uint64_t stream, int64_t blocks, uint64_t key) {
    uint32_t last[4 * TOGETHER];
    for (; blocks >= TOGETHER; blocks -= TOGETHER, first += TOGETHER, words_out += (int64_t)4 * TOGETHER)
        mix_blocks(words_out, first, stream, key);
    if (blocks == 0) return;
    mix_blocks(last, first, stream, key);
    memcpy(words_out, last, (size_t)blocks * 4 * sizeof *last);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): a type and a part of a name cannot have any */
/* The high half of word * span. A span of 2^32 takes each word as it is. */
#define RANDOM_WHOLE(code, type)                                                                                   \
    static void random_##code(void *data_out, const uint32_t *words, int64_t count, uint64_t low, uint64_t span) { \
        type *data = data_out;                                                                                     \
        const uint32_t width = (uint32_t)span;                                                                     \
        for (int64_t i = 0; i < count; i++) {                                                                      \
            const uint32_t offset = width ? (uint32_t)((uint64_t)words[i] * width >> 32) : words[i];               \
            data[i] = (type)((uint32_t)low + offset);                                                              \
        }                                                                                                          \
    }

RANDOM_WHOLE(CHAR, int8_t)
RANDOM_WHOLE(UCHAR, uint8_t)
RANDOM_WHOLE(SHORT, int16_t)
RANDOM_WHOLE(USHORT, uint16_t)
RANDOM_WHOLE(INT, int32_t)
RANDOM_WHOLE(UINT, uint32_t)

__extension__ typedef unsigned __int128 wide_product;

/* A short span needs no product of 128 bits. */
#define RANDOM_LONG(code, type)                                                                                    \
    static void random_##code(void *data_out, const uint32_t *words, int64_t count, uint64_t low, uint64_t span) { \
        type *data = data_out;                                                                                     \
        const uint32_t width = (uint32_t)span;                                                                     \
        for (int64_t i = 0; i < count && span == width; i++) {                                                     \
            const uint64_t carried = (uint64_t)words[2 * i] * width >> 32;                                         \
            data[i] = (type)(low + (((uint64_t)words[2 * i + 1] * width + carried) >> 32));                        \
        }                                                                                                          \
        for (int64_t i = 0; i < count && span != width; i++) {                                                     \
            const uint64_t word = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;                                 \
            data[i] = (type)(low + (uint64_t)((wide_product)word * span >> 64));                                   \
        }                                                                                                          \
    }

RANDOM_LONG(LONG, int64_t)
RANDOM_LONG(ULONG, uint64_t)
/* NOLINTEND(bugprone-macro-parentheses) */

static void random_FLOAT(float *data_out, const uint32_t *words, int64_t count, const struct loops_interval *in) {
    const float first = (float)in->first, width = (float)in->width, scale = (float)in->scale;
    const float least = (float)in->least, most = (float)in->most;
    for (int64_t i = 0; i < count; i++) {
        const float value = (first + (float)(int32_t)(words[i] >> 8) * 0x1p-24F * width) * scale;
        const float below = value < most ? value : most;
        data_out[i] = below > least ? below : least;
    }
}

/* The 53 bits are converted in two parts, which every processor does quickly. */
static void random_DOUBLE(double *data_out, const uint32_t *words, int64_t count, const struct loops_interval *in) {
    const double first = in->first, width = in->width, scale = in->scale, least = in->least, most = in->most;
    for (int64_t i = 0; i < count; i++) {
        const uint32_t low = words[2 * i] >> 11, high = words[2 * i + 1];
        const double unit =
            (double)(int32_t)(high >> 1) * 0x1p-31 + (double)(int32_t)(low | (high & 1) << 21) * 0x1p-53;
        const double value = (first + unit * width) * scale;
        const double below = value < most ? value : most;
        data_out[i] = below > least ? below : least;
    }
}
