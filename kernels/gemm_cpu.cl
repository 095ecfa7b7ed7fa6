/* gemm_cpu.cl - C = alpha A B + beta C for CPUs. All matrices are stored by rows: A is M x K, B is K x N, C is M x N;
 * lda, ldb and ldc are the distances of their rows, a_first, b_first and c_first the indices of their first elements.
 * Any M, N and K from 0 on; where beta is 0, C is not read.
 *
 *   REAL, BYTES    the type that is computed with: float (4), double (8), int (4)
 *   WIDTH          numbers in a vector register: 4, 8 or 16
 *   MR NV          a tile of C in registers: MR (3, 6 or 12) rows of NV vectors. MR * NV + NV + 1 registers are needed
 *   A_PITCH        the distance of rows in a panel of A: kblk and some more (THIN has none)
 *   A_PANEL        elements of a panel of A: MR * A_PITCH or more
 *   SCRATCH        elements of `room` for each group: A_PANEL and kblk * nblk, or THIN * (kblk + LINE), or more
 *   TRANSPOSED_A   1: A is stored by columns, K x M with rows of lda
 *   TRANSPOSED_B   1: B is stored by columns, N x K with rows of ldb
 *   TRANSPOSED_C   1: C is stored by columns, N x M with rows of ldc
 *   THIN           N, if there are few columns, and A is stored by rows; else 0
 *   PREFETCH       1: __builtin_prefetch for what is needed next (compilers built on clang)
 *
 * One work-item a group. C is divided into blocks of mblk x nblk (multiples of MR and of WIDTH * NV), and K into parts of
 * `share`. The groups take a block and a part from a counter: drivers for CPUs give each thread several groups at once,
 * so blocks as groups would be shared badly. If there are several parts, C has their products, one M x N matrix behind
 * the other: alpha must be 1 and beta 0, and gemm_sum.cl adds them.
 *
 * A group goes through K by kblk at a time, so that a panel of A stays in the first cache and a block of B in the second.
 * It copies its block of B into panels of WIDTH * NV columns, and A into panels of MR rows, and multiplies each panel of
 * A with each of B. With `direct`, whole panels of B are read where they are. With THIN, memory is what limits: A is read
 * where it is, once, by vectors along K, and multiplied with B's columns, of which THIN * (kblk + LINE) elements stay in
 * the second cache. `room` holds SCRATCH elements for each group; `jobs` two ints, 0 before the kernel and after it. */
#define NR (WIDTH * NV)
/* LR: rows of the tile for what is left below whole panels */
#if MR == 12
#define LR 4
#elif MR == 6
#define LR 2
#elif MR == 3
#define LR 1
#else
#error "gemm_cpu.cl: MR is 3, 6 or 12"
#endif
#define UNROLL 4
#define LINE (64 / BYTES)

#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)
#define VEC JOINED(REAL, WIDTH)
#define VEC4 JOINED(REAL, 4)
#define VEC8 JOINED(REAL, 8)
#define LOAD(p) JOINED(vload, WIDTH)(0, p)
#define STORE(v, p) JOINED(vstore, WIDTH)(v, 0, p)
#define INLINE static inline __attribute__((always_inline))
#define UNROLLED _Pragma("unroll")

#define FMA_float(a, b, c) fma(a, b, c)
#define FMA_double(a, b, c) fma(a, b, c)
#define FMA_int(a, b, c) ((a) * (b) + (c))
#define FMA(a, b, c) JOINED(FMA_, REAL)(a, b, c)

#if PREFETCH
#define FETCH(p, level) __builtin_prefetch((const void *)(size_t)(p), 0, level)
#else
#define FETCH(p, level)
#endif

/* Element (i, k) of A's panel is at i * A_ROW + k * A_COLUMN. */
#if TRANSPOSED_A
#define A_ROW 1
#define A_COLUMN MR
#else
#define A_ROW A_PITCH
#define A_COLUMN 1
#endif

