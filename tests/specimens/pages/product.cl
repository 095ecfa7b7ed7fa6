/* What docs/reference/checking.md checks by itself. */
kernel void product(global const float *a, global float *b, int n)
{
    int row = get_global_id(1), column = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * a[k * n + column];
    b[row * n + column] = sum;
}
