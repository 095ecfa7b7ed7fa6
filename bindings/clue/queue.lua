--- Queues: what a device is to do, in order. Made by context:queue(). Each clEnqueueX is a method queue:x().
--
-- Queues run independently of each other and of the queue that MQL5's functions use. Before one queue uses another
-- one's results, it must wait for the event, or the script for the other queue:
--
--     local written = copies:write_buffer(x, numbers, {blocking = false})
--     local done = scale(work:after(written), n, nil, x, 2)
--     copies:after(done):read_buffer(x, numbers)
--
-- The host waits only in the last line. queue:after() returns a light view of the queue, which can be used like the
-- queue: every command through it first waits for these events. A queue runs commands in order; one that is out of
-- order (out_of_order = true) makes them wait only for these events and for barriers.
--
-- If a command fails, the commands after it in its queue fail too: their events say so, and what the host waits for
-- at once (a transfer, a mapping) is not done, but raises and names the command that failed. That, or queue:finish(),
-- raises once; then the queue can be used again.
--
-- Commands on buffers, images and shared virtual memory are in @{clue.transfer}, @{clue.rect_transfer},
-- @{clue.image_transfer} and @{clue.mapping}.
-- @module clue.queue
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local device = require "clue.device"
local enqueue = require "clue.enqueue"
local error_object = require "clue.error"
local events = require "clue.event"
local graphs = require "clue.graph"
local object = require "clue.object"
local pointee = require "clue.pointee"
local text = require "clue.text"

--- The fields of a queue.
-- @table queue
-- @tfield context context
-- @tfield device device the one that it belongs to
-- @tfield boolean out_of_order whether commands wait only for given events and barriers

local queue = {}

local methods, adopt, meta = object.class("queue", function(self) return self.out_of_order and "out of order" end)

for _, part in ipairs {"transfer", "image_transfer", "mapping", "rect_transfer"} do
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

--- Makes a queue: in order, and profiling if the device can.
-- @tparam context context
-- @tparam[opt] table options profiling = false: events have no times, which saves half of the host's time for a
-- command on NVIDIA's GPUs; out_of_order = true: commands wait only for given events and barriers, which is refused if
-- the device has no such queues; device: one of the context's (the first)
-- @treturn queue
function queue.new(context, options)
  options = argument.options(options, "options", queue_options)
  local bits = (options.out_of_order and 1 or 0) + (options.profiling == false and 0 or 2) -- CL_QUEUE_*
  local on = options.device ~= nil and device.number(options.device, "device") or nil
  local handle = error_object.check(binding.queue_create(object.handle(context, "context"), bits, on))
  return adopt(handle, {context = type(context) == "table" and context or nil, device = device_of(context, on),
                        waits = false, out_of_order = options.out_of_order or false})
end

--- Makes an array on the queue's device that computes with operators, see @{clue.device_array}.
-- @param source an array of the host, a table of numbers, a type's name, a buffer
-- @param[opt] ... its extents; for a buffer its type before them
-- @treturn device_array
function methods:array(source, ...)
  return (require("clue.device_array").new(self, source, ...))
end

-- ---- views ----

local view_meta = {kind = "queue", methods = methods, __eq = meta.__eq}

function view_meta.__index(self, name)
  if name == "close" then
    argument.fail("queue:close: this is a view of queue %d, made by queue:after(): close the queue", self.handle)
  end
  local method = methods[name]
  if method ~= nil then return method end
  return rawget(self, "queue")[name]
end

