--- Global memory: reading, writing and copying floats, by vector width.
--
-- Every work-item handles 16 vectors. They lie as far apart as a group is wide ("near") or as all items are ("far"),
-- so neighbours access neighbouring memory at each step. Which is faster depends on caches and pages: both are tried,
-- and the faster is measured. A copy counts the bytes that it reads and those that it writes.
local cl = require "clue"
local series = require "clue.peak.series"

local global = {}

local per_item = 16

-- The sizes are queried at every step. Keeping them in a variable costs an H200 half its speed when it reads float16.
local layouts = {
  near = {at = "get_group_id(0) * get_local_size(0) * 16 + get_local_id(0)", step = "get_local_size(0)"},
  far = {at = "get_global_id(0)", step = "get_global_size(0)"},
}

local template = [[
kernel void read_$width_$layout(global const $vector *from, global float *to) {
  int at = $at;
  $vector sum = 0;
  for (int i = 0; i < 4; i++) {
    sum += from[at]; at += $step;
    sum += from[at]; at += $step;
    sum += from[at]; at += $step;
    sum += from[at]; at += $step;
  }
  to[get_global_id(0)] = $sum;
}

kernel void write_$width_$layout(global $vector *to, const float value) {
  int at = $at;
  for (int i = 0; i < 4; i++) {
    to[at] = value; at += $step;
    to[at] = value; at += $step;
    to[at] = value; at += $step;
    to[at] = value; at += $step;
  }
}

kernel void copy_$width_$layout(global const $vector *from, global $vector *to) {
  int at = $at;
  for (int i = 0; i < 4; i++) {
    to[at] = from[at]; at += $step;
    to[at] = from[at]; at += $step;
    to[at] = from[at]; at += $step;
    to[at] = from[at]; at += $step;
  }
}
]]

local function source()
  local parts = {}
  for _, width in ipairs(series.widths) do
    for layout, places in pairs(layouts) do
      parts[#parts + 1] = template:gsub("%$(%l+)", {
        width = tostring(width), vector = series.vector("float", width), layout = layout, at = places.at,
        step = places.step, sum = series.sum_of_lanes(width),
      })
    end
  end
  return table.concat(parts)
end

-- The periodic results of reading items, if memory repeats 0, 1, ... 255 and an item's vectors are `step` apart. The
-- number of all items is a multiple of 256.
local function sums(step, width)
  local results = {}
  for item = 0, 255 do
    local sum, first = 0, item < step and item or math.floor(item / step) * step * per_item + item % step
    for k = 0, per_item - 1 do
      for lane = 0, width - 1 do sum = sum + ((k * step + first) * width + lane) % 256 end
    end
    results[item + 1] = sum
  end
  return results
end

local ramp = {}
for i = 0, 255 do ramp[i + 1] = i end

-- Bytes of a buffer: far more than caches hold, and enough for a fast device to run long enough to be timed.
local function most_bytes(stand)
  local device = stand.device
  local least = (device.global_mem_cache_size or 0) * 4
  local most = device.kind == "cpu" and 2 ^ 27 or 2 ^ 30
  while most < least and most < 2 ^ 29 do most = most * 2 end
  return stand:largest(most, 2), least
end

-- Two buffers with as many bytes as were ever needed. The first is a ramp.
local Buffers = {}
Buffers.__index = Buffers

--- Makes the buffers longer if they are too short.
-- @tparam number bytes
function Buffers:need(bytes)
  if self.bytes >= bytes then return end
  self:close()
  self.from, self.to, self.bytes = self.stand.context:buffer(bytes), self.stand.context:buffer(bytes), bytes
  self.stand:put_periodic(self.from, "float", bytes / 4, ramp)
  self:spoil()
end

--- Fills the second buffer with values that no kernel writes.
function Buffers:spoil()
  self.stand.queue:fill_buffer(self.to, cl.float(-1))
end

--- Frees the buffers.
function Buffers:close()
  if self.from then self.from:close() end
  if self.to then self.to:close() end
  self.bytes, self.from, self.to = 0, nil, nil
