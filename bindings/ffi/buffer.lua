--- OpenCL through clue.h: buffers, and transfers on the context's own queue.
-- Plain functions; results come back as Lua values, a failure as nil (binding.error() then tells).
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"
local result = require "clue.ffi.result"

local int, long = argument.int, argument.long
local int_out, long_out, done, int_result = result.int_out, result.long_out, result.done, result.int

local binding = {}

--- Makes a buffer.
-- @tparam number context
-- @tparam number bytes
-- @tparam number flags CL_MEM_*, added up
-- @treturn ?number the buffer's handle
function binding.buffer_create(context, bytes, flags)
  int(context, 1, "buffer_create")
  long(bytes, 2, "buffer_create")
  long(flags, 3, "buffer_create")
  return int_result(C.clue_buffer_create(int_out, context, bytes, flags))
end

--- Makes a buffer of a part of another one.
-- @tparam number buffer
-- @tparam number flags CL_MEM_*, added up; 0: as the buffer
-- @tparam number offset bytes
-- @tparam number size bytes
-- @treturn ?number the sub-buffer's handle
function binding.buffer_create_sub(buffer, flags, offset, size)
  int(buffer, 1, "buffer_create_sub")
  long(flags, 2, "buffer_create_sub")
  long(offset, 3, "buffer_create_sub")
  long(size, 4, "buffer_create_sub")
  return int_result(C.clue_buffer_create_sub(int_out, buffer, flags, offset, size))
end

--- The size of a buffer.
-- @tparam number buffer
-- @treturn ?number bytes
function binding.buffer_size(buffer)
  int(buffer, 1, "buffer_size")
  if C.clue_buffer_size(long_out, buffer) ~= 0 then return nil end
  return tonumber(long_out[0])
end

--- Where a sub-buffer begins in its buffer.
-- @tparam number buffer
-- @treturn ?number bytes, 0 for what is no sub-buffer
function binding.buffer_offset(buffer)
  int(buffer, 1, "buffer_offset")
  if C.clue_buffer_offset(long_out, buffer) ~= 0 then return nil end
  return tonumber(long_out[0])
end

--- Writes elements of an array to a buffer, and waits until it is done.
-- @tparam number buffer
-- @tparam number offset in the buffer, in bytes
-- @tparam array array
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @treturn ?boolean true; nil on failure
function binding.buffer_write(buffer, offset, array, first, count)
  int(buffer, 1, "buffer_write")
  long(offset, 2, "buffer_write")
  local code = argument.array(array, 3, "buffer_write")
  argument.range(array, first, count, 4, "buffer_write")
  return done(C.clue_buffer_write(buffer, offset, array._data + first, count * element.size_of(code)))
end

--- Reads elements of an array out of a buffer, and waits until it is done.
-- @tparam number buffer
-- @tparam number offset in the buffer, in bytes
-- @tparam array array
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @treturn ?boolean true; nil on failure
function binding.buffer_read(buffer, offset, array, first, count)
  int(buffer, 1, "buffer_read")
  long(offset, 2, "buffer_read")
  local code = argument.array(array, 3, "buffer_read")
  argument.range(array, first, count, 4, "buffer_read")
  return done(C.clue_buffer_read(array._data + first, buffer, offset, count * element.size_of(code)))
end

return binding
