/* What docs/reference/checking.md checks at a size at which its missing barrier does not show. */
kernel void sums(global const float *a, global float *b, int n)
{
    local float tile[16];
    const int i = get_global_id(0), l = get_local_id(0);
    float sum = 0;
    for (int first = 0; first < n; first += 16) {
        tile[l] = first + l < n ? a[first + l] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            sum += tile[k];
    }
    if (i >= n)
        return;
    b[i] = sum;
}
