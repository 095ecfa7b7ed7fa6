--- A device of cl.workers: its chunks in flight, and what became of them.
--
-- What the script sees is self.worker. The fields that clue.several_devices.plan reads are in self.
-- @module clue.several_devices.worker
local argument = require "clue.argument"
local binding = require "clue.binding"
local contexts = require "clue.context"
local error_object = require "clue.error"
local object = require "clue.object"
local options = require "clue.options"
local plan = require "clue.several_devices.plan"
local ranking = require "clue.device_ranking"
local shown = require "clue.shown"

local worker = {}

--- How many chunks a device has in flight: while it works on one, the next is already enqueued.
worker.depth = 2

--- Raises again an error that is Ctrl-C.
-- @param raised
function worker.pass_interrupt(raised)
  local interrupted = options.interrupted and options.interrupted(raised)
  if interrupted or tostring(raised):find "interrupted!$" then error(raised, 0) end -- the second is stock Lua's
end

--- Makes a worker, which has no context and no function for chunks yet.
-- @tparam table entry device, context (nil: it makes its own), from @{clue.several_devices.devices.of}
-- @tparam number index among the workers
-- @treturn table
function worker.new(entry, index)
  local doubt = ranking.doubt(entry.device)
  return {worker = {device = entry.device, index = index, context = entry.context}, own = not entry.context,
          flight = {}, queued = 0, chunks = 0, done = 0, place = index, late = doubt and doubt.debugger or false}
end

--- Makes a worker's context and queue, and calls the script's function that prepares it.
-- @tparam table self
-- @tparam function setup
-- @return what that returns
function worker.open(self, setup)
  local seen = self.worker
  seen.context = seen.context or contexts.new(seen.device)
  seen.queue = seen.context:queue{device = seen.device}
  return (setup(seen))
end

--- Frees the queue, and the context unless the script gave it.
-- @tparam table self
function worker.close(self)
  local seen = self.worker
  if seen.queue then seen.queue:close() end
  if self.own and seen.context then seen.context:close() end
  self.call = nil
end

-- "the function at script.lua:12"
local function place(of)
  local info = debug.getinfo(of, "S")
  return ("the function at %s:%d"):format(info.short_src, info.linedefined)
end

worker.place = place

-- The events of a chunk, from what the script's function returned.
local function events_of(self, returned)
  local kind = shown.kind_of(returned)
  if kind == "event" then return {returned} end
  if returned == nil or kind == "queue" then return {self.worker.queue:marker()} end
  local count = argument.is_plain(returned) and argument.length(returned)
  if not count then
    argument.fail("%s must return the event of its last command, a list of events, or nothing, got %s",
      place(self.call), shown.of(returned))
  end
  if count == 0 then return {self.worker.queue:marker()} end
  for i = 1, count do
    local each = returned[i]
    if shown.kind_of(each) ~= "event" or not object.handle_of(each) then
      argument.fail("%s must return a list of events, but its item %d is %s", place(self.call), i, shown.of(each))
    end
  end
  return returned
end

local function free_slot(self)
  local used = {}
  for _, chunk in ipairs(self.flight) do used[chunk.slot] = true end
  for slot = 1, worker.depth do
    if not used[slot] then return slot end
  end
end

--- Gives a device a chunk. Raises what the script's function raises; the chunk is in flight even then.
-- @tparam table self
-- @tparam number first
-- @tparam number count
function worker.give(self, first, count)
  local now = binding.now()
  local chunk = {first = first, count = count, slot = free_slot(self)}
  if self.queued == 0 then self.since = now end
  self.flight[#self.flight + 1], self.queued = chunk, self.queued + count
  chunk.events = events_of(self, (self.call(first, count, chunk.slot)))
  chunk.called = binding.now() - now
end

-- Whether all commands of a chunk have ended. Raises if one failed.
local function has_ended(chunk)
  for _, each in ipairs(chunk.events) do
    local handle = object.handle_of(each) or argument.fail("the event of a chunk was closed before its end")
    if error_object.check(binding.event_status(handle)) ~= 0 then return false end
  end
  return true
end

local function first_ended(self)
  local chunk = self.flight[1]
  return chunk and has_ended(chunk) and table.remove(self.flight, 1) or nil
end

-- When the first event of a chunk was enqueued and the last one ended, by the device's timer; nil if it has none.
local function moments(chunk)
  local queued, ended = math.huge, 0
  for _, each in ipairs(chunk.events) do
    if not (each.queued and each.ended) then return nil end
    queued, ended = math.min(queued, each.queued), math.max(ended, each.ended)
  end
  return queued, ended
end

-- How long the device worked on a chunk; nil if that is not known. The host may have been busy with another device
-- when the chunk ended, so its clock would tell too much. A driver that runs commands in the calling thread has run
-- most of them before the last one is enqueued.
local function own_seconds(self, chunk)
  local read, queued, ended = pcall(moments, chunk)
  if not read or not queued then return nil end
  local began = math.max(queued, self.ended or 0)
  self.ended = ended
  return math.max(ended - began, chunk.called)
end

--- Takes the chunks that have ended. Raises an error object if a command failed.
-- @tparam table self
-- @tparam function ended ended(self, chunk) is called for each
-- @treturn boolean whether there were any
function worker.look(self, ended)
  local items, seconds, chunks, chunk = 0, 0, 0, first_ended(self)
  while chunk do
    items, self.queued, chunks = items + chunk.count, self.queued - chunk.count, chunks + 1
    self.chunks = self.chunks + 1 -- even if the next one failed
    seconds = seconds + (own_seconds(self, chunk) or math.huge)
    ended(self, chunk)
    chunk = first_ended(self)
  end
  if items == 0 then return false end
  local now = binding.now()
  seconds = math.min(seconds, now - self.since)
  self.busy = (self.busy or 0) + seconds
  plan.done(self, items, seconds, chunks)
  self.since = now
  return true
end

local function attempt(call, ...)
  local done, raised = pcall(call, ...)
  if not done then worker.pass_interrupt(raised) end
  return done and raised
end

--- Waits until nothing of the chunks in flight can write any more, whatever became of them.
-- @tparam table self
function worker.drain(self)
  local seen = self.worker
  for _, chunk in ipairs(self.flight) do
    for _, each in ipairs(chunk.events or {}) do
      if object.handle_of(each) then attempt(binding.event_wait, object.handle_of(each)) end
    end
  end
  if seen.queue then attempt(seen.queue.finish, seen.queue) end
  if self.own and seen.context then attempt(seen.context.finish, seen.context) end
end

--- Ends a device's part in the work after a failure: waits for what is in flight, and takes back what was not done.
-- @tparam table self
-- @param raised the failure
-- @tparam function ended as for @{look}
-- @treturn {table,...} the chunks that were not done
function worker.lose(self, raised, ended)
  self.lost = raised or "an error without a text"
  worker.drain(self)
  local back = {}
  for _, chunk in ipairs(self.flight) do
    if chunk.events and attempt(has_ended, chunk) then
      self.chunks = self.chunks + 1
      ended(self, chunk)
    else
      back[#back + 1] = chunk
    end
  end
  self.flight, self.queued = {}, 0
  return back
end

return worker
