-- Extensions, step 24: 64-bit atomics (cl_khr_int64_base_atomics: add; cl_khr_int64_extended_atomics: maximum).
--
-- The kernel computes a sum that does not fit into 32 bits, and the maximum of numbers that do not fit either. Each
-- item adds up its own numbers first, and then adds to the total once. These atomics never became part of OpenCL C 1.x:
-- the pragma and the names atom_add() and atom_max() belong to the extension.
local amd = require "clue.walk.amd"
local cl = require "clue"
local group = require "clue.walk.group"
local walk = require "clue.walk"

amd.inputs(input)
input.int("_group", 64, "work-items in a group; fewer if the device cannot", 1, 4096)

-- 2^21 + 1: a double holds every sum, and the sum of three values needs more than 32 bits.
local FACTOR = 2 ^ 21 + 1

local KERNEL = amd.pragma("cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics") .. [[
__kernel void sum_and_largest(__global const uchar *values, uint count, __global ulong *results)
{
    ulong sum = 0, largest = 0;
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
        const ulong value = values[i] * FACTOR;
        sum += value;
        largest = max(largest, value * 4096 + i % 4096);
    }
    atom_add(&results[0], sum);
    atom_max(&results[1], largest);
}
]]

local row = {
  number = 24, name = "atomics_64", study = "extensions", change = "a sum and the largest by 64-bit atomics",
  decides = {"address_bits"},
}

local function expected_of(values)
  local sum, largest = 0, 0
  for i = 0, #values - 1 do
    local value = values[i] * FACTOR
    sum, largest = sum + value, math.max(largest, value * 4096 + i % 4096)
  end
  return sum, largest
end

local function same(found, sum, largest)
  local is_sum, is_largest = tonumber(found:decimal(0)), tonumber(found:decimal(1))
  if is_sum == sum and is_largest == largest then return true end
  return false, ("sum %s, should be %.0f; largest %s, should be %.0f"):format(found:decimal(0), sum, found:decimal(1),
    largest)
end

function OnStart()
  local context = cl.context()
  amd.need(row, context, "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics")
  local queue = context:queue()
  local values, found = cl.array.uchar(amd.elements(_size, 2 ^ 24)), cl.array.ulong(2)
  local program = context:program(KERNEL, {defines = {FACTOR = ("%.0fUL"):format(FACTOR)}})
  local sum_and_largest = program:kernel "sum_and_largest"
  local size = group.size(sum_and_largest, _group, {
    idle = function(none) return none, 0, none end,
  })
  local items = math.min(group.round_up(#values, size), size * 256)
  local from, results = context:buffer(values, "read_only"), context:buffer(found)
  local parts = {
    bytes = #values, rate = "GB/s", repeats = amd.repeats(_repeat),
    upload = function() queue:write_buffer(from, values) end,
    reset = function() found:fill(0) queue:write_buffer(results, found) end,
    execute = function() sum_and_largest(queue, {items}, {size}, from, #values, results) end,
    read = function() queue:read_buffer(results, found) end,
  }
  local sum, largest
  row.check = walk.verify(parts, {{
    name = "both numbers exactly",
    prepare = function() values:random(0, 255, 1) sum, largest = expected_of(values) end,
    check = function() return same(found, sum, largest) end,
  }})
  row.times = walk.run(parts)
  row.notes = {("the sum is %.0f, 2^%.1f"):format(sum, math.log(math.max(1, sum)) / math.log(2))}
  row.problem, row.context = ("sum and largest of %d numbers of 64 bits"):format(#values), context
  walk.report(row)
end
