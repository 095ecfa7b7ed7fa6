--- Graphs: commands that are recorded once and replayed by one call.
--
--     local graph = queue:record(function(commands)
--       scale(commands, n, nil, x, 2)
--       commands:copy_buffer(x, y)
--       add(commands, n, nil, y, z)
--     end)
--     for step = 1, 1000 do graph:replay() end
--     graph:set_arg(1, "factor", 3)                 -- command 1, from the next replay on
--     print(graph:replay():time())
--
-- Recorded can be kernels, and the copies, fills, writes and reads of buffers. A kernel is recorded with the arguments
-- that it has then. Commands run in their order, so events between them are neither needed nor allowed. A write takes
-- its array's elements at the replay, and a read gives them; if it is not recorded with blocking = false, replay()
-- waits for all commands.
--
-- A graph keeps alive what its commands use. A buffer that is closed before a replay is refused there.
-- @module clue.graph
local argument = require "clue.argument"
local binding = require "clue.binding"
local bytes = require "clue.bytes"
local enqueue = require "clue.enqueue"
local error_object = require "clue.error"
local events = require "clue.event"
local exit = require "clue.exit"
local object = require "clue.object"
local public = require "clue.public"
local text = require "clue.text"
local wrap = require "clue.wrap"

--- The fields of a graph.
-- @table graph
-- @tfield queue queue for which it was recorded
-- @tfield {string,...} commands what they are: "kernel 'scale'"
-- @tfield string how "cl_khr_command_buffer" if the driver has the commands in one buffer, or "recorded by clue"

local graph = {}

local function described(self)
  return ("%s, %s"):format(text.count(#self.commands, "command"), self.how)
end

local function property(self, name)
  if name ~= "how" then return nil end
  local handle = rawget(self, "handle") or argument.fail("graph.how: the graph was closed")
  return error_object.check(binding.graph_driver(handle)) and "cl_khr_command_buffer" or "recorded by clue"
end

local methods, adopt, meta = object.class("graph", described, property)
meta.__completions = {how = true}

-- ---- recording ----

-- The objects that a command uses.
local function used(handle, number)
  local objects = {}
  for _, each in ipairs(bytes.each(error_object.check(binding.graph_objects(handle, number)), 4)) do
    objects[#objects + 1] = object.owner(each)
  end
  return objects
end

local recording = {}
recording.__index = recording

--- Keeps what the newest command uses. For clue.enqueue, after each command.
-- @param ... the binding's results
-- @return the same
function recording:keep(...)
  if ... then
    local number = error_object.check(binding.graph_count(self.graph))
    self.kept[number] = used(self.graph, number)
  end
  return ...
end

--- Keeps what the newest command uses besides objects.
-- @tparam table held its array
function recording:hold(held)
  local objects = self.kept[#self.kept]
  objects[#objects + 1] = held
end

local function texts(handle)
  local commands = {}
  for number = 1, error_object.check(binding.graph_count(handle)) do
    commands[number] = error_object.check(binding.graph_command(handle, number))
  end
  return commands
end

--- Records the commands that a function gives to its queue, to be replayed by one call.
-- @tparam queue queue in order
-- @tparam function commands commands(queue): whatever it gives to this queue is recorded and does not run
-- @tparam[opt] table options command_buffer = false: the driver's command buffers are not used
-- @treturn graph
function graph.record(queue, commands, options)
  local on = object.handle(queue, "queue")
  argument.typed(commands, "function", "commands")
  options = argument.options(options, "options", {command_buffer = "boolean"})
  local handle, recorder = error_object.check(binding.graph_create(on))
  local self = adopt(handle, {queue = rawget(queue, "queue") or queue, kept = {}, lent = {}})
  exit.owned(recorder)
  local fields = {context = queue.context, device = queue.device, out_of_order = false, waits = {},
                  recording = setmetatable({graph = handle, kept = self.kept}, recording)}
  local done, problem = pcall(commands, object.borrow(recorder, "queue", fields))
  local ended = done and binding.graph_end(handle, options.command_buffer == false and 0 or 1)
  if not ended then
    problem = done and error_object.last() or problem
    methods.close(self)
    error(problem, 0)
  end
  self.commands = texts(handle)
  self.what = "graph of " .. text.count(#self.commands, "command")
  return self
end

-- ---- replaying ----

--- Enqueues all commands, and flushes. graph(queue) does the same.
-- @tparam[opt] queue queue of the same context and device, in order (the queue for which the graph was recorded);
--   queue:after(...) lets the first command wait for events
-- @treturn event complete when all commands are; its time is that from the beginning of the first command to the end
--   of the last
function methods:replay(queue)
  local handle = object.handle(self, "graph")
  local on = queue == nil and self.queue or queue
  object.handle(on, "queue", "queue")
  return (events.new(enqueue.command(on, binding.graph_replay, handle), self.what))
end

--- Enqueues all commands, as replay does.
-- @tparam[opt] queue queue of the same context and device
-- @treturn event complete when all commands are
function meta:__call(queue)
  return (methods.replay(self, queue))
end

-- The kernel of a command, as an object that the graph keeps.
local function kernel_of(self, number)
  local handle = object.handle(self, "graph")
  local found = error_object.check(binding.graph_kernel(handle, argument.whole(number, "command", nil, 2 ^ 31)))
  if not self.lent[number] then
    exit.owned(found)
    self.lent[number] = wrap(found)
  end
  return self.lent[number]
end

--- Sets an argument of a recorded kernel, from the next replay on. The driver's command buffer has the old arguments:
-- clue itself enqueues the next replay, and makes the buffer anew at the first one before which no argument was set.
-- @tparam number command the command's number, from 1
-- @tparam number|string name the argument's index, from 0, or its name
-- @tparam buffer|svm|image|sampler|number|value|local_memory given as for kernel:set_arg
-- @treturn graph itself
function methods:set_arg(command, name, given)
  kernel_of(self, command):set_arg(name, given)
  return self
end

public.add("", {["graph call"] = meta.__call})

return graph
