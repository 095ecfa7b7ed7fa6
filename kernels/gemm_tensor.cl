/* gemm_tensor.cl - C = alpha A B + beta C by the tensor cores of NVIDIA's GPUs, with inline PTX: cp.async, ldmatrix and
 * mma.sync, or the tensor memory accelerator and wgmma. The arguments and shapes are those of gemm.cl. Compute capability
 * 8.0 or more, 9.0 for double, and 9.0 only for wgmma.
 *
 * The first elements of A and B and the distances of their rows are multiples of A_COPY and B_COPY bytes, for wgmma of
 * 16; the rows themselves may have any length.
 *
 *   KIND              0: double; 1: half, with sums of float; 2: float of which TF32's 19 bits are multiplied, rounded
 *                     to nearest, with sums of float; 3: char, with C and sums of int
 *   TRANSPOSED_A      1: A is stored by columns, K x M with rows of lda
 *   TRANSPOSED_B      1: B is stored by columns, N x K with rows of ldb
 *   BM BN BK          the tile of a group: BM x BN of C, BK of K
 *   WM WN             the tile of a warp within it; of four warps for wgmma: WM is a multiple of 64, WN is BN
 *   STAGES            of tiles in local memory, 2 to 7: one is multiplied, the others are on their way
 *   WGMMA             1: products of half or TF32 by wgmma, which takes its factors from local memory, where the tensor
 *                     memory accelerator copies boxes of A and B. Of TF32, A is stored by rows and B by columns, both
 *                     rounded already (bindings/clue/gemm/copies.lua). Any number of groups share the tiles of C.
 *                     There is one more argument, maps: room for 256 bytes for each group, which describe A and B to
 *                     the accelerator. OpenCL's compiler does not know some instructions: they are comments that begin
 *                     with //@, and bindings/clue/gemm/wgmma.lua builds the program anew from its PTX without these
 *                     signs; it also defines WGMMA_PRODUCT
 *   RESIDENT          for wgmma: so many groups are to fit on a compute unit at once. Not this file but wgmma.lua reads
 *                     it, which limits the registers, and gpu.lua, which launches so many groups for each unit
 *   SPLITS            so many groups, up to 256, share each tile of C, each with its part of K; there are as many times
 *                     more groups, and two more arguments: partial, room for the sums of all groups, and arrived, a 0 for
 *                     every 16 groups of each tile of C and, if they are more, one for the tile; these are 0 afterwards
 *   BAND              groups go down BAND tiles of C, then to the next column
 *   A_COPY B_COPY     the bytes of one copy to local memory: 16, 8 or 4, not less than an element has
 *   PARTIAL           1: rows of A or B, as stored, end within a piece of A_COPY or B_COPY bytes, so that a size is passed
 *                     to each copy, which takes six instructions
 *   C_WIDE            so many adjacent elements of C are stored at once; the first one and ldc are multiples of it: 1,
 *                     2 (double, half), 4 (TF32, char) or 8 (half)
 *
 * A program that defines EMULATED brings its own copies, loads and products (tests/spec/gemm_tensor_spec.lua).
 */
#ifndef WGMMA
#define WGMMA 0
#endif
#define F64 (KIND == 0)
#define F16 (KIND == 1)
#define TF32 (KIND == 2)
#define I8 (KIND == 3)

/* ---- what follows from the parameters ---- */

#if KIND == 0
#define STORED double
#define SUM double
#define REGISTER double
#define BYTES 8
#define STEP 8 /* of K in one instruction */
#define P_REGISTERS 4
#else
#define REGISTER uint
#define P_REGISTERS 4
#if KIND == 3
#define SUM int
#define STORED char
#define RESULT int
#define BYTES 1
#define STEP 32
#else
#define SUM float
#endif
#if KIND == 1
#define STORED half
#define BYTES 2
#define STEP 16
#elif KIND == 2
#define STORED float
#define BYTES 4
#define STEP 8
#endif
#endif
#define Q_REGISTERS 2
#ifndef RESULT
#define RESULT STORED
#endif

/* An instruction multiplies 16 rows of its first operand, P, by 8 columns of its second, Q. P is A; but for double it
 * is the matrix whose rows, as stored, run along C's, so that a load of 16 bytes fills two registers as they are
 * needed. If P is B, C is computed transposed. */
#define P_IS_A (!F64 || TRANSPOSED_A && TRANSPOSED_B)
#define P_ALONG (P_IS_A ? !TRANSPOSED_A : TRANSPOSED_B) /* 1: its rows, as stored, run along K */
#define Q_ALONG (P_IS_A ? TRANSPOSED_B : !TRANSPOSED_A)
#define P_STEP (WGMMA ? 64 : 16)
#define P_COUNT ((P_IS_A ? WM : WN) / P_STEP)
#define Q_COUNT ((P_IS_A ? WN : WM) / 8)

#define ITEMS (BM / WM * (BN / WN) * (WGMMA ? 128 : 32))
#define STEPS (BK / STEP)
#define A_TILE (BM * BK * BYTES)
#define B_TILE (BN * BK * BYTES)
#define STAGE (A_TILE + B_TILE)
#define A_ROW ((TRANSPOSED_A ? BM : BK) * BYTES) /* of a tile, in bytes */
#define B_ROW ((TRANSPOSED_B ? BK : BN) * BYTES)
#define A_ACROSS (A_ROW / A_COPY) /* so many work-items copy a row */
#define B_ACROSS (B_ROW / B_COPY)
#define A_DOWN (ITEMS / A_ACROSS) /* so many rows are copied at once */
#define B_DOWN (ITEMS / B_ACROSS)
#define A_COPIES ((TRANSPOSED_A ? BK : BM) / A_DOWN)
#define B_COPIES ((TRANSPOSED_B ? BN : BK) / B_DOWN)

#if KIND == 1 && C_WIDE == 8 && WN % 32
#error "gemm_tensor.cl: C_WIDE = 8 needs WN to be a multiple of 32"
#endif
#if BM % WM || BN % WN || WM % 16 || WN % 16 || BK % STEP || KIND >= 2 && (WM % 32 || WN % 32)
#error "gemm_tensor.cl: WM divides BM, WN divides BN; they are multiples of 16 (TF32, char: 32), BK is one of 8 (half: 16, char: 32)"
#endif
#if WGMMA && (KIND != 1 && KIND != 2 || TF32 && (TRANSPOSED_A || !TRANSPOSED_B))
#error "gemm_tensor.cl: wgmma is for half, and for TF32 with A by rows and B by columns"
#endif
#if WGMMA && (WM % 64 || WN != BN || BN % 64 || BK * BYTES > 128)
#error "gemm_tensor.cl: for wgmma, WM and BN are multiples of 64, WN is BN, and BK is up to 64, or 32 for TF32"
#endif
#if !WGMMA && (ITEMS % A_ACROSS || ITEMS % B_ACROSS || A_COPIES * A_DOWN != (TRANSPOSED_A ? BK : BM) || \
    B_COPIES * B_DOWN != (TRANSPOSED_B ? BN : BK))
