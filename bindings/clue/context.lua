--- Contexts: one or several devices of a platform, and what is made on them.
--
--     local cl = require "clue"
--     local context = cl.context()                    -- what --device or CLUE_DEVICE names, else the best
--     local queue = context:queue()
--     local program = context:program(SOURCE, {defines = {TILE = 16}})
--     local x = context:buffer(array.float(1000):fill(1))
--
-- What is made in a context over several devices serves all of them: programs are built for each, and buffers move to
-- the device that needs them. A queue belongs to one device: context:queue{device = context.devices[2]}.
-- @module clue.context
local argument = require "clue.argument"
local binding = require "clue.binding"
local buffers = require "clue.buffer"
local device = require "clue.device"
local enqueue = require "clue.enqueue"
local error_object = require "clue.error"
local events = require "clue.event"
local exit = require "clue.exit"
local images = require "clue.image"
local kernels = require "clue.kernel"
local object = require "clue.object"
local programs = require "clue.program"
local public = require "clue.public"
local queues = require "clue.queue"
local samplers = require "clue.sampler"
local svms = require "clue.svm"

--- The fields of a context.
-- @table context
-- @tfield device device the first one
-- @tfield {device,...} devices all

local context = {}

local methods, adopt, meta = object.class("context", function(self)
  local words = {}
  for i, each in ipairs(self.devices) do words[i] = each:describe() end
  return table.concat(words, " and ")
end)

meta.of_handle = function(handle)
  local first = device.get(handle)
  return {device = first, devices = {first}}
end

local allowed = "a device, its number, a choice such as \"gpu\", or a list of these"

-- Reads what a script gave as a device: returns its number for the binding, and its object. If the text was a choice,
-- the result is announced, once per process; a device object is not.
local function device_of(given, name)
  if type(given) == "number" then return argument.whole(given, name, nil, 2 ^ 31) end
  if device.is(given) then return given:id(), given end
  if given ~= nil and type(given) ~= "string" then argument.refuse(name, allowed, given) end
  local ordinal, why, again = device.pick(given)
  device.announce(ordinal, why, again)
  return ordinal
end

-- A context over the devices of a list.
local function over(list)
  local ids, devices = {}, {}
  for i = 1, argument.list(list, "on") do
    ids[i], devices[i] = device_of(list[i], ("on[%d]"):format(i))
    devices[i] = devices[i] or device.get(ids[i])
  end
  local handle = error_object.check(binding.context_create(ids))
  for _, each in ipairs(devices) do device.warn(each.ordinal) end
  return adopt(handle, {device = devices[1], devices = devices})
end

--- Makes a context. Raises an error object if there is no such device.
-- @param[opt] on a device object (or a part of a device), its ordinal, or a text as --device takes it ("gpu", "0:1",
--   "nvidia"); nil: what --device or CLUE_DEVICE names, else the best device; or a list of these, all of one platform
-- @treturn context
function context.new(on)
  if argument.is_plain(on) then return (over(on)) end
  local id, object_of_it = device_of(on, "on")
  local handle = error_object.check(binding.context_create {id})
  local first = object_of_it or device.get(handle)
  device.warn(first.ordinal)
  return adopt(handle, {device = first, devices = {first}})
end

--- Makes an event that commands can wait for until the script calls event:complete() or event:fail(code). If it is
-- closed or collected before that, the commands that wait for it fail. Drivers that run commands in the calling
-- thread (Oclgrind, PoCL's "basic") refuse commands that wait for an incomplete one: they would wait for ever.
-- @treturn event see @{clue.event}
function methods:user_event()
  object.handle(self, "context")
  return events.new_user_event(enqueue.command(self, binding.user_event_create))
end

--- The queue that every context has from the start: MQL5's functions, such as CLExecute, enqueue on it. It lives as
-- long as the context and cannot be freed alone.
-- @treturn queue
function methods:own_queue()
  local handle = error_object.check(binding.context_queue(object.handle(self, "context")))
  exit.owned(handle)
  return object.borrow(handle, "queue", {context = self, device = self.device, waits = false, out_of_order = false})
end

kernels.setup(object.class_of "queue")

--- What is made in a context. Each takes the parameters that follow the context in the function named here.
methods.buffer = buffers.maker(meta) -- buffers.new
methods.compile = programs.compile
methods.image = images.new
methods.image_formats = images.formats
methods.link = programs.link
methods.program = programs.new
methods.program_from_binary = programs.from_binary
methods.program_from_il = programs.from_il
methods.queue = queues.new
methods.sampler = samplers.new
methods.svm = svms.new

public.later(methods, {
  elementwise = {"clue.compute.elementwise", "new"},
  gemm = {"clue.gemm", "new"},
  reduction = {"clue.compute.reduction", "new"},
  scan = {"clue.compute.scan", "new"},
  sort = {"clue.compute.sort", "new"},
})

--- Waits until all commands enqueued in the context, on all of its queues, are done. Raises an error object if a
-- command failed and that was not yet reported.
-- @treturn context itself
function methods:finish()
  error_object.check(binding.context_finish(object.handle(self, "context")))
  events.deliver()
  return self
end

return context