#if TRANSPOSED_A
#define A_AT(i, k) ((k) * (size_t)lda + (i))
#else
#define A_AT(i, k) ((i) * (size_t)lda + (k))
#endif
#if TRANSPOSED_B
#define B_AT(k, j) ((j) * (size_t)ldb + (k))
#else
#define B_AT(k, j) ((k) * (size_t)ldb + (j))
#endif
#if TRANSPOSED_C
#define C_AT(i, j) ((j) * (size_t)ldc + (i))
#else
#define C_AT(i, j) ((i) * (size_t)ldc + (j))
#endif

#if THIN

/* ---- few columns ---- */

#define SUMS (MR * NV / THIN) /* rows of sums in registers */
#define DOT_ROWS (SUMS > 8 ? 8 : SUMS > 0 ? SUMS : 1)

/* The sum of a vector's elements. */
INLINE REAL added(const VEC v)
{
#if WIDTH == 16
    const VEC8 eight = v.lo + v.hi;
    const VEC4 four = eight.lo + eight.hi;
#elif WIDTH == 8
    const VEC4 four = v.lo + v.hi;
#elif WIDTH == 4
    const VEC4 four = v;
#else
    const VEC4 four = (VEC4)(v, 0, 0);
#endif
    return four.s0 + four.s1 + (four.s2 + four.s3);
}

/* A function for R rows of A times all columns of B, which are PITCH apart. */
#define DEFINE_DOTS(NAME, R)                                                                                           \
    INLINE void NAME(const int count, global const REAL *a, const int lda, global const REAL *b, const int pitch,      \
                     global REAL *c, const int ldc, const REAL alpha, const REAL beta)                                 \
    {                                                                                                                  \
        VEC sum[R][THIN];                                                                                              \
        UNROLLED for (int i = 0; i < R; i++)                                                                           \
            UNROLLED for (int j = 0; j < THIN; j++) sum[i][j] = (VEC)(0);                                              \
        int k = 0;                                                                                                     \
        _Pragma("nounroll") for (; k + WIDTH <= count; k += WIDTH)                                                     \
        {                                                                                                              \
            VEC row[R];                                                                                                \
            UNROLLED for (int i = 0; i < R; i++) row[i] = LOAD(a + i * (size_t)lda + k);                               \
            UNROLLED for (int j = 0; j < THIN; j++)                                                                    \
            {                                                                                                          \
                const VEC column = LOAD(b + j * pitch + k);                                                            \
                UNROLLED for (int i = 0; i < R; i++) sum[i][j] = FMA(row[i], column, sum[i][j]);                       \
            }                                                                                                          \
        }                                                                                                              \
        UNROLLED for (int i = 0; i < R; i++)                                                                           \
            UNROLLED for (int j = 0; j < THIN; j++)                                                                    \
            {                                                                                                          \
                REAL total = added(sum[i][j]);                                                                         \
                for (int rest = k; rest < count; rest++)                                                               \
                    total = FMA(a[i * (size_t)lda + rest], b[j * pitch + rest], total);                                \
                global REAL *const to = c + C_AT(i, j);                                                                \
                *to = beta == 0 ? alpha * total : FMA(alpha, total, beta * *to);                                       \
            }                                                                                                          \
    }

DEFINE_DOTS(dots, DOT_ROWS)
#if DOT_ROWS > 1
DEFINE_DOTS(last_dots, 1)
#endif

/* A block of C, and `count` of K: adds to all_rows rows. */
INLINE void multiply(const int count, global const REAL *a, const int lda, global const REAL *b, const int ldb,
                     const int direct, global REAL *c, const int ldc, const int all_rows, const int columns,
                     const REAL alpha, const REAL beta, global REAL *room)
{
    const int pitch = count + LINE;
    for (int k = 0; k < count; k++)
        UNROLLED for (int j = 0; j < THIN; j++) room[j * pitch + k] = b[B_AT(k, j)];
    int m = 0;
    for (; m + DOT_ROWS <= all_rows; m += DOT_ROWS)
        dots(count, a + A_AT(m, 0), lda, room, pitch, c + C_AT(m, 0), ldc, alpha, beta);
#if DOT_ROWS > 1
    for (; m < all_rows; m++)
        last_dots(count, a + A_AT(m, 0), lda, room, pitch, c + C_AT(m, 0), ldc, alpha, beta);
#endif
}

#else

/* ---- a tile of C ---- */

