-- Prefix sums and sorts on the device: context:scan and context:sort. scan_worker.py does the same with PyOpenCL. A
-- sort takes the same keys each time, which are copied first.
local cl = require "clue"
local serve = require "serve"

local SIZES = {["1e3"] = 1e3, ["1e6"] = 1e6, ["1e7"] = 1e7}

local context = cl.context()
local queue = context:queue {profiling = false}
local sum = context:scan("float", "sum")
local greatest = context:scan("const int *x, int *out",
  {type = "int", input = "x[i]", operation = "a > b ? a : b", identity = "INT_MIN", output = "out[i] = item"})
local sort = context:sort("uint")
local by_key = context:sort("uint", {values = "uint"})

local operations, add = require "enqueued"(queue)

for name, size in pairs(SIZES) do
  local x, out = context:buffer(cl.array.float(size):random(0, 1, 1)), context:buffer(4 * size)
  local keys, values = context:buffer(cl.array.uint(size):random(0, 2 ^ 32 - 1, 1)), context:buffer(4 * size)
  add("sum float " .. name, function() sum(queue, x, out) end)
  add("max int " .. name, function() greatest(queue, x, out) end)
  if size < 1e7 then -- PyOpenCL's sort of so many takes 9 seconds on two cores
    add("sort uint " .. name, function()
      queue:copy_buffer(keys, out)
      sort(queue, out)
    end)
    add("sort uint, uint " .. name, function()
      queue:copy_buffer(keys, out)
      by_key(queue, out, values)
    end)
  end
end
serve(operations, function() queue:finish() end)
