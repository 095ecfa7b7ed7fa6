--- What the files of queues' methods share: options, and how a command comes to its queue.
-- @module clue.enqueue
local array = require "clue.array"
local array_text = require "clue.array_text"
local binding = require "clue.binding"
local error_object = require "clue.error"
local events = require "clue.event"
local object = require "clue.object"

local enqueue = {}

--- Raises an error object with a text.
-- @tparam string message as string.format takes it
-- @param ... what it formats
function enqueue.refuse(message, ...)
  error(error_object.new {text = message:format(...)}, 0)
end

--- Checks an array.
-- @param given
-- @tparam int position of the argument
-- @tparam string call "queue:write_buffer", for messages
-- @treturn array given
function enqueue.array(given, position, call)
  if not array.is(given) then
    enqueue.refuse("bad argument #%d to '%s': array expected, got %s", position, call,
      object.kind(given) or type(given))
  end
  if array_text.is_unmapped(given) then
    enqueue.refuse("bad argument #%d to '%s': %s", position, call, array_text.unmapped(given))
  end
  return given
end

--- Checks a table of options.
-- @tparam ?table given
-- @tparam int position of the argument
-- @tparam table known the options' names, each with its type, or several: "table|number"
-- @tparam string told how a message lists them
-- @tparam string call "queue:write_buffer", for messages
-- @treturn table given, or an empty one
function enqueue.options(given, position, known, told, call)
  if given == nil then return {} end
  if type(given) ~= "table" or object.kind(given) then
    enqueue.refuse("bad argument #%d to '%s': table expected, got %s", position, call,
      object.kind(given) or type(given))
  end
  for name, option in pairs(given) do
    if not known[name] or not ("|" .. known[name] .. "|"):find("|" .. type(option) .. "|", 1, true) then
      enqueue.refuse("%s: there is no %s = %s; there are %s", call, tostring(name), tostring(option), told)
    end
  end
  return given
end

--- The number of flags.
-- @tparam string|table given a name or several
-- @tparam table known numbers by name, a bit each
-- @tparam string message for a name that is not known, as string.format takes it, with %s for that
-- @treturn number
function enqueue.bits(given, known, message)
  local bits, seen = 0, {}
  for _, name in ipairs(type(given) == "table" and given or {given}) do
    if not known[name] then enqueue.refuse(message, tostring(name)) end
    bits = bits + (seen[name] and 0 or known[name])
    seen[name] = true
  end
  return bits
end

local sizes = {buffer = binding.buffer_size, svm = binding.svm_size}

--- The size of memory.
-- @tparam buffer|svm memory an object or a handle
-- @tparam string kind "buffer" or "svm"
-- @treturn number bytes
function enqueue.size_of(memory, kind)
  return type(memory) == "table" and memory.size or error_object.check(sizes[kind](memory))
end

--- The code of a type.
-- @tparam string name "float"
-- @tparam int position of the argument
-- @tparam string call "queue:map_buffer", for messages
-- @treturn number
-- @treturn number the bytes of an element
function enqueue.type_of(name, position, call)
  local code = binding.type_codes[name]
  if not code then
    enqueue.refuse("bad argument #%d to '%s': the name of a type expected, got %s", position, call, tostring(name))
  end
  return code, binding.type_sizes[name]
end

--- Elements of a type that lie in memory.
-- @tparam string name of the type, "float"
-- @tparam table where offset (bytes, 0), count (to the end)
-- @tparam number size of the memory, in bytes
-- @tparam int position of the argument that names the type
-- @tparam string call "queue:map_buffer", for messages
-- @treturn number the type's code
-- @treturn number offset
-- @treturn number count
function enqueue.elements(name, where, size, position, call)
  local code, bytes = enqueue.type_of(name, position, call)
  local offset = where.offset or 0
  if offset % bytes ~= 0 then
    enqueue.refuse("%s: offset %.14g is no multiple of the %d bytes of a %s", call, offset, bytes, name)
  end
  return code, offset, where.count or math.max(math.floor((size - offset) / bytes), 0)
end

-- To the queue, behind the events that a view of it waits for.
local function sent(on, send, ...)
  if type(on) ~= "table" then return send(on, ...) end
  if rawget(on, "waits") then error_object.check(binding.queue_wait_for(on.handle, on.waits)) end
  return send(on.handle, ...)
end

--- Sends a command to its queue; raises an error object where it is refused. What the collector has not got round to is
-- freed where handles run out.
-- @tparam queue on an object, a view (@{clue.queue}) or a handle, looked at before
-- @tparam function send of the binding
-- @param ... its arguments behind the queue
-- @return what it gives
function enqueue.command(on, send, ...)
  local made, second, third = sent(on, send, ...)
  if made then return made, second, third end
  if binding.error().cause ~= "full" then error_object.raise() end
  object.collect()
  return error_object.check(sent(on, send, ...))
end

--- Sends a transfer to its queue, and gives what it gives: the queue where it was waited for, or else its event, which
-- keeps what is transferred alive.
-- @tparam queue on as for @{command}
-- @tparam boolean blocking false: does not wait
-- @tparam string what is enqueued, for the event's tostring
-- @tparam table held what the event keeps alive
-- @tparam function send of the binding
-- @param ... its arguments behind the queue, blocking among them
-- @treturn queue|event
function enqueue.transfer(on, blocking, what, held, send, ...)
  local made = enqueue.command(on, send, ...)
  if not blocking then return events.new(made, what, held) end
  events.deliver()
  return on
end

return enqueue
