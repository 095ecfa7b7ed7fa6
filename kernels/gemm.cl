/* gemm.cl - C = alpha A B + beta C for GPUs. All matrices are stored by rows: A is M x K, B is K x N, C is M x N; lda,
 * ldb and ldc are the distances of their rows, a_first, b_first and c_first the indices of their first elements. Any M,
 * N and K from 0 on; where beta is 0, C is not read, and where alpha is 0, neither are A and B.
 *
 * Work-groups have one dimension, of ITEMS work-items. There are as many groups as C has tiles: ceil(M / BM) *
 * ceil(N / BN); with SHARED, as many in dimension 0. A group goes through K by BK at a time: it copies a tile of A and
 * one of B to local memory, and multiplies them from there.
 *
 *   REAL, REAL_BYTES  the type that is computed with: float (4), double (8), int (4)
 *   HALF              1: the matrices hold half, the sums are REAL = float
 *   CHAR              1: A and B hold char, C and the sums are REAL = int
 *   BM BN BK          the tile of a group: BM x BN of C, BK of K
 *   WM WN             the tile of a warp within it; neighbouring work-items share a warp. BM and BN: no warps
 *   TM TN             what one work-item computes of it, in registers
 *   SLICES            a power of 2: so many parts of a group share each tile of C, each with its part of every BK
 *   V                 the width of loads from local memory: 1, 2 or 4 elements
 *   TRANSPOSED_A      1: A is stored by columns, K x M with rows of lda
 *   TRANSPOSED_B      1: B is stored by columns, N x K with rows of ldb
 *   A_WIDTH B_WIDTH   the width of loads along a matrix's rows, as stored: 1 or V. V needs lengths and distances of
 *                     these rows and the first element to be multiples of V, and memory that is aligned to V elements
 *   C_WIDTH           the same for C
 *   PAD               elements between the rows of a tile that is transposed on its way to local memory, as an A that
 *                     is stored by rows is: a multiple of V
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
 *   SHARED            1: the groups of dimension 1 share K. C has their sums, of type REAL: for each of them a matrix of
 *                     M x N with rows of ldc, one behind the other. They are neither multiplied by alpha nor added to
 *                     beta C, though where alpha is 0 they are 0. gemm_sum makes C of them, for which C_WIDTH holds, too
 *   OFFSET            the type of offsets inside a tile of A or B: long if BM * lda, BN * ldb or BK times these may
 *                     exceed 31 bits, else int
 */
#if !(defined BM && defined BN && defined BK && defined WM && defined WN && defined TM && defined TN)
#error "gemm.cl: -D BM=64 -D BN=64 -D BK=8 and so on choose the kernel: see the head of gemm.cl"
#elif !(defined SLICES && defined V && defined A_WIDTH && defined B_WIDTH && defined C_WIDTH && defined BUFFERS)
#error "gemm.cl: SLICES, V, A_WIDTH, B_WIDTH, C_WIDTH and BUFFERS must be defined, too: see the head of gemm.cl"
#endif
#ifndef REAL
#define REAL float
#define REAL_BYTES 4
#endif
#ifndef HALF
#define HALF 0
#endif
#ifndef CHAR
#define CHAR 0
#endif
#ifndef SHARED
#define SHARED 0
#endif
#ifndef OFFSET
#define OFFSET int
#endif

/* ---- what follows from the parameters ---- */

#define LANES_M (WM / TM)
#define LANES_N (WN / TN)
#define LANES (LANES_M * LANES_N)
#define SLICE_ITEMS (BM / WM * (BN / WN) * LANES)
#define ITEMS (SLICES * SLICE_ITEMS)
#define STEPS (BK / SLICES) /* of one slice in a tile */
#define A_PITCH (BM + (TRANSPOSED_A ? 0 : PAD))
#define B_PITCH (BN + (TRANSPOSED_B ? PAD : 0))
#define TILE (BK * (A_PITCH + B_PITCH))
#define AHEAD (ASYNC ? BUFFERS - 1 : 1) /* so many tiles are copied before they are multiplied */
#define SUMS (SLICES / 2 * BM * BN)
#define MEMORY (BUFFERS * TILE > SUMS ? BUFFERS * TILE : SUMS)

