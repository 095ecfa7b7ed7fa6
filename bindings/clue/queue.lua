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
local value = require "clue.value"

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

-- A table of options, all of them numbers; told: how a message lists those that there are.
local function numbers(given, position, known, told, call)
  if given == nil then return {} end
  if type(given) ~= "table" then
    refuse("bad argument #%d to '%s': table expected, got %s", position, call, object.kind(given) or type(given))
  end
  for name, number in pairs(given) do
    if not known[name] or type(number) ~= "number" then
      refuse("%s: there is no %s = %s; there are %s, all numbers", call, tostring(name), tostring(number), told)
    end
  end
  return given
end

-- Part of an array, and where it goes: options as write_buffer takes them.
local part_options = {offset = true, first = true, count = true}

local function part_of(data, where, call)
  where = numbers(where, 3, part_options, "offset (bytes), first and count (elements)", call)
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

local function image_transfer(self, name, image, data)
  local call = "queue:" .. name
  local on, handle = object.handle(self, "queue", call), object.handle(image, "image", call, 1)
  if not array.is(data) then
    refuse("bad argument #2 to '%s': array expected, got %s", call, object.kind(data) or type(data))
  end
  error_object.check(binding["queue_" .. name](on, handle, data))
  return self
end

--- Writes an array to an image, and waits until that is done.
-- @tparam image image
-- @tparam array data all of its pixels, row by row, slice by slice
-- @treturn queue itself
function methods:write_image(image, data)
  return image_transfer(self, "write_image", image, data)
end

--- Reads an image into an array, and waits until that is done.
-- @tparam image image
-- @tparam array data of the image's size
-- @treturn queue itself
function methods:read_image(image, data)
  return image_transfer(self, "read_image", image, data)
end

-- ---- what the device does by itself ----

local function size_of(buffer)
  return type(buffer) == "table" and buffer.size or error_object.check(binding.buffer_size(buffer))
end

local copy_options = {from_offset = true, to_offset = true, size = true}

--- Copies from one buffer to another, or within one; does not wait.
-- @tparam buffer from
-- @tparam buffer to
-- @tparam[opt] table where from_offset, to_offset, size, all in bytes; without size: all of from behind its offset
-- @treturn event
function methods:copy_buffer(from, to, where)
  local call = "queue:copy_buffer"
  local on = object.handle(self, "queue", call)
  local source, target = object.handle(from, "buffer", call, 1), object.handle(to, "buffer", call, 2)
  where = numbers(where, 3, copy_options, "from_offset, to_offset and size (bytes)", call)
  local offset = where.from_offset or 0
  local size = where.size or math.max(size_of(from) - offset, 0)
  local made = enqueued(on, binding.queue_copy, source, offset, target, where.to_offset or 0, size)
  return events.new(made, "a copy between buffers")
end

-- The bytes of what a buffer is filled with, and its options.
local function pattern_of(given, where, call)
  if value.is(given) then return value.bytes(given), where end
  if array.is(given) then return binding.array_bytes(given, 0, #given), where end
  local name = where
  if type(where) == "table" then name = where.type end
  if type(given) ~= "number" then
    refuse("bad argument #2 to '%s': typed value, array or number expected, got %s", call,
      object.kind(given) or type(given))
  end
  if not binding.type_codes[name] then
    refuse("%s: give the number's type, cl.float(%.14g) or %.14g, \"float\"", call, given, given)
  end
  local options = {}
  for key, option in pairs(type(where) == "table" and where or {}) do
    if key ~= "type" then options[key] = option end
  end
  return value.bytes(value[name](given)), options
end

local fill_options = {offset = true, size = true}

--- Fills a buffer with one value; does not wait.
-- @tparam buffer buffer
-- @tparam value|array|number with a typed value; an array, whose elements are repeated together (1 to 128 bytes, a
--   power of two); or a number with its type behind it
-- @tparam[opt] string|table where the type of a number, "float"; or a table: type, offset and size in bytes (all of
--   the buffer)
-- @treturn event
function methods:fill_buffer(buffer, with, where)
  local call = "queue:fill_buffer"
  local on, handle = object.handle(self, "queue", call), object.handle(buffer, "buffer", call, 1)
  local pattern, options = pattern_of(with, where, call)
  options = numbers(options, 3, fill_options, "offset and size (bytes)", call)
  local offset = options.offset or 0
  local size = options.size or math.max(size_of(buffer) - offset, 0)
  local made = enqueued(on, binding.queue_fill, handle, offset, size, pattern)
  return events.new(made, "the filling of a buffer")
end

-- ---- mapping ----

local map_flags = {read = 1, write = 2, write_invalidate_region = 4} -- CL_MAP_*

local function map_bits(access, call)
  local bits, seen = 0, {}
  for _, name in ipairs(type(access) == "table" and access or {access}) do
    if not map_flags[name] then
      refuse("%s: no mapping is for '%s'; there are read, write, write_invalidate_region", call, tostring(name))
    end
    bits = bits + (seen[name] and 0 or map_flags[name])
    seen[name] = true
  end
  return bits
end

local map_options = {offset = true, count = true}

--- Maps a buffer: an array that lies in its memory, for the host to read and write until queue:unmap. Waits
-- for what was enqueued before. Until then, a buffer mapped for writing is refused by kernels and transfers, one mapped
-- for reading by writes. The array keeps the buffer alive; when it is collected it is unmapped.
-- @tparam buffer buffer
-- @tparam string type_name of the elements, "float"
-- @tparam[opt={"read", "write"}] string|table access "read", "write", both, or "write_invalidate_region": what lay
--   there may be lost
-- @tparam[opt] table where offset: in the buffer, in bytes (0), a multiple of an element's; count: so many elements
--   (to the end)
-- @treturn array
function methods:map_buffer(buffer, type_name, access, where)
  local call = "queue:map_buffer"
  local on, handle = object.handle(self, "queue", call), object.handle(buffer, "buffer", call, 1)
  local code, size = binding.type_codes[type_name], binding.type_sizes[type_name]
  if not code then refuse("bad argument #2 to '%s': the name of a type expected, got %s", call, tostring(type_name)) end
  local bits = map_bits(access == nil and {"read", "write"} or access, call)
  where = numbers(where, 4, map_options, "offset (bytes) and count (elements)", call)
  local offset = where.offset or 0
  if offset % size ~= 0 then
    refuse("%s: offset %.14g is no multiple of the %d bytes of a %s", call, offset, size, type_name)
  end
  local count = where.count or math.max(math.floor((size_of(buffer) - offset) / size), 0)
  return enqueued(on, binding.queue_map, handle, bits, code, offset, count)
end

--- Gives mapped memory back, after which the array is empty; what the host wrote is the buffer's from here on.
-- @tparam array mapped what queue:map_buffer gave
-- @treturn queue itself
function methods:unmap(mapped)
  local call = "queue:unmap"
  local on = object.handle(self, "queue", call)
  if not array.is(mapped) then
    refuse("bad argument #1 to '%s': mapped array expected, got %s", call, object.kind(mapped) or type(mapped))
  end
  if not binding.array_is_mapped(mapped) then refuse("%s: the array is not mapped, or no more", call) end
  error_object.check(binding.queue_unmap(on, mapped))
  mapped:resize(0) -- which drops rows and columns too
  return self
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
