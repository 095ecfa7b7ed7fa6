/* gemm.cl - C = alpha A B + beta C for GPUs. All matrices are stored by rows: A is M x K, B is K x N, C is M x N; lda,
 * ldb and ldc are the distances of their rows, a_first, b_first and c_first the indices of their first elements. Any M,
 * N and K from 0 on; where beta is 0, C is not read, and where alpha is 0, neither are A and B.
 *
 * Work-groups have one dimension, of ITEMS work-items. There are as many groups as C has tiles: ceil(M / BM) *
 * ceil(N / BN). A group goes through K by BK at a time: it copies a tile of A and one of B to local memory, and
 * multiplies them from there.
 *
 *   REAL, REAL_BYTES  the type that is computed with: float (4), double (8), int (4)
 *   HALF              1: the matrices hold half, the sums are REAL = float
 *   BM BN BK          the tile of a group: BM x BN of C, BK of K
 *   WM WN             the tile of a warp within it; neighbouring work-items share a warp. BM and BN: no warps
 *   TM TN             what one work-item computes of it, in registers
 *   SLICES            a power of 2: so many parts of a group share each tile of C, each with its part of every BK
 *   V                 the width of loads from local memory: 1, 2 or 4 elements
 *   A_WIDTH           the width of loads of A, along K: 1 or V. V needs K, lda and a_first to be multiples of V
 *   B_WIDTH           the width of loads of B and C, along N: 1 or V. V needs N, ldb, ldc, b_first and c_first to be
 *                     multiples of V, and memory that is aligned to V elements
 *   PAD               elements between the columns of A's tile, which lies transposed: a multiple of V
 *   BUFFERS           of tiles in local memory. 1: two barriers for each BK; 2 or more: one
 *   ASYNC             1: NVIDIA's cp.async copies from global to local memory, BUFFERS - 1 tiles ahead (from sm_80 on,
 *                     2 to 4 buffers); 0: copies pass through registers (1 or 2 buffers)
 *   FRAGMENTS         2: the next operands are loaded from local memory while the current ones are multiplied
 *   SPLIT             1: a work-item's rows and columns are pieces of V that alternate with its neighbours', so that
 *                     neighbours load adjacent pieces; 0: they are contiguous
 *   LANE_BLOCK        2: the work-items of a warp are arranged in blocks of 2 x 2; 1: by rows
 *   BAND              groups go down BAND tiles of C, then to the next column: groups that run together share rows of A
 *                     and columns of B in the cache
 *   UNROLL            1: the loop over K is unrolled by BUFFERS, so that buffers have constant addresses
 */
#ifndef REAL
#define REAL float
#define REAL_BYTES 4
#endif
#ifndef HALF
#define HALF 0
#endif

/* ---- what follows from the parameters ---- */

#define LANES_M (WM / TM)
#define LANES_N (WN / TN)
#define LANES (LANES_M * LANES_N)
#define SLICE_ITEMS (BM / WM * (BN / WN) * LANES)
#define ITEMS (SLICES * SLICE_ITEMS)
#define STEPS (BK / SLICES) /* of one slice in a tile */
#define A_PITCH (BM + PAD)
#define TILE (BK * (A_PITCH + BN))
#define AHEAD (ASYNC ? BUFFERS - 1 : 1) /* so many tiles are copied before they are multiplied */
#define SUMS (SLICES / 2 * BM * BN)
#define MEMORY (BUFFERS * TILE > SUMS ? BUFFERS * TILE : SUMS)

/* Copies of A: A_ACROSS work-items share a row of the tile. The same for B, whose rows may be longer than a group. */
#define A_ACROSS (BK / A_WIDTH)
#define A_DOWN (ITEMS / A_ACROSS)
#define A_COPIES (BM / A_DOWN)
#define B_ACROSS (BN / B_WIDTH < ITEMS ? BN / B_WIDTH : ITEMS)
#define B_DOWN (ITEMS / B_ACROSS)
#define B_COPIES (BK / B_DOWN)
#define B_COLUMNS (BN / B_WIDTH / B_ACROSS)

