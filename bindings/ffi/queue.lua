--- Queues beside a context's own, what is enqueued on them, and events, through clue.h.
-- Plain functions; results come back as Lua values, a failure as nil (binding.error() then tells).
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"
local range = require "clue.ffi.range"
local result = require "clue.ffi.result"
local transfer = require "clue.ffi.transfer"

local int, long = argument.int, argument.long
local int_out, double_out, done, int_result = result.int_out, result.double_out, result.done, result.int

local binding = {}

-- ---- queues -----------------------------------------------------------------------------------------------------

--- Makes a queue.
-- @tparam number context
-- @tparam number properties 1: out of order, and 2: profiling where the device can, added up
-- @tparam ?number device an ordinal or a part; nil: the context's first
-- @treturn ?number the queue's handle
function binding.queue_create(context, properties, device)
  int(context, 1, "queue_create")
  long(properties, 2, "queue_create")
  if device ~= nil then
    int(device, 3, "queue_create")
    return int_result(C.clue_queue_create_on(int_out, context, device, properties))
  end
  return int_result(C.clue_queue_create(int_out, context, properties))
end

--- The context's own queue.
-- @tparam number context
-- @treturn ?number its handle, which lives as long as the context
function binding.context_queue(context)
  int(context, 1, "context_queue")
  return int_result(C.clue_context_queue(int_out, context))
end

--- Waits for everything enqueued on a queue.
-- @tparam number queue
-- @treturn ?boolean true; nil on failure
function binding.queue_finish(queue)
  int(queue, 1, "queue_finish")
  return done(C.clue_queue_finish(queue))
end

--- Has the driver begin with what is enqueued on a queue.
-- @tparam number queue
-- @treturn ?boolean true; nil on failure
function binding.queue_flush(queue)
  int(queue, 1, "queue_flush")
  return done(C.clue_queue_flush(queue))
end

--- What the next command enqueued on a queue waits for, whether that succeeds or not.
-- @tparam number queue
-- @tparam table events handles; none: it waits for nothing
-- @treturn ?boolean true; nil on failure
function binding.queue_wait_for(queue, events)
  int(queue, 1, "queue_wait_for")
  local handles, count = argument.ints(events, 2, "queue_wait_for")
  return done(C.clue_queue_wait_for(queue, handles, count))
end

--- Enqueues a marker.
-- @tparam number queue
-- @treturn ?number its event's handle
function binding.queue_marker(queue)
  int(queue, 1, "queue_marker")
  return int_result(C.clue_queue_marker(int_out, queue))
end

--- Enqueues a barrier.
-- @tparam number queue
-- @treturn ?number its event's handle
function binding.queue_barrier(queue)
  int(queue, 1, "queue_barrier")
  return int_result(C.clue_queue_barrier(int_out, queue))
end

--- Enqueues a kernel on a queue.
-- @tparam number queue
-- @tparam number kernel
-- @tparam number dimensions 1 to 3
-- @tparam ?table offset as many numbers (Lua table or array), like the two that follow; nil: from 0 on
-- @tparam table global how many work-items
-- @tparam ?table local_ how many of them make a work-group; nil: the driver chooses
-- @treturn ?number its event's handle
function binding.queue_execute(queue, kernel, dimensions, offset, global, local_)
  int(queue, 1, "queue_execute")
  int(kernel, 2, "queue_execute")
  int(dimensions, 3, "queue_execute")
  local from, over, by = range(dimensions, offset, global, local_, 4, "queue_execute")
  return int_result(C.clue_queue_execute(int_out, queue, kernel, dimensions, from, over, by))
end

--- Writes elements of an array to a buffer, and waits until it is done unless it shall not.
-- @tparam number queue
-- @tparam number buffer
-- @tparam number offset in the buffer, in bytes
-- @tparam array array
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @tparam ?boolean blocking false: does not wait
-- @treturn ?boolean|number true, or the event's handle; nil on failure
function binding.queue_write(queue, buffer, offset, array, first, count, blocking)
  int(queue, 1, "queue_write")
  int(buffer, 2, "queue_write")
  long(offset, 3, "queue_write")
  local size = element.size_of(argument.array(array, 4, "queue_write"))
  argument.range(array, first, count, 5, "queue_write")
  local out = transfer.event_out(blocking)
  return transfer.result(C.clue_queue_write(out, queue, buffer, offset, array._data + first, count * size), out)
end

