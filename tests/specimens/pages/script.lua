-- What pages call script.lua: a script with an input, whose kernels have the names that pages mention.
local cl = require "clue"

input.int("_size", 64, "elements to scale, and rows of the matrices up to 16", 1)

local KERNELS = [[
#ifndef ITEMS
#define ITEMS 1
#endif
kernel void scale(global const float *x, global float *y)
{
    size_t i = get_global_id(0) * ITEMS;
    for (int k = 0; k < ITEMS; k++) y[i + k] = 2 * x[i + k];
}
kernel void sum(global const float *a, global const float *b, global float *c)
{
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i];
}
kernel void sgemm(global const float *a, global const float *b, global float *c, int n)
{
    int row = get_global_id(1), column = get_global_id(0);
    float total = 0;
    for (int k = 0; k < n; k++) total += a[row * n + k] * b[k * n + column];
    c[row * n + column] = total;
}]]

function OnStart()
  local n, rows = _size, math.min(_size, 16)
  local context = cl.context()
  local queue = context:queue()
  local program = context:program(KERNELS)
  local x, y = context:buffer(cl.array.float(n):random(0, 1, 1)), context:buffer(4 * n)
  for _ = 1, 3 do program.scale(queue, n, nil, x, y) end
  local a = context:buffer(cl.array.float(rows * rows):random(0, 1, 2))
  local b, c = context:buffer(cl.array.float(rows * rows):random(0, 1, 3)), context:buffer(4 * rows * rows)
  program.sum(queue, rows * rows, nil, a, b, c)
  program.sgemm(queue, {rows, rows}, nil, a, b, c, rows)
  queue:finish()
end