/* Copies of A: the tile's rows, as stored, have BK or BM elements, which *_ACROSS work-items share; *_DOWN rows are
 * copied at once. Rows may be longer than a group: a work-item copies *_COLUMNS pieces of each of *_ROWS rows. */
#define A_ACROSS ((TRANSPOSED_A ? BM : BK) / A_WIDTH < ITEMS ? (TRANSPOSED_A ? BM : BK) / A_WIDTH : ITEMS)
#define A_COLUMNS ((TRANSPOSED_A ? BM : BK) / A_WIDTH / A_ACROSS)
#define A_DOWN (ITEMS / A_ACROSS)
#define A_ROWS ((TRANSPOSED_A ? BK : BM) / A_DOWN)
#define B_ACROSS ((TRANSPOSED_B ? BK : BN) / B_WIDTH < ITEMS ? (TRANSPOSED_B ? BK : BN) / B_WIDTH : ITEMS)
#define B_COLUMNS ((TRANSPOSED_B ? BK : BN) / B_WIDTH / B_ACROSS)
#define B_DOWN (ITEMS / B_ACROSS)
#define B_ROWS ((TRANSPOSED_B ? BN : BK) / B_DOWN)

#if BM % WM || BN % WN || WM % TM || WN % TN || TM % V || TN % V || BK % SLICES || PAD % V
#error "gemm.cl: WM divides BM, TM divides WM, V divides TM and PAD; the same for N; SLICES divides BK"
#endif
#if (TRANSPOSED_A ? BM : BK) % (A_WIDTH * A_ACROSS) || ITEMS % A_ACROSS || A_ROWS * A_DOWN != (TRANSPOSED_A ? BK : BM)
#error "gemm.cl: the work-items do not share the copies of A evenly"
#endif
#if (TRANSPOSED_B ? BK : BN) % (B_WIDTH * B_ACROSS) || ITEMS % B_ACROSS || B_ROWS * B_DOWN != (TRANSPOSED_B ? BN : BK)
#error "gemm.cl: the work-items do not share the copies of B evenly"
#endif
#if !TRANSPOSED_A && A_COLUMNS > 1 || TRANSPOSED_B && B_COLUMNS > 1
#error "gemm.cl: BK exceeds the work-items of a group"
#endif
#if FRAGMENTS == 2 && STEPS % 2
#error "gemm.cl: two fragments need an even BK / SLICES"
#endif
#if LANE_BLOCK == 2 && (LANES_M % 2 || LANES_N % 2)
#error "gemm.cl: blocks of 2 x 2 work-items need an even WM / TM and WN / TN"
#endif
#if ASYNC && !defined(__NV_CL_C_VERSION)
#error "gemm.cl: cp.async is an instruction of NVIDIA's devices"
#endif
#if ASYNC && (HALF || CHAR || BUFFERS < 2 || BUFFERS > 4)
#error "gemm.cl: cp.async needs 2 to 4 buffers, and neither half nor char"
#endif
#if ASYNC && (A_WIDTH > 1 && !TRANSPOSED_A || B_WIDTH > 1 && TRANSPOSED_B)
#error "gemm.cl: cp.async transposes single elements only"
#endif
#if ASYNC && V * REAL_BYTES != 16 && (A_WIDTH > 1 || B_WIDTH > 1)
#error "gemm.cl: cp.async copies 1 element or 16 bytes"
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
#define GATHERED(from) ((from)[0])
#elif V == 2
#define REALV JOINED(REAL, 2)
#define SPREAD(to, v) (to)[0] = (v).s0, (to)[1] = (v).s1
#define GATHERED(from) ((REALV)((from)[0], (from)[1]))
#else
#define REALV JOINED(REAL, 4)
#define SPREAD(to, v) (to)[0] = (v).s0, (to)[1] = (v).s1, (to)[2] = (v).s2, (to)[3] = (v).s3
#define GATHERED(from) ((REALV)((from)[0], (from)[1], (from)[2], (from)[3]))
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

