--- Local memory: how fast work-items read it, by vector width of floats.
--
-- Neighbours read neighbouring vectors, 16 in a row from a moving place, so nothing can stay in registers. The host
-- knows the places, and adds up the same values.
local cl = require "clue"
local series = require "clue.peak.series"

local local_memory = {}

local template = [[
kernel void read_$width(global float *result, local $vector *memory, const int step, const int rounds) {
  const int item = get_local_id(0), size = get_local_size(0);
  int at = item;
  $vector sum = 0;
  memory[item] = item;
  if (item < 16) memory[size + item] = size + item;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int r = 0; r < rounds; r++) {
    sum += memory[at] + memory[at + 1] + memory[at + 2] + memory[at + 3];
    sum += memory[at + 4] + memory[at + 5] + memory[at + 6] + memory[at + 7];
    sum += memory[at + 8] + memory[at + 9] + memory[at + 10] + memory[at + 11];
    sum += memory[at + 12] + memory[at + 13] + memory[at + 14] + memory[at + 15];
    at = (at + step) & (size - 1);
  }
  result[get_global_id(0)] = $sum;
}
]]

-- The most groups for each compute unit, and the most rounds: more would not be exact in float.
local most_groups, most_rounds = 64, 256

local step = 5 -- odd, so that every place is used

local function source()
  local parts = {}
  for i, width in ipairs(series.widths) do
    parts[i] = template:gsub("%$(%w+)", {
      width = tostring(width), vector = series.vector("float", width), sum = series.sum_of_lanes(width),
    })
  end
  return table.concat(parts)
end

-- The sums of a group's items. All lanes hold the same; their sum is below 2^24 times a power of two, or rounded
-- alike.
local function expected(group, width, rounds)
  local results = {}
  for item = 0, group - 1 do
    local sum, at = 0, item
    for _ = 1, rounds do
      sum = sum + 16 * at + 120
      at = (at + step) % group
    end
    results[item + 1] = sum * width
  end
  return results
end

local function measure(stand, kernel, width)
  local group, units = stand:group_for(kernel), stand.units
  local bytes = width * 4
  while group > 1 and (group + 16) * bytes > (stand.device.local_mem_size or 0) / 2 do group = group / 2 end
  local out = stand.context:buffer(most_groups * units * group * 4, "write_only")
  stand.queue:write_buffer(out, cl.array.float(most_groups * units * group))
  local function divided(work)
    local groups = math.min(work, most_groups * units)
    return groups, math.max(1, work / groups) * (stand.slow and 1 or 16)
  end
  local measured = series.measure {
    unit = "GB/s", least = units, most = stand.slow and units or most_groups * units * most_rounds / 16,
    run = function(work)
      local groups, rounds = divided(work)
      return stand:run(kernel, groups * group, group, out, cl.local_memory((group + 16) * bytes), step, rounds)
    end,
    amount = function(work)
      local groups, rounds = divided(work)
      return groups * group * rounds * 16 * bytes
    end,
    check = function(work)
      local groups, rounds = divided(work)
      return stand:is_periodic(out, "float", groups * group, expected(group, width, rounds))
    end,
  }
  out:close()
  return measured
end

--- Measures all of local memory.
-- @tparam table stand of clue.peak.stand
-- @tparam function each_limit see @{clue.peak.compute.run}
function local_memory.run(stand, each_limit)
  local program
  for _, width in ipairs(series.widths) do
    each_limit({way = "read", name = "read " .. series.vector("float", width), width = width}, function()
      program = program or stand.context:program(source())
      return measure(stand, program:kernel("read_" .. width), width)
    end)
  end
end

return local_memory