/* One step along K: a column of the panel of A times a row of W vectors of B. */
#define STEP(R, W, k)                                                                                                  \
    {                                                                                                                  \
        VEC row[W];                                                                                                    \
        UNROLLED for (int j = 0; j < W; j++) row[j] = LOAD(b + (k) * pitch + j * WIDTH);                               \
        UNROLLED for (int i = 0; i < R; i++)                                                                           \
        {                                                                                                              \
            const VEC one = (VEC)(a[i * A_ROW + (k) * A_COLUMN]);                                                      \
            UNROLLED for (int j = 0; j < W; j++) sum[i][j] = FMA(one, row[j], sum[i][j]);                              \
        }                                                                                                              \
    }

/* Leaves sums in C: all of a tile's, or those of its first rows and columns. */
#define LEAVE(R, W)                                                                                                    \
    if (!TRANSPOSED_C && rows == R && columns == W * WIDTH && beta == 0)                                                                \
        UNROLLED for (int i = 0; i < R; i++)                                                                           \
            UNROLLED for (int j = 0; j < W; j++)                                                                       \
                STORE(alpha * sum[i][j], c + i * (size_t)ldc + j * WIDTH);                                             \
    else if (!TRANSPOSED_C && rows == R && columns == W * WIDTH)                                                                        \
        UNROLLED for (int i = 0; i < R; i++)                                                                           \
            UNROLLED for (int j = 0; j < W; j++)                                                                       \
            {                                                                                                          \
                global REAL *const to = c + i * (size_t)ldc + j * WIDTH;                                               \
                STORE(FMA((VEC)alpha, sum[i][j], beta * LOAD(to)), to);                                                \
            }                                                                                                          \
    else {                                                                                                             \
        REAL part[R][W * WIDTH];                                                                                       \
        UNROLLED for (int i = 0; i < R; i++)                                                                           \
            UNROLLED for (int j = 0; j < W; j++) STORE(sum[i][j], &part[i][j * WIDTH]);                                \
        for (int i = 0; i < rows; i++)                                                                                 \
            for (int j = 0; j < columns; j++) {                                                                        \
                global REAL *const to = c + C_AT(i, j);                                                                \
                *to = beta == 0 ? alpha * part[i][j] : FMA(alpha, part[i][j], beta * *to);                             \
            }                                                                                                          \
    }

/* A function for tiles of R x W vectors. `pitch` is the distance of the rows of b. The lines of C that the tile will
 * change, and the next rows of A, are fetched a few at a time: all at once, they would hold up the loads of B. */
#define DEFINE_TILE(NAME, R, W)                                                                                        \
    INLINE void NAME(const int count, global const REAL *a, global const REAL *b,                    \
                     const size_t pitch, global REAL *c, const int ldc, const int rows, const int columns,    \
                     const REAL alpha, const REAL beta, global const REAL *next, const int step)                       \
    {                                                                                                                  \
        VEC sum[R][W];                                                                                                 \
        UNROLLED for (int i = 0; i < R; i++)                                                                           \
            UNROLLED for (int j = 0; j < W; j++) sum[i][j] = (VEC)(0);                                                 \
        global const REAL *line = c;                                                                                   \
        int k = 0, fetched = 1;                                                                                        \
        for (; k + LINE <= count; k += LINE) {                                                                         \
            UNROLLED for (int j = 0; j < W; j++) FETCH(line + j * WIDTH, 3);                                           \
            FETCH(next, 2);                                                                                            \
            next += step;                                                                                              \
            line += fetched++ < rows ? ldc : 0;                                                                        \
            _Pragma("nounroll") for (int u = 0; u < LINE; u += UNROLL)                                                 \
            {                                                                                                          \
                UNROLLED for (int s = 0; s < UNROLL; s++) STEP(R, W, s)                                                \
                a += UNROLL * A_COLUMN, b += UNROLL * pitch;                                                           \
            }                                                                                                          \
        }                                                                                                              \
        _Pragma("nounroll") for (; k < count; k++)                                                                     \
        {                                                                                                              \
            STEP(R, W, 0)                                                                                              \
            a += A_COLUMN, b += pitch;                                                                                 \
        }                                                                                                              \
        LEAVE(R, W)                                                                                                    \
    }

