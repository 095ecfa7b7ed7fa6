/* C = A B for square float matrices of N rows. A work-item computes WX x WY elements, block_size_x and block_size_y
 * work-items apart, from slices of A and B of TK columns or rows, which LOCAL = 1 stages in local memory. */
#define TILE_X (block_size_x * WX)
#define TILE_Y (block_size_y * WY)

kernel void product(global const float *a, global const float *b, global float *c)
{
    const int x = get_local_id(0), y = get_local_id(1);
    const int left = get_group_id(0) * TILE_X, top = get_group_id(1) * TILE_Y;
    float sum[WY][WX];
    for (int j = 0; j < WY; j++)
        for (int i = 0; i < WX; i++)
            sum[j][i] = 0;
#if LOCAL
    local float as[TILE_Y][TK], bs[TK][TILE_X];
#endif
    for (int first = 0; first < N; first += TK) {
#if LOCAL
        for (int at = y * block_size_x + x; at < TILE_Y * TK; at += block_size_x * block_size_y)
            as[at / TK][at % TK] = a[(top + at / TK) * N + first + at % TK];
        for (int at = y * block_size_x + x; at < TK * TILE_X; at += block_size_x * block_size_y)
            bs[at / TILE_X][at % TILE_X] = b[(first + at / TILE_X) * N + left + at % TILE_X];
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        for (int k = 0; k < TK; k++)
            for (int j = 0; j < WY; j++)
                for (int i = 0; i < WX; i++)
#if LOCAL
                    sum[j][i] += as[y + j * block_size_y][k] * bs[k][x + i * block_size_x];
        barrier(CLK_LOCAL_MEM_FENCE);
#else
                    sum[j][i] += a[(top + y + j * block_size_y) * N + first + k]
                        * b[(first + k) * N + left + x + i * block_size_x];
#endif
    }
    for (int j = 0; j < WY; j++)
        for (int i = 0; i < WX; i++)
            c[(top + y + j * block_size_y) * N + left + x + i * block_size_x] = sum[j][i];
}
