/* The kernels of tests/bench/overhead: they have 1, 4 and 8 arguments and do next to nothing. */

kernel void f1(global float *a) {
    if (get_global_id(0) == 1) a[0] = 1;
}

kernel void f4(global float *a, float b, global float *c, int d) {
    if (get_global_id(0) == 1) a[0] = b + c[0] + d;
}

kernel void f8(global float *a, float b, global float *c, int d, global float *e, float f, global float *g, int h) {
    if (get_global_id(0) == 1) a[0] = b + c[0] + d + e[0] + f + g[0] + h;
}