#if BM % WM || BN % WN || WM % TM || WN % TN || TM % V || TN % V || BK % SLICES || PAD % V
#error "gemm.cl: WM divides BM, TM divides WM, V divides TM and PAD; the same for N; SLICES divides BK"
#endif
#if BK % A_WIDTH || ITEMS % A_ACROSS || BM % A_DOWN || A_DOWN > BM
#error "gemm.cl: the work-items do not share the copies of A evenly"
#endif
#if BN % B_WIDTH || ITEMS % B_ACROSS || BN / B_WIDTH % B_ACROSS || BK % B_DOWN || B_DOWN > BK
#error "gemm.cl: the work-items do not share the copies of B evenly"
#endif
#if FRAGMENTS == 2 && STEPS % 2
#error "gemm.cl: two fragments need an even BK / SLICES"
#endif
#if LANE_BLOCK == 2 && (LANES_M % 2 || LANES_N % 2)
#error "gemm.cl: blocks of 2 x 2 work-items need an even WM / TM and WN / TN"
#endif
#if ASYNC && (HALF || BUFFERS < 2 || BUFFERS > 4 || A_WIDTH > 1 || B_WIDTH > 1 && B_WIDTH * REAL_BYTES != 16)
#error "gemm.cl: cp.async needs 2 to 4 buffers, A_WIDTH = 1, B_WIDTH = 1 or 16 bytes, and no half"
#endif
#if !ASYNC && BUFFERS > 2
#error "gemm.cl: copies through registers need 1 or 2 buffers"
#endif

#define UNROLLED _Pragma("unroll")
#define INLINE static inline __attribute__((always_inline))
#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

#define FMA_float(a, b, c) fma(a, b, c)
#define FMA_double(a, b, c) fma(a, b, c)
#define FMA_int(a, b, c) ((a) * (b) + (c))
#define FMA(a, b, c) JOINED(FMA_, REAL)(a, b, c)

#if V == 1
#define REALV REAL
#define LOADV(from) LOAD(from)
#define STOREV(v, to) STORE(v, to)
#define SPREAD(to, v) (to)[0] = (v)
#elif V == 2
#define REALV JOINED(REAL, 2)
#define SPREAD(to, v) (to)[0] = (v).s0, (to)[1] = (v).s1
#else
#define REALV JOINED(REAL, 4)
#define SPREAD(to, v) (to)[0] = (v).s0, (to)[1] = (v).s1, (to)[2] = (v).s2, (to)[3] = (v).s3
#endif

#if HALF
#define STORED half
#define LOAD(from) vload_half(0, from)
#define STORE(v, to) vstore_half(v, 0, to)
#if V > 1
#define LOADV(from) JOINED(vloada_half, V)(0, from)
#define STOREV(v, to) JOINED(vstorea_half, V)(v, 0, to)
#endif
#else
#define STORED REAL
#define LOAD(from) (*(from))
#define STORE(v, to) (*(to) = (v))
#if V > 1
#define LOADV(from) (*(global const REALV *)(from))
#define STOREV(v, to) (*(global REALV *)(to) = (v))
#endif
#endif

/* ---- from global to local memory ---- */

/* Where a work-item copies from, and to. Rows of A and columns of B outside the matrices are replaced by their last
 * ones: what is computed from them is not stored. Nothing may replace what is outside of K but zeros. */
typedef struct {
    global const STORED *a, *b; /* this work-item's first elements of the next tile */
    int a_row[A_COPIES];        /* from there to its other rows, in elements */
    int b_column[B_COLUMNS];
    int lda, ldb;
    int a_k, b_k;   /* the first of its places along K in the tile */
    int a_to, b_to; /* its places in local memory */
} Copier;

#if ASYNC

#define COPY_ASYNC(cache, to, from, bytes)                                                                           \
    __asm__ volatile("cp.async." cache ".shared.global [%0], [%1], " TEXT(bytes) ";"                                 \
                     :                                                                                               \
                     : "r"((uint)(size_t)(to)), "l"(from)                                                            \
                     : "memory")
/* Copies, or writes zeros. */
#define COPY_ASYNC_IF(present, cache, to, from, bytes)                                                               \
    __asm__ volatile("cp.async." cache ".shared.global [%0], [%1], " TEXT(bytes) ", %2;"                             \
                     :                                                                                               \
                     : "r"((uint)(size_t)(to)), "l"(from), "r"((present) ? bytes : 0)                                \
                     : "memory")
#if B_WIDTH > 1
#define B_CACHE "cg"
#define B_BYTES 16
#else
#define B_CACHE "ca"
#define B_BYTES REAL_BYTES
#endif
#define END_OF_COPIES __asm__ volatile("cp.async.commit_group;" ::: "memory")
#if BUFFERS == 2
#define WAIT_FOR_COPIES __asm__ volatile("cp.async.wait_group 0;" ::: "memory")
#elif BUFFERS == 3
#define WAIT_FOR_COPIES __asm__ volatile("cp.async.wait_group 1;" ::: "memory")
#else
#define WAIT_FOR_COPIES __asm__ volatile("cp.async.wait_group 2;" ::: "memory")
#endif

