--- Events: the state of one command. Queues return them for commands that they enqueue without waiting, above all
-- kernel(queue, ...). Other commands can wait for them: queue:after(event). A user event (context:user_event())
-- belongs to no command: the script completes it.
-- @module clue.event
local argument = require "clue.argument"
local binding = require "clue.binding"
local error_object = require "clue.error"
local object = require "clue.object"

--- The fields of an event. The moments are seconds by the device's timer since one that is the same for all events of a
-- device and its parts. Reading one waits for the end. They are nil if the device has no trustworthy timer or the queue
-- was made without profiling; @{event:time} always has a time.
-- @table event
-- @tfield string status "queued", "submitted", "running" or "complete"; raises an error object if the command failed
-- @tfield ?number queued when the script enqueued it
-- @tfield ?number submitted when the driver gave it to the device
-- @tfield ?number started when the device began with it
-- @tfield ?number ended when the device had done it

local event = {}

local states = {[0] = "complete", "running", "submitted", "queued"}
local moments = {queued = 0, submitted = 1, started = 2, ended = 3}
local not_available = -7 -- CL_PROFILING_INFO_NOT_AVAILABLE

local function moment(handle, name)
  local seconds = binding.event_moment(handle, moments[name])
  if seconds or binding.error().code == not_available then return seconds end
  return error_object.raise()
end

local function handle_for(self, name)
  return object.handle_of(self) or argument.fail("event.%s: the event was closed", name)
end

local rawget = rawget

local function property(self, name)
  if name == "status" then
    return states[binding.event_status(rawget(self, "handle") or handle_for(self, name)) or error_object.raise()]
  end
  if moments[name] then
    local first = name ~= "ended" and rawget(self, "steps")
    return moment(handle_for(first and first[1] or self, name), name)
  end
  return name == "what" and object.handle_of(self) and binding.event_what(object.handle_of(self)) or nil
end

local methods, adopt, meta = object.class("event", function(self) return self.what end, property)
meta.__completions = {status = true, queued = true, submitted = true, started = true, ended = true}

meta.of_handle = function()
  return {what = "a command"}
end

local own = object.own

local MANY, KILOBYTES = 256, 0.25 -- objects, and what the collector may go through for each

local made = object.functions.made -- how many objects were made since the last collection, in a list
local looked = 0 -- at so many was the last look at the heap's size

--- For the binding.
event.class = meta

-- Frees what nothing needs, if there are many objects for the size of the script's heap. Most are events: a driver
-- makes new ones in the memory of those that were just freed in less time than others take. In Lua 5.4's generational
-- mode, a step finds all that were made lately; a full collection would end that mode for a while. (LuaJIT does not
-- compile a look.)
local function tidy()
  looked = made[1]
  if looked * KILOBYTES < collectgarbage "count" then return end
  collectgarbage "step"
  if made[1] >= looked then collectgarbage() end
  looked = 0
end

--- Makes the object of a command's event.
-- @tparam number handle
-- @tparam ?string what was enqueued, for tostring; nil: the core knows it
-- @tparam[opt] table held what the event keeps alive: the array of a transfer
-- @treturn event
function event.new(handle, what, held)
  return own({handle = handle, what = what, held = held}, handle, meta)
end

--- Makes the event of an algorithm's step that of all steps so far: its time begins when the first one starts.
-- @tparam ?event previous of the steps before, which from now on is that of its own command only; nil: there are none
-- @tparam event last of the step, or of the steps of an algorithm within
-- @treturn event last
function event.joined(previous, last)
  if not previous then return last end
  local steps = rawget(previous, "steps") or {previous}
  previous.steps = nil
  for _, step in ipairs(rawget(last, "steps") or {last}) do steps[#steps + 1] = step end
  last.steps = steps
  return last
end

--- Makes the object of a user event, which fails if it is collected before it is set.
-- @tparam number handle
-- @treturn event
function event.new_user_event(handle)
  return adopt(handle, {what = "user event"})
end

-- ---- callbacks ----

local asked = {} -- the functions given to on_complete, in order

-- Whether the command has ended, and the error object if it failed; nil for an event that was closed.
local function outcome(of)
  local handle = object.handle_of(of)
  if not handle then return nil end
  local status = binding.event_status(handle)
  if status then return status == 0 end
  return true, error_object.last()
end

--- Sets a function to be called once the command has ended. Neither another thread calls it nor the middle of a
-- computation: the next cl.poll() or wait (of an event, a queue, a context, a transfer) after the end does, in the
-- order of these calls. An event that is closed before its end calls nothing.
-- @tparam function call call(event, problem): problem is an error object if the command failed, else nil
-- @treturn event itself
function methods:on_complete(call)
  object.handle(self, "event")
  argument.typed(call, "function", "call")
  asked[#asked + 1] = {event = self, call = call}
  return self
end

--- Calls the functions of @{on_complete} whose commands have ended. If one raises, the error is passed on; the next
-- poll calls the others.
-- @treturn number how many were called
-- @treturn number how many are left
function event.deliver()
  local all, called, count = asked, 0, made[1]
  if count < looked then looked = 0 end -- the collector came
  if count >= looked + MANY then tidy() end
  if #all == 0 then return 0, 0 end
  asked = {}
  for i, each in ipairs(all) do
    local ended, problem = outcome(each.event)
    if ended then
      local done, raised = pcall(each.call, each.event, problem)
      called = called + 1
      if not done then
        for j = i + 1, #all do asked[#asked + 1] = all[j] end
        error(raised, 0)
      end
    elseif ended == false then
      asked[#asked + 1] = each
    end
  end
  return called, #asked
end

-- ---- user events ----

--- Completes a user event, so that what waits for it goes on. Raises an error object for any other event, and the
-- second time.
-- @treturn event itself
function methods:complete()
  error_object.check(binding.user_event_set(object.handle(self, "event"), 0))
  return self
end

--- Makes a user event fail, and with it the commands that wait for it.
-- @tparam number code a whole number below 0, one of OpenCL's or any
-- @treturn event itself
function methods:fail(code)
  local handle = object.handle(self, "event")
  if type(code) ~= "number" or code % 1 ~= 0 or code >= 0 or code < -2 ^ 31 then
    argument.refuse("code", "a whole number below 0", code)
  end
  error_object.check(binding.user_event_set(handle, code))
  return self
end

-- ---- waiting ----

--- Waits until the command is done. Raises an error object if it failed.
-- @treturn event itself
function methods:wait()
  if not binding.event_wait(object.handle(self, "event")) then error_object.raise() end
  if asked[1] or made[1] < looked or made[1] >= looked + MANY then event.deliver() end
  return self
end

-- How long several commands took, with what was between them; without it if no timer shows it.
local function time_of_steps(self, steps)
  local started, ended = self.started, self.ended
  if started and ended then return ended - started, "device" end
  local sum, clock = 0, nil
  for _, step in ipairs(steps) do
    local seconds
    seconds, clock = error_object.check(binding.event_time(object.handle(step, "event")))
    sum = sum + seconds
  end
  return sum, clock
end

--- How long the command took, or all commands of an algorithm, such as a sort. Waits for it.
-- @treturn number seconds
-- @treturn string whose clock: "device", or "host" if the device's timer cannot be trusted
function methods:time()
  local handle, steps = object.handle(self, "event"), rawget(self, "steps")
  local seconds, clock
  if steps then seconds, clock = time_of_steps(self, steps)
  else seconds, clock = error_object.check(binding.event_time(handle)) end
  event.deliver()
  return seconds, clock
end

return event