--- Reads elements of an array out of a buffer, and waits until it is done unless it shall not.
-- @tparam number queue
-- @tparam number buffer
-- @tparam number offset in the buffer, in bytes
-- @tparam array array
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @tparam ?boolean blocking false: does not wait
-- @treturn ?boolean|number true, or the event's handle; nil on failure
function binding.queue_read(queue, buffer, offset, array, first, count, blocking)
  int(queue, 1, "queue_read")
  int(buffer, 2, "queue_read")
  long(offset, 3, "queue_read")
  local size = element.size_of(argument.array(array, 4, "queue_read"))
  argument.range(array, first, count, 5, "queue_read")
  local out = transfer.event_out(blocking)
  return transfer.result(C.clue_queue_read(out, array._data + first, queue, buffer, offset, count * size), out)
end

--- Copies bytes from one buffer to another or within one.
-- @tparam number queue
-- @tparam number from a buffer
-- @tparam number from_offset bytes
-- @tparam number to a buffer
-- @tparam number to_offset bytes
-- @tparam number size bytes
-- @treturn ?number the event's handle
function binding.queue_copy(queue, from, from_offset, to, to_offset, size)
  int(queue, 1, "queue_copy")
  int(from, 2, "queue_copy")
  long(from_offset, 3, "queue_copy")
  int(to, 4, "queue_copy")
  long(to_offset, 5, "queue_copy")
  long(size, 6, "queue_copy")
  return int_result(C.clue_queue_copy(int_out, queue, from, from_offset, to, to_offset, size))
end

--- Brings buffers and images to a queue's device.
-- @tparam number queue
-- @tparam table objects handles
-- @tparam number flags CL_MIGRATE_MEM_OBJECT_*, added up
-- @treturn ?number the event's handle
function binding.queue_migrate(queue, objects, flags)
  int(queue, 1, "queue_migrate")
  local handles, count = argument.ints(objects, 2, "queue_migrate")
  long(flags, 3, "queue_migrate")
  return int_result(C.clue_queue_migrate(int_out, queue, handles, count, flags))
end

--- Fills a buffer with a pattern.
-- @tparam number queue
-- @tparam number buffer
-- @tparam number offset bytes
-- @tparam number size bytes
-- @tparam string pattern
-- @treturn ?number the event's handle
function binding.queue_fill(queue, buffer, offset, size, pattern)
  int(queue, 1, "queue_fill")
  int(buffer, 2, "queue_fill")
  long(offset, 3, "queue_fill")
  long(size, 4, "queue_fill")
  argument.typed(pattern, "string", 5, "queue_fill")
  return int_result(C.clue_queue_fill(int_out, queue, buffer, offset, size, pattern, #pattern))
end

-- ---- events -----------------------------------------------------------------------------------------------------

--- Makes a user event.
-- @tparam number context
-- @treturn ?number its handle
function binding.user_event_create(context)
  int(context, 1, "user_event_create")
  return int_result(C.clue_user_event_create(int_out, context))
end

--- Ends a user event.
-- @tparam number event
-- @tparam number status 0: complete; below 0: failed
-- @treturn ?boolean true; nil on failure
function binding.user_event_set(event, status)
  int(event, 1, "user_event_set")
  int(status, 2, "user_event_set")
  return done(C.clue_user_event_set(event, status))
end

--- The state of a command.
-- @tparam number event
-- @treturn ?number 0 complete, 1 running, 2 submitted, 3 queued
function binding.event_status(event)
  int(event, 1, "event_status")
  return int_result(C.clue_event_status(int_out, event))
end

--- Waits for a command.
-- @tparam number event
-- @treturn ?boolean true; nil on failure
function binding.event_wait(event)
  int(event, 1, "event_wait")
  return done(C.clue_event_wait(event))
end

local clocks = { [C.CLUE_CLOCK_DEVICE] = "device", [C.CLUE_CLOCK_HOST] = "host" }

--- How long a command took; waits for it.
-- @tparam number event
-- @treturn ?number seconds
-- @treturn ?string whose clock: "device" or "host"
function binding.event_time(event)
  int(event, 1, "event_time")
  if C.clue_event_time(double_out, int_out, event) ~= 0 then return nil end
  return double_out[0], clocks[int_out[0]]
end

--- When a command came to a state; waits for its end.
-- @tparam number event
-- @tparam number moment 0 queued, 1 submitted, 2 started, 3 ended
-- @treturn ?number seconds by the device's timer
function binding.event_moment(event, moment)
  int(event, 1, "event_moment")
  int(moment, 2, "event_moment")
  if C.clue_event_moment(double_out, event, moment) ~= 0 then return nil end
  return double_out[0]
end

-- Compiled code looks at no hook, so a compiled loop that polls would never see Ctrl-C.
jit.off(binding.event_status)

return binding