#error "gemm_tensor.cl: the work-items do not share the copies evenly"
#endif

#define UNROLLED _Pragma("unroll")
#define INLINE static inline __attribute__((always_inline))

/* ---- instructions ---- */

#ifndef EMULATED

/* Local memory is addressed by bytes: a local pointer cast to uint is its address. */
#define ADDRESS(memory) ((uint)(size_t)(memory))
#define LOCAL local
#define ASM __asm__ volatile
#define FENCE ASM("fence.acq_rel.gpu;" ::: "memory")
#if WGMMA
#define WGMMA_FENCE ASM("//@wgmma.fence.sync.aligned;" ::: "memory")
#define END_OF_PRODUCTS ASM("//@wgmma.commit_group.sync.aligned;" ::: "memory")
#define WAIT_FOR_PRODUCTS ASM("//@wgmma.wait_group.sync.aligned 0;" ::: "memory")
#define TOGETHER ASM("bar.warp.sync 0xffffffff;" ::: "memory")

/* Barriers in local memory, of 8 bytes. One completes when so many have arrived and all bytes that it expects; then it
 * begins anew. round: how often it has completed before; only whether that is even counts. */
#define START_BARRIER(barrier, count)                                                                                \
    ASM("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory")
/* Copies that are started from here on see the barriers, and write after the work-items wrote to local memory. */
#define FENCE_COPIES ASM("fence.proxy.async.shared::cta;" ::: "memory")
#define ARRIVE(barrier) ASM("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(barrier) : "memory")
#define ARRIVE_EXPECTING(barrier, bytes)                                                                             \
    ASM("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory")
INLINE void wait_at(const uint barrier, const uint round)
{
    int done;
    do
        ASM("{ .reg .pred done; mbarrier.try_wait.parity.shared.b64 done, [%1], %2; selp.b32 %0, 1, 0, done; }"
            : "=r"(done)
            : "r"(barrier), "r"(round & 1)
            : "memory");
    while (!done);
}

/* A matrix as the tensor memory accelerator knows it. A warp makes its description in local memory, `at`, and moves it
 * to `map`. Rows are those of the matrix and of a box, as stored; swizzle: 1: pieces of 16 bytes change places in 32
 * bytes, 2: in 64, 3: in 128. */
#define SET(name, type, value)                                                                                       \
    ASM("//@tensormap.replace.tile." name ".shared::cta.b1024." type " [%0], %1;" ::"l"(to), value : "memory")
#define SET_OF(name, dimension, type, value)                                                                         \
    ASM("//@tensormap.replace.tile." name ".shared::cta.b1024." type " [%0], " #dimension ", %1;" ::"l"(to), value   \
        : "memory")
INLINE void describe(global ulong *map, const uint at, const int lane, global const void *matrix, const int ld,
                     const int columns, const int rows, const int box_columns, const int box_rows, const int swizzle)
{
    const ulong to = at;
    ASM("st.shared.b32 [%0], 0;" ::"r"(at + 4 * lane) : "memory");
    TOGETHER;
    if (lane == 0) {
        SET("global_address", "b64", "l"(matrix));
        SET("rank", "b32", "n"(1)); /* less 1 */
        SET("elemtype", "b32", "n"(KIND == 1 ? 6 : 7)); /* half or float */
        SET("interleave_layout", "b32", "n"(0)); /* none */
        SET("fill_mode", "b32", "n"(0)); /* what is outside is 0 */
        if (swizzle == 1)
            SET("swizzle_mode", "b32", "n"(1));
        else if (swizzle == 2)
            SET("swizzle_mode", "b32", "n"(2));
        else
            SET("swizzle_mode", "b32", "n"(3));
        SET_OF("global_dim", 0, "b32", "r"(columns));
        SET_OF("global_dim", 1, "b32", "r"(rows));
        SET_OF("global_stride", 0, "b64", "l"((ulong)ld * BYTES));
        SET_OF("box_dim", 0, "b32", "r"(box_columns));
        SET_OF("box_dim", 1, "b32", "r"(box_rows));
        SET_OF("element_stride", 0, "b32", "r"(1));
        SET_OF("element_stride", 1, "b32", "r"(1));
    }
    TOGETHER;
    ASM("//@tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::
        "l"(map), "l"(to)
        : "memory");
}
/* Another's description, which is in global memory since a barrier. */
#define SEE(map) ASM("//@fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory")
/* Starts to copy the box whose first element is in so many a column and a row, as stored. */
#define COPY_BOX(to, map, column, row, barrier)                                                                      \
    ASM("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "                          \
        "[%0], [%1, {%2, %3}], [%4];" ::"r"(to), "l"(map), "r"(column), "r"(row), "r"(barrier)                       \
        : "memory")
#endif
/* Copies so many bytes, and writes zeros for the rest of `width`. */
#define COPY(width, to, from, bytes)                                                                                 \
    if ((width) == 16)                                                                                               \
        ASM("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");   \
    else if ((width) == 8)                                                                                           \
        ASM("cp.async.ca.shared.global.L2::128B [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");    \
    else                                                                                                             \
        ASM("cp.async.ca.shared.global.L2::128B [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory")
#define END_OF_COPIES ASM("cp.async.commit_group;" ::: "memory")
/* Waits until no more than STAGES - `but` groups of copies are on their way. */
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define WAIT(but) ASM("cp.async.wait_group " TEXT(STAGES) "-" TEXT(but) ";" ::: "memory")
#define LOAD_8(x, at) ASM("ld.shared.f64 %0, [%1];" : "=d"(x) : "r"(at) : "memory")
#define LOAD_16(x, y, at) ASM("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(x), "=d"(y) : "r"(at) : "memory")
#define LOAD_4(v, at)                                                                                                \
    ASM("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"                                                                   \
        : "=r"((v)[0]), "=r"((v)[1]), "=r"((v)[2]), "=r"((v)[3])                                                     \
        : "r"(at)                                                                                                    \
        : "memory")
