/* loops.h - the loops over many elements, compiled for several instruction sets; for the files of host/sys.
 *
 * One text, level.h, is compiled once for each set, by loops_base.c and its siblings. loops() chooses at run time.
 * All sets give the same results, bit by bit: the order of all additions is fixed by LANES, and nothing is fused.
 * Elements must be aligned to their size. */
#ifndef CLUE_ARRAY_LOOPS_H
#define CLUE_ARRAY_LOOPS_H

#include "clue.h"

#include <stdbool.h>

/* The types that C has, as X(code, type in memory); half is not among them. */
#define LOOPS_WHOLE_TYPES(X)                                                                                       \
    X(CHAR, int8_t)                                                                                                \
    X(UCHAR, uint8_t)                                                                                              \
    X(SHORT, int16_t) X(USHORT, uint16_t) X(INT, int32_t) X(UINT, uint32_t) X(LONG, int64_t) X(ULONG, uint64_t)
#define LOOPS_C_TYPES(X) LOOPS_WHOLE_TYPES(X) X(FLOAT, float) X(DOUBLE, double)

enum {
    LOOPS_TYPES = CLUE_DOUBLE + 1,
    LOOPS_LANES = 16,  /* partial sums, on every processor */
    LOOPS_BLOCK = 1024 /* elements that are converted or compared together: they fit the nearest cache */
};

/* Partial sums, and what their additions lost. */
struct loops_sums {
    double sum[LOOPS_LANES], lost[LOOPS_LANES];
};

struct loops_extremes {
    int64_t least, greatest, unordered; /* indexes, -1 for none; the number of NaNs */
};

/* How random words become floating-point numbers: (first + u * width) * scale, bounded by least and most. */
struct loops_interval {
    double first, width, scale, least, most;
};

struct loops {
    const char *name;
    /* By the size of an element. */
    void (*fill[9])(void *data_out, const void *element, int64_t count);
    void (*swap[9])(void *data, int64_t count);
    void (*transpose[9])(void *data_out, const void *source, int64_t rows, int64_t columns);
    /* By type. Whole numbers: the exact sum, rounded once. */
    double (*sum[LOOPS_TYPES])(const void *data, int64_t count);
    void (*add_floats)(struct loops_sums *sums, const float *data, int64_t count);
    void (*add_doubles)(struct loops_sums *sums, const double *data, int64_t count);
    double (*squares_of_floats)(const float *data, int64_t count);
    double (*squares_of_doubles)(const double *data, int64_t count);
    void (*extremes[LOOPS_TYPES])(struct loops_extremes *out, const void *data, int64_t count);
    /* [to][from], not half. Returns false, and writes at most what stands before it, if an element may not fit:
     * certainly not, except that infinite doubles become floats. */
    bool (*convert[LOOPS_TYPES][LOOPS_TYPES])(void *data_out, const void *source, int64_t count);
    void (*half_to_float)(float *data_out, const uint16_t *source, int64_t count);
    /* At most a block. Returns false, and writes nothing, if an element does not fit. */
    bool (*float_to_half)(uint16_t *data_out, const float *source, int64_t count);
    /* So that rounding the result to half rounds the double only once; at most a block, which must be in the range
     * of half. */
    void (*double_to_odd_float)(float *data_out, const double *source, int64_t count);
    /* True if all differences are surely below the tolerance. */
    bool (*near)(const double *left, const double *right, int64_t count, double tolerance);
    /* True if |left - right| <= absolute + relative * |right| for all. */
    bool (*close)(const double *left, const double *right, int64_t count, double relative, double absolute,
                  bool equal_nan);
    /* Philox4x32-10: the words of blocks from first on, four each. The stream is the upper half of their counters.
     */
    void (*words)(uint32_t *words_out, uint64_t first, uint64_t stream, int64_t blocks, uint64_t key);
    /* The next elements from random words; for whole numbers low + a number below span, whose bits these are. */
    void (*random[LOOPS_TYPES])(void *data_out, const uint32_t *words, int64_t count, uint64_t low, uint64_t span);
    void (*random_floats)(float *data_out, const uint32_t *words, int64_t count, const struct loops_interval *in);
    void (*random_doubles)(double *data_out, const uint32_t *words, int64_t count, const struct loops_interval *in);
};

/* The best for this processor. */
const struct loops *loops(void);
/* All that this processor can run, for tests: from 0 on, then NULL. */
const struct loops *loops_level(int index);

#endif
