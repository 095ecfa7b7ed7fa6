--- Commands that queues have for buffers and for shared virtual memory alike: transfers from and to arrays, copies,
-- fills. Used by @{clue.buffer_transfer} and @{clue.svm_transfer}, whose methods document what scripts see.
-- @module clue.transfer
local argument = require "clue.argument"
local array = require "clue.array"
local array_text = require "clue.array_text"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local events = require "clue.event"
local object = require "clue.object"
local value = require "clue.value"

local transfer = {}

-- A part of an array, and where it goes.
local part_options = {offset = "whole", first = "whole", count = "whole", blocking = "boolean"}

--- A part of an array.
-- @tparam array data
-- @tparam table where first, count
-- @treturn number the first element
-- @treturn number how many
function transfer.elements(data, where)
  local first = where.first or 0
  local count = where.count or math.max(#data - first, 0)
  if first < 0 or count < 0 or first + count > #data then
    argument.fail("%s", array_text.outside(data, first, count))
  end
  return first, count
end

--- Transfers between an array and memory of a device.
-- @tparam queue self
-- @tparam string kind of the memory, "buffer" or "svm"
-- @tparam function send binding.queue_write or binding.queue_read
-- @tparam string what is enqueued, for the event's tostring
-- @tparam buffer|svm memory
-- @tparam array data
-- @tparam ?table where offset, first, count, blocking
-- @treturn queue|event itself; its event if it does not wait
function transfer.host(self, kind, send, what, memory, data, where)
  object.handle(self, "queue")
  local handle = object.handle(memory, kind, kind)
  argument.array(data, "data")
  where = argument.options(where, "where", part_options)
  local first, count = transfer.elements(data, where)
  local offset, blocking = where.offset or 0, where.blocking ~= false
  return enqueue.transfer(self, blocking, what, {memory, data}, send, handle, offset, data, first, count, blocking)
end

local copy_options = {from_offset = "whole", to_offset = "whole", size = "whole"}

--- Copies from one memory to another, or within one.
-- @tparam queue self
-- @tparam string kind of both, "buffer" or "svm"
-- @tparam string what is enqueued, for the event's tostring
-- @tparam buffer|svm from
-- @tparam buffer|svm to
-- @tparam ?table where from_offset, to_offset, size
-- @treturn event
function transfer.copy(self, kind, what, from, to, where)
  object.handle(self, "queue")
  local source, target = object.handle(from, kind, "from"), object.handle(to, kind, "to")
  where = argument.options(where, "where", copy_options)
  local offset = where.from_offset or 0
  local size = where.size or math.max(enqueue.size_of(from) - offset, 0)
  local event = enqueue.command(self, binding.queue_copy, source, offset, target, where.to_offset or 0, size)
  return events.new(event, what)
end

local fill_options = {offset = "whole", size = "whole", type = "text"}

-- The bytes to fill memory with. A number needs its type; the others must not be given one.
local function pattern_of(given, name)
  local is_number = type(given) == "number"
  if not is_number and not value.is(given) and not array.is(given) then
    argument.refuse("with", "a typed value, an array or a number", given)
  end
  if not is_number and name ~= nil then
    argument.fail("with is %s, whose type is known: leave type out", argument.shown(given))
  end
  if value.is(given) then return value.bytes(given) end
  if not is_number then return binding.array_bytes(argument.array(given, "with"), 0, #given) end
  if name == nil then
    argument.fail("give the number's type: cl.float(%.14g), or %.14g, \"float\"", given, given)
  end
  argument.word(name, binding.type_codes, "type")
  return value.bytes(value[name](given))
end

--- Fills memory with one value.
-- @tparam queue self
-- @tparam string kind of the memory, "buffer" or "svm"
-- @tparam string what is enqueued, for the event's tostring
-- @tparam buffer|svm memory
-- @tparam value|array|number with
-- @tparam ?string|table where type, offset, size
-- @treturn event
function transfer.fill(self, kind, what, memory, with, where)
  object.handle(self, "queue")
  local handle = object.handle(memory, kind, kind)
  local options = type(where) == "string" and {type = where} or argument.options(where, "where", fill_options)
  local pattern = pattern_of(with, options.type)
  local offset = options.offset or 0
  local size = options.size or math.max(enqueue.size_of(memory) - offset, 0)
  return events.new(enqueue.command(self, binding.queue_fill, handle, offset, size, pattern), what)
end

return transfer
