-- Step 1c, beyond the author: step 1 with B in constant memory.
--
-- Step 1 reads an element of B from global memory for each multiply-add, and all work-items read the same one. Constant
-- memory is made for that. It is only read, and is the same for all work-items. GPUs have a cache of its own for it,
-- which hands an element to all items of a warp at once if all of them read the same one, as they do here. The count
-- stays at 1.02 accesses an operation and one sector for B, so what can be gained is the way from the cache, no
-- traffic. Items that read different elements would be served one after the other, so constant memory is for what all
-- read alike: coefficients, tables, this B. On a CPU it is memory like any other.
--
-- It is small: CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 64 KiB on many GPUs, is 16384 floats. A longer B takes several
-- launches, each with its piece of B, and each adds to what the one before it left in C.
local cl = require "clue"
local counted = require("clue.text").count
local groups = require "clue.walk.group"
local outer_sum = require "clue.walk.outer_sum"
local walk = require "clue.walk"

outer_sum.inputs(input, 1024)
input.int("_constant", 0, "bytes of constant memory that a launch uses; 0: as many as the device has", 0)

local KERNEL = [[
__kernel __attribute__((reqd_work_group_size(TPB, 1, 1)))
void outer_sum(__global const float *a, __constant float *b, __global float *c, const int x_count,
               const int y_count, const int goes_on)
{
    const int x = get_global_id(0);
    if (x >= x_count)
        return;
    float sum = goes_on ? c[x] : 0;
    for (int y = 0; y < y_count; y++)
        sum += a[x] * b[y];
    c[x] = sum;
}
]]

local row = {
  number = "1c", name = "constant", beyond = true, change = "B in constant memory, in pieces if it does not fit",
  note_of_author = "not in the tutorial",
  expect = {
    cpu = {"same", "constant memory is memory like any other here, and B is in a near cache either way"},
    gpu = function(on)
      return "faster", ("all items read the same element, for which the constant cache is made; pieces of %d floats "
        .. "are long enough for their launches not to count"):format(math.floor(on.max_constant_buffer_size / 4))
    end,
  },
  decides = {"max_constant_buffer_size", "max_constant_args"},
}

-- The pieces of B: their first element and their length, and a buffer for each.
local function pieces_of(s, context)
  local most = context.device.max_constant_buffer_size
  local length = math.max(1, math.floor((_constant > 0 and math.min(_constant, most) or most) / 4))
  local pieces = {}
  for first = 0, s.y - 1, length do
    local count = math.min(length, s.y - first)
    pieces[#pieces + 1] = {first = first, count = count, buffer = context:buffer(count * 4, "read_only")}
  end
  return pieces
end

function OnStart()
  local s = outer_sum.new{size = _size, repeats = _repeat, maxrregcount = _maxrregcount, log = _log, binary = _binary}
  local context = cl.context()
  local queue = context:queue()
  local kernel, group = s:kernel(context, KERNEL, s:group(context, _t), nil, cl.int(0))
  local a, pieces, c = context:buffer(s.a), pieces_of(s, context), context:buffer(s.c:bytes())
  local global = groups.round_up(s.x, group)

  local parts = {
    flops = s.flops, bytes = s:bytes(), repeats = s.repeats,
    upload = function()
      queue:write_buffer(a, s.a)
      for _, piece in ipairs(pieces) do
        queue:write_buffer(piece.buffer, s.b, {first = piece.first, count = piece.count})
      end
    end,
    reset = function() s.c:fill(0 / 0) queue:write_buffer(c, s.c) end,
    execute = function()
      for i, piece in ipairs(pieces) do
        kernel(queue, global, group, a, piece.buffer, c, cl.int(s.x), cl.int(piece.count), cl.int(i > 1 and 1 or 0))
      end
    end,
    read = function() queue:read_buffer(c, s.c) end,
  }
  row.check = walk.verify(parts, s:passes())
  row.times = walk.run(parts)
  row.host = s:host()
  row.notes = {("B has %s: launches of up to %d, %d in all"):format(counted(s.y, "element"), pieces[1].count,
    #pieces)}
  walk.report(s:row(row, context))
end
