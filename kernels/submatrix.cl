/* submatrix.cl - C = A B of int matrices stored by rows; A is M x K and B is K x N. One kernel has three variants:
 *   -D VARIANT=1                          one work-item for each element of C; groups of any size
 *   -D VARIANT=2 -D TILE=16               square tiles of A and B in local memory; groups of TILE x TILE
 *   -D VARIANT=3 -D TILE=8 -D WPT=8       as 2, but each work-item computes WPT elements of a column of C; groups of
 *                                         TILE x TILE / WPT, where WPT divides TILE
 * Dimension 0 runs along the columns of C, so neighbours read adjacent elements of B and write adjacent elements of C.
 * The global size is rounded up to whole groups: elements outside the matrices are 0 in a tile and are not stored, and
 * every work-item reaches every barrier. M x K, K x N and M x N must be below 2^31. */
#ifndef VARIANT
#error "VARIANT is 1, 2 or 3: see the head of submatrix.cl"
#endif

#if VARIANT == 1

__kernel void submatrix(const int m, const int k, const int n, __global const int *a, __global const int *b,
                        __global int *c)
{
    const int column = get_global_id(0), row = get_global_id(1);
    if (row >= m || column >= n)
        return;
    int sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}

#else

#if VARIANT == 2
#define WPT 1
#endif
#define ROWS (TILE / WPT) /* of work-items in a group */

__kernel void submatrix(const int m, const int k, const int n, __global const int *a, __global const int *b,
                        __global int *c)
{
    __local int tile_a[TILE][TILE], tile_b[TILE][TILE];
    const int x = get_local_id(0), y = get_local_id(1);
    const int column = get_group_id(0) * TILE + x, top = get_group_id(1) * TILE + y;
    int sums[WPT]; /* published: float, which is wrong above 2^24 */
    for (int w = 0; w < WPT; w++)
        sums[w] = 0;
    for (int first = 0; first < k; first += TILE) {
        for (int w = 0; w < WPT; w++) {
            const int line = y + w * ROWS, row = top + w * ROWS;
            tile_a[line][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
            tile_b[line][x] = first + line < k && column < n ? b[(first + line) * n + column] : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TILE; i++) {
            for (int w = 0; w < WPT; w++)
                sums[w] += tile_a[y + w * ROWS][i] * tile_b[i][x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int w = 0; w < WPT; w++) {
        if (top + w * ROWS < m && column < n)
            c[(top + w * ROWS) * n + column] = sums[w];
    }
}

#endif
