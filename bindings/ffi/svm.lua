--- Shared virtual memory: making it, what the host sees of it, and what queues and kernels do with it, through clue.h.
-- Plain functions; results come back as Lua values, a failure as nil (binding.error() then tells).
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"
local memory = require "clue.ffi.memory"
local result = require "clue.ffi.result"
local transfer = require "clue.ffi.transfer"

local int, long = argument.int, argument.long
local int_out, long_out = result.int_out, result.long_out
local done, int_result = result.done, result.int

local binding = {}

-- ---- making it --------------------------------------------------------------------------------------------------

--- Makes shared virtual memory.
-- @tparam number context
-- @tparam number bytes
-- @tparam number flags CL_MEM_*, added up
-- @treturn ?number its handle
function binding.svm_create(context, bytes, flags)
  int(context, 1, "svm_create")
  long(bytes, 2, "svm_create")
  long(flags, 3, "svm_create")
  return int_result(C.clue_svm_create(int_out, context, bytes, flags))
end

--- Makes shared virtual memory with the contents of an array.
-- @tparam number context
-- @tparam array array
-- @tparam number flags CL_MEM_*, added up
-- @treturn ?number its handle
function binding.svm_create_from(context, array, flags)
  int(context, 1, "svm_create_from")
  local size = element.size_of(argument.array(array, 2, "svm_create_from"))
  long(flags, 3, "svm_create_from")
  return int_result(C.clue_svm_create_from(int_out, context, array._data, array._count * size, flags))
end

--- The size of shared virtual memory.
-- @tparam number svm
-- @treturn ?number bytes
function binding.svm_size(svm)
  if C.clue_svm_size(long_out, int(svm, 1, "svm_size")) ~= 0 then return nil end
  return tonumber(long_out[0])
end

--- What shared virtual memory was made with.
-- @tparam number svm
-- @treturn ?number CL_MEM_*, added up
function binding.svm_flags(svm)
  if C.clue_svm_flags(long_out, int(svm, 1, "svm_flags")) ~= 0 then return nil end
  return tonumber(long_out[0])
end

-- ---- what the host sees of it -----------------------------------------------------------------------------------

--- Elements of fine-grained memory, for the host to read and write at any time.
-- @tparam number svm
-- @tparam number code of the element type
-- @tparam number offset in the memory, in bytes
-- @tparam number count how many elements
-- @treturn ?array that lies there
function binding.svm_view(svm, code, offset, count)
  int(svm, 1, "svm_view")
  local size = memory.elements(code, offset, count, 2, "svm_view")
  return (memory.mapped(code, count, C.clue_svm_view, svm, offset, size))
end

--- Maps elements of shared virtual memory, and waits until they are there.
-- @tparam number queue
-- @tparam number svm
-- @tparam number flags CL_MAP_*, added up
-- @tparam number code of the element type
-- @tparam number offset in the memory, in bytes
-- @tparam number count how many elements
-- @treturn ?array that lies there, until queue_unmap
function binding.queue_map_svm(queue, svm, flags, code, offset, count)
  int(queue, 1, "queue_map_svm")
  int(svm, 2, "queue_map_svm")
  long(flags, 3, "queue_map_svm")
  local size = memory.elements(code, offset, count, 4, "queue_map_svm")
  return (memory.mapped(code, count, C.clue_queue_map_svm, queue, svm, flags, offset, size))
end

-- ---- commands ---------------------------------------------------------------------------------------------------

--- Writes elements of an array to shared virtual memory, and waits until it is done unless it shall not.
-- @tparam number queue
-- @tparam number svm
-- @tparam number offset in the memory, in bytes
-- @tparam array array
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @tparam ?boolean blocking false: does not wait
-- @treturn ?boolean|number true, or the event's handle; nil on failure
function binding.queue_write_svm(queue, svm, offset, array, first, count, blocking)
  int(queue, 1, "queue_write_svm")
  int(svm, 2, "queue_write_svm")
  long(offset, 3, "queue_write_svm")
  local size = element.size_of(argument.array(array, 4, "queue_write_svm"))
  argument.range(array, first, count, 5, "queue_write_svm")
  local out = transfer.event_out(blocking)
  return transfer.result(C.clue_queue_write_svm(out, queue, svm, offset, array._data + first, count * size), out)
