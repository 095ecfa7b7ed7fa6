/* level_sum.h - sums. Part of level.h.
 *
 * Whole numbers are added exactly. Floating-point numbers are added in LOOPS_LANES partial sums of doubles; each
 * addition's error is computed without error (Knuth's TwoSum) and added up beside its sum. */

__extension__ typedef __int128 whole_sum;

enum { SUM_BLOCK = 32768 }; /* so many of the largest elements fit the type of a partial sum */

#define WHOLE_SUM(code, type, partial)                                                                             \
    static double sum_##code(const void *data, int64_t count) {                                                    \
        const type *x = data;                                                                                      \
        whole_sum total = 0;                                                                                       \
        for (int64_t first = 0; first < count; first += SUM_BLOCK) {                                               \
            const int64_t stop = count - first < SUM_BLOCK ? count : first + SUM_BLOCK;                            \
            partial sum = 0;                                                                                       \
            for (int64_t i = first; i < stop; i++)                                                                 \
                sum += x[i];                                                                                       \
            total += sum;                                                                                          \
        }                                                                                                          \
        return (double)total;                                                                                      \
    }

WHOLE_SUM(CHAR, int8_t, int32_t)
WHOLE_SUM(UCHAR, uint8_t, uint32_t)
WHOLE_SUM(SHORT, int16_t, int32_t)
WHOLE_SUM(USHORT, uint16_t, uint32_t)
WHOLE_SUM(INT, int32_t, int64_t)
WHOLE_SUM(UINT, uint32_t, uint64_t)

/* The halves of 64-bit numbers are added separately. Flipping the sign bit makes signed ones unsigned, each greater
 * by the bias. */
#define LONG_SUM(code, type, bias)                                                                                 \
    static double sum_##code(const void *data, int64_t count) {                                                    \
        const type *x = data;                                                                                      \
        whole_sum total = 0;                                                                                       \
        for (int64_t first = 0; first < count; first += SUM_BLOCK) {                                               \
            const int64_t stop = count - first < SUM_BLOCK ? count : first + SUM_BLOCK;                            \
            uint64_t low = 0, high = 0;                                                                            \
            for (int64_t i = first; i < stop; i++) {                                                               \
                const uint64_t value = (uint64_t)x[i] ^ (bias);                                                    \
                low += value & UINT32_MAX;                                                                         \
                high += value >> 32;                                                                               \
            }                                                                                                      \
            total += ((whole_sum)high << 32) + low - (whole_sum)(bias) * (stop - first);                           \
        }                                                                                                          \
        return (double)total;                                                                                      \
    }

LONG_SUM(LONG, int64_t, UINT64_C(1) << 63)
LONG_SUM(ULONG, uint64_t, UINT64_C(0))

typedef double double_vector __attribute__((vector_size(LOOPS_VECTOR)));
typedef float float_vector __attribute__((vector_size(LOOPS_VECTOR / 2)));

enum { PER_VECTOR = LOOPS_VECTOR / sizeof(double), VECTORS = LOOPS_LANES / PER_VECTOR };

/* GCC 12 makes four instructions of one for a vector of AVX's. */
#if LOOPS_VECTOR == 64
#define LOAD_FLOAT(vector_out, address) (vector_out) = (double_vector)_mm512_cvtps_pd(_mm256_loadu_ps(address));
#elif LOOPS_VECTOR == 32
#define LOAD_FLOAT(vector_out, address) (vector_out) = (double_vector)_mm256_cvtps_pd(_mm_loadu_ps(address));
#else
#define LOAD_FLOAT(vector_out, address)                                                                            \
    {                                                                                                              \
        float_vector loaded;                                                                                       \
        memcpy(&loaded, address, sizeof loaded);                                                                   \
        (vector_out) = __builtin_convertvector(loaded, double_vector);                                             \
    }
#endif
#define LOAD_DOUBLE(vector_out, address) memcpy(&(vector_out), address, sizeof(vector_out));

#define TWO_SUM(sum, lost, value)                                                                                  \
    {                                                                                                              \
        const __typeof__(sum) next = (sum) + (value), part = next - (sum);                                         \
        (lost) += ((sum) - (next - part)) + ((value)-part);                                                        \
        (sum) = next;                                                                                              \
    }