/* Starts to copy a tile of which `depth` is inside of K. The next one begins there. */
INLINE void fetch(Copier *from, local REAL *tile, const int depth)
{
    UNROLLED
    for (int i = 0; i < A_COPIES; i++)
        if (depth == BK)
            COPY_ASYNC("ca", tile + from->a_to + i * A_DOWN, from->a + from->a_row[i], REAL_BYTES);
        else
            COPY_ASYNC_IF(from->a_k < depth, "ca", tile + from->a_to + i * A_DOWN, from->a + from->a_row[i],
                          REAL_BYTES);
    UNROLLED
    for (int i = 0; i < B_COPIES; i++)
        UNROLLED
        for (int c = 0; c < B_COLUMNS; c++) {
            local REAL *const to = tile + from->b_to + i * B_DOWN * BN + c * B_ACROSS * B_WIDTH;
            global const REAL *const b = from->b + (size_t)(i * B_DOWN) * from->ldb + from->b_column[c];
            if (depth == BK)
                COPY_ASYNC(B_CACHE, to, b, B_BYTES);
            else
                COPY_ASYNC_IF(from->b_k + i * B_DOWN < depth, B_CACHE, to, b, B_BYTES);
        }
    from->a += depth;
    from->b += (size_t)depth * from->ldb;
}

#define FETCH(from, fetched, tile, depth) fetch(from, tile, depth)
#define PUT(from, fetched, tile)

#else

#define END_OF_COPIES
#define WAIT_FOR_COPIES

/* What a work-item has loaded from global memory and will put into local memory. */
typedef struct {
    REAL a[A_COPIES][A_WIDTH], b[B_COPIES][B_COLUMNS][B_WIDTH];
} Fetched;

INLINE void load(REAL *to, global const STORED *from, const int width)
{
    if (width == 1) {
        to[0] = LOAD(from);
    } else {
        const REALV v = LOADV(from);
        SPREAD(to, v);
    }
}

/* Loads a work-item's part of a tile of which `depth` is inside of K. The next one begins there. */
INLINE void fetch(Copier *from, Fetched *to, const int depth)
{
    UNROLLED
    for (int i = 0; i < A_COPIES; i++) {
        if (depth == BK || from->a_k < depth)
            load(to->a[i], from->a + from->a_row[i], A_WIDTH);
        else
            UNROLLED
            for (int e = 0; e < A_WIDTH; e++)
                to->a[i][e] = 0;
    }
    UNROLLED
    for (int i = 0; i < B_COPIES; i++)
        UNROLLED
        for (int c = 0; c < B_COLUMNS; c++) {
            if (depth == BK || from->b_k + i * B_DOWN < depth)
                load(to->b[i][c], from->b + (size_t)(i * B_DOWN) * from->ldb + from->b_column[c], B_WIDTH);
            else
                UNROLLED
                for (int e = 0; e < B_WIDTH; e++)
                    to->b[i][c][e] = 0;
        }
    from->a += depth;
    from->b += (size_t)depth * from->ldb;
}

/* Stores it in a tile: A transposed. */
INLINE void put(const Copier *from, const Fetched *fetched, local REAL *tile)
{
    UNROLLED
    for (int i = 0; i < A_COPIES; i++)
        UNROLLED
        for (int e = 0; e < A_WIDTH; e++)
            tile[from->a_to + i * A_DOWN + e * A_PITCH] = fetched->a[i][e];
    UNROLLED
    for (int i = 0; i < B_COPIES; i++)
        UNROLLED
        for (int c = 0; c < B_COLUMNS; c++) {
            local REAL *const to = tile + from->b_to + i * B_DOWN * BN + c * B_ACROSS * B_WIDTH;
#if B_WIDTH == 4
            *(local REALV *)to =
                (REALV)(fetched->b[i][c][0], fetched->b[i][c][1], fetched->b[i][c][2], fetched->b[i][c][3]);
#elif B_WIDTH == 2
            *(local REALV *)to = (REALV)(fetched->b[i][c][0], fetched->b[i][c][1]);
#else
            *to = fetched->b[i][c][0];
#endif
        }
}

#define FETCH(from, fetched, tile, depth) fetch(from, fetched, depth)
#define PUT(from, fetched, tile) put(from, fetched, tile)

#endif

/* ---- from local memory to registers, and the sums ---- */

/* The operands of one step along K: a work-item's rows of A and columns of B. */
typedef struct {
    REAL a[TM], b[TN];
} Fragment;

/* From one piece of V rows or columns to a work-item's next. */
#define PIECE_M (SPLIT ? LANES_M * V : V)
#define PIECE_N (SPLIT ? LANES_N * V : V)

