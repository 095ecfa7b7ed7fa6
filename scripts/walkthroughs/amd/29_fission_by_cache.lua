-- Extensions, step 29: device fission by shared hardware: a sub-device for each cache or memory node.
--
-- Compute units that share a cache, or a node of memory, become a sub-device, and each repeatedly works on its own
-- piece of the data. Data that one unit has loaded into the shared cache serves the others, and no piece moves to
-- another cache. The driver chooses where to divide ("next_partitionable": the outermost level that can be).
local amd = require "clue.walk.amd"
local cl = require "clue"
local walk = require "clue.walk"

amd.inputs(input)

local PASSES = 20

local KERNEL = [[
__kernel void again(__global uint *values)
{
    for (uint pass = 0; pass < PASSES; pass++)
        values[get_global_id(0)] = values[get_global_id(0)] * 3 + pass;
}
]]

local row = {
  number = 29, name = "fission_by_cache", study = "extensions",
  change = "a device divided along its caches or memory nodes, each part with its piece of the data",
  decides = {"partition_properties", "partition_affinity_domain", "global_mem_cache_size"},
}

local function expected_of(i)
  local value = i
  for pass = 0, PASSES - 1 do value = (value * 3 + pass) % 2 ^ 32 end
  return value
end

-- Makes a part with its piece of the elements, from `first` on.
local function worker(part, first, count)
  local context = cl.context(part)
  local queue, found = context:queue(), cl.array.uint(count)
  local values = context:buffer(found)
  local again = context:program(KERNEL, {defines = {PASSES = PASSES}}):kernel "again"
  local self = {}
  function self.upload()
    for i = 0, count - 1 do found[i] = first + i end
    queue:write_buffer(values, found)
  end
  function self.start() self.event = again(queue, {count}, nil, values) queue:flush() end
  function self.wait() self.event:wait() end
  function self.read() queue:read_buffer(values, found) end
  function self.check()
    for i = 0, count - 1 do
      if found[i] ~= expected_of(first + i) then
        return false, ("element %d is %.0f, should be %.0f"):format(first + i, found[i], expected_of(first + i))
      end
    end
    return true
  end
  return self
end

local function each(workers, verb)
  for _, work in ipairs(workers) do work[verb]() end
end

function OnStart()
  local context = cl.context()
  amd.need_partition(row, context, "by_affinity_domain")
  local divided, parts_of_device = pcall(context.device.partition, context.device,
    {by_affinity_domain = "next_partitionable"})
  if not divided then walk.skip(row, tostring(parts_of_device), context) end
  local count, workers = amd.elements(_size, 2 ^ 20), {}
  local piece = math.ceil(count / #parts_of_device)
  for i, part in ipairs(parts_of_device) do
    local first = (i - 1) * piece
    if first < count then workers[#workers + 1] = worker(part, first, math.min(piece, count - first)) end
  end
  local parts = {
    bytes = 8 * count, rate = "GB/s", repeats = amd.repeats(_repeat), together = true,
    upload = function() each(workers, "upload") end,
    execute = function() each(workers, "start") each(workers, "wait") end,
    read = function() each(workers, "read") end,
  }
  row.check = walk.verify(parts, {{
    name = "every element of every part", prepare = function() end,
    check = function()
      for _, work in ipairs(workers) do
        local right, why = work.check()
        if not right then return false, why end
      end
      return true
    end,
  }})
  row.times = walk.run(parts)
  row.notes = {("%d parts, along: %s"):format(#parts_of_device,
    table.concat(context.device.partition_affinity_domain or {}, ", "))}
  row.problem, row.context = ("%d numbers in pieces"):format(count), context
  walk.report(row)
end
