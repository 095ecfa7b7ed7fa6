--- Matrix products of half and char on CPUs, for @{clue.gemm}: A and B are converted to float or int, so that the
-- product is that of @{clue.gemm.cpu}; C of half is converted, too. Loads and stores of half need no extension.
-- @module clue.gemm.widened
local algorithm = require "clue.compute.algorithm"
local cpu = require "clue.gemm.cpu"
local events = require "clue.event"
local programs = require "clue.program"
local storage = require "clue.gemm.storage"

local widened = {}

-- Rows of the stored type with a distance of ld, and dense rows of numbers to compute with. A work-item converts CHUNK
-- numbers of a row. Groups always have ROWS rows: PoCL compiles a kernel anew for each size of its groups, and without
-- one it would take a size that suits the matrix.
local CHUNK, ROWS = 4096, 16
local SOURCE = [[
#if HALF
typedef half Stored;
typedef float Wide;
#define LOAD(i, from) vload_half(i, from)
#define STORE(v, i, to) vstore_half(v, i, to)
#else
typedef char Stored;
typedef int Wide;
#define LOAD(i, from) (from)[i]
#define STORE(v, i, to) ((to)[i] = (v))
#endif
kernel void widen(global const Stored *from, const ulong first, const int ld, global Wide *to, const int columns,
                  const int rows)
{
    const size_t row = get_global_id(1), start = get_global_id(0) * CHUNK;
    if (row >= rows)
        return;
    from += first + row * ld, to += row * columns;
    const size_t end = min(start + CHUNK, (size_t)columns);
    for (size_t i = start; i < end; i++)
        to[i] = LOAD(i, from);
}

kernel void narrow(global Stored *to, const ulong first, const int ld, global const Wide *from, const int columns,
                   const int rows)
{
    const size_t row = get_global_id(1), start = get_global_id(0) * CHUNK;
    if (row >= rows)
        return;
    to += first + row * ld, from += row * columns;
    const size_t end = min(start + CHUNK, (size_t)columns);
    for (size_t i = start; i < end; i++)
        STORE(from[i], i, to);
}
]]

--- Makes the products of a context.
-- @tparam context context
-- @tparam string type_name of A's and B's elements: "half" or "char"
-- @tparam int _ their bytes
-- @tparam table options as for @{clue.gemm.cpu.new}
-- @treturn table for @{run}
function widened.new(context, type_name, _, options)
  local is_half = type_name == "half"
  local program = programs.new(context, SOURCE, programs.options {defines = {CHUNK = CHUNK, HALF = is_half and 1 or 0}})
  return {product = cpu.new(context, storage.sum(type_name), 4, options), widen = program:kernel "widen",
          narrow = is_half and program:kernel "narrow", names = is_half and {"a", "b", "c"} or {"a", "b"}}
end

-- Enqueues the conversion of a matrix of a call.
local function convert(kernel, queue, previous, call, name, numbers)
  local rows, columns = call[name .. "_rows"], call[name .. "_columns"]
  local range = {math.ceil(columns / CHUNK), math.ceil(rows / ROWS) * ROWS}
  return (algorithm.step(queue, previous, kernel, range, {1, ROWS}, call[name], call[name .. "_offset"],
    call["ld" .. name], numbers, columns, rows))
end

--- Enqueues a product.
-- @tparam table self of @{new}
-- @tparam queue queue
-- @tparam table call as for @{clue.gemm.cpu.run}
-- @treturn event
function widened.run(self, queue, call)
  local made, event = {}, nil
  for name, value in pairs(call) do made[name] = value end
  for _, name in ipairs(self.names) do
    local rows, columns = call[name .. "_rows"], call[name .. "_columns"]
    made[name] = algorithm.scratch(queue, "gemm wide " .. name, math.max(4 * rows * columns, 4))
    made["ld" .. name], made[name .. "_offset"] = math.max(columns, 1), 0
    local is_read = name == "c" and call.beta ~= 0 or name ~= "c" and call.k > 0
    if is_read then event = convert(self.widen, queue, event, call, name, made[name]) end
  end
  event = events.joined(event, (cpu.run(self.product, algorithm.behind(queue, event), made)))
  return self.narrow and (convert(self.narrow, queue, event, call, "c", made.c)) or event
end

return widened
