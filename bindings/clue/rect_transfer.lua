--- What queues do with boxes of bytes in buffers: queue:write_buffer_rect and its kin.
--
-- A box has rows of region[1] bytes, region[2] rows in a slice, region[3] slices (what is left out is 1). It lies at an
-- origin, {bytes, rows, slices} (what is left out is 0), in memory whose rows and slices follow each other by pitches:
-- bytes from row to row (those of a row of the box unless given) and from slice to slice (those of all its rows unless
-- given, a multiple of the row pitch). A tile of 16 x 16 floats out of a matrix with 1000 columns, at row 2, column 3:
--
--     queue:read_buffer_rect(matrix, tile, {region = {16 * 4, 16}, buffer_origin = {3 * 4, 2},
--       buffer_row_pitch = 1000 * 4})
-- @module clue.rect_transfer
local binding = require "clue.binding"
local enqueue = require "clue.enqueue"
local events = require "clue.event"
local object = require "clue.object"
local triple = require("clue.region").triple

local methods = {}

local function options_of(one, other, more)
  local known, told = {region = "table"}, {}
  for _, side in ipairs {one, other} do
    known[side .. "_origin"] = "table"
    known[side .. "_row_pitch"], known[side .. "_slice_pitch"] = "number", "number"
    told[#told + 1] = ("%s_origin (a list), %s_row_pitch and %s_slice_pitch (bytes)"):format(side, side, side)
  end
  for name, kind in pairs(more or {}) do known[name] = kind end
  return known, "region (a list), " .. table.concat(told, ", ") .. (more and " and blocking (true or false)" or "")
end

-- Origins, region and pitches of what is read and of what is written, as the binding takes them.
local function box_of(where, from, to, call)
  if where.region == nil then enqueue.refuse("%s: which box? region = {bytes, rows, slices} tells its size", call) end
  local function origin(side)
    local given = where[side .. "_origin"]
    return given and triple(given, 0, side .. "_origin", call)
  end
  return origin(from) or {0, 0, 0}, triple(where.region, 1, "region", call), origin(to) or {0, 0, 0},
    where[from .. "_row_pitch"] or 0, where[from .. "_slice_pitch"] or 0, where[to .. "_row_pitch"] or 0,
    where[to .. "_slice_pitch"] or 0
end

local transfer_options, transfer_told = options_of("buffer", "host", {blocking = "boolean"})

local function begin(self, call, buffer, data, where)
  object.handle(self, "queue", call)
  local handle = object.handle(buffer, "buffer", call, 1)
  enqueue.array(data, 2, call)
  return handle, enqueue.options(where, 3, transfer_options, transfer_told, call)
end

--- Writes a box of an array to a buffer, and waits until that is done.
-- @tparam buffer buffer
-- @tparam array data
-- @tparam table where region; buffer_origin, buffer_row_pitch, buffer_slice_pitch; host_origin, host_row_pitch,
--   host_slice_pitch (of the array); blocking = false: does not wait, see @{clue.buffer_transfer}
-- @treturn queue|event itself; its event where it does not wait
function methods:write_buffer_rect(buffer, data, where)
  local call = "queue:write_buffer_rect"
  local handle, how = begin(self, call, buffer, data, where)
  local blocking = how.blocking ~= false
  local from, region, to, from_row, from_slice, to_row, to_slice = box_of(how, "host", "buffer", call)
  return enqueue.transfer(self, blocking, "a write to a buffer", {buffer, data}, binding.queue_write_rect, handle, data,
    from, region, to, from_row, from_slice, to_row, to_slice, blocking)
end

--- Reads a box of a buffer into an array, and waits until that is done.
-- @tparam buffer buffer
-- @tparam array data
-- @tparam table where as for @{write_buffer_rect}
-- @treturn queue|event itself; its event where it does not wait
function methods:read_buffer_rect(buffer, data, where)
  local call = "queue:read_buffer_rect"
  local handle, how = begin(self, call, buffer, data, where)
  local blocking = how.blocking ~= false
  local from, region, to, from_row, from_slice, to_row, to_slice = box_of(how, "buffer", "host", call)
  return enqueue.transfer(self, blocking, "a read from a buffer", {buffer, data}, binding.queue_read_rect, handle, data,
    from, region, to, from_row, from_slice, to_row, to_slice, blocking)
end

local copy_options, copy_told = options_of("from", "to")

--- Copies a box from one buffer to another, or within one; does not wait.
-- @tparam buffer from
-- @tparam buffer to
-- @tparam table where region; from_origin, from_row_pitch, from_slice_pitch; to_origin, to_row_pitch, to_slice_pitch
-- @treturn event
function methods:copy_buffer_rect(from, to, where)
  local call = "queue:copy_buffer_rect"
  object.handle(self, "queue", call)
  local source, target = object.handle(from, "buffer", call, 1), object.handle(to, "buffer", call, 2)
  where = enqueue.options(where, 3, copy_options, copy_told, call)
  local made = enqueue.command(self, binding.queue_copy_rect, source, target, box_of(where, "from", "to", call))
  return events.new(made, "a copy between buffers")
end

return methods