/* Four matrices of 8 x 8 halves; each work-item has the address of a row. */
#define LOAD_MATRICES(x, y, z, w, at)                                                                                \
    ASM("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"                                           \
        : "=r"(x), "=r"(y), "=r"(z), "=r"(w)                                                                         \
        : "r"(at)                                                                                                    \
        : "memory")
#define LOAD_TRANSPOSED(x, y, z, w, at)                                                                              \
    ASM("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"                                     \
        : "=r"(x), "=r"(y), "=r"(z), "=r"(w)                                                                         \
        : "r"(at)                                                                                                    \
        : "memory")
/* To the nearest TF32, ties away from 0, as cvt.rna.tf32.f32 does, which takes four times as long. The instruction
 * ignores the lower 13 bits. NaN is left as it is: the addition could carry into its sign. */
#define ROUND(x)                                                                                                     \
    __asm__("{ .reg .pred number; setp.num.f32 number, %1, %1; @number add.s32 %0, %0, 4096; }"                      \
            : "+r"(x)                                                                                                \
            : "f"(as_float(x)))
/* Two halves. NVIDIA's vstorea_half2 stores each by itself, which takes a tenth of a product's time. */
INLINE uint rounded(const float2 v)
{
    uint both;
    __asm__("cvt.rn.f16x2.f32 %0, %2, %1;" : "=r"(both) : "f"(v.x), "f"(v.y));
    return both;
}
/* What the work-item has whose number in the warp differs in these bits. */
INLINE uint from_other(const uint x, const uint bits)
{
    uint y;
    ASM("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(y) : "r"(x), "r"(bits));
    return y;
}
/* The even bytes of x and y, or the odd ones. */
#define EVEN_BYTES(to, x, y) __asm__("prmt.b32 %0, %1, %2, 0x6420;" : "=r"(to) : "r"(x), "r"(y))
#define ODD_BYTES(to, x, y) __asm__("prmt.b32 %0, %1, %2, 0x7531;" : "=r"(to) : "r"(x), "r"(y))
#if KIND == 0
#define MMA(c, p, q)                                                                                                 \
    __asm__("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "        \
            "{%0, %1, %2, %3};"                                                                                      \
            : "+d"((c)[0]), "+d"((c)[1]), "+d"((c)[2]), "+d"((c)[3])                                                 \
            : "d"((p)[0]), "d"((p)[1]), "d"((p)[2]), "d"((p)[3]), "d"((q)[0]), "d"((q)[1]))
#else
#if KIND == 1
#define INSTRUCTION "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
#elif KIND == 3
#define INSTRUCTION "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"
#else
#define INSTRUCTION "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
#endif
#if KIND == 3
#define SUM_REGISTER "+r"
#else
#define SUM_REGISTER "+f"
#endif
#define MMA(c, p, q)                                                                                                 \
    __asm__(INSTRUCTION " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                           \
            : SUM_REGISTER((c)[0]), SUM_REGISTER((c)[1]), SUM_REGISTER((c)[2]), SUM_REGISTER((c)[3])                 \
            : "r"((p)[0]), "r"((p)[1]), "r"((p)[2]), "r"((p)[3]), "r"((q)[0]), "r"((q)[1]))
#endif

#endif

#if !WGMMA

/* ---- from global to local memory ---- */

/* A tile is kept as its rows are stored. The place of a piece of 16 bytes in its row is the exclusive or of its index
 * and a number that depends on the row, so that neither copies nor loads meet in a bank. For 8 rows that are loaded at
 * once, this is their number, as far as a row has so many pieces; `pieces` is 4 where two rows fill all banks.
 *
 * For double, work-items t = 0 to 3 load from rows 2 t along C's, or pieces of 8 or 16 bytes along K. */
#define PAIRED !(P_ALONG && Q_ALONG) /* double: work-item t has 2 t and 2 t + 1 of 8 along K; otherwise t and t + 4 */
INLINE int swizzle(const int row, const int pieces, const int along)
{
    if (along && F64)
        return PAIRED ? (pieces >= 8 ? (row & 1) * 4 : 0) : (pieces >= 8 ? (row & 3) * 2 : (row >> 1 & 1) * 2);
    if (along)
        return pieces >= 8 ? row & 7 : row / (8 / pieces) & (pieces - 1);
    if (I8) /* rows 4 n and 4 n + 1, or 4 n + 2 and 4 n + 3, for n = 0 to 3 are loaded at once */
        return pieces >= 8 ? (row / 4 * 2 + row % 2) & 7 : row / 4 & (pieces - 1);
    return F64 ? row & 6 : F16 ? row & 7 : (row & 3) * 2;
}

/* 16 rows of P that run along K, for double: first the even ones, then the odd ones, since 2 g and 2 g + 1 are
 * neighbours in C where g and g + 8 are in the instruction. */
INLINE int place_of(const int row, const int along, const int is_p)
{
    return F64 && along && is_p ? (row & ~15) | (row >> 1 & 7) | (row & 1) << 3 : row;
}

/* What a work-item copies of a matrix's tiles: pieces of `width` bytes in every `down`-th row, at the same place. */
typedef struct {
    global const char *from; /* in the next tile */
    size_t pass, step;       /* bytes from one piece to the next, and from one tile to the next */
    int rows, columns;       /* rows of the matrix from the first piece on, and elements of a row */
    uint to;
} Copier;

/* How a matrix is copied, all constant: `along` is 1 if its rows, as stored, run along K; `tile` is where its tile
 * begins in a stage. */
#define SHAPE                                                                                                        \
    const int along, const int is_p, const int width, const int across, const int down, const int copies,            \
        const uint tile
#define A_SHAPE !TRANSPOSED_A, P_IS_A, A_COPY, A_ACROSS, A_DOWN, A_COPIES, 0
#define B_SHAPE TRANSPOSED_B, !P_IS_A, B_COPY, B_ACROSS, B_DOWN, B_COPIES, A_TILE

/* `matrix` is the first element of the first tile, `rows` and `columns` what there is from there on. */
INLINE void start(Copier *c, global const STORED *matrix, const int ld, const int rows, const int columns, SHAPE)
{
    const int item = get_local_id(0), first = item / across, byte = item % across * width;
    const int place = place_of(first, along, is_p), pieces = across * width / 16;
    c->from = (global const char *)matrix + (size_t)first * ld * BYTES + byte;
    c->pass = (size_t)down * ld * BYTES;
    c->step = along ? BK * BYTES : (size_t)BK * ld * BYTES;
    c->rows = rows - first;
    c->columns = columns - byte / BYTES;
    c->to = (place * pieces + (byte / 16 ^ swizzle(place, pieces, along))) * 16 + byte % 16;
}

/* Starts to copy a tile. What is outside of the matrix becomes 0. All numbers are powers of 2, so the bits of `first`
 * above are below those of i * down: places of their sum are sums, and swizzles exclusive ors. */
INLINE void fetch(Copier *c, const uint stage, SHAPE)
{
    const int bytes = PARTIAL ? clamp(c->columns, 0, width / BYTES) * BYTES : width;
    const int rows = PARTIAL || c->columns > 0 ? c->rows : 0;
    const int pieces = across * width / 16;
    UNROLLED
    for (int i = 0; i < copies; i++) {
        const int place = place_of(i * down, along, is_p);
        const uint to = stage + tile + (c->to ^ swizzle(place, pieces, along) * 16) + place * pieces * 16;
        COPY(width, to, c->from + i * c->pass, i * down < rows ? bytes : 0);
    }
    c->from += c->step;
    if (along)
        c->columns -= BK;
    else
        c->rows -= BK;
}

#define FETCH(stage)                                                                                                 \
    {                                                                                                                \
        fetch(&copy_a, stage, A_SHAPE);                                                                              \
        fetch(&copy_b, stage, B_SHAPE);                                                                              \
    }

/* ---- from local memory to registers ---- */

/* The operands of one step along K. */
typedef struct {
    REGISTER p[P_COUNT][P_REGISTERS], q[Q_COUNT][Q_REGISTERS];
} Fragment;

/* Where a work-item loads from: several places, because the exclusive or cannot be added later. */
typedef struct {
    uint p[8], q[8];
} Loader;

#define P_ROW (P_IS_A ? A_ROW : B_ROW)
#define Q_ROW (P_IS_A ? B_ROW : A_ROW)

/* p and q: the warp's first row of P and column of Q in the tile. */
INLINE void aim(Loader *l, const int lane, const int p, const int q)
{
    const int p_tile = P_IS_A ? 0 : A_TILE, q_tile = P_IS_A ? A_TILE : 0, g = lane / 4, t = lane % 4;
#if KIND == 0
    if (P_ALONG) /* pieces of 8 bytes: [step][k 0 to 3, or 4 to 7] */
        UNROLLED
        for (int i = 0; i < 2 * STEPS; i++)
            l->p[i] = p_tile + (p + g) * P_ROW + ((i * 2 + t / 2) ^ swizzle(g, P_ROW / 16, 1)) * 16 + t % 2 * 8;
    else
        l->p[0] = p_tile + 2 * t * P_ROW + (p / 2 + (g ^ 2 * t)) * 16;
    if (Q_ALONG && PAIRED)
        UNROLLED
        for (int i = 0; i < STEPS; i++)
            l->q[i] = q_tile + (q + g) * Q_ROW + ((i * 4 + t) ^ swizzle(g, Q_ROW / 16, 1)) * 16;
    else if (Q_ALONG)
        UNROLLED
        for (int i = 0; i < 2 * STEPS; i++)
            l->q[i] = q_tile + (q + g) * Q_ROW + ((i * 2 + t / 2) ^ swizzle(g, Q_ROW / 16, 1)) * 16 + t % 2 * 8;
    else /* pieces of 8 bytes: [columns 0 to 7, or 8 to 15] */
        UNROLLED
        for (int i = 0; i < 2; i++)
            l->q[i] = q_tile + 2 * t * Q_ROW + (q / 2 + ((i * 4 + g / 2) ^ 2 * t)) * 16 + g % 2 * 8;
#else
    const int low = lane % 16, high = lane / 16, mixed = lane % 8 + high * 8, middle = lane / 8 % 2;
    /* char: the rows along K of two matrices of 8 x 8 pairs are 4 n and 4 n + 1, and 4 n + 2 and 4 n + 3 */
    const int pairs = high * 16 + lane % 8 / 2 * 4 + middle * 2 + lane % 2;
    if (P_ALONG)
        UNROLLED
        for (int i = 0; i < STEPS; i++)
            l->p[i] = p_tile + (p + low) * P_ROW + ((i * 2 + high) ^ swizzle(low, P_ROW / 16, 1)) * 16;
    else if (I8)
        UNROLLED
        for (int i = 0; i < P_COUNT; i++)
            l->p[i] = p_tile + pairs * P_ROW + ((p / 16 + i) ^ swizzle(pairs, P_ROW / 16, 0)) * 16;
    else if (F16)
        UNROLLED
        for (int i = 0; i < P_COUNT; i++)
            l->p[i] = p_tile + mixed * P_ROW + ((p / 8 + i * 2 + middle) ^ mixed % 8) * 16;
    else
        l->p[0] = p_tile + t * P_ROW + (p / 4 + (g ^ 2 * t)) * 16;
    if (Q_ALONG)
        UNROLLED
        for (int i = 0; i < STEPS; i++)
            l->q[i] = q_tile + (q + mixed) * Q_ROW + ((i * 2 + middle) ^ swizzle(mixed, Q_ROW / 16, 1)) * 16;
    else if (I8)
        UNROLLED
        for (int i = 0; i < Q_COUNT / 2; i++)
            l->q[i] = q_tile + pairs * Q_ROW + ((q / 16 + i) ^ swizzle(pairs, Q_ROW / 16, 0)) * 16;
    else if (F16)
        UNROLLED
        for (int i = 0; i < Q_COUNT / 2; i++)
            l->q[i] = q_tile + low * Q_ROW + ((q / 8 + i * 2 + high) ^ low % 8) * 16;
    else
        l->q[0] = q_tile + t * Q_ROW + (q / 4 + (g ^ 2 * t)) * 16;
#endif
}

INLINE void load(Fragment *f, const Loader *l, const uint stage, const int step)
{
#if KIND == 0
    UNROLLED
    for (int i = 0; i < P_COUNT; i++)
        UNROLLED
        for (int e = 0; e < 2; e++) {
            if (P_ALONG) {
                LOAD_8(f->p[i][2 * e], stage + l->p[2 * step + e] + i * 16 * P_ROW);
                LOAD_8(f->p[i][2 * e + 1], stage + l->p[2 * step + e] + (i * 16 + 8) * P_ROW);
            } else {
                LOAD_16(f->p[i][2 * e], f->p[i][2 * e + 1], stage + l->p[0] + (step * 8 + e) * P_ROW + i * 128);
            }
        }
    UNROLLED
    for (int i = 0; i < Q_COUNT; i++) {
        if (Q_ALONG && PAIRED)
            LOAD_16(f->q[i][0], f->q[i][1], stage + l->q[step] + i * 8 * Q_ROW);
        else
            UNROLLED
            for (int e = 0; e < 2; e++) {
                if (Q_ALONG)
                    LOAD_8(f->q[i][e], stage + l->q[2 * step + e] + i * 8 * Q_ROW);
                else
                    LOAD_8(f->q[i][e], stage + l->q[i % 2] + (step * 8 + e) * Q_ROW + i / 2 * 128);
            }
    }
#else
#if P_ALONG
    UNROLLED
    for (int i = 0; i < P_COUNT; i++)
        LOAD_MATRICES(f->p[i][0], f->p[i][1], f->p[i][2], f->p[i][3], stage + l->p[step] + i * 16 * P_ROW);
#elif KIND == 1
    UNROLLED
    for (int i = 0; i < P_COUNT; i++)
        LOAD_TRANSPOSED(f->p[i][0], f->p[i][1], f->p[i][2], f->p[i][3], stage + l->p[i] + step * 16 * P_ROW);
#elif KIND == 3
    /* Each register has a pair of adjacent rows of P for two of K; they are rows g and g + 8. */
    UNROLLED
    for (int i = 0; i < P_COUNT; i++) {
        uint v[4];
        LOAD_TRANSPOSED(v[0], v[1], v[2], v[3], stage + l->p[i] + step * 32 * P_ROW);
        UNROLLED
        for (int e = 0; e < 2; e++) {
            EVEN_BYTES(f->p[i][2 * e], v[2 * e], v[2 * e + 1]);
            ODD_BYTES(f->p[i][2 * e + 1], v[2 * e], v[2 * e + 1]);
        }
    }
#else
    /* Four adjacent rows of P are rows g and g + 8 of two instructions. */
    UNROLLED
    for (int i = 0; i < P_COUNT; i += 2)
        UNROLLED
        for (int e = 0; e < 2; e++) {
            uint v[4];
            LOAD_4(v, stage + l->p[0] + (step * 8 + e * 4) * P_ROW + i * 64);
            UNROLLED
            for (int n = 0; n < 4; n++)
                f->p[i + n / 2][n % 2 + 2 * e] = v[n];
        }
#endif
#if Q_ALONG
    UNROLLED
    for (int j = 0; j < Q_COUNT; j += 2)
        LOAD_MATRICES(f->q[j][0], f->q[j][1], f->q[j + 1][0], f->q[j + 1][1],
                      stage + l->q[step] + j * 8 * Q_ROW);
#elif KIND == 1
    UNROLLED
    for (int j = 0; j < Q_COUNT; j += 2)
        LOAD_TRANSPOSED(f->q[j][0], f->q[j][1], f->q[j + 1][0], f->q[j + 1][1],
                        stage + l->q[j / 2] + step * 16 * Q_ROW);
#elif KIND == 3
    /* Each register has a pair of adjacent columns of Q for two of K; they are column g of two instructions. */
    UNROLLED
    for (int j = 0; j < Q_COUNT; j += 2) {
        uint v[4];
        LOAD_TRANSPOSED(v[0], v[1], v[2], v[3], stage + l->q[j / 2] + step * 32 * Q_ROW);
        UNROLLED
        for (int e = 0; e < 2; e++) {
            EVEN_BYTES(f->q[j][e], v[2 * e], v[2 * e + 1]);
            ODD_BYTES(f->q[j + 1][e], v[2 * e], v[2 * e + 1]);
        }
    }
#else
    /* Four adjacent columns of Q are column g of four instructions. */
    UNROLLED
    for (int j = 0; j < Q_COUNT; j += 4)
        UNROLLED
        for (int e = 0; e < 2; e++) {
            uint v[4];
            LOAD_4(v, stage + l->q[0] + (step * 8 + e * 4) * Q_ROW + j * 32);
            UNROLLED
            for (int n = 0; n < 4; n++)
                f->q[j + n][e] = v[n];
        }
#endif
#if KIND == 2
    UNROLLED
    for (int i = 0; i < P_COUNT * P_REGISTERS; i++)
        ROUND(f->p[i / P_REGISTERS][i % P_REGISTERS]);
    UNROLLED
    for (int i = 0; i < Q_COUNT * Q_REGISTERS; i++)
        ROUND(f->q[i / Q_REGISTERS][i % Q_REGISTERS]);
#endif
#endif
}

/* Goes to and fro along the columns, so that each product shares an operand with the previous one. */
INLINE void multiply(SUM sums[P_COUNT][Q_COUNT][4], const Fragment *f)
{
    UNROLLED
    for (int i = 0; i < P_COUNT; i++)
        UNROLLED
        for (int n = 0; n < Q_COUNT; n++) {
            const int j = i % 2 ? Q_COUNT - 1 - n : n;
            MMA(sums[i][j], f->p[i], f->q[j]);
        }
}

#else

/* ---- from global to local memory, and products from there ---- */

/* A tile whose rows, as stored, run along K has BK of each; another is divided into panels of 64 of C's rows or
 * columns. Rows are swizzled, so that those of 8 x 16 bytes are in different banks. */
#define PANEL (BK * 128)
#define ALONG_SWIZZLE (BK * BYTES == 32 ? 1 : BK * BYTES == 64 ? 2 : 3)

/* Two barriers of each stage: where its copies arrive, and where warps arrive that need them no longer. */
#define FULL(stage) (barriers + 16 * (stage))
#define FREE(stage) (barriers + 16 * (stage) + 8)

/* Starts to copy the tiles of A and B from m, n and k on. */
INLINE void fetch(global const ulong *maps, const uint to, const uint full, const int m, const int n, const int k)
{
    ARRIVE_EXPECTING(full, STAGE);
#if TRANSPOSED_A
    UNROLLED
    for (int i = 0; i < BM / 64; i++)
        COPY_BOX(to + i * PANEL, maps, m + i * 64, k, full);
#else
    COPY_BOX(to, maps, k, m, full);
#endif
#if TRANSPOSED_B
    COPY_BOX(to + A_TILE, maps + 16, k, n, full);
#else
    UNROLLED
    for (int i = 0; i < BN / 64; i++)
        COPY_BOX(to + A_TILE + i * PANEL, maps + 16, n + i * 64, k, full);
#endif
}

/* What wgmma must know of a tile besides its address: how its rows are swizzled, the distance of groups of 8 rows and
 * that of panels, in 16 bytes. */
#define ALONG_FORM ((ulong)(4 - ALONG_SWIZZLE) << 62 | (ulong)(BK * BYTES / 2) << 32 | 1ul << 16)
#define ACROSS_FORM (1ul << 62 | 64ul << 32 | (ulong)(PANEL / 16) << 16)

/* a: the first 64 rows of A of these four warps in the tile, b: B's tile */
INLINE void multiply(SUM sums[P_COUNT][Q_COUNT][4], const uint a, const uint b)
{
    UNROLLED
    for (int k = 0; k < STEPS; k++)
        UNROLLED
        for (int i = 0; i < P_COUNT; i++)
            WGMMA_PRODUCT(sums[i],
                          (P_ALONG ? ALONG_FORM | (a + i * 64 * A_ROW + k * 32) / 16
                                   : ACROSS_FORM | (a + i * PANEL + k * 2048) / 16),
                          (Q_ALONG ? ALONG_FORM | (b + k * 32) / 16 : ACROSS_FORM | (b + k * 2048) / 16));
}

#endif

/* ---- results ---- */

#if KIND == 1
#define LOAD_C(c) vload_half(0, c)
#define STORE_C(v, c) vstore_half(v, 0, c)
#define LOAD_C2(c) vloada_half2(0, c)
#define STORE_C2(v, c) (*(global uint *)(c) = rounded(v))
#else
#define LOAD_C(c) (*(c))
#define STORE_C(v, c) (*(c) = (v))
#if KIND == 0
#define LOAD_C2(c) (*(global const double2 *)(c))
#define STORE_C2(v, c) (*(global double2 *)(c) = (v))
#elif KIND == 3
#define LOAD_C2(c) (*(global const int2 *)(c))
#define STORE_C2(v, c) (*(global int2 *)(c) = (v))
#else
#define LOAD_C2(c) (*(global const float2 *)(c))
#define STORE_C2(v, c) (*(global float2 *)(c) = (v))
#endif
#endif
#if KIND == 0
#define SUM2 double2
#elif KIND == 3
#define SUM2 int2
#define SUM4 int4
#else
#define SUM2 float2
#define SUM4 float4
#endif

INLINE void store_1(global RESULT *c, const SUM v, const SUM alpha, const SUM beta)
{
    STORE_C(beta == 0 ? alpha * v : alpha * v + beta * LOAD_C(c), c);
}

/* Stores two adjacent sums, as far as they are in C. */
INLINE void store_2(global RESULT *c, const SUM v, const SUM w, const SUM alpha, const SUM beta, const int columns)
{
#if C_WIDE > 1
    if (columns >= 2) {
        SUM2 both = {alpha * v, alpha * w};
        if (beta != 0)
            both += beta * LOAD_C2(c);
        STORE_C2(both, c);
        return;
    }
#endif
    if (columns > 0)
        store_1(c, v, alpha, beta);
    if (columns > 1)
        store_1(c + 1, w, alpha, beta);
}

/* Stores four adjacent sums of TF32 or char. */
INLINE void store_4(global RESULT *c, const SUM *v, const SUM alpha, const SUM beta, const int columns)
{
#if C_WIDE == 4
    if (columns >= 4) {
        SUM4 all = {alpha * v[0], alpha * v[1], alpha * v[2], alpha * v[3]};
        if (beta != 0)
            all += beta * *(global const SUM4 *)c;
        *(global SUM4 *)c = all;
        return;
    }
#endif
    UNROLLED
    for (int e = 0; e < 4; e++)
        if (e < columns)
            store_1(c + e, v[e], alpha, beta);
}

#if KIND == 1 && C_WIDE == 8
/* Work-items whose t has the bit give their x for the y of those that do not have it. */
INLINE void exchange(uint *x, uint *y, const int t, const int bit)
{
    const uint other = from_other(t & bit ? *x : *y, bit);
    *x = t & bit ? other : *x;
    *y = t & bit ? *y : other;
}

/* Stores the sums of a row by 16 bytes. The four work-items that have 8 columns of 4 products exchange them, so that
 * each has all of one. */
INLINE void store_row(global half *c, SUM sums[Q_COUNT][4], const int h, const int t, const SUM alpha,
                      const int columns)
{
    UNROLLED
    for (int j = 0; j < Q_COUNT; j += 4) {
        uint v[4];
        UNROLLED
        for (int i = 0; i < 4; i++) {
            const float2 pair = {alpha * sums[j + i][2 * h], alpha * sums[j + i][2 * h + 1]};
            v[i] = rounded(pair);
        }
        exchange(&v[0], &v[2], t, 2);
        exchange(&v[1], &v[3], t, 2);
        exchange(&v[0], &v[1], t, 1);
        exchange(&v[2], &v[3], t, 1);
        const int left = columns - (j + t) * 8;
        const uint4 all = {v[0], v[1], v[2], v[3]};
        if (left >= 8)
            *(global uint4 *)(c + (j + t) * 8) = all;
        else
            UNROLLED
            for (int i = 0; i < 8; i++)
                if (i < left)
                    ((global ushort *)c)[(j + t) * 8 + i] = v[i / 2] >> i % 2 * 16;
    }
}
#endif

/* Stores a warp's sums. c: its first element of C; rows, columns: how many there are from there on. */
INLINE void store(global RESULT *c, const int ldc, SUM sums[P_COUNT][Q_COUNT][4], const int lane, const int rows,
                  const int columns, const SUM alpha, const SUM beta)
{
    const int g = lane / 4, t = lane % 4;
    UNROLLED
    for (int i = 0; i < (P_IS_A ? P_COUNT : Q_COUNT); i++)
        UNROLLED
        for (int h = 0; h < 2; h++) {
            /* double: rows of A are g and g + 8 of P, which are 2 g and 2 g + 1 of C, or 2 t and 2 t + 1 of Q */
            const int row = !P_IS_A        ? i * 8 + 2 * t + h
                            : F64          ? i * 16 + 2 * g + h
                            : I8 && !P_ALONG ? i * 16 + 2 * g + h
                            : TF32 && !P_ALONG ? i / 2 * 32 + 4 * g + i % 2 * 2 + h
                                           : i * P_STEP + g + h * 8;
            global RESULT *const to = c + (size_t)row * ldc;
#if KIND == 1 && C_WIDE == 8
            if (beta == 0) {
                store_row(to, sums[i], h, t, alpha, row < rows ? columns : 0);
                continue;
            }
#endif
            if (row >= rows)
                continue;
#if !P_IS_A
            UNROLLED
            for (int j = 0; j < P_COUNT; j++)
                store_2(to + j * 16 + 2 * g, sums[j][i][h], sums[j][i][2 + h], alpha, beta, columns - j * 16 - 2 * g);
#elif KIND == 2 && !Q_ALONG
            UNROLLED
            for (int j = 0; j < Q_COUNT; j += 4)
                UNROLLED
                for (int e = 0; e < 2; e++) {
                    const SUM v[4] = {sums[i][j][2 * h + e], sums[i][j + 1][2 * h + e], sums[i][j + 2][2 * h + e],
                                      sums[i][j + 3][2 * h + e]};
                    store_4(to + j * 8 + 8 * t + 4 * e, v, alpha, beta, columns - j * 8 - 8 * t - 4 * e);
                }
#elif KIND == 3 && !Q_ALONG
            UNROLLED
            for (int j = 0; j < Q_COUNT; j += 2) {
                const SUM v[4] = {sums[i][j][2 * h], sums[i][j + 1][2 * h], sums[i][j][2 * h + 1],
                                  sums[i][j + 1][2 * h + 1]};
                store_4(to + j * 8 + 4 * t, v, alpha, beta, columns - j * 8 - 4 * t);
            }
#else
            UNROLLED
            for (int j = 0; j < Q_COUNT; j++)
                store_2(to + j * 8 + 2 * t, sums[i][j][2 * h], sums[i][j][2 * h + 1], alpha, beta,
                        columns - j * 8 - 2 * t);
#endif
        }
}

/* ---- the kernel ---- */

/* Multiplies a tile whose first operands are in fragments[f]; copies a later one to its place once all warps have
 * loaded this one; and loads the first operands of the next one. So all STAGES tiles are of use. */
#define MULTIPLY_TILE(f)                                                                                             \
    {                                                                                                                \
        const uint next = now == last ? first : now + STAGE;                                                         \
        UNROLLED                                                                                                     \
        for (int s = 0; s < STEPS; s++) {                                                                            \
            if (s < STEPS - 1) {                                                                                     \
                load(&fragments[(f + s + 1) % 2], &loader, now, s + 1);                                              \
            } else {                                                                                                 \
                WAIT(2);                                                                                             \
                barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
                load(&fragments[(f + s + 1) % 2], &loader, next, 0);                                                 \
                if (tile + STAGES < part.count)                                                                      \
                    FETCH(now);                                                                                      \
                END_OF_COPIES;                                                                                       \
            }                                                                                                        \
            multiply(sums, &fragments[(f + s) % 2]);                                                                 \
        }                                                                                                            \
        now = next;                                                                                                  \
        tile++;                                                                                                      \
    }

#if SPLITS > 1
/* Keeps a group's sums. Of every FAN groups of a tile, the last one to come adds what they kept, in the order of K; of
 * every FAN of those again, until one has the sum of all. Returns whether this is the one. */
#define FAN 16
INLINE int join(SUM sums[P_COUNT][Q_COUNT][4], const int split, global SUM *partial, volatile global int *arrived,
                volatile local uint *is_last)
{
    const int item = get_local_id(0);
    int from = split, counters = SPLITS;
    UNROLLED
    for (int apart = 1; apart < SPLITS; apart *= FAN) {
        const int place = from / (apart * FAN);
        const int count = min(FAN, (SPLITS - place * apart * FAN + apart - 1) / apart);
        UNROLLED
        for (int i = 0; i < P_COUNT * Q_COUNT * 4; i++)
            partial[from * BM * BN + i * ITEMS + item] = sums[i / 4 / Q_COUNT][i / 4 % Q_COUNT][i % 4];
        FENCE;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (item == 0)
            *is_last = atomic_inc(arrived + place) == count - 1;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (!*is_last)
            return 0;
        FENCE;
        from = place * apart * FAN;
        UNROLLED
        for (int i = 0; i < P_COUNT * Q_COUNT * 4; i++) {
            SUM sum = 0;
            UNROLLED
            for (int s = 0; s < FAN && s < SPLITS; s++)
                if (SPLITS <= FAN || s < count)
                    sum += partial[(from + s * apart) * BM * BN + i * ITEMS + item];
            sums[i / 4 / Q_COUNT][i / 4 % Q_COUNT][i % 4] = sum;
        }
        if (item == 0)
            arrived[place] = 0;
        counters = (counters + FAN - 1) / FAN;
        arrived += counters;
    }
    return 1;
}
#define COUNTERS ((SPLITS + FAN - 1) / FAN + (SPLITS > FAN)) /* of a tile */
#if SPLITS > 256
#error "gemm_tensor.cl: SPLITS is up to 256"
#endif
#endif

/* What a group computes: a tile of C, from its first element (m, n) on; `count` tiles along K from k on; as one of
 * SPLITS parts. */
typedef struct {
    int tile, split, m, n, k, count;
} Part;

INLINE Part part_of(const int group, const int M, const int N, const int K, const SUM alpha)
{
    Part part;
    part.tile = group / SPLITS;
    part.split = group % SPLITS;
    const int tiles_m = (M + BM - 1) / BM, tiles_n = (N + BN - 1) / BN;
    const int band = part.tile / (BAND * tiles_n), inside = part.tile - band * BAND * tiles_n;
    const int high = min(BAND, tiles_m - band * BAND);
    part.m = (band * BAND + inside % high) * BM;
    part.n = inside / high * BN;
    const int tiles_k = alpha == 0 ? 0 : (K + BK - 1) / BK, share = (tiles_k + SPLITS - 1) / SPLITS;
    part.k = part.split * share * BK;
    part.count = max(min(tiles_k - part.split * share, share), 0);
    return part;
}

INLINE void clear(SUM sums[P_COUNT][Q_COUNT][4])
{
    UNROLLED
    for (int i = 0; i < P_COUNT * Q_COUNT * 4; i++)
        sums[i / 4 / Q_COUNT][i / 4 % Q_COUNT][i % 4] = 0;
}

#define ARGUMENTS                                                                                                    \
    const int M, const int N, const int K, const SUM alpha, global const STORED *restrict A, const ulong a_first,    \
        const int lda, global const STORED *restrict B, const ulong b_first, const int ldb, const SUM beta,          \
        global RESULT *restrict C, const ulong c_first, const int ldc
#if SPLITS > 1
#define SHARED_ARGUMENTS , global SUM *partial, volatile global int *arrived
#else
#define SHARED_ARGUMENTS
#endif

#if WGMMA

/* Each group computes every get_num_groups(0)-th part, so that it describes A and B once, and the first copies for a
 * part are on their way while the sums of the last one are stored. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void gemm(ARGUMENTS, global ulong *maps SHARED_ARGUMENTS)
{
    LOCAL uint memory[(STAGES * (STAGE + 16) + 1024) / 4 + 4];
    const uint first = (ADDRESS(memory) + 1023) & ~1023u, barriers = first + STAGES * STAGE;
    const int item = get_local_id(0), warp = item / 32, lane = item % 32;
    const int m = warp / 4 * WM + warp % 4 * 16, groups = (M + BM - 1) / BM * ((N + BN - 1) / BN) * SPLITS;
    const uint a = P_ALONG ? warp / 4 * WM * A_ROW : warp / 4 * (WM / 64) * PANEL;

    maps += (size_t)get_group_id(0) * 32;
    if (item == 0)
        for (int i = 0; i < STAGES; i++) {
            START_BARRIER(FULL(i), 1);
            START_BARRIER(FREE(i), ITEMS / 32);
        }
    if (warp == 0)
        describe(maps, first, lane, A + a_first, lda, TRANSPOSED_A ? M : K, TRANSPOSED_A ? K : M,
                 TRANSPOSED_A ? 64 : BK, TRANSPOSED_A ? BK : BM, TRANSPOSED_A ? 3 : ALONG_SWIZZLE);
    else if (warp == 1)
        describe(maps + 16, first + 128, lane, B + b_first, ldb, TRANSPOSED_B ? K : N, TRANSPOSED_B ? N : K,
                 TRANSPOSED_B ? BK : 64, TRANSPOSED_B ? BN : BK, TRANSPOSED_B ? ALONG_SWIZZLE : 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        FENCE_COPIES;
        SEE(maps);
        SEE(maps + 16);
        const Part part = part_of(get_group_id(0), M, N, K, alpha);
        for (int i = 0; i < STAGES && i < part.count; i++)
            fetch(maps, first + i * STAGE, FULL(i), part.m, part.n, part.k + i * BK);
    }

    uint stage = 0, round = 0;
#pragma unroll 1
    for (int group = get_group_id(0); group < groups; group += get_num_groups(0)) {
        const Part part = part_of(group, M, N, K, alpha);
        SUM sums[P_COUNT][Q_COUNT][4];
        clear(sums);
#pragma unroll 1
        for (int tile = 0; tile < part.count; tile++) {
            const uint now = first + stage * STAGE;
            wait_at(FULL(stage), round);
            WGMMA_FENCE;
            multiply(sums, now + a, now + A_TILE);
            END_OF_PRODUCTS;
            WAIT_FOR_PRODUCTS;
            if (lane == 0)
                ARRIVE(FREE(stage));
            if (item == 0 && tile + STAGES < part.count) {
                wait_at(FREE(stage), round);
                fetch(maps, now, FULL(stage), part.m, part.n, part.k + (tile + STAGES) * BK);
            }
            if (++stage == STAGES) {
                stage = 0;
                round++;
            }
        }
        if (item == 0 && group + get_num_groups(0) < groups) {
            const Part next = part_of(group + get_num_groups(0), M, N, K, alpha);
            uint to = stage, before = round - 1;
            for (int i = 0; i < STAGES && i < next.count; i++) {
                if (before != -1u)
                    wait_at(FREE(to), before);
                fetch(maps, first + to * STAGE, FULL(to), next.m, next.n, next.k + i * BK);
                if (++to == STAGES) {
                    to = 0;
                    before++;
                }
            }
        }
#if SPLITS > 1
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!join(sums, part.split, partial + (size_t)part.tile * SPLITS * BM * BN,
                  arrived + part.tile * COUNTERS,
                  memory + sizeof memory / 4 - 4))
            continue;
#endif
        store(C + c_first + (size_t)(part.m + m) * ldc + part.n, ldc, sums, lane, M - part.m - m, N - part.n, alpha,
              beta);
    }
}

#else

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void gemm(ARGUMENTS SHARED_ARGUMENTS)
{
    /* Tiles are aligned to 16 bytes. NVIDIA keeps 4 bytes of 48 KiB free, so that no local pointer is null, and an
     * array of the rest begins behind them, where it is not aligned: tiles of 48 KiB begin with those 4 bytes. */
#if STAGES * STAGE + 32 <= 49152
    LOCAL uint memory[STAGES * STAGE / 4 + 4];
    const uint first = (ADDRESS(memory) + 15) & ~15u, last = first + (STAGES - 1) * STAGE;
#else
    LOCAL uint memory[STAGES * STAGE / 4];
    const uint first = ADDRESS(memory) & ~15u, last = first + (STAGES - 1) * STAGE;
#endif

    const Part part = part_of(get_group_id(0), M, N, K, alpha);
    const int item = get_local_id(0), warp = item / 32, lane = item % 32;
    const int m = warp % (BM / WM) * WM, n = warp / (BM / WM) * WN;
    SUM sums[P_COUNT][Q_COUNT][4];
    clear(sums);
    if (part.count > 0) {
        const int k = part.k, k_rest = min(K - k, part.count * BK);
        Copier copy_a, copy_b;
        start(&copy_a, A + a_first + (TRANSPOSED_A ? (size_t)k * lda + part.m : (size_t)part.m * lda + k), lda,
              TRANSPOSED_A ? k_rest : M - part.m, TRANSPOSED_A ? M - part.m : k_rest, A_SHAPE);
        start(&copy_b, B + b_first + (TRANSPOSED_B ? (size_t)part.n * ldb + k : (size_t)k * ldb + part.n), ldb,
              TRANSPOSED_B ? N - part.n : k_rest, TRANSPOSED_B ? k_rest : N - part.n, B_SHAPE);
        Loader loader;
        aim(&loader, lane, P_IS_A ? m : n, P_IS_A ? n : m);

        UNROLLED
        for (int i = 0; i < STAGES; i++) {
            if (i < part.count)
                FETCH(first + i * STAGE);
            END_OF_COPIES;
        }
        WAIT(1);
        barrier(CLK_LOCAL_MEM_FENCE);
        Fragment fragments[2];
        load(&fragments[0], &loader, first, 0);

        int tile = 0;
        uint now = first;
#pragma unroll 1
        while (tile < part.count) {
            MULTIPLY_TILE(0)
#if STEPS % 2
            if (tile == part.count)
                break;
            MULTIPLY_TILE(1)
#endif
        }
        WAIT(STAGES);
    }

#if SPLITS > 1
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!join(sums, part.split, partial + (size_t)part.tile * SPLITS * BM * BN, arrived + part.tile * COUNTERS,
              memory))
        return;
#endif
    store(C + c_first + (size_t)(part.m + m) * ldc + part.n + n, ldc, sums, lane, M - part.m - m, N - part.n - n, alpha,
          beta);
}

#endif
