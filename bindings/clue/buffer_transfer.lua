--- What queues do with buffers: queue:write_buffer and its kin.
--
-- Writing and reading wait until they are done. With blocking = false they do not, and give an event: until that is
-- complete, the array is the driver's, and neither to be read nor to be changed. It keeps its place meanwhile: an array
-- that is collected or resized waits for its transfers.
-- @module clue.buffer_transfer
local argument = require "clue.argument"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local events = require "clue.event"
local object = require "clue.object"
local transfer = require "clue.transfer"

local methods = {}

-- ---- between arrays and buffers ----

--- Writes an array to a buffer, and waits until that is done.
-- @tparam buffer buffer
-- @tparam array data
-- @tparam[opt] table where offset: in the buffer, in bytes (0); first: element of the array (0); count: so many
--   elements (to the end); blocking = false: does not wait
-- @treturn queue|event itself; its event where it does not wait
function methods:write_buffer(buffer, data, where)
  return (transfer.host(self, "buffer", binding.queue_write, "a write to a buffer", buffer, data, where))
end

--- Reads a buffer into an array, and waits until that is done.
-- @tparam buffer buffer
-- @tparam array data
-- @tparam[opt] table where as for @{write_buffer}
-- @treturn queue|event itself; its event where it does not wait
function methods:read_buffer(buffer, data, where)
  return (transfer.host(self, "buffer", binding.queue_read, "a read from a buffer", buffer, data, where))
end

-- ---- what the device does by itself ----

--- Copies from one buffer to another, or within one; does not wait.
-- @tparam buffer from
-- @tparam buffer to
-- @tparam[opt] table where from_offset, to_offset, size, all in bytes; without size: all of from behind its offset
-- @treturn event
function methods:copy_buffer(from, to, where)
  return (transfer.copy(self, "buffer", "a copy between buffers", from, to, where))
end

-- What is to be migrated, and the options behind.
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

-- Their handles.
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
    argument.fail("shared virtual memory is migrated by a command of its own: apart from buffers and images")
  end
  return handles
end

--- Brings buffers and images, or shared virtual memory, to this queue's device, before a command there needs them;
-- does not wait.
-- @param ... buffers and images, or pieces of shared virtual memory, or one list of them
-- @tparam[opt] table where behind them: host = true: to the host instead; content_undefined = true: what is in them may
--   be lost, which saves the copying
-- @treturn event
function methods:migrate(...)
  object.handle(self, "queue")
  local objects, count, options = migrated(...)
  local handles = handles_of(objects, count)
  options = argument.options(options, "where", {host = "boolean", content_undefined = "boolean"})
  local flags = (options.host and 1 or 0) + (options.content_undefined and 2 or 0) -- CL_MIGRATE_MEM_OBJECT_*
  return events.new(enqueue.command(self, binding.queue_migrate, handles, flags), "a migration", objects)
end

--- Fills a buffer with one value; does not wait.
-- @tparam buffer buffer
-- @tparam value|array|number with a typed value; an array, whose elements are repeated together (1 to 128 bytes, a
--   power of two); or a number with its type behind it
-- @tparam[opt] string|table where the type of a number, "float"; or a table: type, offset and size in bytes (all of
--   the buffer)
-- @treturn event
function methods:fill_buffer(buffer, with, where)
  return (transfer.fill(self, "buffer", "the filling of a buffer", buffer, with, where))
end

return methods
