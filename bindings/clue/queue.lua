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
local launch = require "clue.launch"
local object = require "clue.object"
local public = require "clue.public"
local text = require "clue.text"

--- The fields of a queue.
-- @table queue
-- @tfield context context
-- @tfield device device the one that it belongs to
-- @tfield boolean out_of_order whether commands wait only for given events and barriers

local queue = {}

local methods, adopt, meta = object.class("queue", function(self) return self.out_of_order and "out of order" end)

for _, part in ipairs {require "clue.transfer", require "clue.image_transfer", require "clue.mapping",
                       (require "clue.rect_transfer")} do -- Lua 5.4 returns the file's path, too
  for name, method in pairs(part) do methods[name] = method end
end

meta.of_handle = function(handle, parent_of)
  return {context = parent_of(handle), device = device.get(handle), waits = false, out_of_order = false}
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

public.later(methods, {
  array = {"clue.device_array", "new"},
  random = {"clue.compute.random", "fill"},
  record = {"clue.graph", "record"},
})

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

--- Enqueues a kernel. @{clue.kernel} has a shorter way.
-- @tparam kernel kernel a kernel whose arguments are set
-- @tparam number|table global the number of work-items, in up to three dimensions
-- @tparam[opt] number|table local_size the size of a work-group; nil: the driver chooses
-- @tparam[opt] number|table offset the index of the first work-item
-- @treturn event see @{clue.event}
function methods:ndrange_kernel(kernel, global, local_size, offset)
  local on, handle = object.handle(self, "queue"), object.handle(kernel, "kernel", "kernel")
  return (launch.execute(self, on, kernel, handle, global, local_size, offset))
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
  local over, count = launch.sizes(global, "global size")
  count = count or 1
  local from = three(offset ~= nil and launch.sizes_like(offset, count, "offset") or nil, count, 0)
  local x, y, z, by_driver = error_object.check(
    binding.queue_suggested_local_size(handle, of, from, three(over, count, 1)))
  return {x, count > 1 and y or nil, count > 2 and z or nil}, by_driver and "driver" or "clue"
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
  if not binding.queue_finish(object.handle(self, "queue")) then error_object.raise() end
  events.deliver()
  return self
end

return queue
