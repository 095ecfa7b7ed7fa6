--- What the files of queues' methods share: options, and how a command comes to its queue.
-- @module clue.enqueue
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

--- The size of a buffer.
-- @tparam buffer buffer an object or a handle
-- @treturn number bytes
function enqueue.buffer_size(buffer)
  return type(buffer) == "table" and buffer.size or error_object.check(binding.buffer_size(buffer))
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