end

--- Reads elements of an array out of shared virtual memory, and waits until it is done unless it shall not.
-- @tparam number queue
-- @tparam number svm
-- @tparam number offset in the memory, in bytes
-- @tparam array array
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @tparam ?boolean blocking false: does not wait
-- @treturn ?boolean|number true, or the event's handle; nil on failure
function binding.queue_read_svm(queue, svm, offset, array, first, count, blocking)
  int(queue, 1, "queue_read_svm")
  int(svm, 2, "queue_read_svm")
  long(offset, 3, "queue_read_svm")
  local size = element.size_of(argument.array(array, 4, "queue_read_svm"))
  argument.range(array, first, count, 5, "queue_read_svm")
  local out = transfer.event_out(blocking)
  return transfer.result(C.clue_queue_read_svm(out, array._data + first, queue, svm, offset, count * size), out)
end

--- Copies bytes within shared virtual memory.
-- @tparam number queue
-- @tparam number from
-- @tparam number from_offset bytes
-- @tparam number to
-- @tparam number to_offset bytes
-- @tparam number size bytes
-- @treturn ?number the event's handle
function binding.queue_copy_svm(queue, from, from_offset, to, to_offset, size)
  int(queue, 1, "queue_copy_svm")
  int(from, 2, "queue_copy_svm")
  long(from_offset, 3, "queue_copy_svm")
  int(to, 4, "queue_copy_svm")
  long(to_offset, 5, "queue_copy_svm")
  long(size, 6, "queue_copy_svm")
  return int_result(C.clue_queue_copy_svm(int_out, queue, from, from_offset, to, to_offset, size))
end

--- Fills shared virtual memory with a pattern.
-- @tparam number queue
-- @tparam number svm
-- @tparam number offset bytes
-- @tparam number size bytes
-- @tparam string pattern
-- @treturn ?number the event's handle
function binding.queue_fill_svm(queue, svm, offset, size, pattern)
  int(queue, 1, "queue_fill_svm")
  int(svm, 2, "queue_fill_svm")
  long(offset, 3, "queue_fill_svm")
  long(size, 4, "queue_fill_svm")
  argument.typed(pattern, "string", 5, "queue_fill_svm")
  return int_result(C.clue_queue_fill_svm(int_out, queue, svm, offset, size, pattern, #pattern))
end

--- Brings shared virtual memory to a queue's device.
-- @tparam number queue
-- @tparam table svms handles
-- @tparam number flags CL_MIGRATE_MEM_OBJECT_*, added up
-- @treturn ?number the event's handle
function binding.queue_migrate_svm(queue, svms, flags)
  int(queue, 1, "queue_migrate_svm")
  local handles, count = argument.ints(svms, 2, "queue_migrate_svm")
  long(flags, 3, "queue_migrate_svm")
  return int_result(C.clue_queue_migrate_svm(int_out, queue, handles, count, flags))
end

-- ---- kernels ----------------------------------------------------------------------------------------------------

--- Sets an argument to shared virtual memory.
-- @tparam number kernel
-- @tparam number index from 0
-- @tparam number svm
-- @tparam number offset from there on, in bytes
-- @treturn ?boolean true; nil on failure
function binding.kernel_set_svm(kernel, index, svm, offset)
  int(kernel, 1, "kernel_set_svm")
  int(index, 2, "kernel_set_svm")
  int(svm, 3, "kernel_set_svm")
  long(offset, 4, "kernel_set_svm")
  return done(C.clue_kernel_set_svm(kernel, index, svm, offset))
end

--- Tells what a kernel reaches through pointers in memory.
-- @tparam number kernel
-- @tparam table svms handles
-- @treturn ?boolean true; nil on failure
function binding.kernel_set_svm_pointers(kernel, svms)
  int(kernel, 1, "kernel_set_svm_pointers")
  local handles, count = argument.ints(svms, 2, "kernel_set_svm_pointers")
  return done(C.clue_kernel_set_svm_pointers(kernel, handles, count))
end

return binding
