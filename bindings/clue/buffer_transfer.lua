--- What queues do with buffers: queue:write_buffer and its kin.
--
-- Writing and reading wait until they are done. With blocking = false they do not, and give an event: until that is
-- complete, the array is the driver's, and neither to be read nor to be changed. It keeps its place meanwhile: an array
-- that is collected or resized waits for its transfers.
-- @module clue.buffer_transfer
local array = require "clue.array"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local events = require "clue.event"
local object = require "clue.object"
local value = require "clue.value"

local methods = {}

-- ---- between arrays and buffers ----

-- Part of an array, and where it goes: options as write_buffer takes them.
local part_options = {offset = "number", first = "number", count = "number", blocking = "boolean"}
local part_told = "offset (bytes), first and count (elements), all numbers, and blocking (true or false)"

local function part_of(data, where, call)
  where = enqueue.options(where, 3, part_options, part_told, call)
  local first = where.first or 0
  local count = where.count or math.max(#data - first, 0)
  if first < 0 or count < 0 or first % 1 ~= 0 or count % 1 ~= 0 or first + count > #data then
    enqueue.refuse("%s: %.14g elements from %.14g on are not all in the array of %.0f", call, count, first, #data)
  end
  return where.offset or 0, first, count, where.blocking ~= false
end

-- Buffer, array and what part of it, for a transfer.
local function transfer(self, send, call, what, buffer, data, where)
  object.handle(self, "queue", call)
  local handle = object.handle(buffer, "buffer", call, 1)
  if not array.is(data) then
    enqueue.refuse("bad argument #2 to '%s': array expected, got %s", call, object.kind(data) or type(data))
  end
  local offset, first, count, blocking = part_of(data, where, call)
  return enqueue.transfer(self, blocking, what, {buffer, data}, send, handle, offset, data, first, count,
    blocking)
end

--- Writes an array to a buffer, and waits until that is done.
-- @tparam buffer buffer
-- @tparam array data
-- @tparam[opt] table where offset: in the buffer, in bytes (0); first: element of the array (0); count: so many
--   elements (to the end); blocking = false: does not wait
-- @treturn queue|event itself; its event where it does not wait
function methods:write_buffer(buffer, data, where)
  return transfer(self, binding.queue_write, "queue:write_buffer", "a write to a buffer", buffer, data, where)
end

--- Reads a buffer into an array, and waits until that is done.
-- @tparam buffer buffer
-- @tparam array data
-- @tparam[opt] table where as for @{write_buffer}
-- @treturn queue|event itself; its event where it does not wait
function methods:read_buffer(buffer, data, where)
  return transfer(self, binding.queue_read, "queue:read_buffer", "a read from a buffer", buffer, data, where)
end

-- ---- what the device does by itself ----

local copy_options = {from_offset = "number", to_offset = "number", size = "number"}

--- Copies from one buffer to another, or within one; does not wait.
-- @tparam buffer from
-- @tparam buffer to
-- @tparam[opt] table where from_offset, to_offset, size, all in bytes; without size: all of from behind its offset
-- @treturn event
function methods:copy_buffer(from, to, where)
  local call = "queue:copy_buffer"
  object.handle(self, "queue", call)
  local source, target = object.handle(from, "buffer", call, 1), object.handle(to, "buffer", call, 2)
  where = enqueue.options(where, 3, copy_options, "from_offset, to_offset and size (bytes), all numbers", call)
  local offset = where.from_offset or 0
  local size = where.size or math.max(enqueue.buffer_size(from) - offset, 0)
  local made = enqueue.command(self, binding.queue_copy, source, offset, target, where.to_offset or 0, size)
  return events.new(made, "a copy between buffers")
end

-- What is to be migrated, the handles, and the options behind.
local function migrated(call, ...)
  local given, count = {...}, select("#", ...)
  local last = given[count]
  local options
  if type(last) == "table" and not object.kind(last) and (count > 1 or #last == 0) then
    options, given[count] = last, nil
  end
  if type(given[1]) == "table" and not object.kind(given[1]) then given = given[1] end
  local handles = {}
  for i, each in ipairs(given) do
    handles[i] = object.handle(each, object.kind(each) == "image" and "image" or "buffer", call, i)
  end
  return given, handles, options
end

-- The bytes of what a buffer is filled with, and its options.
local function pattern_of(given, where, call)
  if value.is(given) then return value.bytes(given), where end
  if array.is(given) then return binding.array_bytes(given, 0, #given), where end
  local name = where
  if type(where) == "table" then name = where.type end
  if type(given) ~= "number" then
    enqueue.refuse("bad argument #2 to '%s': typed value, array or number expected, got %s", call,
      object.kind(given) or type(given))
  end
  if not binding.type_codes[name] then
    enqueue.refuse("%s: give the number's type, cl.float(%.14g) or %.14g, \"float\"", call, given, given)
  end
  local options = {}
  for key, option in pairs(type(where) == "table" and where or {}) do
    if key ~= "type" then options[key] = option end
  end
  return value.bytes(value[name](given)), options
end

--- Brings buffers and images to this queue's device, before a command there needs them; does not wait.
-- @param ... buffers and images, or one list of them
-- @tparam[opt] table where behind them: host = true: to the host instead; content_undefined = true: what is in them may
--   be lost, which saves the copying
-- @treturn event
function methods:migrate(...)
  local call = "queue:migrate"
  object.handle(self, "queue", call)
  local objects, handles, options = migrated(call, ...)
  options = enqueue.options(options, #objects + 1, {host = "boolean", content_undefined = "boolean"},
    "host and content_undefined, true or false", call)
  local flags = (options.host and 1 or 0) + (options.content_undefined and 2 or 0) -- CL_MIGRATE_MEM_OBJECT_*
  return events.new(enqueue.command(self, binding.queue_migrate, handles, flags), "a migration", objects)
end

local fill_options = {offset = "number", size = "number"}

--- Fills a buffer with one value; does not wait.
-- @tparam buffer buffer
-- @tparam value|array|number with a typed value; an array, whose elements are repeated together (1 to 128 bytes, a
--   power of two); or a number with its type behind it
-- @tparam[opt] string|table where the type of a number, "float"; or a table: type, offset and size in bytes (all of
--   the buffer)
-- @treturn event
function methods:fill_buffer(buffer, with, where)
  local call = "queue:fill_buffer"
  object.handle(self, "queue", call)
  local handle = object.handle(buffer, "buffer", call, 1)
  local pattern, options = pattern_of(with, where, call)
  options = enqueue.options(options, 3, fill_options, "offset and size (bytes), all numbers", call)
  local offset = options.offset or 0
  local size = options.size or math.max(enqueue.buffer_size(buffer) - offset, 0)
  local made = enqueue.command(self, binding.queue_fill, handle, offset, size, pattern)
  return events.new(made, "the filling of a buffer")
end

return methods
