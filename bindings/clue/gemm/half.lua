--- Matrix products of half on CPUs, for @{clue.gemm}: the matrices are converted to float and back, so that the product
-- is that of @{clue.gemm.cpu}. Loads and stores of half need no extension.
-- @module clue.gemm.half
local algorithm = require "clue.compute.algorithm"
local cpu = require "clue.gemm.cpu"
local events = require "clue.event"
local programs = require "clue.program"

local half = {}

-- Rows of `half` with a distance of ld, and dense rows of float. A work-item converts CHUNK numbers of a row.
local CHUNK = 4096
local SOURCE = [[
kernel void widen(global const half *from, const ulong first, const int ld, global float *to, const int columns)
{
    const size_t row = get_global_id(1), start = get_global_id(0) * CHUNK;
    from += first + row * ld, to += row * columns;
    const size_t end = min(start + CHUNK, (size_t)columns);
    for (size_t i = start; i < end; i++)
        to[i] = vload_half(i, from);
}

kernel void narrow(global half *to, const ulong first, const int ld, global const float *from, const int columns)
{
    const size_t row = get_global_id(1), start = get_global_id(0) * CHUNK;
    to += first + row * ld, from += row * columns;
    const size_t end = min(start + CHUNK, (size_t)columns);
    for (size_t i = start; i < end; i++)
        vstore_half(from[i], i, to);
}
]]

--- Makes the products of a context.
-- @tparam context context
-- @tparam string _ the elements' type, always "half"
-- @tparam int _ their bytes
-- @tparam table options as for @{clue.gemm.cpu.new}
-- @treturn table for @{run}
function half.new(context, _, _, options)
  local program = programs.new(context, SOURCE, programs.options {defines = {CHUNK = CHUNK}})
  return {product = cpu.new(context, "float", 4, options), widen = program:kernel "widen",
          narrow = program:kernel "narrow"}
end

-- Enqueues the conversion of a matrix of a call.
local function convert(kernel, queue, previous, call, name, floats)
  local rows, columns = call[name .. "_rows"], call[name .. "_columns"]
  return (algorithm.step(queue, previous, kernel, {math.ceil(columns / CHUNK), rows}, nil, call[name],
    call[name .. "_offset"], call["ld" .. name], floats, columns))
end

--- Enqueues a product.
-- @tparam table self of @{new}
-- @tparam queue queue
-- @tparam table call as for @{clue.gemm.cpu.run}
-- @treturn event
function half.run(self, queue, call)
  local made, event = {}, nil
  for name, value in pairs(call) do made[name] = value end
  for _, name in ipairs {"a", "b", "c"} do
    local rows, columns = call[name .. "_rows"], call[name .. "_columns"]
    made[name] = algorithm.scratch(queue, "gemm half " .. name, math.max(4 * rows * columns, 4))
    made["ld" .. name], made[name .. "_offset"] = math.max(columns, 1), 0
    local is_read = name == "c" and call.beta ~= 0 or name ~= "c" and call.k > 0
    if is_read then event = convert(self.widen, queue, event, call, name, made[name]) end
  end
  event = events.joined(event, (cpu.run(self.product, algorithm.behind(queue, event), made)))
  return (convert(self.narrow, queue, event, call, "c", made.c))
end

return half