/* The elements of A and B */
#if CHAR
#define FACTOR char /* of which convert_int4 makes an int4 of a char4 */
#define LOAD_FACTORS(from) JOINED(convert_, REALV)(*(global const JOINED(char, V) *)(from))
#else
#define FACTOR STORED
#define LOAD_FACTORS(from) LOADV(from)
#endif

/* ---- from global to local memory ---- */

#define GREATER(x, y) ((x) > (y) ? (x) : (y))
#define A_PLACES (TRANSPOSED_A ? A_COLUMNS : A_ROWS)
#define B_PLACES (TRANSPOSED_B ? B_ROWS : B_COLUMNS)

/* Where a work-item copies from, and to. Rows and columns of C whose operands are outside the matrices get the last
 * ones: what is computed from them is not stored. Nothing may replace what is outside of K but zeros. */
typedef struct {
    global const FACTOR *from;                 /* this work-item's part of the next tile */
    OFFSET place[GREATER(A_PLACES, B_PLACES)]; /* from there to its rows or columns of C, in elements */
    int ld;
    int k;  /* the first of its places along K in the tile */
    int to; /* its first place in local memory */
} Copier;

/* How a matrix is copied, all constant: `along` is 1 if its rows, as stored, run along K. */
#define SHAPE                                                                                                        \
    const int along, const int width, const int across, const int columns, const int down, const int rows,           \
        const int pitch
#define A_SHAPE !TRANSPOSED_A, A_WIDTH, A_ACROSS, A_COLUMNS, A_DOWN, A_ROWS, A_PITCH
#define B_SHAPE TRANSPOSED_B, B_WIDTH, B_ACROSS, B_COLUMNS, B_DOWN, B_ROWS, B_PITCH

/* `matrix` is its first element in the tile, `left` how many of its rows or columns are in C from there on, `tile`
 * where its part of a tile begins in local memory. */
INLINE void start(Copier *from, global const FACTOR *matrix, const int ld, const int left, const int tile, SHAPE)
{
    const int item = get_local_id(0), row = item / across, column = item % across * width;
    from->ld = ld;
    from->k = along ? column : row;
    from->from = matrix + (along ? (size_t)column : (size_t)row * ld);
    from->to = tile + (along ? column * pitch + row : row * pitch + column);
    UNROLLED
    for (int i = 0; i < (along ? rows : columns); i++)
        from->place[i] = along ? min(row + i * down, left - 1) * (OFFSET)ld
                               : min(column + i * across * width, left - width);
}

/* Of a work-item's copy in row i and column c: where it comes from, where it goes, and whether it is inside of K. */
#define FROM (from->from + (along ? from->place[i] : (size_t)(i * down) * from->ld + from->place[c]))
#define TO (tile + from->to + (along ? i * down : i * down * pitch + c * across * width))
#define IS_INSIDE (depth == BK || from->k + (along ? 0 : i * down) < depth)

/* The next tile begins behind `depth` elements along K. */
INLINE void advance(Copier *from, const int depth, const int along)
{
    from->from += along ? (size_t)depth : (size_t)depth * from->ld;
}

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
#define END_OF_COPIES __asm__ volatile("cp.async.commit_group;" ::: "memory")
#if BUFFERS == 2
#define WAIT_FOR_COPIES __asm__ volatile("cp.async.wait_group 0;" ::: "memory")
#elif BUFFERS == 3
#define WAIT_FOR_COPIES __asm__ volatile("cp.async.wait_group 1;" ::: "memory")
#else
#define WAIT_FOR_COPIES __asm__ volatile("cp.async.wait_group 2;" ::: "memory")
#endif

