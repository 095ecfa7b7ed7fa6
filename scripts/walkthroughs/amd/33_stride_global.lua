-- Memory, step 33: global memory read with a stride.
--
-- Every float is read once and written once, whatever the stride; only the order changes. Neighbouring work-items read
-- floats that are `stride` apart, and write consecutive ones. Memory comes in blocks: 32 bytes on NVIDIA's cards, a
-- cache line of 64 on most CPUs. With stride 8 every neighbour reads from a block of its own; its other seven floats
-- are fetched again for later work-items, unless a cache still has them. Counted, a warp's request touches 4 sectors
-- with stride 1, 8 with 2, 16 with 4 and 32 from 8 on: reading can take up to 8 times as long.
local cl = require "clue"
local group = require "clue.walk.group"
local amd = require "clue.walk.amd"
local walk = require "clue.walk"

amd.inputs(input, "4000003", "how many floats")

local KERNEL = [[
__kernel void gather(__global const float *from, __global float *to, const ulong count, const ulong rows)
{
    const ulong row = get_global_id(0), column = get_global_id(1), stride = get_global_size(1);
    const ulong at = row * stride + column;
    if (row < rows && at < count)
        to[column * rows + row] = from[at];
}
]]

local row = {
  number = 33, name = "stride_global", study = "memory", beyond = true,
  change = "global memory read with strides of 1 to 64 floats between neighbours",
  decides = {"global_mem_cacheline_size", "global_mem_cache_size"},
}

local function check(from, to, rows, stride)
  for line = 0, rows - 1 do
    for column = 0, stride - 1 do
      local at = line * stride + column
      local found, expected = to[column * rows + line], at < #from and from[at] or -1
      if found ~= expected then
        return false, ("stride %d: element %d is %.9g, should be %.9g"):format(stride, column * rows + line, found,
          expected)
      end
    end
  end
  return true
end

function OnStart()
  local count = amd.count(_size, "memory", "4000003")
  local context = cl.context()
  local queue, gather = context:queue(), context:program(KERNEL):kernel "gather"
  local from, to = cl.array.float(count):random(0, 1, 1), cl.array.float(count + 64)
  local from_buffer, to_buffer = context:buffer(from, "read_only"), context:buffer(to)
  local size, variants = group.size(gather, 256), {}
  for power = 0, 6 do
    local stride = 2 ^ power
    local rows = math.ceil(count / stride)
    local global = {group.round_up(rows, size), stride}
    variants[#variants + 1] = {
      label = ("stride %d, %d bytes"):format(stride, 4 * stride), value = stride,
      bytes = 2 * from:bytes(), rate = "GB/s", repeats = amd.repeats(_repeat),
      upload = function() queue:write_buffer(from_buffer, from) end,
      reset = function() to:fill(-1) queue:write_buffer(to_buffer, to) end,
      execute = function() gather(queue, global, {size, 1}, from_buffer, to_buffer, count, rows) end,
      read = function() queue:read_buffer(to_buffer, to) end,
      check = function() return check(from, to, rows, stride) end,
    }
  end
  row.check = walk.verify_sweep(variants, function(variant)
    return {{name = "every element", prepare = function() end, check = variant.check}}
  end)
  row.times, row.sweep = walk.sweep(variants)
  row.notes = {("neighbours that read 32 bytes apart take %s times as long as side by side, 256 bytes apart %s times")
    :format(amd.times_as_long(row.sweep[4], row.sweep[1]), amd.times_as_long(row.sweep[7], row.sweep[1]))}
  row.problem, row.context = ("%d floats in another order"):format(count), context
  walk.report(row)
end
