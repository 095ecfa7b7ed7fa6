-- Extensions, step 31: half precision (cl_khr_fp16 for arithmetic; storing and loading halves needs no extension).
--
-- A half has 2 bytes, so a device whose limit is memory processes twice as many numbers per second. On every device
-- vstore_half_rte() rounds a float to the nearest half, and vload_half() turns it back into a float, so numbers can be
-- stored as halves and computed in float. With cl_khr_fp16 the arithmetic is also done in half.
local amd = require "clue.walk.amd"
local cl = require "clue"
local group = require "clue.walk.group"
local walk = require "clue.walk"

amd.inputs(input)

local KERNEL = [[
__kernel void scale_stored(__global const half *from, __global half *to, uint count)
{
    const size_t i = get_global_id(0);
    if (i < count)
        vstore_half_rte(vload_half(i, from) * 3.0f + 0.25f, i, to);
}
]]

local ARITHMETIC = amd.pragma "cl_khr_fp16" .. [[
__kernel void scale(__global const half *from, __global half *to, uint count)
{
    const size_t i = get_global_id(0);
    if (i < count)
        to[i] = from[i] * (half)3 + (half)0.25;
}
]]

local row = {
  number = 31, name = "half", study = "extensions", change = "halves in memory, and in arithmetic where the device can",
  decides = {"half_fp_config", "preferred_vector_width_half"},
}

-- Whole numbers whose results fit into 11 bits, two of them for the fraction: the results are exact, fused or not.
local function fill_exact(from)
  for i = 0, #from - 1 do from[i] = i % 160 - 80 end
end

-- Any numbers: the result is float's, rounded once to half by the host.
local function check_stored(from, to)
  local single, rounded = cl.array.float(1), cl.array.half(1)
  for i = 0, #from - 1 do
    single[0] = from[i] * 3
    single[0] = single[0] + 0.25
    rounded[0] = single[0]
    if to[i] ~= rounded[0] then
      return false, ("3 * %.9g + 0.25 is %.9g, should be %.9g"):format(from[i], to[i], rounded[0])
    end
  end
  return true
end

local function parts_for(context, queue, source, name, from, to)
  local scale = context:program(source):kernel(name)
  local size = group.size(scale, 64)
  local items = group.round_up(#from, size)
  local buffers = {context:buffer(from, "read_only"), context:buffer(to)}
  return {
    bytes = from:bytes() + to:bytes(), rate = "GB/s", repeats = amd.repeats(_repeat),
    upload = function() queue:write_buffer(buffers[1], from) end,
    reset = function() to:fill(-1) queue:write_buffer(buffers[2], to) end,
    execute = function() scale(queue, {items}, {size}, buffers[1], buffers[2], #from) end,
    read = function() queue:read_buffer(buffers[2], to) end,
  }
end

function OnStart()
  local context = cl.context()
  local queue, count = context:queue(), amd.elements(_size, 2 ^ 24)
  local from, to = cl.array.half(count), cl.array.half(count)
  local exact = {name = "exact where halves hold the result", prepare = function() fill_exact(from) end,
                 check = function() return check_stored(from, to) end}
  local stored = parts_for(context, queue, KERNEL, "scale_stored", from, to)
  row.check = walk.verify(stored, {exact, {
    name = "rounded to the nearest half", prepare = function() from:random(-100, 100, 1) end,
    check = function() return check_stored(from, to) end,
  }})
  row.times = walk.run(stored)
  if not context.device:has_extension "cl_khr_fp16" then
    row.notes = {"no cl_khr_fp16 here: halves are stored and loaded, arithmetic is in float"}
  elseif row.check.verified then
    local in_half = parts_for(context, queue, ARITHMETIC, "scale", from, to)
    row.check = walk.verify(in_half, {exact})
    row.times = walk.run(in_half)
    row.notes = {"cl_khr_fp16 is here: the times are those of arithmetic in half"}
  end
  row.problem, row.context = ("%d halves read and written"):format(count), context
  walk.report(row)
end
