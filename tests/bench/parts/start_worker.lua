-- A whole prototype by clue, for tests/bench/prototype: start, context, build, one kernel, its result.
local cl = require "clue"
local context = cl.context()
local queue = context:queue()
local program = context:program "kernel void square(global float *x) { x[get_global_id(0)] *= x[get_global_id(0)]; }"
local numbers = cl.array.float(1000, 3)
local x = context:buffer(numbers)
program:kernel "square"(queue, 1000, nil, x)
queue:read_buffer(x, numbers)
print(("%.0f"):format(numbers[999]))
