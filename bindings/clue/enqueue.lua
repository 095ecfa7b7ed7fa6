--- Shared by the files with queues' methods: sizes, types, and how a command reaches its queue.
-- @module clue.enqueue
local argument = require "clue.argument"
local array_text = require "clue.array.text"
local binding = require "clue.binding"
local error_object = require "clue.error"
local events = require "clue.event"
local object = require "clue.object"

local enqueue = {}

--- The size of memory.
-- @tparam buffer|svm memory an object or a handle
-- @treturn number bytes
function enqueue.size_of(memory)
  return type(memory) == "table" and memory.size or error_object.check(binding.memory_size(memory))
end

--- The code of a type.
-- @tparam string name "float"
-- @treturn number
-- @treturn number the bytes of an element
function enqueue.type_of(name)
  return argument.word(name, binding.type_codes, "type"), binding.type_sizes[name]
end

--- Whether a type is one of structs (clue.struct).
-- @param name
-- @treturn boolean
function enqueue.is_struct(name)
  return object.kind(name) == "struct type"
end

local function itself(array)
  return array
end

-- How many elements lie behind an offset, to the end: no part of one may be left over.
local function count_of(name, bytes, offset, size)
  local left = math.max(size - offset, 0)
  local count = math.floor(left / bytes)
  if left % bytes ~= 0 then
    argument.fail("%.0f bytes are no whole number of %s, of %d bytes each: give another type, or count (%.0f fit)",
      left, name, bytes, count)
  end
  return count
end

-- The same for a type of structs (clue.struct): elements of uchar, and what makes structs of them.
local function structs(of, where, size)
  local offset = where.offset or 0
  local count = where.count or count_of("the struct", of.size, offset, size)
  return binding.type_codes.uchar, offset, count * of.size, function(array) return of:over(array) end
end

--- A range of elements of a type in memory.
-- @tparam string|type name of the type, "float", or a type of cl.structs
-- @tparam table where offset (bytes, 0), count (to the end)
-- @tparam number size of the memory, in bytes
-- @treturn number the type's code
-- @treturn number offset
-- @treturn number count
-- @treturn function over over(array): the array of these elements as scripts see it
function enqueue.elements(name, where, size)
  if enqueue.is_struct(name) then return structs(name, where, size) end
  local code, bytes = enqueue.type_of(name)
  local offset = where.offset or 0
  if offset % bytes ~= 0 then
    argument.fail("offset %.14g is not a multiple of %d, the bytes of %s", offset, bytes, name)
  end
  return code, offset, where.count or count_of(name, bytes, offset, size), itself
end

--- A part of an array.
-- @tparam array data
-- @tparam table where first, count
-- @treturn number the first element
-- @treturn number how many
function enqueue.part(data, where)
  local first = where.first or 0
  local count = where.count or math.max(#data - first, 0)
  if first < 0 or count < 0 or first + count > #data then
    argument.fail("%s", array_text.outside(data, first, count))
  end
  return first, count
end

-- Sends a command and forgets the queue's list of events to wait for. If the binding refuses an argument, it raises
-- before the queue takes that list.
local function taken(queue, done, ...)
  if done then return ... end
  binding.queue_wait_for(queue, {})
  return error((...), 0)
end

-- Calls send with the queue, after the events that a view of it waits for.
local function sent(on, send, ...)
  if type(on) ~= "table" then return send(on, ...) end
  if not rawget(on, "waits") then return send(on.handle, ...) end
  error_object.check(binding.queue_wait_for(on.handle, on.waits))
  if on.recording then return on.recording:keep(taken(on.handle, pcall(send, on.handle, ...))) end
  return taken(on.handle, pcall(send, on.handle, ...))
end

-- Too little memory of the device, of the host.
local shortages = {[-4] = true, [-6] = true}

-- Many drivers find a buffer's memory only when a command first uses it. A command that was refused was not enqueued,
-- but a graph may have been replayed up to the one that was refused: its kernels must not run twice.
local function is_shortage(record)
  if record.cause == "partly" then return false end
  return record.cause == "full" or shortages[record.code] and (record.call or ""):find "^clEnqueue"
end

--- After a refusal for lack of handles or memory, collects unreachable objects, and sends the command once more. Raises
-- any other refusal.
-- @tparam queue on as for @{command}
-- @tparam function send a function of the binding
-- @param ... its arguments after the queue
-- @return what send returns
function enqueue.again(on, send, ...)
  if not is_shortage(binding.error()) then error_object.raise() end
  object.collect()
  return error_object.check(sent(on, send, ...))
end

--- Sends a command to its queue. Raises an error object if it is refused. If handles or memory run out, it first
-- collects unreachable objects.
-- @tparam queue on an object, a view (@{clue.queue}) or a handle, already checked
-- @tparam function send a function of the binding
-- @param ... its arguments after the queue
-- @return what it returns
function enqueue.command(on, send, ...)
  local made, second, third = sent(on, send, ...)
  if made then return made, second, third end
  return enqueue.again(on, send, ...)
end

--- Sends a transfer to its queue. Returns the queue if it waited, else the event, which keeps the transferred memory
-- alive.
-- @tparam queue on as for @{command}
-- @tparam boolean blocking false: do not wait
-- @tparam string what is enqueued, for the event's tostring
-- @param memory what the event keeps alive
-- @tparam array data the same
-- @tparam function send a function of the binding
-- @param ... its arguments after the queue, including blocking
-- @treturn queue|event
function enqueue.transfer(on, blocking, what, memory, data, send, ...)
  local made = enqueue.command(on, send, ...)
  if type(on) == "table" and on.waits and on.recording then on.recording:hold {memory, data} end
  if not blocking then return events.new(made, what, {memory, data}) end
  events.deliver()
  return on
end

return enqueue
