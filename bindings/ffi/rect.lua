--- Boxes of bytes between arrays and buffers, and between buffers, through clue.h.
-- Plain functions; results come back as Lua values, a failure as nil (binding.error() then tells).
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"
local range = require "clue.ffi.range"
local result = require "clue.ffi.result"
local transfer = require "clue.ffi.transfer"

local int, long = argument.int, argument.long
local int_out, int_result = result.int_out, result.int

local binding = {}

local rect = ffi.new("clue_rect")

local function set_places(from, over, to)
  for d = 0, 2 do
    rect.from_origin[d], rect.region[d], rect.to_origin[d] = from and from[d] or 0, over[d], to and to[d] or 0
  end
end

--- Writes a box of an array to a buffer. Origins and region: bytes, rows and slices; pitches: bytes from row to row and
-- from slice to slice, 0: side by side.
-- @tparam number queue
-- @tparam number buffer
-- @tparam array array
-- @tparam ?table from_origin three numbers, in the array
-- @tparam table region three numbers
-- @tparam ?table to_origin three numbers, in the buffer
-- @tparam number from_row of the array
-- @tparam number from_slice of the array
-- @tparam number to_row of the buffer
-- @tparam number to_slice of the buffer
-- @tparam ?boolean blocking false: does not wait
-- @treturn ?boolean|number true, or the event's handle; nil on failure
function binding.queue_write_rect(queue, buffer, array, from_origin, region, to_origin, from_row, from_slice, to_row,
                                  to_slice, blocking)
  int(queue, 1, "queue_write_rect")
  int(buffer, 2, "queue_write_rect")
  local size = element.size_of(argument.array(array, 3, "queue_write_rect"))
  set_places(range(3, from_origin, region, to_origin, 4, "queue_write_rect"))
  rect.from_row_pitch = long(from_row, 7, "queue_write_rect")
  rect.from_slice_pitch = long(from_slice, 8, "queue_write_rect")
  rect.to_row_pitch = long(to_row, 9, "queue_write_rect")
  rect.to_slice_pitch = long(to_slice, 10, "queue_write_rect")
  local out = transfer.event_out(blocking)
  return transfer.result(C.clue_queue_write_rect(out, queue, buffer, array._data, #array * size, rect), out)
end

--- Reads a box of a buffer into an array; see queue_write_rect.
-- @tparam number queue
-- @tparam number buffer
-- @tparam array array
-- @tparam ?table from_origin three numbers, in the buffer
-- @tparam table region three numbers
-- @tparam ?table to_origin three numbers, in the array
-- @tparam number from_row of the buffer
-- @tparam number from_slice of the buffer
-- @tparam number to_row of the array
-- @tparam number to_slice of the array
-- @tparam ?boolean blocking false: does not wait
-- @treturn ?boolean|number true, or the event's handle; nil on failure
function binding.queue_read_rect(queue, buffer, array, from_origin, region, to_origin, from_row, from_slice, to_row,
                                 to_slice, blocking)
  int(queue, 1, "queue_read_rect")
  int(buffer, 2, "queue_read_rect")
  local size = element.size_of(argument.array(array, 3, "queue_read_rect"))
  set_places(range(3, from_origin, region, to_origin, 4, "queue_read_rect"))
  rect.from_row_pitch = long(from_row, 7, "queue_read_rect")
  rect.from_slice_pitch = long(from_slice, 8, "queue_read_rect")
  rect.to_row_pitch = long(to_row, 9, "queue_read_rect")
  rect.to_slice_pitch = long(to_slice, 10, "queue_read_rect")
  local out = transfer.event_out(blocking)
  return transfer.result(C.clue_queue_read_rect(out, array._data, queue, buffer, #array * size, rect), out)
end

--- Copies a box from one buffer to another or within one; see queue_write_rect.
-- @tparam number queue
-- @tparam number from a buffer
-- @tparam number to a buffer
-- @tparam ?table from_origin three numbers
-- @tparam table region three numbers
-- @tparam ?table to_origin three numbers
-- @tparam number from_row
-- @tparam number from_slice
-- @tparam number to_row
-- @tparam number to_slice
-- @treturn ?number the event's handle
function binding.queue_copy_rect(queue, from, to, from_origin, region, to_origin, from_row, from_slice, to_row,
                                 to_slice)
  int(queue, 1, "queue_copy_rect")
  int(from, 2, "queue_copy_rect")
  int(to, 3, "queue_copy_rect")
  set_places(range(3, from_origin, region, to_origin, 4, "queue_copy_rect"))
  rect.from_row_pitch = long(from_row, 7, "queue_copy_rect")
  rect.from_slice_pitch = long(from_slice, 8, "queue_copy_rect")
  rect.to_row_pitch = long(to_row, 9, "queue_copy_rect")
  rect.to_slice_pitch = long(to_slice, 10, "queue_copy_rect")
  return int_result(C.clue_queue_copy_rect(int_out, queue, from, to, rect))
end

return binding
