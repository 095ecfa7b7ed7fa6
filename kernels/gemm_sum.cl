/* gemm_sum.cl - C = alpha times the sum of so many matrices + beta C: the second kernel of products whose groups share K.
 * They are M x N with rows of N, one behind the other. C has rows of ldc; where beta is 0, it is not read.
 *
 *   REAL              the type of the sums
 *   STORED            the type of C's elements: REAL if not given
 *   C_WIDTH PIECE     so many elements are added at once, as one PIECE: 1 and REAL if not given. C_WIDTH divides N
 *   LOAD_PIECE(from) STORE_PIECE(v, to)  of C, if PIECE is given
 */
#ifndef STORED
#define STORED REAL
#endif
#ifndef PIECE
#define C_WIDTH 1
#define PIECE REAL
#define LOAD_PIECE(from) (*(from))
#define STORE_PIECE(v, to) (*(to) = (v))
#endif

#define MOST_ITEMS 256

/* C = alpha times the sum of so many matrices + beta C, by pieces of C_WIDTH elements. A group has MOST_ITEMS work-items
 * at most, `down` (a power of 2) for each piece: each adds every so many-th matrix' piece, and the group adds the
 * work-items' sums. There are groups for M * N / C_WIDTH pieces or more. */
kernel void gemm_sum(const int M, const int N, const int matrices, const int down, const REAL alpha,
                     global const PIECE *restrict sums, const REAL beta, global STORED *restrict C,
                     const ulong c_first, const int ldc)
{
    local PIECE shares[MOST_ITEMS];
    const int across = N / C_WIDTH, width = get_local_size(0) / down;
    const int x = get_local_id(0) % width, y = get_local_id(0) / width;
    const size_t piece = get_group_id(0) * (size_t)width + x, pieces = (size_t)M * across;
    PIECE sum = 0;
    if (piece < pieces)
        for (int i = y; i < matrices; i += down)
            sum += sums[i * pieces + piece];
    for (int half_of = down / 2; half_of > 0; half_of /= 2) {
        shares[y * width + x] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (y < half_of)
            sum += shares[(y + half_of) * width + x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (y == 0 && piece < pieces) {
        global STORED *const c = C + c_first + piece / across * ldc + piece % across * C_WIDTH;
        PIECE v = alpha * sum;
        if (beta != 0)
            v += beta * LOAD_PIECE(c);
        STORE_PIECE(v, c);
    }
}
