-- The text of kernels for specs that need one, whichever it is: a compiler needs time for each text. A script in a
-- child process gets it by dofile "tests/spec/kernels.lua".
return [[
kernel void add(global float *x, float by) { x[get_global_id(0)] += by; }
kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }
kernel void spin(global uint *x, uint rounds) {
  uint value = x[get_global_id(0)];
  for (uint i = 0; i < rounds; i++) value = value * 1664525u + 1013904223u;
  x[get_global_id(0)] = value;
}
kernel void cells(global int *x, int width) {
  x[get_global_id(1) * width + get_global_id(0)] = 10 * get_global_id(1) + get_global_id(0);
}
kernel void set(global int *x, int n) { x[0] = n; }
]]
