--- Events: what became of one command. Given by what a queue enqueues without waiting: kernel(queue, ...) above all.
--
-- Fields: status ("queued", "submitted", "running" or "complete"), and, in seconds by the device's timer since a moment
-- that is the same for all events of a device and its parts: queued, submitted, started, ended. These wait for the
-- end, and are nil where the device has no timer that can be believed or the queue was made without profiling;
-- @{event:time} knows a time everywhere.
-- @module clue.event
local binding = require "clue.binding"
local error_object = require "clue.error"
local object = require "clue.object"

local event = {}

local states = {[0] = "complete", "running", "submitted", "queued"}
local moments = {queued = 0, submitted = 1, started = 2, ended = 3}
local not_available = -7 -- CL_PROFILING_INFO_NOT_AVAILABLE

local function moment(handle, name)
  local seconds = binding.event_moment(handle, moments[name])
  if seconds or binding.error().code == not_available then return seconds end
  return error_object.raise()
end

local function property(self, name)
  if name == "status" then
    return states[error_object.check(binding.event_status(object.handle(self, "event", "event.status")))]
  end
  if moments[name] then return moment(object.handle(self, "event", "event." .. name), name) end
  return nil
end

local methods, adopt, meta = object.class("event", function(self) return self.what end, property)
meta.properties = {status = true, queued = true, submitted = true, started = true, ended = true}

--- Makes the object of an event.
-- @tparam number handle
-- @tparam string what was enqueued, for tostring
-- @treturn event
function event.new(handle, what)
  return adopt(handle, {what = what})
end

--- Waits until the command is done; raises an error object where it failed.
-- @treturn event itself
function methods:wait()
  error_object.check(binding.event_wait(object.handle(self, "event", "event:wait")))
  return self
end

--- How long the command took; waits for it.
-- @treturn number seconds
-- @treturn string whose clock: "device", or "host" where the device's timer cannot be trusted
function methods:time()
  local seconds, clock = error_object.check(binding.event_time(object.handle(self, "event", "event:time")))
  return seconds, clock
end

return event
