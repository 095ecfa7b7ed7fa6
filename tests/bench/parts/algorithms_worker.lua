-- The algorithms of parts/algorithms.lua, at the sizes given as arguments: the exponents of 2. Data are made on the
-- device. Reductions leave their result in a buffer, except those of arrays, which give the script a number.
local cl = require "clue"
local serve = require "serve"

local context = cl.context()
local queue = context:queue {profiling = false}
local operations, add = require "enqueued"(queue)

-- A sort gets random keys each time, and only its own time counts.
local function add_sort(name, keys, buffer, work)
  operations[name] = function(count)
    local seconds = 0
    for _ = 1, count do
      queue:copy_buffer(keys, buffer)
      queue:finish()
      local start = cl.now()
      work(buffer)
      queue:finish()
      seconds = seconds + cl.now() - start
    end
    return seconds
  end
end

local adders = {}

function adders.reductions(at, n)
  local x, y, out = context:buffer(4 * n), context:buffer(4 * n), context:buffer(4)
  local result = {result = out}
  queue:random(x, "float", {seed = 1})
  queue:random(y, "float", {seed = 2})
  local sum, least = context:reduction("const float *x", "sum"), context:reduction("const float *x", "min")
  local dot = context:reduction("const float *x, const float *y",
    {type = "float", map = "x[i] * y[i]", reduce = "a + b", identity = 0})
  add("reduce sum float" .. at, function() sum(queue, result, x) end)
  add("reduce min float" .. at, function() least(queue, result, x) end)
  add("reduce dot float" .. at, function() dot(queue, result, x, y) end)
end

function adders.scans(at, n)
  local x, out = context:buffer(8 * n), context:buffer(8 * n)
  queue:random(x, "double", {seed = 1})
  for _, each in ipairs {"float sum", "int max", "double sum"} do
    local type_name, name = each:match "(%l+) (%l+)"
    local scan = context:scan(type_name, name)
    add(("scan %s %s%s"):format(name, type_name, at), function() scan(queue, {count = n}, x, out) end)
  end
end

function adders.elementwise(at, n)
  local x, y = context:buffer(4 * n), context:buffer(4 * n)
  queue:random(x, "float", {seed = 1})
  local fill = context:elementwise("float a, float *y", "y[i] = a")
  local copy = context:elementwise("const float *x, float *y", "y[i] = x[i]")
  local axpy = context:elementwise("float a, const float *x, float *y", "y[i] = a * x[i] + y[i]")
  add("elementwise fill" .. at, function() fill(queue, 1, y) end)
  add("elementwise copy" .. at, function() copy(queue, x, y) end)
  add("elementwise axpy" .. at, function() axpy(queue, 0.5, x, y) end)
  add("copy_buffer" .. at, function() queue:copy_buffer(x, y) end)
end

function adders.random(at, n)
  local out = context:buffer(8 * n)
  for _, type_name in ipairs {"float", "double", "int", "half", "uchar"} do
    local where = {seed = 7, count = n, high = not type_name:find "[fd]" and 100 or nil}
    add(("random uniform %s%s"):format(type_name, at), function() queue:random(out, type_name, where) end)
  end
  local normal = {distribution = "normal", seed = 7, count = n}
  add("random normal float" .. at, function() queue:random(out, "float", normal) end)
end

local function random_array(n, seed)
  local buffer = context:buffer(4 * n)
  queue:random(buffer, "float", {seed = seed})
  return queue:array(buffer, "float"):copy() -- so that no kernel of the script's can change it
end

function adders.arrays(at, n)
  local a, b, c = random_array(n, 1), random_array(n, 2), random_array(n, 3)
  add("array (a - b):abs():max()" .. at, function() return (a - b):abs():max() end)
  add("array c:assign(2 * a + b)" .. at, function() c:assign(2 * a + b) end)
  add("array (2 * a + b):compute()" .. at, function() (2 * a + b):compute() end)
  local side = math.floor(n ^ 0.5)
  local forms = {square = {side, side}, ["16 rows"] = {16, n / 16}, ["16 columns"] = {n / 16, 16}}
  for name, extents in pairs(forms) do
    local m = a:reshape(extents[1], extents[2])
    for dimension = 1, 2 do
      add(("array %s:sum(%d)%s"):format(name, dimension, at), function() m:sum(dimension):compute() end)
    end
  end
end

function adders.sorts(at, n)
  local keys, sorted, values = context:buffer(4 * n), context:buffer(4 * n), context:buffer(4 * n)
  queue:random(keys, "uint", {seed = 1, low = 0, high = 2 ^ 32 - 1})
  local floats = context:buffer(4 * n)
  queue:random(floats, "float", {seed = 2})
  local sort, by_key, sort_floats = context:sort("uint"), context:sort("uint", {values = "uint"}), context:sort("float")
  add_sort("sort uint" .. at, keys, sorted, function(of) sort(queue, of) end)
  add_sort("sort uint, uint" .. at, keys, sorted, function(of) by_key(queue, of, values) end)
  add_sort("sort float" .. at, floats, sorted, function(of) sort_floats(queue, of) end)
end

for _, exponent in ipairs(arg) do
  for _, each in pairs(adders) do each((" 2^%s"):format(exponent), 2 ^ tonumber(exponent)) end
end

-- What one operation leaves must not be collected in the time of the next.
serve(operations, function()
  queue:finish()
  collectgarbage()
end)
