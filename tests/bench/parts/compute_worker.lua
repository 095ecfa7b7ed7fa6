-- What arrays compute on the device: context:elementwise, context:reduction and queue:random, each with its result
-- waited for. compute_worker.py does the same with PyOpenCL.
local cl = require "clue"
local serve = require "serve"

local SIZES = {["1e3"] = 1e3, ["1e6"] = 1e6, ["3e7"] = 3e7}

local context = cl.context()
local queue = context:queue {profiling = false}
local axpy = context:elementwise("float a, const float *x, float *y", "y[i] = a * x[i] + y[i]")
local exponential = context:elementwise("const float *x, float *y", "y[i] = exp(x[i])")
local sum = context:reduction("const float *x", "sum")
local least = context:reduction("const float *x", "min")
local dot = context:reduction("const float *x, const float *y",
  {type = "float", map = "x[i] * y[i]", reduce = "a + b", identity = 0})

local operations, add = require "enqueued"(queue)

for name, size in pairs(SIZES) do
  local x, y = context:buffer(cl.array.float(size):random(0, 1, 1)), context:buffer(cl.array.float(size, 1))
  add("axpy " .. name, function() axpy(queue, 2, x, y) end)
  add("exp " .. name, function() exponential(queue, x, y) end)
  add("sum " .. name, function() sum(queue, x) end)
  add("min " .. name, function() least(queue, x) end)
  add("dot " .. name, function() dot(queue, x, y) end)
  add("uniform " .. name, function() queue:random(y, "float", {low = -1, high = 1, seed = 7}) end)
  add("normal " .. name, function() queue:random(y, "float", {distribution = "normal", seed = 7}) end)
end
serve(operations, function() queue:finish() end)
