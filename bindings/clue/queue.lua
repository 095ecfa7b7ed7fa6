--- Queues: what a device is to do, in order. Made by context:queue(); every clEnqueueX is queue:x().
--
-- Queues are independent, of each other and of the one that MQL5's functions use: before one queue takes what another
-- one makes, have it wait for the event, or finish the other queue:
--
--     local written = copies:write_buffer(x, numbers, {blocking = false})
--     local done = scale(work:after(written), n, nil, x, 2)
--     copies:after(done):read_buffer(x, numbers)
--
-- The host waits in the last line alone. queue:after() gives a light view of the queue, which stands wherever a queue
-- does: every command that goes through it waits for these events first. A queue is in order; in one out of order
-- (out_of_order = true) commands wait for nothing else but barriers.
--
-- Where a command failed, what comes behind it in its queue fails with it: the events of such commands say so, and what
-- the host waits for at once (a transfer, a mapping) is not done, but raises and names the one that failed. It does so
-- once, or queue:finish() does: then the queue serves on.
--
-- What queues do with buffers, images and shared virtual memory is told in @{clue.buffer_transfer},
-- @{clue.rect_transfer}, @{clue.image_transfer}, @{clue.svm_transfer} and @{clue.mapping}.
--
-- Fields: context, device (@{clue.device}), out_of_order.
-- @module clue.queue
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local device = require "clue.device"
local enqueue = require "clue.enqueue"
local error_object = require "clue.error"
local events = require "clue.event"
local object = require "clue.object"

local queue = {}

local methods, adopt, meta = object.class("queue", function(self) return self.out_of_order and "out of order" end)

for _, part in ipairs {"buffer_transfer", "image_transfer", "mapping", "rect_transfer", "svm_transfer"} do
  for name, method in pairs(require("clue." .. part)) do methods[name] = method end
end

local queue_options = {profiling = "boolean", out_of_order = "boolean", device = "checked"}

-- The object of a queue's device.
local function device_of(context, number)
  local listed = type(context) == "table" and context.devices or {}
  for _, each in ipairs(listed) do
    if number == nil or each:id() == number then return each end
  end
  return device.get(number or context)
end

--- Makes a queue: in order, profiling where the device can.
-- @tparam context context
-- @tparam[opt] table options profiling = false: without; out_of_order = true: commands wait for nothing but what they
--   are told to wait for, which is refused where the device has no such queues; device: one of a context over several
--   (the first)
-- @treturn queue
function queue.new(context, options)
  options = argument.options(options, "options", queue_options)
  local bits = (options.out_of_order and 1 or 0) + (options.profiling == false and 0 or 2) -- CL_QUEUE_*
  local on = options.device ~= nil and device.number(options.device, "device") or nil
  local handle = error_object.check(binding.queue_create(object.handle(context, "context"), bits, on))
  return adopt(handle, {context = type(context) == "table" and context or nil, device = device_of(context, on),
                        out_of_order = options.out_of_order or false})
end

-- ---- views ----

local view_meta = {kind = "queue", methods = methods, __eq = meta.__eq}

function view_meta.__index(self, name)
  if name == "close" then
    argument.fail("queue:close: this is a view of queue %d, which queue:after() made: close the queue", self.handle)
  end
  local method = methods[name]
  if method ~= nil then return method end
  return rawget(self, "queue")[name]
end

