--- Queues: what a device is to do, in order. Made by context:queue(); every clEnqueueX is queue:x().
--
-- Fields: context.
-- @module clue.queue
local array = require "clue.array"
local binding = require "clue.binding"
local error_object = require "clue.error"
local object = require "clue.object"

local queue = {}

local methods = {}
local meta = {kind = "queue", __index = methods}

--- Makes a queue: in order, profiling where the device can.
-- @tparam context context
-- @treturn queue
function queue.new(context)
  object.handle(context, "context", "context:queue")
  return setmetatable({context = context, kind = "queue"}, meta)
end

local function sizes(given, call)
  if type(given) == "number" then return {given} end
  if type(given) == "table" and #given >= 1 and #given <= 3 then return given end
  error(error_object.new {text = ("%s: a size is a number or a table of one to three numbers"):format(call)}, 0)
end

--- Enqueues a kernel, and flushes. See @{clue.kernel} for the shorter way.
-- @tparam kernel kernel whose arguments are set
-- @tparam number|table global how many work-items, in up to three dimensions
-- @tparam[opt] number|table local_size of a work-group; nil: the driver chooses
-- @tparam[opt] number|table offset of the first work-item
function methods:ndrange_kernel(kernel, global, local_size, offset)
  local call = "queue:ndrange_kernel"
  if self.kind ~= "queue" then error(error_object.new {text = call .. ": call it with a colon, on a queue"}, 0) end
  local handle = object.handle(kernel, "kernel", call, 1)
  global = sizes(global, call)
  error_object.check(binding.kernel_execute(handle, #global, offset and sizes(offset, call), global,
    local_size and sizes(local_size, call)))
end

-- Buffer, array and what part of it, for a transfer.
local function transfer(name, method, buffer, data, where)
  local call = "queue:" .. method
  local handle = object.handle(buffer, "buffer", call, 1)
  if not array.is(data) then
    error(error_object.new {text = ("bad argument #2 to '%s': array expected, got %s"):format(call,
      object.kind(data) or type(data))}, 0)
  end
  where = where or {}
  local first = where.first or 0
  error_object.check(binding[name](handle, where.offset or 0, data, first, where.count or #data - first))
end

--- Writes an array to a buffer, and waits until that is done.
-- @tparam buffer buffer
-- @tparam array data
-- @tparam[opt] table where offset: in the buffer, in bytes (0); first: element of the array (0); count: so many
--   elements (to the end)
-- @treturn queue itself
function methods:write_buffer(buffer, data, where)
  transfer("buffer_write", "write_buffer", buffer, data, where)
  return self
end

--- Reads a buffer into an array, and waits until that is done.
-- @tparam buffer buffer
-- @tparam array data
-- @tparam[opt] table where as for @{write_buffer}
-- @treturn queue itself
function methods:read_buffer(buffer, data, where)
  transfer("buffer_read", "read_buffer", buffer, data, where)
  return self
end

--- Waits until everything is done that was enqueued.
-- @treturn queue itself
function methods:finish()
  self.context:finish()
  return self
end

return queue
