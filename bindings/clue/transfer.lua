--- Commands of queues on buffers and on shared virtual memory: queue:write_buffer, queue:write_svm and the like. What
-- both kinds of memory have is documented once, as for write_buffer. Mapping is in @{clue.mapping}.
--
-- Writing and reading wait until they are done. With blocking = false they return an event instead. Until that event
-- is complete, the array belongs to the driver and must be neither read nor changed. It stays in its place meanwhile:
-- an array that is collected or resized waits for its transfers.
-- @module clue.transfer
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local events = require "clue.event"
local object = require "clue.object"
local place = require "clue.struct.place"
local shown = require "clue.shown"
local value = require "clue.value"

local methods = {}

-- ---- between arrays and memory ----

local part_options = {offset = "whole", first = "whole", count = "whole", blocking = "boolean"}

-- A part of an array, or of the memory behind structs: the array, its first element, how many.
local function part_of(data, where)
  local memory, at, size, elements = place.of(data)
  if not memory then return argument.array(data, "data"), enqueue.part(data, where) end
  local first = where.first or 0
  local count = where.count or math.max(elements - first, 0)
  if first < 0 or count < 0 or first + count > elements then
    argument.fail("%.0f elements from %.0f on are not all inside %s", count, first, shown.of(data))
  end
  return argument.array(memory, "data"), at + first * size, count * size
end

local function is_usable(data)
  return array.is(data) and not shown.is_unmapped(data)
end

-- Keeps the type of what the host writes.
local function wrote(send, memory, from)
  if send == binding.queue_write and type(memory) == "table" then memory.elements = binding.array_code(from) end
end