/* Starts to copy a tile of which `depth` is inside of K. */
INLINE void fetch(Copier *from, local REAL *tile, const int depth, SHAPE)
{
    UNROLLED
    for (int i = 0; i < rows; i++)
        UNROLLED
        for (int c = 0; c < columns; c++) {
            if (depth == BK && width == 1)
                COPY_ASYNC("ca", TO, FROM, REAL_BYTES);
            else if (depth == BK)
                COPY_ASYNC("cg", TO, FROM, 16);
            else if (width == 1)
                COPY_ASYNC_IF(IS_INSIDE, "ca", TO, FROM, REAL_BYTES);
            else
                COPY_ASYNC_IF(IS_INSIDE, "cg", TO, FROM, 16);
        }
}

#define FETCH(from_a, from_b, fetched, tile, depth)                                                                  \
    {                                                                                                                \
        fetch(from_a, tile, depth, A_SHAPE);                                                                         \
        fetch(from_b, tile, depth, B_SHAPE);                                                                         \
        advance(from_a, depth, !TRANSPOSED_A);                                                                       \
        advance(from_b, depth, TRANSPOSED_B);                                                                        \
    }
#define PUT(from_a, from_b, fetched, tile)

#else

#define END_OF_COPIES
#define WAIT_FOR_COPIES

/* What a work-item has loaded from global memory and will put into local memory. */
typedef struct {
    REAL v[GREATER(A_ROWS * A_COLUMNS, B_ROWS * B_COLUMNS)][V];
} Fetched;

INLINE void load(REAL *to, global const FACTOR *from, const int width)
{
    if (width == 1) {
        to[0] = LOAD(from);
    } else {
        const REALV v = LOAD_FACTORS(from);
        SPREAD(to, v);
    }
}

/* Loads a work-item's part of a tile of which `depth` is inside of K. */
INLINE void fetch(Copier *from, Fetched *to, const int depth, SHAPE)
{
    UNROLLED
    for (int i = 0; i < rows; i++)
        UNROLLED
        for (int c = 0; c < columns; c++) {
            if (IS_INSIDE)
                load(to->v[i * columns + c], FROM, width);
            else
                UNROLLED
                for (int e = 0; e < width; e++)
                    to->v[i * columns + c][e] = 0;
        }
}

/* Stores it in a tile. */
INLINE void put(const Copier *from, const Fetched *fetched, local REAL *tile, SHAPE)
{
    UNROLLED
    for (int i = 0; i < rows; i++)
        UNROLLED
        for (int c = 0; c < columns; c++) {
            const REAL *v = fetched->v[i * columns + c];
            if (along)
                UNROLLED
                for (int e = 0; e < width; e++)
                    TO[e * pitch] = v[e];
            else if (width == 1)
                TO[0] = v[0];
            else
                *(local REALV *)TO = GATHERED(v);
        }
}

#define FETCH(from_a, from_b, fetched, tile, depth)                                                                  \
    {                                                                                                                \
        fetch(from_a, &fetched[0], depth, A_SHAPE);                                                                  \
        fetch(from_b, &fetched[1], depth, B_SHAPE);                                                                  \
        advance(from_a, depth, !TRANSPOSED_A);                                                                       \
        advance(from_b, depth, TRANSPOSED_B);                                                                        \
    }
#define PUT(from_a, from_b, fetched, tile)                                                                           \
    {                                                                                                                \
        put(from_a, &fetched[0], tile, A_SHAPE);                                                                     \
        put(from_b, &fetched[1], tile, B_SHAPE);                                                                     \
    }

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

#if SHARED
#define RESULT REAL
#else
#define RESULT STORED
#endif

