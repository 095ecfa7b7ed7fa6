--- What queues do alike with buffers and with shared virtual memory: transfers from and to arrays, copies, fillings.
-- Used by @{clue.buffer_transfer} and @{clue.svm_transfer}, whose methods tell what scripts see.
-- @module clue.transfer
local array = require "clue.array"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local events = require "clue.event"
local object = require "clue.object"
local value = require "clue.value"

local transfer = {}

-- Part of an array, and where it goes.
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

--- Between an array and memory of a device.
-- @tparam queue self
-- @tparam string kind of the memory, "buffer" or "svm"
-- @tparam function send of the binding
-- @tparam string call "queue:write_buffer", for messages
-- @tparam string what is enqueued, for the event's tostring
-- @tparam buffer|svm memory
-- @tparam array data
-- @tparam ?table where offset, first, count, blocking
-- @treturn queue|event itself; its event where it does not wait
function transfer.host(self, kind, send, call, what, memory, data, where)
  object.handle(self, "queue", call)
  local handle = object.handle(memory, kind, call, 1)
  enqueue.array(data, 2, call)
  local offset, first, count, blocking = part_of(data, where, call)
  return enqueue.transfer(self, blocking, what, {memory, data}, send, handle, offset, data, first, count, blocking)
end

local copy_options = {from_offset = "number", to_offset = "number", size = "number"}

--- From one to another, or within one.
-- @tparam queue self
-- @tparam string kind of both, "buffer" or "svm"
-- @tparam function send of the binding
-- @tparam string call "queue:copy_buffer", for messages
-- @tparam string what is enqueued, for the event's tostring
-- @tparam buffer|svm from
-- @tparam buffer|svm to
-- @tparam ?table where from_offset, to_offset, size
-- @treturn event
function transfer.copy(self, kind, send, call, what, from, to, where)
  object.handle(self, "queue", call)
  local source, target = object.handle(from, kind, call, 1), object.handle(to, kind, call, 2)
  where = enqueue.options(where, 3, copy_options, "from_offset, to_offset and size (bytes), all numbers", call)
  local offset = where.from_offset or 0
  local size = where.size or math.max(enqueue.size_of(from, kind) - offset, 0)
  return events.new(enqueue.command(self, send, source, offset, target, where.to_offset or 0, size), what)
end

-- The bytes of what memory is filled with, and its options.
local function pattern_of(given, where, call)
  if value.is(given) then return value.bytes(given), where end
  if array.is(given) then return binding.array_bytes(enqueue.array(given, 2, call), 0, #given), where end
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

local fill_options = {offset = "number", size = "number"}

--- One value, over and over.
-- @tparam queue self
-- @tparam string kind of the memory, "buffer" or "svm"
-- @tparam function send of the binding
-- @tparam string call "queue:fill_buffer", for messages
-- @tparam string what is enqueued, for the event's tostring
-- @tparam buffer|svm memory
-- @tparam value|array|number with
-- @tparam ?string|table where type, offset, size
-- @treturn event
function transfer.fill(self, kind, send, call, what, memory, with, where)
  object.handle(self, "queue", call)
  local handle = object.handle(memory, kind, call, 1)
  local pattern, options = pattern_of(with, where, call)
  options = enqueue.options(options, 3, fill_options, "offset and size (bytes), all numbers", call)
  local offset = options.offset or 0
  local size = options.size or math.max(enqueue.size_of(memory, kind) - offset, 0)
  return events.new(enqueue.command(self, send, handle, offset, size, pattern), what)
end

return transfer