/* Adds numbers whose additions lose digits. */
#define ADD_WITH_LOSS(code, type)                                                                                  \
    static void add_##code(struct loops_sums *sums, const type *x, int64_t count) {                                \
        double_vector sum[VECTORS], lost[VECTORS];                                                                 \
        int64_t i = 0;                                                                                             \
        memcpy(sum, sums->sum, sizeof sum);                                                                        \
        memcpy(lost, sums->lost, sizeof lost);                                                                     \
        for (; i + LOOPS_LANES <= count; i += LOOPS_LANES)                                                         \
            for (int v = 0; v < VECTORS; v++) {                                                                    \
                double_vector value;                                                                               \
                LOAD_##code(value, x + i + (int64_t)v * PER_VECTOR);                                               \
                TWO_SUM(sum[v], lost[v], value);                                                                   \
            }                                                                                                      \
        memcpy(sums->sum, sum, sizeof sum);                                                                        \
        memcpy(sums->lost, lost, sizeof lost);                                                                     \
        for (int lane = 0; lane < LOOPS_LANES && i < count; i++, lane++)                                           \
            TWO_SUM(sums->sum[lane], sums->lost[lane], (double)x[i]);                                              \
    }

ADD_WITH_LOSS(FLOAT, float)
ADD_WITH_LOSS(DOUBLE, double)

/* The square of a float is exact as a double, so adding it in one instruction gives the same sum. */
#if LOOPS_VECTOR == 64
#define WITH_SQUARE_FLOAT(sum, value)                                                                              \
    ((double_vector)_mm512_fmadd_pd((__m512d)(value), (__m512d)(value), (__m512d)(sum)))
#elif LOOPS_VECTOR == 32
#define WITH_SQUARE_FLOAT(sum, value)                                                                              \
    ((double_vector)_mm256_fmadd_pd((__m256d)(value), (__m256d)(value), (__m256d)(sum)))
#else
#define WITH_SQUARE_FLOAT WITH_SQUARE_DOUBLE
#endif
#define WITH_SQUARE_DOUBLE(sum, value) ((sum) + (value) * (value))

#define SQUARES(code, type)                                                                                        \
    static double squares_##code(const type *x, int64_t count) {                                                   \
        double_vector sum[VECTORS] = {0};                                                                          \
        double total = 0, lanes[LOOPS_LANES];                                                                      \
        int64_t i = 0;                                                                                             \
        for (; i + LOOPS_LANES <= count; i += LOOPS_LANES)                                                         \
            for (int v = 0; v < VECTORS; v++) {                                                                    \
                double_vector value;                                                                               \
                LOAD_##code(value, x + i + (int64_t)v * PER_VECTOR);                                               \
                sum[v] = WITH_SQUARE_##code(sum[v], value);                                                        \
            }                                                                                                      \
        memcpy(lanes, sum, sizeof lanes);                                                                          \
        for (int lane = 0; lane < LOOPS_LANES && i < count; i++, lane++)                                           \
            lanes[lane] += (double)x[i] * (double)x[i];                                                            \
        for (int lane = 0; lane < LOOPS_LANES; lane++)                                                             \
            total += lanes[lane];                                                                                  \
        return total;                                                                                              \
    }

SQUARES(FLOAT, float)
SQUARES(DOUBLE, double)

/* Doubles hold the sums of EXACT floats of each lane if all are zero or have exponents that differ by at most
 * EXACT_RANGE: 24 bits of a float, EXACT_RANGE more, one for the greatest's magnitude and four for sixteen of them.
 */
enum { EXACT = 16, EXACT_BLOCK = EXACT * LOOPS_LANES, EXACT_RANGE = 24, FRACTION_BITS = 23 };

static bool adds_exactly(const float *x) {
    uint32_t least = UINT32_MAX, greatest = 0;
    for (int i = 0; i < EXACT_BLOCK; i++) {
        uint32_t magnitude;
        memcpy(&magnitude, x + i, sizeof magnitude);
        magnitude &= INT32_MAX;
        greatest = magnitude > greatest ? magnitude : greatest;
        least = magnitude - 1 < least ? magnitude - 1 : least; /* a zero is the greatest number here */
    }
    greatest >>= FRACTION_BITS;
    return greatest < FLT_MAX_EXP - FLT_MIN_EXP + 2 && /* no infinity, no NaN */
           greatest <= (least >> FRACTION_BITS) + EXACT_RANGE;
}

static void add_floats(struct loops_sums *sums, const float *x, int64_t count) {
    for (; count >= EXACT_BLOCK; x += EXACT_BLOCK, count -= EXACT_BLOCK) {
        double_vector sum[VECTORS] = {0};
        double lanes[LOOPS_LANES];
        if (!adds_exactly(x)) {
            add_FLOAT(sums, x, EXACT_BLOCK);
            continue;
        }
        for (int i = 0; i < EXACT_BLOCK; i += LOOPS_LANES)
            for (int v = 0; v < VECTORS; v++) {
                double_vector value;
                LOAD_FLOAT(value, x + i + (int64_t)v * PER_VECTOR);
                sum[v] += value;
            }
        memcpy(lanes, sum, sizeof lanes);
        add_DOUBLE(sums, lanes, LOOPS_LANES);
    }
    add_FLOAT(sums, x, count);
}