function view_meta.__tostring(self)
  return ("%s, after %d event%s"):format(tostring(self.queue), #self.waits, #self.waits == 1 and "" or "s")
end

--- A view of the queue whose commands wait for events before they begin, each of them for all. It is made at no cost,
-- and as often as needed. A view of a view waits for the events of both.
-- @param ... events, of whatever queue of the context, or one list of them
-- @treturn queue
function methods:after(...)
  local handle = object.handle(self, "queue")
  local list, count = {...}, select("#", ...)
  if count == 1 and argument.is_plain(list[1]) then list, count = list[1], #list[1] end
  local held, waits = {}, {}
  for i, each in ipairs(rawget(self, "held") or {}) do held[i], waits[i] = each, self.waits[i] end
  for i = 1, count do
    waits[#waits + 1] = object.handle(list[i], "event", i)
    held[#held + 1] = list[i]
  end
  return setmetatable({handle = handle, queue = rawget(self, "queue") or self, held = held, waits = waits}, view_meta)
end

-- ---- kernels ----

local function sizes(given, what)
  if type(given) == "number" then return {given} end
  local listed = type(given) == "table" or array.is(given) and argument.array(given, what) ~= nil
  local count = listed and #given or 0
  if count >= 1 and count <= 3 then return given, count end
  if listed and not object.kind(given) then
    argument.fail("%s must be a number or a list of one to three numbers, not of %d", what, count)
  end
  return argument.refuse(what, "a number or a list of one to three numbers", given)
end

-- The same of what may be nil, which must have as many dimensions.
local function sizes_like(given, dimensions, what)
  if given == nil then return nil end
  local found, count = sizes(given, what)
  if (count or 1) == dimensions then return found end
  return argument.fail("the global size has %d dimensions and the %s %d", dimensions, what, count or 1)
end

--- Enqueues a kernel.
-- @tparam queue on looked at before
-- @tparam kernel kernel
-- @tparam number|table global
-- @tparam ?number|table local_size
-- @tparam ?number|table offset
-- @treturn event see @{clue.event}
function queue.execute(on, kernel, global, local_size, offset)
  local handle = object.handle(kernel, "kernel", "kernel")
  local over, dimensions = sizes(global, "global size")
  dimensions = dimensions or 1
  local by = sizes_like(local_size, dimensions, "local size")
  local from = sizes_like(offset, dimensions, "offset")
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
  object.handle(self, "queue")
  return (queue.execute(self, kernel, global, local_size, offset))
end

-- Sizes for all three dimensions. Arrays count from 0.
local function three(given, count, rest)
  local all, first = {rest, rest, rest}, array.is(given) and 0 or 1
  for i = 1, given and count or 0 do all[i] = given[first + i - 1] end
  return all
end

--- A good local size for a range of a kernel, to be looked at, or given to the kernel's call.
-- @tparam kernel kernel
-- @tparam number|table global how many work-items, in up to three dimensions
-- @tparam[opt] number|table offset of the first work-item
-- @treturn {number,...} as many sizes as global has; raises where no local size fits, as with a required one that does
--   not divide the range
-- @treturn string who suggests them: "driver" (clGetKernelSuggestedLocalWorkSizeKHR, once the kernel's arguments are
--   set), or "clue": the required size; or the largest groups of up to 256 work-items that divide the range and leave
--   a group for every compute unit
function methods:suggested_local_size(kernel, global, offset)
  local handle, of = object.handle(self, "queue"), object.handle(kernel, "kernel", "kernel")
  local over, count = sizes(global, "global size")
  count = count or 1
  local from = three(sizes_like(offset, count, "offset"), count, 0)
  local x, y, z, by_driver = error_object.check(
    binding.queue_suggested_local_size(handle, of, from, three(over, count, 1)))
  return {x, count > 1 and y or nil, count > 2 and z or nil}, by_driver and "driver" or "clue"
end

-- ---- waiting ----

--- Enqueues a marker: complete when all is that was enqueued before, or, through a view, when its events are.
-- @treturn event
function methods:marker()
  object.handle(self, "queue")
  return events.new(enqueue.command(self, binding.queue_marker), "a marker")
end

--- Enqueues a barrier: a marker that everything enqueued later waits for. For queues out of order; in others every
-- command is one.
-- @treturn event
function methods:barrier()
  object.handle(self, "queue")
  return events.new(enqueue.command(self, binding.queue_barrier), "a barrier")
end

--- Has the driver begin with what is enqueued. Nothing here needs it: everything that is enqueued is flushed.
-- @treturn queue itself
function methods:flush()
  error_object.check(binding.queue_flush(object.handle(self, "queue")))
  return self
end

--- Waits until everything is done that was enqueued on this queue, by way of its OpenCL handle (@{clue.raw}), too;
-- raises an error object where a command failed and the queue has not told of it.
-- @treturn queue itself
function methods:finish()
  error_object.check(binding.queue_finish(object.handle(self, "queue")))
  events.deliver()
  return self
end

return queue