end

-- What each of the three ways does, and what it must write.
local ways = {
  {name = "read", moves = 1,
   arguments = function(buffers) return buffers.from, buffers.to end,
   check = function(stand, to, bytes, step, width)
     return stand:is_periodic(to, "float", bytes / 4 / width / per_item, sums(step, width))
   end},
  {name = "write", moves = 1,
   arguments = function(buffers)
     buffers.value = (buffers.value or 0) + 1
     return buffers.to, buffers.value
   end,
   check = function(stand, to, bytes, _, _, value) return stand:is_periodic(to, "float", bytes / 4, {value}) end},
  {name = "copy", moves = 2,
   arguments = function(buffers) return buffers.from, buffers.to end,
   check = function(stand, to, bytes) return stand:is_periodic(to, "float", bytes / 4, ramp) end},
}

-- The fastest of three runs.
local function least_of_three(run)
  return math.min((run()), (run()), (run()))
end

-- known: layout and bytes of a measurement on the same buffers, whose results were right. They are not looked at again:
-- reading them back takes longer than a run.
local function measure(stand, held, way, width, known)
  local program, buffers = held.program, held.buffers
  local function kernel_of(layout) return program:kernel(("%s_%d_%s"):format(way.name, width, layout)) end
  local layout, kernel, far = "near", kernel_of "near", kernel_of "far"
  local group = math.min(stand:group_for(kernel), stand:group_for(far))
  local most, enough = most_bytes(stand)
  -- At least two groups of the widest vectors: a device that runs only some groups would have nothing to leave out.
  local least = math.min(most, math.max(2 * group * per_item * 16 * 4, (buffers.last or 0) / 8))
  if known then
    least, layout, kernel = known.bytes, known.layout, kernel_of(known.layout)
  elseif buffers.to then
    buffers:spoil()
  end
  local function items(bytes) return bytes / 4 / width / per_item end
  local function run(bytes)
    buffers:need(bytes)
    return stand:run(kernel, items(bytes), group, way.arguments(buffers))
  end
  local function choose(bytes)
    local seconds, near = least_of_three(function() return run(bytes) end), kernel
    kernel, layout = far, "far"
    if least_of_three(function() return run(bytes) end) >= seconds then kernel, layout = near, "near" end
  end
  local measured = series.measure {
    unit = "GB/s", least = least, most = most, enough = enough, run = run, choose = not known and choose or nil,
    amount = function(bytes)
      buffers.last = bytes
      return bytes * way.moves
    end,
    check = function(bytes)
      if known then return true end
      local step = layout == "near" and group or items(bytes)
      return way.check(stand, buffers.to, bytes, step, width, buffers.value)
    end,
  }
  measured.layout = layout
  return measured
end

--- Measures all of global memory.
-- @tparam table stand of clue.peak.stand
-- @tparam function each_limit see @{clue.peak.compute.run}; facts.way: "read", "write" or "copy"
-- @tparam[opt] table kept for further measurements on this stand, which then need neither fill the buffers nor check
--   what was right before; empty at first, and given to @{release} at the end
function global.run(stand, each_limit, kept)
  local held = kept or {}
  held.buffers = held.buffers or setmetatable({stand = stand, bytes = 0}, Buffers)
  held.known = held.known or {}
  for _, way in ipairs(ways) do
    for _, width in ipairs(series.widths) do
      local facts = {way = way.name, name = way.name .. " " .. series.vector("float", width), width = width}
      each_limit(facts, function()
        held.program = held.program or stand.context:program(source())
        local measured = measure(stand, held, way, width, held.known[facts.name])
        held.known[facts.name] = not measured.wrong and {layout = measured.layout, bytes = held.buffers.last} or nil
        return measured
      end)
    end
  end
  if not kept then global.release(held) end
end

--- Frees the buffers.
-- @tparam table kept of @{run}
function global.release(kept)
  if kept.buffers then kept.buffers:close() end
end

return global
