/* gemv.cl - y = alpha X v + beta y for GPUs: the products whose C is one column or one row. X has M x K elements, and is
 * stored by rows, or by columns, with a distance of ldx; v has K elements, y has M, with distances of v_step and y_step.
 * x_first, v_first and y_first are the indices of their first elements. Any M and K from 0 on; where beta is 0, y is not
 * read, and where alpha is 0, neither are X and v.
 *
 * Work-groups have ACROSS x DOWN work-items. A group goes along K and makes some elements of y, whose work-items' sums it
 * adds in local memory. There are as many groups in dimension 0 as that needs: DOWN elements each where X is stored by
 * rows, ACROSS * WIDTH where it is stored by columns.
 *
 *   REAL         the type of the sums and factors: float, double or int
 *   STORED       of the elements of X and v: half (with REAL = float), char (with int), or the same as REAL
 *   RESULT       of y: half, or the same as REAL
 *   BY_COLUMNS   1: X is stored by columns, K x M with rows of ldx. Neighbouring work-items in dimension 0 have
 *                neighbouring columns; those in dimension 1 have every DOWN-th row. 0: they share a row of X, and
 *                dimension 1 has rows
 *   WIDTH        elements of X that are loaded at once, as one RAW: 1, or a divisor of the rows' length, as stored, of
 *                ldx and of x_first, in memory that is aligned to them
 *   RAW          a type of their size: uint4 of 16 bytes
 *   V_WIDTH      WIDTH, if X is stored by rows, v_step is 1, and v is aligned likewise; else 1
 *   UNROLL       so many loads of a work-item are on their way at once
 *   SHARED       1: the groups of dimension 1 share K, `share` of it each. y has their sums, of type REAL: for each of
 *                them M elements, one behind the other, neither multiplied by alpha nor added to beta y. gemm_sum makes
 *                y of them
 */
#if !(defined BY_COLUMNS && defined ACROSS && defined DOWN && defined WIDTH && defined V_WIDTH && defined UNROLL)
#error "gemv.cl: -D BY_COLUMNS=0 -D ACROSS=32 -D DOWN=8 and so on choose the kernel: see the head of gemv.cl"
#endif

#define UNROLLED _Pragma("unroll")
#define INLINE static inline __attribute__((always_inline))

#define FMA_float(a, b, c) fma(a, b, c)
#define FMA_double(a, b, c) fma(a, b, c)
#define FMA_int(a, b, c) ((a) * (b) + (c))
#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)
#define FMA(a, b, c) JOINED(FMA_, REAL)(a, b, c)

/* Elements as they are stored: half has no values of its own without an extension, so its bits stand for it. */
#define CODE_half ushort
#define CODE_float float
#define CODE_double double
#define CODE_int int
#define CODE_char char
#define CODE JOINED(CODE_, STORED)
#define LOAD_half(from) vload_half(0, (const half *)(from))
#define LOAD_float(from) (*(from))
#define LOAD_double(from) (*(from))
#define LOAD_int(from) (*(from))
#define LOAD_char(from) (*(from))
#define VALUE(code) JOINED(LOAD_, STORED)(code)

typedef union {
    RAW raw;
    CODE e[WIDTH];
} Piece;

INLINE Piece piece(global const STORED *from)
{
    Piece made;
    made.raw = *(global const RAW *)from;
    return made;
}

INLINE REAL value(global const STORED *from)
{
    const CODE code = *(global const CODE *)from;
    return VALUE(&code);
}

#define LOAD_RESULT_half(from) vload_half(0, from)
#define LOAD_RESULT_float(from) (*(from))
#define LOAD_RESULT_double(from) (*(from))
#define LOAD_RESULT_int(from) (*(from))
#define STORE_RESULT_half(v, to) vstore_half(v, 0, to)
#define STORE_RESULT_float(v, to) (*(to) = (v))
#define STORE_RESULT_double(v, to) (*(to) = (v))
#define STORE_RESULT_int(v, to) (*(to) = (v))

#if SHARED
#define TARGET REAL
#else
#define TARGET RESULT
#endif

INLINE void store(global TARGET *y, const size_t place, const REAL sum, const REAL alpha, const REAL beta)
{
#if SHARED
    y[place] = sum;
#else
    REAL v = alpha * sum;
    if (beta != 0)
        v += beta * JOINED(LOAD_RESULT_, RESULT)(y + place);
    JOINED(STORE_RESULT_, RESULT)(v, y + place);
#endif
}

#define ARGUMENTS                                                                                                    \
    const int M, const int K, const int share, const REAL alpha, global const STORED *restrict X, const ulong x_first, \
        const int ldx, global const STORED *restrict v, const ulong v_first, const int v_step, const REAL beta,      \
        global TARGET *restrict y, const ulong y_first, const int y_step

/* Where y's element i is. */
#if SHARED
#define PLACE(i) (get_group_id(1) * (size_t)M + (i))
#else
#define PLACE(i) (y_first + (i) * (size_t)y_step)
#endif

#if BY_COLUMNS
#define AT_ONCE DOWN              /* elements along K that the group's work-items have at once */
#define ALONG 1                   /* and a work-item */
#define SUMS WIDTH
#define SUM(u, i) sums[i]
#define X_STEP ((size_t)ldx)      /* from one element of K to the next in X */
#else
#define AT_ONCE (ACROSS * WIDTH)
#define ALONG WIDTH
#define SUMS UNROLL
#define SUM(u, i) sums[u]
#define X_STEP ((size_t)1)
#endif