INLINE void load_fragment(Fragment *to, local const REAL *a, local const REAL *b)
{
    UNROLLED
    for (int p = 0; p < TM / V; p++) {
        const REALV piece = *(local const REALV *)(a + p * PIECE_M);
        SPREAD(to->a + p * V, piece);
    }
    UNROLLED
    for (int p = 0; p < TN / V; p++) {
        const REALV piece = *(local const REALV *)(b + p * PIECE_N);
        SPREAD(to->b + p * V, piece);
    }
}

/* Goes to and fro along the rows, so that each multiplication shares an operand with the previous one. */
INLINE void multiply(REAL sums[TM][TN], const Fragment *by)
{
    UNROLLED
    for (int i = 0; i < TM; i++)
        UNROLLED
        for (int n = 0; n < TN; n++) {
            const int j = i % 2 ? TN - 1 - n : n;
            sums[i][j] = FMA(by->a[i], by->b[j], sums[i][j]);
        }
}

/* ---- results ---- */

/* What is stored for a sum; C counts only where beta is not 0. */
INLINE REAL result(const REAL sum, const REAL alpha, const REAL beta, global const STORED *c)
{
    return beta == 0 ? alpha * sum : alpha * sum + beta * LOAD(c);
}

/* Stores V adjacent sums, as far as they are in C. */
INLINE void store(global STORED *c, const REAL *sums, const REAL alpha, const REAL beta, const int columns)
{
#if B_WIDTH > 1
    if (columns <= 0)
        return;
#if V == 4
    REALV v = alpha * (REALV)(sums[0], sums[1], sums[2], sums[3]);
#else
    REALV v = alpha * (REALV)(sums[0], sums[1]);
#endif
    if (beta != 0)
        v += beta * LOADV(c);
    STOREV(v, c);
#else
    UNROLLED
    for (int e = 0; e < V; e++)
        if (e < columns)
            STORE(result(sums[e], alpha, beta, c + e), c + e);
#endif
}

/* ---- the kernel ---- */

/* The multiplications of the tile in buffer `now`; meanwhile copies to buffer `later` where `more`. Then `next` is
 * ready. */
#define MULTIPLY_TILE(now, next, later, more)                                                                        \
    UNROLLED                                                                                                         \
    for (int k = 0; k < STEPS; k++) {                                                                                \
        const int last = k == STEPS - 1;                                                                             \
        if (FRAGMENTS == 1)                                                                                          \
            LOAD_FRAGMENT(0, now, k);                                                                                \
        else if (!last)                                                                                              \
            LOAD_FRAGMENT((k + 1) % FRAGMENTS, now, k + 1);                                                          \
        if (k == 0) {                                                                                                \
            if (more)                                                                                                \
                FETCH(&copier, &fetched, tiles + (later) * TILE, BK);                                                \
            END_OF_COPIES;                                                                                           \
        }                                                                                                            \
        if (last) {                                                                                                  \
            if (BUFFERS == 1)                                                                                        \
                barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
            if (more) {                                                                                              \
                PUT(&copier, &fetched, tiles + (next) * TILE);                                                       \
            }                                                                                                        \
            WAIT_FOR_COPIES;                                                                                         \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
        }                                                                                                            \
        if (FRAGMENTS == 2 && last)                                                                                  \
            LOAD_FRAGMENT(0, next, 0);                                                                               \
        multiply(sums, &fragments[k % FRAGMENTS]);                                                                   \
    }

