--- Queues: what a device is to do, in order. Made by context:queue(); every clEnqueueX is queue:x().
--
-- Queues are independent, of each other and of the one that MQL5's functions use: before one queue takes what another
-- one makes, wait for the event, or finish the other queue.
--
-- What queues do with buffers and images is told in @{clue.buffer_transfer}, @{clue.image_transfer} and
-- @{clue.mapping}.
--
-- Fields: context.
-- @module clue.queue
local array = require "clue.array"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local error_object = require "clue.error"
local events = require "clue.event"
local object = require "clue.object"

local queue = {}

local methods, adopt = object.class("queue")

for _, part in ipairs {"buffer_transfer", "image_transfer", "mapping"} do
  for name, method in pairs(require("clue." .. part)) do methods[name] = method end
end

local flag_bits = {profiling = 2}

--- Makes a queue: in order, profiling where the device can.
-- @tparam context context
-- @tparam[opt={profiling = true}] table options profiling = false: without
-- @treturn queue
function queue.new(context, options)
  local call, bits = "context:queue", flag_bits.profiling
  if options ~= nil and type(options) ~= "table" then
    enqueue.refuse("bad argument #1 to '%s': table of options expected, got %s", call, type(options))
  end
  for name, given in pairs(options or {}) do
    if name ~= "profiling" or type(given) ~= "boolean" then
      enqueue.refuse("%s: there is no option %s = %s; there is profiling = true or false", call, tostring(name),
        tostring(given))
    end
    bits = given and flag_bits.profiling or 0
  end
  local handle = error_object.check(binding.queue_create(object.handle(context, "context", call), bits))
  return adopt(handle, {context = type(context) == "table" and context or nil})
end

-- ---- kernels ----

local function sizes(given, call, what)
  if type(given) == "number" then return {given} end
  local count = (type(given) == "table" or array.is(given)) and #given or 0
  if count >= 1 and count <= 3 then return given, count end
  local found = count > 3 and ("%d numbers"):format(count) or object.kind(given) or type(given)
  return enqueue.refuse("%s: the %s is a number or a table of one to three numbers, not %s", call, what, found)
end

-- The same of what may be nil, which must have as many dimensions.
local function sizes_like(given, dimensions, call, what)
  if given == nil then return nil end
  local found, count = sizes(given, call, what)
  if (count or 1) == dimensions then return found end
  return enqueue.refuse("%s: the global size has %d dimensions and the %s %d", call, dimensions, what, count or 1)
end

--- Enqueues a kernel on behalf of a call that messages name.
-- @tparam string call
-- @tparam queue on
-- @tparam kernel kernel
-- @tparam number|table global
-- @tparam ?number|table local_size
-- @tparam ?number|table offset
-- @treturn event see @{clue.event}
function queue.execute(call, on, kernel, global, local_size, offset)
  object.handle(on, "queue", call)
  local handle = object.handle(kernel, "kernel", call, 1)
  local over, dimensions = sizes(global, call, "global size")
  dimensions = dimensions or 1
  local by = sizes_like(local_size, dimensions, call, "local size")
  local from = sizes_like(offset, dimensions, call, "offset")
  local made = enqueue.command(on, binding.queue_execute, handle, dimensions, from, over, by)
  return events.new(made, type(kernel) == "table" and ("kernel '%s'"):format(kernel.name) or "kernel " .. kernel)
end

--- Enqueues a kernel, and flushes. See @{clue.kernel} for the shorter way.
-- @tparam kernel kernel whose arguments are set
-- @tparam number|table global how many work-items, in up to three dimensions
-- @tparam[opt] number|table local_size of a work-group; nil: the driver chooses
-- @tparam[opt] number|table offset of the first work-item
-- @treturn event see @{clue.event}
function methods:ndrange_kernel(kernel, global, local_size, offset)
  return (queue.execute("queue:ndrange_kernel", self, kernel, global, local_size, offset))
end

-- ---- waiting ----

--- Has the driver begin with what is enqueued. Nothing here needs it: everything that is enqueued is flushed.
-- @treturn queue itself
function methods:flush()
  error_object.check(binding.queue_flush(object.handle(self, "queue", "queue:flush")))
  return self
end

--- Waits until everything is done that was enqueued on this queue; raises an error object where that failed.
-- @treturn queue itself
function methods:finish()
  error_object.check(binding.queue_finish(object.handle(self, "queue", "queue:finish")))
  return self
end

return queue
