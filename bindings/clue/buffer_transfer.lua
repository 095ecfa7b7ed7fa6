--- Buffer commands of queues: queue:write_buffer and the like.
--
-- Writing and reading wait until they are done. With blocking = false they return an event instead. Until that event
-- is complete, the array belongs to the driver and must be neither read nor changed. It stays in its place meanwhile:
-- an array that is collected or resized waits for its transfers.
-- @module clue.buffer_transfer
local argument = require "clue.argument"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local events = require "clue.event"
local object = require "clue.object"
local transfer = require "clue.transfer"

local methods = {}

-- ---- between arrays and buffers ----

--- Writes an array to a buffer, and waits until it is done.
-- @tparam buffer buffer
-- @tparam array data
-- @tparam[opt] table where offset: in the buffer, in bytes (0); first: element of the array (0); count: number of
--   elements (to the end); blocking = false: do not wait
-- @treturn queue|event itself; its event if it does not wait
function methods:write_buffer(buffer, data, where)
  return (transfer.host(self, "buffer", binding.queue_write, "a write to a buffer", buffer, data, where))
end

--- Reads a buffer into an array, and waits until it is done.
-- @tparam buffer buffer
-- @tparam array data
-- @tparam[opt] table where as for @{write_buffer}
-- @treturn queue|event itself; its event if it does not wait
function methods:read_buffer(buffer, data, where)
  return (transfer.host(self, "buffer", binding.queue_read, "a read from a buffer", buffer, data, where))
end

-- ---- commands between memories of the device ----

--- Copies from one buffer to another, or within one. Does not wait.
-- @tparam buffer from
-- @tparam buffer to
-- @tparam[opt] table where from_offset, to_offset, size, all in bytes; without size, all of from after its offset
-- @treturn event
function methods:copy_buffer(from, to, where)
  return (transfer.copy(self, "buffer", "a copy between buffers", from, to, where))
end

-- Splits the arguments into what to migrate and the options that follow.
local function migrated(...)
  local given, count = {...}, select("#", ...)
  local last = given[count]
  local options
  if argument.is_plain(last) and (count > 1 or #last == 0) then
    options, given[count], count = last, nil, count - 1
  end
  if argument.is_plain(given[1]) and count == 1 then given, count = given[1], #given[1] end
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

--- Fills a buffer with one value. Does not wait.
-- @tparam buffer buffer
-- @tparam value|array|number with a typed value; an array, whose elements are repeated together (1 to 128 bytes, a
--   power of two); or a number, followed by its type
-- @tparam[opt] string|table where the type of a number, "float"; or a table: type, offset and size in bytes (all of
--   the buffer)
-- @treturn event
function methods:fill_buffer(buffer, with, where)
  return (transfer.fill(self, "buffer", "a fill of a buffer", buffer, with, where))
end

return methods