/* Of load u, element i of v. */
#if V_WIDTH > 1
#define FACTORS Piece
#define LOAD_FACTORS(to, from) (to) = piece(from);
#define FACTOR(u, i) VALUE(&factors[u].e[i])
#else
typedef struct {
    REAL e[ALONG];
} Factors;
#define FACTORS Factors
#define LOAD_FACTORS(to, from)                                                                                       \
    UNROLLED                                                                                                         \
    for (int i = 0; i < ALONG; i++)                                                                                  \
        (to).e[i] = value((from) + i * (size_t)v_step);
#define FACTOR(u, i) (factors[u].e[BY_COLUMNS ? 0 : i])
#endif

/* Loads UNROLL pieces of X and their factors, and adds the products to the sums. ahead: where load u is, in elements of K
 * from X and v; is_inside: whether it counts. Nothing may replace what is outside of K but zeros. */
#define ADD_BATCH(ahead, is_inside)                                                                                  \
    {                                                                                                                \
        Piece pieces[UNROLL];                                                                                        \
        FACTORS factors[UNROLL];                                                                                     \
        UNROLLED                                                                                                     \
        for (uint u = 0; u < UNROLL; u++)                                                                            \
            pieces[u] = piece(X + (ahead) * X_STEP);                                                                 \
        UNROLLED                                                                                                     \
        for (uint u = 0; u < UNROLL; u++) {                                                                          \
            LOAD_FACTORS(factors[u], v + (ahead) * (size_t)v_step)                                                   \
        }                                                                                                            \
        UNROLLED                                                                                                     \
        for (uint u = 0; u < UNROLL; u++)                                                                            \
            UNROLLED                                                                                                 \
            for (int i = 0; i < WIDTH; i++) {                                                                        \
                const REAL x = VALUE(&pieces[u].e[i]), factor = FACTOR(u, i);                                        \
                SUM(u, i) = FMA((is_inside) ? x : 0, (is_inside) ? factor : 0, SUM(u, i));                           \
            }                                                                                                        \
    }

kernel __attribute__((reqd_work_group_size(ACROSS, DOWN, 1))) void gemv(ARGUMENTS)
{
    local REAL sums_of[DOWN * ACROSS * (BY_COLUMNS ? WIDTH : 1)];
    const uint across = get_local_id(0), down = get_local_id(1);
    /* the first element of y that this work-item has sums for, and its first element along K */
    const uint place = BY_COLUMNS ? (get_group_id(0) * ACROSS + across) * WIDTH : get_group_id(0) * DOWN + down;
    uint k = get_group_id(1) * share + (BY_COLUMNS ? down : across * WIDTH);
    const uint end = min((ulong)K, (get_group_id(1) + 1) * (ulong)share);
    REAL sums[SUMS] = {0};
    if (place < M) {
        X += x_first + (BY_COLUMNS ? place : (size_t)place * ldx) + k * X_STEP, v += v_first + k * (size_t)v_step;
        for (; k + (UNROLL - 1) * AT_ONCE < end; k += UNROLL * AT_ONCE) {
            ADD_BATCH(u * AT_ONCE, 1)
            X += UNROLL * AT_ONCE * X_STEP, v += UNROLL * AT_ONCE * (size_t)v_step;
        }
        if (k < end) { /* behind the end of K, its last piece is loaded instead */
            const uint last = (end - 1 - k) / AT_ONCE * AT_ONCE;
            ADD_BATCH(min((uint)(u * AT_ONCE), last), u * AT_ONCE <= last)
        }
    }
#if BY_COLUMNS
    UNROLLED
    for (int i = 0; i < WIDTH; i++)
        sums_of[(down * WIDTH + i) * ACROSS + across] = sums[i];
    for (uint half_of = DOWN / 2; half_of > 0; half_of /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (down < half_of)
            UNROLLED
            for (uint i = down * WIDTH; i < (down + 1) * WIDTH; i++)
                sums_of[i * ACROSS + across] += sums_of[(i + half_of * WIDTH) * ACROSS + across];
    }
    if (down == 0 && place < M)
        UNROLLED
        for (int i = 0; i < WIDTH; i++)
            store(y, PLACE(place + i), sums_of[i * ACROSS + across], alpha, beta);
#else
    UNROLLED
    for (int u = 1; u < UNROLL; u++)
        sums[0] += sums[u];
    sums_of[down * ACROSS + across] = sums[0];
    for (uint half_of = ACROSS / 2; half_of > 0; half_of /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (across < half_of)
            sums_of[down * ACROSS + across] += sums_of[down * ACROSS + across + half_of];
    }
    if (across == 0 && place < M)
        store(y, PLACE(place), sums_of[down * ACROSS], alpha, beta);
#endif
}

#if SHARED
#undef STORED
#define STORED RESULT
#define C_WIDTH 1
#define PIECE REAL
#define LOAD_PIECE(from) JOINED(LOAD_RESULT_, RESULT)(from)
#define STORE_PIECE(v, to) JOINED(STORE_RESULT_, RESULT)(v, to)
#include "gemm_sum.cl"
#endif