DEFINE_TILE(whole_tile, MR, NV)
DEFINE_TILE(low_tile, LR, NV)
#if NV > 1
DEFINE_TILE(narrow_tile, MR, 1)
#endif

/* ---- copies ---- */

/* Copies rows x count of A into a panel. Fetches what is `ahead`, from a row on. */
INLINE void copy_a(global REAL *panel, global const REAL *from, const int lda, const int rows,
                   const int count, const size_t ahead, const int fetched)
{
#if TRANSPOSED_A
    for (int k = 0; k < count; k++) {
        global const REAL *column = from + k * (size_t)lda;
#if LR > 1
        if (rows == MR)
            UNROLLED for (int i = 0; i < 3; i++)
                JOINED(vstore, LR)(JOINED(vload, LR)(i, column), i, panel + k * MR);
        else
#endif
            for (int i = 0; i < rows; i++)
                panel[k * MR + i] = column[i];
    }
#else
    for (int i = 0; i < rows; i++) {
        global const REAL *row = from + i * (size_t)lda;
        int k = 0;
        const size_t further = i < fetched ? 0 : ahead;
        for (; k + WIDTH <= count; k += WIDTH) {
            FETCH(row + further + k, 2);
            STORE(LOAD(row + k), panel + i * A_ROW + k);
        }
        for (; k < count; k++)
            panel[i * A_ROW + k] = row[k];
    }
#endif
}

#if TRANSPOSED_B
/* Copies 4 x 4 numbers of B, transposed, into a panel. */
INLINE void turn(global REAL *to, global const REAL *from, const int ldb)
{
    const VEC4 a = vload4(0, from), b = vload4(0, from + ldb), c = vload4(0, from + 2 * (size_t)ldb),
               d = vload4(0, from + 3 * (size_t)ldb);
    vstore4((VEC4)(a.s0, b.s0, c.s0, d.s0), 0, to);
    vstore4((VEC4)(a.s1, b.s1, c.s1, d.s1), 0, to + NR);
    vstore4((VEC4)(a.s2, b.s2, c.s2, d.s2), 0, to + 2 * NR);
    vstore4((VEC4)(a.s3, b.s3, c.s3, d.s3), 0, to + 3 * NR);
}
#endif

/* Copies count x columns of B into panels from one on, and 0 to the right of them. */
INLINE void copy_b(global REAL *to, global const REAL *from, const int ldb, const int columns,
                   const int count, const int first)
{
    const int panels = (columns + NR - 1) / NR, whole = columns / NR;
#if TRANSPOSED_B
    for (int p = first; p < panels; p++) {
        global REAL *panel = to + p * (size_t)count * NR;
        const int full = p < whole ? count / 4 * 4 : 0;
        for (int start = 0; start < full; start += LINE) /* a line of each column: what is written stays in the cache */
            for (int j = 0; j < NR; j += 4)
                for (int k = start; k < min(start + LINE, full); k += 4)
                    turn(panel + k * NR + j, from + (p * NR + j) * (size_t)ldb + k, ldb);
        for (int j = 0; j < NR; j++) {
            const int there = p * NR + j < columns;
            for (int k = full; k < count; k++)
                panel[k * NR + j] = there ? from[(p * NR + j) * (size_t)ldb + k] : 0;
        }
    }
#else
    for (int k = 0; k < count; k++) {
        global const REAL *row = from + k * (size_t)ldb;
        for (int p = first; p < whole; p++)
            UNROLLED for (int j = 0; j < NV; j++)
            {
                FETCH(row + 4 * (size_t)ldb + p * NR + j * WIDTH, 2);
                STORE(LOAD(row + p * NR + j * WIDTH), to + (p * (size_t)count + k) * NR + j * WIDTH);
            }
        if (whole < panels)
            for (int j = 0; j < NR; j++)
                to[(whole * (size_t)count + k) * NR + j] = whole * NR + j < columns ? row[whole * NR + j] : 0;
    }
#endif
}

/* ---- blocks of C ---- */

