--- Puts the times of devices on the host's clock.
--
-- A command was queued during the call that enqueued it, and had ended when the host saw its end. So each command
-- bounds the difference between the device's timer and the host's clock. If the driver has clGetDeviceAndHostTimer
-- and its answer lies within those bounds, it is used; else the middle of the bounds. Commands of a device without a
-- trustworthy timer get the host's times.
-- @module clue.trace.align
local align = {}

-- The bounds of the difference between timer and clock from one command: least, greatest.
local function bounds_of(command)
  local times = command.times
  return command.began - times.queued, math.min(command.ended - times.queued, command.seen - times.ended)
end

local function bounds_over(commands)
  local least, most = -math.huge, math.huge
  for _, command in ipairs(commands) do
    local low, high = bounds_of(command)
    least, most = math.max(least, low), math.min(most, high)
  end
  return least, most
end

-- The difference by clGetDeviceAndHostTimer: from the answer that came fastest.
local function asked(device)
  local best
  for _, timer in ipairs(device.timers) do
    if not best or timer.ended - timer.began < best.ended - best.began then best = timer end
  end
  if not best then return nil end
  return (best.began + best.ended) / 2 - best.device, (best.ended - best.began) / 2
end

-- If the clocks drift apart, or a driver reports a time too early, no offset fits all commands. Then the middle is
-- wrong by at most half of the contradiction.
local function settle(device, commands)
  local least, most = bounds_over(commands)
  local offset, doubt = asked(device)
  if offset and offset >= least - doubt and offset <= most + doubt then
    return offset, doubt, "clGetDeviceAndHostTimer"
  end
  return (least + most) / 2, math.abs(most - least) / 2, "enqueueing"
end

local function timed_commands(process, device)
  local found = {}
  for _, command in ipairs(process.commands) do
    if command.queue.device == device and command.times and command.ended then
      found[#found + 1] = command
    end
  end
  return found
end

-- Whether the timer neither stands still nor runs backwards. A single command may take less than its steps.
local function can_be_trusted(commands)
  local sum = 0
  for _, command in ipairs(commands) do
    local lasted = command.times.ended - command.times.started
    if lasted < 0 then return false end
    sum = sum + lasted
  end
  return sum > 0
end

local function place_by_device(commands, offset)
  for _, command in ipairs(commands) do
    local at = {}
    for name, moment in pairs(command.times) do at[name] = moment + offset end
    command.at = at
  end
end

-- From the enqueueing, or the end of the command before it in the queue, to the moment when its end was seen.
local function place_by_host(process)
  local free = {}
  for _, command in ipairs(process.commands) do
    if not command.at and command.seen and command.ended then
      local from = command.began
      if command.queue.in_order then from = math.max(from, free[command.queue] or from) end
      command.at = {queued = command.began, submitted = command.ended, started = math.min(from, command.seen),
                    ended = command.seen}
      command.clock = "host"
      free[command.queue] = command.seen
    end
  end
end

--- Gives every command whose end was seen its times on the host's clock: at {queued, submitted, started, ended}, and
-- clock = "host" if they are not the device's. Every device gets offset and doubt (nanoseconds, for one with a timer)
-- and aligned_by: "clGetDeviceAndHostTimer", "enqueueing" or "host clock".
-- @tparam table process of @{clue.trace.read}
function align.process(process)
  for _, device in pairs(process.devices) do
    local commands = timed_commands(process, device)
    device.aligned_by = "host clock"
    if device.clock == "device" and #commands > 0 and can_be_trusted(commands) then
      device.offset, device.doubt, device.aligned_by = settle(device, commands)
      place_by_device(commands, device.offset)
    end
  end
  place_by_host(process)
end

return align
