/* What docs/reference/checking.md checks with other numbers. */
kernel void f(global int *a, int offset) {
  a[get_global_id(0)] += a[get_global_id(0) + offset];
}
