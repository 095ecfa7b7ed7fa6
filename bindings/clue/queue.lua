--- Queues: what a device is to do, in order. Made by context:queue(); every clEnqueueX is queue:x().
--
-- Queues are independent, of each other and of the one that MQL5's functions use: before one queue takes what another
-- one makes, wait for the event, or finish the other queue. Transfers wait until they are done.
--
-- Fields: context.
-- @module clue.queue
local array = require "clue.array"
local binding = require "clue.binding"
local error_object = require "clue.error"
local events = require "clue.event"
local object = require "clue.object"

local queue = {}

local methods, adopt = object.class("queue")

local function refuse(message, ...)
  error(error_object.new {text = message:format(...)}, 0)
end

local flag_bits = {profiling = 2}

--- Makes a queue: in order, profiling where the device can.
-- @tparam context context
-- @tparam[opt={profiling = true}] table options profiling = false: without
-- @treturn queue
function queue.new(context, options)
  local call, bits = "context:queue", flag_bits.profiling
  if options ~= nil and type(options) ~= "table" then
    refuse("bad argument #1 to '%s': table of options expected, got %s", call, type(options))
  end
  for name, given in pairs(options or {}) do
    if name ~= "profiling" or type(given) ~= "boolean" then
      refuse("%s: there is no option %s = %s; there is profiling = true or false", call, tostring(name),
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
  return refuse("%s: the %s is a number or a table of one to three numbers, not %s", call, what, found)
end

-- The same of what may be nil, which must have as many dimensions.
local function sizes_like(given, dimensions, call, what)
  if given == nil then return nil end
  local found, count = sizes(given, call, what)
  if (count or 1) == dimensions then return found end
  return refuse("%s: the global size has %d dimensions and the %s %d", call, dimensions, what, count or 1)
end

-- What the collector has not got round to is freed where handles run out.
local function enqueued(handle, enqueue, ...)
  local made = enqueue(handle, ...)
  if made or binding.error().cause ~= "full" then return error_object.check(made) end
  object.collect()
  return error_object.check(enqueue(handle, ...))
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
  on = object.handle(on, "queue", call)
  local handle = object.handle(kernel, "kernel", call, 1)
  local over, dimensions = sizes(global, call, "global size")
  dimensions = dimensions or 1
  local by = sizes_like(local_size, dimensions, call, "local size")
  local from = sizes_like(offset, dimensions, call, "offset")
  local made = enqueued(on, binding.queue_execute, handle, dimensions, from, over, by)
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

-- ---- transfers ----

-- Part of an array, and where it goes: options as write_buffer takes them.
local function part_of(data, where, call)
  where = where == nil and {} or where
  if type(where) ~= "table" then refuse("bad argument #3 to '%s': table expected, got %s", call, type(where)) end
  for name, given in pairs(where) do
    if name ~= "offset" and name ~= "first" and name ~= "count" or type(given) ~= "number" then
      refuse("%s: there is no %s = %s; there are offset (bytes), first and count (elements), all numbers", call,
        tostring(name), tostring(given))
    end
  end
  local first = where.first or 0
  local count = where.count or math.max(#data - first, 0)
  if first < 0 or count < 0 or first % 1 ~= 0 or count % 1 ~= 0 or first + count > #data then
    refuse("%s: %.14g elements from %.14g on are not all in the array of %.0f", call, count, first, #data)
  end
  return where.offset or 0, first, count
end

-- Buffer, array and what part of it, for a transfer.
local function transfer(self, name, method, buffer, data, where)
  local call = "queue:" .. method
  local on = object.handle(self, "queue", call)
  local handle = object.handle(buffer, "buffer", call, 1)
  if not array.is(data) then
    refuse("bad argument #2 to '%s': array expected, got %s", call, object.kind(data) or type(data))
  end
  local offset, first, count = part_of(data, where, call)
  error_object.check(binding[name](on, handle, offset, data, first, count))
  return self
end

--- Writes an array to a buffer, and waits until that is done.
-- @tparam buffer buffer
-- @tparam array data
-- @tparam[opt] table where offset: in the buffer, in bytes (0); first: element of the array (0); count: so many
--   elements (to the end)
-- @treturn queue itself
function methods:write_buffer(buffer, data, where)
  return transfer(self, "queue_write", "write_buffer", buffer, data, where)
end

--- Reads a buffer into an array, and waits until that is done.
-- @tparam buffer buffer
-- @tparam array data
-- @tparam[opt] table where as for @{write_buffer}
-- @treturn queue itself
function methods:read_buffer(buffer, data, where)
  return transfer(self, "queue_read", "read_buffer", buffer, data, where)
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
