-- Memory, step 34: local memory read with a stride.
--
-- A GPU's local memory is divided into banks, mostly 32 of 4 bytes: neighbours that read from different banks are
-- served together, those that read different words of one bank one after the other. Strides of 2, 4, ... 32 leave 16,
-- 8, ... 1 banks for 32 neighbours; a stride of 33 uses all of them again, which is what a padded tile (step 7) does.
-- Where local memory is only a part of global memory (CL_DEVICE_LOCAL_MEM_TYPE = CL_GLOBAL) there are no banks.
local cl = require "clue"
local group = require "clue.walk.group"
local amd = require "clue.walk.amd"
local walk = require "clue.walk"

amd.inputs(input, "4000003", "how many floats")

local WORDS, ROUNDS = 2048, 64

local KERNEL = [[
__kernel void stroll(__global const float *from, __global float *to, const ulong count, const int stride)
{
    __local float words[WORDS];
    for (int i = get_local_id(0); i < WORDS; i += get_local_size(0))
        words[i] = from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k < ROUNDS; k++)
        sum += words[(get_local_id(0) * stride + k) % WORDS];
    if (get_global_id(0) < count)
        to[get_global_id(0)] = sum;
}
]]

local row = {
  number = 34, name = "stride_local", study = "memory", beyond = true, moves = "local memory",
  change = "local memory read with strides of 1 to 33 floats between neighbours",
  decides = {"local_mem_type", "local_mem_size"},
}

-- Whole numbers, so that the sums are exact.
local function words_of()
  local words = cl.array.float(WORDS)
  for i = 0, WORDS - 1 do words[i] = i * 37 % 1001 end
  return words
end

local function check(from, to, count, size, stride)
  local expected = {}
  for item = 0, size - 1 do
    local sum = 0
    for k = 0, ROUNDS - 1 do sum = sum + from[(item * stride + k) % WORDS] end
    expected[item] = sum
  end
  for i = 0, count - 1 do
    if to[i] ~= expected[i % size] then
      return false, ("stride %d: sum %d is %.9g, should be %.9g"):format(stride, i, to[i], expected[i % size])
    end
  end
  return true
end

function OnStart()
  local count = amd.count(_size, "memory", "4000003", 2 ^ 24)
  local context = cl.context()
  walk.need(row, context, {local_memory = 4 * WORDS})
  local program = context:program(KERNEL, {defines = {WORDS = WORDS, ROUNDS = ROUNDS}})
  local queue, stroll = context:queue(), program:kernel "stroll"
  local size, from, to = group.size(stroll, 256), words_of(), cl.array.float(count)
  local from_buffer, to_buffer, variants = context:buffer(from, "read_only"), context:buffer(to), {}
  for i, stride in ipairs {1, 2, 4, 8, 16, 32, 33} do
    variants[i] = {
      label = ("stride %d"):format(stride), value = stride, bytes = 4 * ROUNDS * count, rate = "GB/s",
      repeats = amd.repeats(_repeat),
      upload = function() queue:write_buffer(from_buffer, from) end,
      reset = function() to:fill(-1) queue:write_buffer(to_buffer, to) end,
      execute = function()
        stroll(queue, group.round_up(count, size), size, from_buffer, to_buffer, count, stride)
      end,
      read = function() queue:read_buffer(to_buffer, to) end,
      check = function() return check(from, to, count, size, stride) end,
    }
  end
  row.check = walk.verify_sweep(variants, function(variant)
    return {{name = "every sum", prepare = function() end, check = variant.check}}
  end)
  row.times, row.sweep = walk.sweep(variants)
  row.notes = {
    ("stride 32 takes %s times as long as stride 1, stride 33 %s times"):format(
      amd.times_as_long(row.sweep[6], row.sweep[1]), amd.times_as_long(row.sweep[7], row.sweep[1])),
    ("GB/s count what work-items read from local memory, in groups of %d"):format(size),
  }
  row.problem, row.context = ("%d sums of %d floats in local memory"):format(count, ROUNDS), context
  walk.report(row)
end