function view_meta.__tostring(self)
  return ("%s, after %s"):format(tostring(self.queue), text.count(#self.waits, "event"))
end

--- A view of the queue whose commands all wait for events before they begin. Views cost nothing, so make as many as
-- needed. A view of a view waits for the events of both.
-- @param ... events of any queue of the context, or one list of them
-- @treturn queue
function methods:after(...)
  local handle = object.handle(self, "queue")
  local list, count = {...}, select("#", ...)
  if count == 1 and argument.is_plain(list[1]) then list, count = list[1], argument.list(list[1], "events") end
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
  if type(given) == "number" then return given end
  local listed = type(given) == "table" or array.is(given) and argument.array(given, what) ~= nil
  local count = listed and #given or 0
  if count >= 1 and count <= 3 then return given, count end
  if listed and not object.kind(given) then
    argument.fail("%s must be a number or a list of one to three numbers, not of %d", what, count)
  end
  return argument.refuse(what, "a number or a list of one to three numbers", given)
end

-- The same for sizes that must have as many dimensions as the global size.
local function sizes_like(given, dimensions, what)
  local found, count = sizes(given, what)
  if (count or 1) == dimensions then return found end
  return argument.fail("the global size has %s, but the %s %d", text.count(dimensions, "dimension"), what, count or 1)
end

local queue_execute = binding.queue_execute

--- Enqueues a kernel.
-- @tparam queue on an object, a view or a handle
-- @tparam number queue_handle its handle
-- @tparam kernel kernel an object or a handle
-- @tparam number handle its handle
-- @tparam number|table global
-- @tparam ?number|table local_size
-- @tparam ?number|table offset
-- @treturn event see @{clue.event}
function queue.execute(on, queue_handle, kernel, handle, global, local_size, offset)
  local over, dimensions = sizes(global, "global size")
  dimensions = dimensions or 1
  local by = local_size ~= nil and sizes_like(local_size, dimensions, "local size") or nil
  local from = offset ~= nil and sizes_like(offset, dimensions, "offset") or nil
  local made
  if kernel ~= handle then
    if kernel.check then kernel:check() end
    pointee.run_object(kernel, handle)
  end
  if on == queue_handle or on.waits then
    made = enqueue.command(on, queue_execute, handle, dimensions, from, over, by)
  else
    made = queue_execute(queue_handle, handle, dimensions, from, over, by)
      or enqueue.again(queue_handle, queue_execute, handle, dimensions, from, over, by)
  end
  return events.new(made, kernel == handle and "kernel " .. kernel or kernel.what)
end

--- Enqueues a kernel. @{clue.kernel} has a shorter way.
-- @tparam kernel kernel a kernel whose arguments are set
-- @tparam number|table global the number of work-items, in up to three dimensions
-- @tparam[opt] number|table local_size the size of a work-group; nil: the driver chooses
-- @tparam[opt] number|table offset the index of the first work-item
-- @treturn event see @{clue.event}
function methods:ndrange_kernel(kernel, global, local_size, offset)
  local on, handle = object.handle(self, "queue"), object.handle(kernel, "kernel", "kernel")
  return (queue.execute(self, on, kernel, handle, global, local_size, offset))
end

-- Sizes for all three dimensions. Arrays count from 0.
local function three(given, count, rest)
  if type(given) == "number" then return {given, rest, rest} end
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
  local from = three(offset ~= nil and sizes_like(offset, count, "offset") or nil, count, 0)
  local x, y, z, by_driver = error_object.check(
    binding.queue_suggested_local_size(handle, of, from, three(over, count, 1)))
  return {x, count > 1 and y or nil, count > 2 and z or nil}, by_driver and "driver" or "clue"
end

-- ---- graphs ----

--- Records the commands that a function gives to its queue, to be replayed by one call: see @{clue.graph}.
-- @function record
-- @tparam function commands commands(queue): whatever it gives to this queue is recorded and does not run
-- @tparam[opt] table options command_buffer = false: the driver's command buffers are not used
-- @treturn graph
methods.record = graphs.record

--- Fills memory with random numbers that the device makes. See @{clue.compute.random.fill}.
-- @tparam buffer|svm memory
-- @tparam string name of the type, "float"
-- @tparam[opt] table where
-- @treturn event
function methods:random(memory, name, where)
  object.handle(self, "queue")
  return (require("clue.compute.random").fill(self, memory, name, where)) -- which loads kernels, and they load queues
end

-- ---- waiting ----

--- Enqueues a marker. It is complete when all earlier commands are or, through a view, when its events are.
-- @treturn event
function methods:marker()
  object.handle(self, "queue")
  return events.new(enqueue.command(self, binding.queue_marker), "a marker")
end

--- Enqueues a barrier: a marker that all later commands wait for. For queues out of order; in others every command
-- acts as one.
-- @treturn event
function methods:barrier()
  object.handle(self, "queue")
  return events.new(enqueue.command(self, binding.queue_barrier), "a barrier")
end

--- Makes the driver start what is enqueued. Only commands that were enqueued through the queue's OpenCL handle
-- (@{clue.raw}) need it: clue sees to it that its own start.
-- @treturn queue itself
function methods:flush()
  error_object.check(binding.queue_flush(object.handle(self, "queue")))
  return self
end

--- Waits until all commands enqueued on this queue are done, including those enqueued through its OpenCL handle
-- (@{clue.raw}). Raises an error object if a command failed and that was not yet reported.
-- @treturn queue itself
function methods:finish()
  error_object.check(binding.queue_finish(object.handle(self, "queue")))
  events.deliver()
  return self
end

return queue