#define LOAD_FRAGMENT(at, buffer, k)                                                                                 \
    load_fragment(&fragments[at], a_from + (buffer) * TILE + (k) * A_PITCH, b_from + (buffer) * TILE + (k) * BN)

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void gemm(const int M, const int N, const int K, const REAL alpha, global const STORED *restrict A,
          const ulong a_first, const int lda, global const STORED *restrict B, const ulong b_first, const int ldb,
          const REAL beta, global STORED *restrict C, const ulong c_first, const int ldc)
{
    local REALV memory[MEMORY / V];
    local REAL *const tiles = (local REAL *)memory;

    /* The group's tile of C. */
    const int group = get_group_id(0), tiles_m = (M + BM - 1) / BM, tiles_n = (N + BN - 1) / BN;
    const int band = group / (BAND * tiles_n), inside = group - band * BAND * tiles_n;
    const int high = min(BAND, tiles_m - band * BAND);
    const int m0 = (band * BAND + inside % high) * BM, n0 = inside / high * BN;

    /* The work-item's place in it. */
    const int item = get_local_id(0), slice = item / SLICE_ITEMS, place = item % SLICE_ITEMS;
    const int warp = place / LANES, lane = place % LANES;
#if LANE_BLOCK == 2
    const int block = lane / 4;
    const int lane_m = block / (LANES_N / 2) * 2 + lane / 2 % 2, lane_n = block % (LANES_N / 2) * 2 + lane % 2;
#else
    const int lane_m = lane / LANES_N, lane_n = lane % LANES_N;
#endif
    const int m = warp % (BM / WM) * WM + lane_m * (SPLIT ? V : TM);
    const int n = warp / (BM / WM) * WN + lane_n * (SPLIT ? V : TN);
    local const REAL *const a_from = tiles + slice * STEPS * A_PITCH + m;
    local const REAL *const b_from = tiles + BK * A_PITCH + slice * STEPS * BN + n;

    /* What it copies. */
    Copier copier;
    const int a_row = item / A_ACROSS, b_column = item % B_ACROSS * B_WIDTH;
    copier.a_k = item % A_ACROSS * A_WIDTH;
    copier.b_k = item / B_ACROSS;
    copier.a = A + a_first + (size_t)m0 * lda + copier.a_k;
    copier.b = B + b_first + (size_t)copier.b_k * ldb + n0;
    copier.ldb = ldb;
    copier.a_to = copier.a_k * A_PITCH + a_row;
    copier.b_to = BK * A_PITCH + copier.b_k * BN + b_column;
    UNROLLED
    for (int i = 0; i < A_COPIES; i++)
        copier.a_row[i] = min(a_row + i * A_DOWN, M - 1 - m0) * lda;
    UNROLLED
    for (int c = 0; c < B_COLUMNS; c++)
        copier.b_column[c] = min(b_column + c * B_ACROSS * B_WIDTH, N - B_WIDTH - n0);

    REAL sums[TM][TN];
    UNROLLED
    for (int i = 0; i < TM; i++)
        UNROLLED
        for (int j = 0; j < TN; j++)
            sums[i][j] = 0;

    const int count = alpha == 0 ? 0 : (K + BK - 1) / BK; /* of tiles along K */
    if (count > 0) {
        Fragment fragments[FRAGMENTS];
#if !ASYNC
        Fetched fetched;
#endif
        /* The first tile is the one that K may cut. */
        FETCH(&copier, &fetched, tiles, K - (count - 1) * BK);
        PUT(&copier, &fetched, tiles);
        END_OF_COPIES;
        UNROLLED
        for (int b = 1; b < AHEAD; b++) {
            if (b < count)
                FETCH(&copier, &fetched, tiles + b * TILE, BK);
            END_OF_COPIES;
        }
        WAIT_FOR_COPIES;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (FRAGMENTS == 2)
            LOAD_FRAGMENT(0, 0, 0);

        int tile = 0;
#if UNROLL
        for (; tile + BUFFERS - 1 + AHEAD < count; tile += BUFFERS) {
            UNROLLED
            for (int b = 0; b < BUFFERS; b++)
                MULTIPLY_TILE(b, (b + 1) % BUFFERS, (b + AHEAD) % BUFFERS, 1)
        }
#endif
        int now = 0, next = 1 % BUFFERS, later = AHEAD % BUFFERS;
#pragma unroll 1
        for (; tile < count; tile++) {
            const int more = tile + AHEAD < count;
            MULTIPLY_TILE(now, next, later, more)
            now = next;
            next = next == BUFFERS - 1 ? 0 : next + 1;
            later = later == BUFFERS - 1 ? 0 : later + 1;
        }
    }

#if SLICES > 1
    /* Each half of the slices adds the other half's sums to its own. */
    local REAL *const others = tiles + place;
    for (int half_of = SLICES / 2; half_of > 0; half_of /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (slice >= half_of && slice < 2 * half_of)
            UNROLLED
            for (int i = 0; i < TM * TN; i++)
                others[((slice - half_of) * TM * TN + i) * SLICE_ITEMS] = sums[i / TN][i % TN];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (slice < half_of)
            UNROLLED
            for (int i = 0; i < TM * TN; i++)
                sums[i / TN][i % TN] += others[(slice * TM * TN + i) * SLICE_ITEMS];
    }
    if (slice > 0)
        return;
#endif

    global STORED *const c = C + c_first + (size_t)(m0 + m) * ldc + n0 + n;
    UNROLLED
    for (int i = 0; i < TM; i++) {
        const int row = i / V * PIECE_M + i % V;
        if (m0 + m + row < M)
            UNROLLED
            for (int p = 0; p < TN / V; p++)
                store(c + (size_t)row * ldc + p * PIECE_N, sums[i] + p * V, alpha, beta, N - n0 - n - p * PIECE_N);
    }
}
