-- A step of dcltk (3 or 4) with the index that its author published: the left matrix by i * rows + k where i * cols + k
-- is meant. Otherwise it is the step, with its options and its checks.
input.string("_step", "", "path of the walkthrough's step")

local file = assert(io.open(_step))
local text, replaced = file:read("*a"):gsub("a%[i %* cols %+ k%]([^\n]*published: a%[i %* rows %+ k%])",
  "a[i * rows + k]%1")
file:close()
assert(replaced == 1, "the step's index is not where it was")
assert((rawget(_G, "loadstring") or load)(text, "@" .. _step))()