-- what is enqueued, for the event's tostring: "a write to a buffer"
local function transfer(kind, send, what)
  return function(self, memory, data, where)
    object.handle(self, "queue")
    if type(data) == "table" and object.kind(data) == kind and array.is(memory) then
      argument.fail("the %s comes first, then the array", kind == "svm" and "shared virtual memory" or kind)
    end
    local handle = object.handle(memory, kind, kind)
    if where == nil and is_usable(data) then
      wrote(send, memory, data)
      return (enqueue.transfer(self, true, what, memory, data, send, handle, 0, data, 0, #data, true))
    end
    if not place.of(data) then argument.array(data, "data") end
    where = argument.options(where, "where", part_options)
    local from, first, count = part_of(data, where)
    local offset, blocking = where.offset or 0, where.blocking ~= false
    wrote(send, memory, from)
    return (enqueue.transfer(self, blocking, what, memory, from, send, handle, offset, from, first, count, blocking))
  end
end

--- Writes an array to memory, and waits until it is done.
-- @function write_buffer
-- @tparam buffer|svm memory
-- @tparam array|struct|struct_array data an array, a struct or an array of structs
-- @tparam[opt] table where offset: in the memory, in bytes (0); first: element of the array (0); count: number of
--   elements (to the end); blocking = false: do not wait
-- @treturn queue|event itself; its event if it does not wait
methods.write_buffer = transfer("buffer", binding.queue_write, "a write to a buffer")
methods.write_svm = transfer("svm", binding.queue_write, "a write to shared virtual memory")

--- Reads memory into an array, and waits until it is done.
-- @function read_buffer
-- @tparam buffer|svm memory
-- @tparam array|struct|struct_array data
-- @tparam[opt] table where as for @{write_buffer}
-- @treturn queue|event itself; its event if it does not wait
methods.read_buffer = transfer("buffer", binding.queue_read, "a read from a buffer")
methods.read_svm = transfer("svm", binding.queue_read, "a read from shared virtual memory")

-- ---- commands between memories of the device ----

local copy_options = {from_offset = "whole", to_offset = "whole", size = "whole"}

local function copy(kind, what)
  return function(self, from, to, where)
    object.handle(self, "queue")
    local source, target = object.handle(from, kind, "from"), object.handle(to, kind, "to")
    if type(to) == "table" then to.elements = nil end
    where = argument.options(where, "where", copy_options)
    local offset = where.from_offset or 0
    local size = where.size or math.max(enqueue.size_of(from) - offset, 0)
    local event = enqueue.command(self, binding.queue_copy, source, offset, target, where.to_offset or 0, size)
    return events.new(event, what)
  end
end

--- Copies from one memory to another of the same kind, or within one. Does not wait.
-- @function copy_buffer
-- @tparam buffer|svm from
-- @tparam buffer|svm to
-- @tparam[opt] table where from_offset, to_offset, size, all in bytes; without size, all of from after its offset
-- @treturn event
methods.copy_buffer = copy("buffer", "a copy between buffers")
methods.copy_svm = copy("svm", "a copy of shared virtual memory")

local fill_options = {offset = "whole", size = "whole", type = "text"}

-- The bytes to fill memory with. A number needs its type; the others must not be given one.
local function pattern_of(given, name)
  local is_number = type(given) == "number"
  if not is_number and not value.is(given) and not array.is(given) then
    argument.refuse("with", "a typed value, an array or a number", given)
  end
  if not is_number and name ~= nil then
    argument.fail("with is %s, whose type is known: leave type out", shown.of(given))
  end
  if value.is(given) then return value.bytes(given) end
  if not is_number then return binding.array_bytes(argument.array(given, "with"), 0, #given) end
  if name == nil then
    argument.fail("give the number's type: cl.float(%.14g), or %.14g, \"float\"", given, given)
  end
  argument.word(name, binding.type_codes, "type")
  return value.bytes(value[name](given))
end

local function fill(kind, what)
  return function(self, memory, with, where)
    object.handle(self, "queue")
    local handle = object.handle(memory, kind, kind)
    local options = type(where) == "string" and {type = where} or argument.options(where, "where", fill_options)
    local pattern = pattern_of(with, options.type)
    if type(memory) == "table" then memory.elements = nil end
    local offset = options.offset or 0
    local size = options.size or math.max(enqueue.size_of(memory) - offset, 0)
    return events.new(enqueue.command(self, binding.queue_fill, handle, offset, size, pattern), what)
  end
end

--- Fills memory with one value. Does not wait.
-- @function fill_buffer
-- @tparam buffer|svm memory
-- @tparam value|array|number with a typed value; an array, whose elements are repeated together (1 to 128 bytes, a
--   power of two); or a number, followed by its type
-- @tparam[opt] string|table where the type of a number, "float"; or a table: type, offset and size in bytes (all of
--   the memory)
-- @treturn event
methods.fill_buffer = fill("buffer", "a fill of a buffer")
methods.fill_svm = fill("svm", "a fill of shared virtual memory")

-- Splits the arguments into what to migrate and the options that follow.
local function migrated(...)
  local given, count = {...}, select("#", ...)
  local last = given[count]
  local options
  if argument.is_plain(last) and (count > 1 or #last == 0) then
    options, given[count], count = last, nil, count - 1
  end
  if argument.is_plain(given[1]) and count == 1 then
    given, count = given[1], argument.list(given[1], "objects")
  end
  return given, count, options
end

-- The handles of memory objects.
local function handles_of(objects, count)
  local handles, shared = {}, 0
  for i = 1, count do
    local each = objects[i]
    local kind = object.kind(each) or type(each) == "number" and each % 1 == 0 and math.abs(each) < 2 ^ 31
      and binding.handle_kind(each)
    shared = shared + (kind == "svm" and 1 or 0)
    handles[i] = object.handle(each, (kind == "image" or kind == "svm") and kind or "buffer", i)
  end
  if shared > 0 and shared < #handles then
    argument.fail("migrate shared virtual memory in a call of its own, without buffers and images")
  end
  return handles
end

--- Moves buffers and images, or shared virtual memory, to this queue's device before a command there needs them.
-- Does not wait.
-- @param ... buffers and images, or pieces of shared virtual memory, or one list of them
-- @tparam[opt] table where after them: host = true: to the host instead; content_undefined = true: their contents may
--   be lost, which saves copying them
-- @treturn event
function methods:migrate(...)
  object.handle(self, "queue")
  local objects, count, options = migrated(...)
  local handles = handles_of(objects, count)
  options = argument.options(options, "where", {host = "boolean", content_undefined = "boolean"})
  local flags = (options.host and 1 or 0) + (options.content_undefined and 2 or 0) -- CL_MIGRATE_MEM_OBJECT_*
  return events.new(enqueue.command(self, binding.queue_migrate, handles, flags), "a migration", objects)
end

return methods
