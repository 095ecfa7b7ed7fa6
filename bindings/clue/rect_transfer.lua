--- Queue commands on boxes of bytes in buffers: queue:write_buffer_rect and the like.
--
-- A box has rows of region[1] bytes, region[2] rows in a slice, and region[3] slices; a missing number is 1. It lies
-- at an origin, {bytes, rows, slices}; a missing number is 0. Pitches give the bytes from row to row of the memory
-- (by default a row of the box) and from slice to slice (by default all its rows; a multiple of the row pitch). For
-- example, a tile of 16 x 16 floats in a matrix with 1000 columns, at row 2, column 3:
--
--     queue:read_buffer_rect(matrix, tile, {region = {16 * 4, 16}, buffer_origin = {3 * 4, 2},
--       buffer_row_pitch = 1000 * 4})
-- @module clue.rect_transfer
local argument = require "clue.argument"
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local events = require "clue.event"
local object = require "clue.object"
local triple = require("clue.region").triple

local methods = {}

local function options_of(one, other, blocking)
  local known = {region = "list", blocking = blocking}
  for _, side in ipairs {one, other} do
    known[side .. "_origin"] = "list"
    known[side .. "_row_pitch"], known[side .. "_slice_pitch"] = "whole", "whole"
  end
  return known
end

-- Origins, region and pitches of the memory to read and of the memory to write, as the binding takes them.
local function box_of(where, from, to)
  if where.region == nil then argument.fail("give the box's size: region = {bytes, rows, slices}") end
  local function origin(side)
    local given = where[side .. "_origin"]
    return given and triple(given, 0, side .. "_origin")
  end
  return origin(from) or {0, 0, 0}, triple(where.region, 1, "region"), origin(to) or {0, 0, 0},
    where[from .. "_row_pitch"] or 0, where[from .. "_slice_pitch"] or 0, where[to .. "_row_pitch"] or 0,
    where[to .. "_slice_pitch"] or 0
end

local transfer_options = options_of("buffer", "host", "boolean")

-- The data goes from one side to the other: "buffer" or "host".
local function transfer(send, what, from, to)
  return function(self, buffer, data, where)
    object.handle(self, "queue")
    local handle = object.handle(buffer, "buffer", "buffer")
    argument.array(data, "data")
    where = argument.options(where, "where", transfer_options)
    local blocking = where.blocking ~= false
    if to == "buffer" and type(buffer) == "table" then buffer.elements = binding.array_code(data) end
    local origin, region, target, from_row, from_slice, to_row, to_slice = box_of(where, from, to)
    return (enqueue.transfer(self, blocking, what, buffer, data, send, handle, data, origin, region, target, from_row,
      from_slice, to_row, to_slice, blocking))
  end
end

--- Writes a box of an array to a buffer, and waits until it is done.
-- @function write_buffer_rect
-- @tparam buffer buffer
-- @tparam array data
-- @tparam table where region; buffer_origin, buffer_row_pitch, buffer_slice_pitch; host_origin, host_row_pitch,
--   host_slice_pitch (of the array); blocking = false: do not wait, see @{clue.transfer}
-- @treturn queue|event itself; its event if it does not wait
methods.write_buffer_rect = transfer(binding.queue_write_rect, "a write to a buffer", "host", "buffer")

--- Reads a box of a buffer into an array, and waits until it is done.
-- @function read_buffer_rect
-- @tparam buffer buffer
-- @tparam array data
-- @tparam table where as for @{write_buffer_rect}
-- @treturn queue|event itself; its event if it does not wait
methods.read_buffer_rect = transfer(binding.queue_read_rect, "a read from a buffer", "buffer", "host")

local copy_options = options_of("from", "to")

--- Copies a box from one buffer to another, or within one. Does not wait.
-- @tparam buffer from
-- @tparam buffer to
-- @tparam table where region; from_origin, from_row_pitch, from_slice_pitch; to_origin, to_row_pitch, to_slice_pitch
-- @treturn event
function methods:copy_buffer_rect(from, to, where)
  object.handle(self, "queue")
  local source, target = object.handle(from, "buffer", "from"), object.handle(to, "buffer", "to")
  where = argument.options(where, "where", copy_options)
  local made = enqueue.command(self, binding.queue_copy_rect, source, target, box_of(where, "from", "to"))
  return events.new(made, "a copy between buffers")
end

return methods
