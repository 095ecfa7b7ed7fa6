-- The call of docs/reference/errors.md that has a wrong local size.
local cl = require "clue"
local context = cl.context(0)
local program = context:program "kernel void zero(global float *x) { x[get_global_id(0)] = 0; }"
local done, problem = pcall(program.zero, context:queue(), 1000, 24, context:buffer(4000))
print(not done and ("%s: %s (%d): %s"):format(problem.call, problem.name, problem.code, problem.detail))
