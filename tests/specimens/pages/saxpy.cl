/* The file of docs/reference/build.md, which shows what `clue build` says of it. */
kernel void saxpy(global float *y, global const float *x, float a)
{
    y[get_global_id(0)] += a * x[get_global_id(0)];
}

kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void transpose(global float *to, global const float *from, int size)
{
    local float tile[16][17];
    int x = get_group_id(0) * 16, y = get_group_id(1) * 16, i = get_local_id(0), j = get_local_id(1);
    tile[j][i] = from[(y + j) * size + x + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[(x + j) * size + y + i] = tile[i][j];
}