/* Stores V adjacent sums, as far as they are in C. */
INLINE void store(global RESULT *c, const REAL *sums, const REAL alpha, const REAL beta, const int columns)
{
#if SHARED && C_WIDTH > 1
    if (columns > 0)
        *(global REALV *)c = GATHERED(sums);
#elif SHARED
    UNROLLED
    for (int e = 0; e < V; e++)
        if (e < columns)
            c[e] = sums[e];
#elif C_WIDTH > 1
    if (columns <= 0)
        return;
    REALV v = alpha * GATHERED(sums);
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
                FETCH(&from_a, &from_b, fetched, tiles + (later) * TILE, BK);                                        \
            END_OF_COPIES;                                                                                           \
        }                                                                                                            \
        if (last) {                                                                                                  \
            if (BUFFERS == 1)                                                                                        \
                barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
            if (more) {                                                                                              \
                PUT(&from_a, &from_b, fetched, tiles + (next) * TILE);                                               \
            }                                                                                                        \
            WAIT_FOR_COPIES;                                                                                         \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
        }                                                                                                            \
        if (FRAGMENTS == 2 && last)                                                                                  \
            LOAD_FRAGMENT(0, next, 0);                                                                               \
        multiply(sums, &fragments[k % FRAGMENTS]);                                                                   \
    }

#define LOAD_FRAGMENT(at, buffer, k)                                                                                 \
    load_fragment(&fragments[at], a_from + (buffer) * TILE + (k) * A_PITCH, b_from + (buffer) * TILE + (k) * B_PITCH)

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void gemm(const int M, const int N, const int K, const REAL alpha, global const FACTOR *restrict A,
          const ulong a_first, const int lda, global const FACTOR *restrict B, const ulong b_first, const int ldb,
          const REAL beta, global RESULT *restrict C, const ulong c_first, const int ldc)
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
    local const REAL *const b_from = tiles + BK * A_PITCH + slice * STEPS * B_PITCH + n;

    /* What it copies: K from k0 on, so many tiles. */
#if SHARED
    const int share = ((K + BK - 1) / BK + get_num_groups(1) - 1) / get_num_groups(1) * BK;
    const size_t k0 = min(get_group_id(1) * (size_t)share, (size_t)K);
    const int depth = min(share, K - (int)k0);
#else
    const size_t k0 = 0;
    const int depth = K;
#endif
    const int count = alpha == 0 ? 0 : (depth + BK - 1) / BK;
    Copier from_a, from_b;
    start(&from_a, A + a_first + (TRANSPOSED_A ? k0 * lda + m0 : (size_t)m0 * lda + k0), lda, M - m0, 0, A_SHAPE);
    start(&from_b, B + b_first + (TRANSPOSED_B ? (size_t)n0 * ldb + k0 : k0 * ldb + n0), ldb, N - n0, BK * A_PITCH,
          B_SHAPE);

    REAL sums[TM][TN];
    UNROLLED
    for (int i = 0; i < TM; i++)
        UNROLLED
        for (int j = 0; j < TN; j++)
            sums[i][j] = 0;

    if (count > 0) {
        Fragment fragments[FRAGMENTS];
#if !ASYNC
        Fetched fetched[2];
#endif
        /* The first tile is the one that K may cut. */
        FETCH(&from_a, &from_b, fetched, tiles, depth - (count - 1) * BK);
        PUT(&from_a, &from_b, fetched, tiles);
        END_OF_COPIES;
        UNROLLED
        for (int b = 1; b < AHEAD; b++) {
            if (b < count)
                FETCH(&from_a, &from_b, fetched, tiles + b * TILE, BK);
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

    global RESULT *const c = C + c_first + ((SHARED ? get_group_id(1) * (size_t)M : 0) + m0 + m) * ldc + n0 + n;
    UNROLLED
    for (int i = 0; i < TM; i++) {
        const int row = i / V * PIECE_M + i % V;
        if (m0 + m + row < M)
            UNROLLED
            for (int p = 0; p < TN / V; p++)
                store(c + (size_t)row * ldc + p * PIECE_N, sums[i] + p * V, alpha, beta, N - n0 - n - p * PIECE_N);
    }
}

#if SHARED
#if C_WIDTH > 1
#define PIECE REALV
#define LOAD_PIECE(from) LOADV(from)
#define STORE_PIECE(v, to) STOREV(v, to)
#else
#define PIECE REAL
#define LOAD_PIECE(from) LOAD(from)
#define STORE_PIECE(v, to) STORE(v, to)
#endif
#include "gemm_sum.cl"
#endif