#if TRANSPOSED_A
#define AHEAD(count) (count / LINE)
#else
#define AHEAD(count) 1
#endif

/* A panel of A, copied, times all panels of B: adds to rows x columns of C. */
INLINE void band(const int count, global const REAL *a, global const REAL *b,
                 global const REAL *copied, const int ldb, const int direct, global REAL *c,
                 const int ldc, const int rows, const int columns, const REAL alpha, const REAL beta,
                 global const REAL *next, const int lda)
{
    /* each tile fetches a row of A's next panel, or, of a transposed A, as many columns as it has lines along K */
    const int step = TRANSPOSED_A ? lda : LINE;
    for (int p = 0; p * NR < columns; p++) {
        const int width = min(columns - p * NR, NR), own = direct && width == NR;
        global const REAL *from = own ? b + p * NR : copied + p * (size_t)count * NR;
        const size_t pitch = own ? ldb : NR;
        global REAL *to = c + C_AT(0, p * NR);
        global const REAL *ahead = next + min(p, TRANSPOSED_A ? LINE - 1 : MR - 1) * (size_t)lda * AHEAD(count);
        if (rows <= LR)
            low_tile(count, a, from, pitch, to, ldc, rows, width, alpha, beta, ahead, step);
#if NV > 1
        else if (width <= WIDTH)
            narrow_tile(count, a, from, pitch, to, ldc, rows, width, alpha, beta, ahead, step);
#endif
        else
            whole_tile(count, a, from, pitch, to, ldc, rows, width, alpha, beta, ahead, step);
    }
}

/* A block of C, and `count` of K: adds to all_rows x columns. */
INLINE void multiply(const int count, global const REAL *a, const int lda, global const REAL *b, const int ldb,
                     const int direct, global REAL *c, const int ldc, const int all_rows, const int columns,
                     const REAL alpha, const REAL beta, global REAL *room)
{
    global REAL *copied = room + A_PANEL;
    copy_b(copied, b, ldb, columns, count, direct ? columns / NR : 0);
    for (int m = 0; m < all_rows;) {
        const int left = all_rows - m, rows = left >= 2 * LR + 1 ? min(left, MR) : min(left, LR);
        global const REAL *there = a + A_AT(m, 0);
        const size_t ahead = left >= 2 * MR ? A_AT(MR, 0) : 0;
        copy_a(room, there, lda, rows, count, ahead, (columns + NR - 1) / NR);
        band(count, room, b, copied, ldb, direct, c + C_AT(m, 0), ldc, rows, columns, alpha, beta, there + ahead, lda);
        m += rows;
    }
}

#endif

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void gemm_cpu(const int M, const int N, const int K, const REAL alpha, global const REAL *restrict A,
              const ulong a_first, const int lda, global const REAL *restrict B, const ulong b_first, const int ldb,
              const REAL beta, global REAL *restrict C, const ulong c_first, const int ldc, const int mblk,
              const int nblk, const int kblk, const int share, const int direct, volatile global int *jobs,
              global REAL *restrict room)
{
    global REAL *own = room + get_group_id(0) * (size_t)SCRATCH;
    const int down = (M + mblk - 1) / mblk, across = (N + nblk - 1) / nblk, blocks = down * across;
    const int parts = K > share ? (K - 1) / share + 1 : 1;
    for (int job = atomic_inc(jobs); job < blocks * parts; job = atomic_inc(jobs)) {
        const int top = job % down * mblk, rows = min(M - top, mblk);
        const int left = job % blocks / down * nblk, columns = min(N - left, nblk);
        const int part = job / blocks, start = part * share, end = start + min(share, K - start);
        global REAL *c = C + c_first + part * (size_t)(TRANSPOSED_C ? N : M) * ldc + C_AT(top, left);
        int first = start;
        do {
            const int count = min(kblk, end - first);
            multiply(count, A + a_first + A_AT(top, first), lda, B + b_first + B_AT(first, left), ldb, direct, c, ldc,
                     rows, columns, alpha, first > start ? 1 : beta, own);
            first += kblk;
        } while (first < end);
    }
    if (atomic_inc(jobs + 1) == (int)get_num_groups(0) - 1)
        jobs[0] = jobs[1] = 0;
}
