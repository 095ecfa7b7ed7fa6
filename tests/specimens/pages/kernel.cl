/* What pages call kernel.cl. */
kernel void sum(global const float *a, global float *y)
{
    size_t i = get_global_id(0);
    y[i] = a[i] + a[get_global_size(0) - 1 - i];
}
