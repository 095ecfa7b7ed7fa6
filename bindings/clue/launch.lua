--- Enqueues kernels: what a queue's method and the call of a kernel have in common.
-- @module clue.launch
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local events = require "clue.event"
local object = require "clue.object"
local pointee = require "clue.pointee"
local text = require "clue.text"

local launch = {}

--- Checks a kernel's size.
-- @param given
-- @tparam string what it is, "global size"
-- @treturn number|table given
-- @treturn ?number how many dimensions a table has
function launch.sizes(given, what)
  if type(given) == "number" then return given end
  local kind = object.kind(given)
  local listed = not kind and type(given) == "table" or array.is(given) and argument.array(given, what) ~= nil
  local count = listed and #given or 0
  if count >= 1 and count <= 3 then return given, count end
  if listed then
    argument.fail("%s must be a number or a list of one to three numbers, not of %d", what, count)
  end
  return argument.refuse(what, "a number or a list of one to three numbers", given, what == "local size" and kind
    and "nil before the arguments leaves it to the driver" or nil)
end

--- The same for sizes that must have as many dimensions as the global size.
-- @param given
-- @tparam number dimensions of the global size
-- @tparam string what
-- @treturn number|table given
function launch.sizes_like(given, dimensions, what)
  local found, count = launch.sizes(given, what)
  if (count or 1) == dimensions then return found end
  return argument.fail("the global size has %s, but the %s %d", text.count(dimensions, "dimension"), what, count or 1)
end

local queue_execute = binding.queue_execute

--- Enqueues a kernel.
-- @tparam queue on an object, a view or a handle
-- @tparam number queue_handle its handle
-- @tparam kernel kernel an object or a handle
-- @tparam number handle its handle
-- @tparam number|table global
-- @tparam ?number|table local_size
-- @tparam ?number|table offset
-- @treturn event see @{clue.event}
function launch.execute(on, queue_handle, kernel, handle, global, local_size, offset)
  local over, dimensions = launch.sizes(global, "global size")
  dimensions = dimensions or 1
  local by = local_size ~= nil and launch.sizes_like(local_size, dimensions, "local size") or nil
  local from = offset ~= nil and launch.sizes_like(offset, dimensions, "offset") or nil
  local made
  if kernel ~= handle then
    if kernel.check then kernel:check() end
    pointee.run_object(kernel, handle)
  end
  if on == queue_handle or on.waits then
    made = enqueue.command(on, queue_execute, handle, dimensions, from, over, by)
  else
    made = queue_execute(queue_handle, handle, dimensions, from, over, by)
      or enqueue.again(queue_handle, queue_execute, handle, dimensions, from, over, by)
  end
  return events.new(made)
end

--- Enqueues a kernel's object once more, after the core has refused it: see @{clue.enqueue}.
-- @tparam queue on its object
-- @tparam kernel kernel its object
-- @tparam number|table global
-- @tparam ?number|table local_size
-- @treturn event
function launch.again(on, kernel, global, local_size)
  local dimensions = type(global) == "table" and #global or 1
  local made = enqueue.again(on.handle, queue_execute, kernel.handle, dimensions, nil, global, local_size)
  return events.new(made)
end

return launch
