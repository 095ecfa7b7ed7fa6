--- The basis of a device's measurements: its context and queue, suitable sizes, and checks of results.
--
-- Only child processes call this: it loads the drivers.
-- Parameters with one meaning everywhere: kernel, to run; buffer, with elements of the type; type, theirs, such as
-- "float"; count, how many they are; period, their values, whose number is a power of two.
local cl = require "clue"
local series = require "clue.peak.series"

local Stand = {}
Stand.__index = Stand

local stand = {}

-- A device that takes longer than this for 16 work-items of 4096 steps is an interpreter or a debugger. It gets very
-- small groups, so that the least work takes only a moment. Oclgrind takes about 20 ms, PoCL less than 0.1 ms, and
-- rusticl 0.5 ms by the host's clock.
local pace_seconds = 0.005

local first_kernel = [[
kernel void pace(global float *x) {
  float value = x[get_global_id(0)];
  for (int i = 0; i < 4096; i++) value = value * 0.5f + 1.0f;
  x[get_global_id(0)] = value;
}
]]

local function is_slow(self)
  local buffer, least = self.context:buffer(16 * 4), math.huge
  local pace = self.context:program(first_kernel):kernel "pace"
  self.queue:write_buffer(buffer, cl.array.float(16))
  for _ = 1, 4 do least = math.min(least, (pace(self.queue, 16, 16, buffer):wait():time())) end
  local result = cl.array.float(16)
  self.queue:read_buffer(buffer, result)
  if result:compare(cl.array.float(16):fill(2), 1e-5) then error("a first kernel gives wrong results", 0) end
  return least > pace_seconds
end

--- Makes the basis for a device.
-- @tparam number|string device as for @{clue.context.new}
-- @treturn table context, queue, device, units (of it), group (work-items of a group, a power of two), slow (whether
--   the device is an interpreter)
function stand.new(device)
  local self = setmetatable({context = cl.context(device)}, Stand)
  self.queue, self.device = self.context:queue(), self.context.device
  self.units = math.max(1, self.device.max_compute_units or 1)
  self.slow = is_slow(self)
  self.group = self.slow and 16 or 256
  while self.group > (self.device.max_work_group_size or 1) do self.group = self.group / 2 end
  return self
end

--- The work-items of a group that can run a kernel.
-- @treturn number a power of two
function Stand:group_for(kernel)
  local size = self.group
  while size > (kernel.work_group_size or size) do size = size / 2 end
  return size
end

--- Runs a kernel and waits for it.
-- @tparam number global work-items
-- @tparam number group work-items of a group
-- @param ... arguments
-- @treturn number seconds
-- @treturn string the clock: "device" or "host"
function Stand:run(kernel, global, group, ...)
  local event = kernel(self.queue, global, group, ...)
  local seconds, clock = event:wait():time()
  event:close()
  return seconds, clock
end

--- The largest power of two, at most `most`, of bytes that each of some buffers may have.
-- @tparam number most
-- @tparam[opt=1] number buffers
-- @treturn number
function Stand:largest(most, buffers)
  local device, bytes = self.device, 2 ^ 40
  local limit = math.min(most, device.max_mem_alloc_size or most, (device.global_mem_size or most) / 4 / (buffers or 1))
  while bytes > limit do bytes = bytes / 2 end
  return bytes
end

-- Elements that are compared at once.
local chunk_length = 2 ^ 20

-- An array of a type that repeats a list of values.
local function repeated(type, period, count)
  local filled, chunk = math.min(#period, count), cl.array[type](count)
  for i = 0, filled - 1 do chunk[i] = period[i + 1] end
  while filled < count do
    local more = math.min(filled, count - filled)
    chunk:copy_from(chunk:copy(0, more), 0, filled, more)
    filled = filled + more
  end
  return chunk
end

--- Writes a repeated list of values to a buffer.
function Stand:put_periodic(buffer, type, count, period)
  local length = math.min(count, math.max(chunk_length, #period))
  local chunk = repeated(type, period, length)
  local size = chunk:bytes() / length
  for first = 0, count - 1, length do
    self.queue:write_buffer(buffer, chunk, {offset = first * size, count = math.min(length, count - first)})
  end
end

--- Whether a buffer exactly repeats a list of values.
-- @treturn ?string "element 17 is 0 instead of 1"
function Stand:is_periodic(buffer, type, count, period)
  local length = math.min(count, math.max(chunk_length, #period))
  local expected, found = repeated(type, period, length), cl.array[type](length)
  local size = found:bytes() / length
  for first = 0, count - 1, length do
    local part = math.min(length, count - first)
    self.queue:read_buffer(buffer, found, {offset = first * size, count = part})
    if part < length then found, expected = found:copy(0, part), expected:copy(0, part) end -- the last part
    local same, why = series.same(found, expected, first)
    if not same then return false, why end
  end
  return true
end

return stand
