-- The script of docs/reference/errors.md, whose kernel writes behind the end of its buffer.
local cl = require "clue"
local context = cl.context()
local queue = context:queue()
local program = context:program [[kernel void f(global int *x, int n) {
  x[get_global_id(0) + n] = 1;
}]]
program.f(queue, 11, 1, context:buffer(40), 0)
queue:finish()
