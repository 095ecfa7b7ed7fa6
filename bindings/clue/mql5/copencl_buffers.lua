--- COpenCL's buffers: makes, fills, reads and writes them by their places. For clue.mql5.copencl.
local buffers = require "clue.mql5.buffers"
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local matrices = require "clue.mql5.matrix.object"
local places = require "clue.mql5.copencl_places"

local mql5 = buffers.names
local INVALID, WHOLE_ARRAY = constants.names.INVALID_HANDLE, constants.names.WHOLE_ARRAY

local methods = {}

--- Makes empty places for buffers. Buffers in earlier places are freed.
-- @tparam number count
-- @treturn boolean
function methods:SetBuffersCount(count)
  return (places.make(self, "SetBuffersCount", "buffer", count))
end

local function create(self, index, bytes, flags)
  local buffer = mql5.CLBufferCreate(self.m_context, bytes, flags)
  if buffer == INVALID then return false end
  places.put(self, "buffer", index, buffer)
  return true
end

--- Makes a buffer. An earlier one in this place is freed.
-- @tparam number index from 0
-- @tparam number bytes
-- @tparam number flags CL_MEM_*
-- @treturn boolean
function methods:BufferCreate(index, bytes, flags)
  return places.has(self, "BufferCreate", "buffer", index) and places.ready(self, "BufferCreate")
    and create(self, index, bytes, flags)
end

--- Frees a buffer.
-- @tparam number index
-- @treturn boolean false if there is none; that is not reported
function methods:BufferFree(index)
  return (places.free(self, "BufferFree", "buffer", index))
end

-- Writes into the buffer in a place, and makes it if the place is empty. A new buffer that cannot be written is freed.
local function fill(self, method, index, bytes, flags, write)
  local there = places.find(self, method, "buffer", index)
  if not there and not create(self, index, bytes, flags) then return false end
  if write(self.m_buffers[index]) then return true end
  if not there then places.put(self, "buffer", index, INVALID) end
  return false
end

--- Writes elements of an array to the beginning of the buffer in a place. If the place is empty, it makes a buffer of
-- exactly their size. An existing buffer keeps the arguments it was set to, and flags are ignored; more elements than
-- it holds are refused (ERR_OPENCL_WRONG_BUFFER_SIZE): BufferFree makes room for a larger buffer.
-- @tparam number index
-- @tparam array|struct_array data an array, or an array of structs (clue.struct)
-- @tparam number data_offset the first element
-- @tparam number data_count how many; WHOLE_ARRAY: all from data_offset on
-- @tparam number flags CL_MEM_*
-- @treturn boolean
function methods:BufferFromArray(index, data, data_offset, data_count, flags)
  local name = "COpenCL:BufferFromArray"
  if not places.has(self, "BufferFromArray", "buffer", index) then return false end
  local view = buffers.view_of(name, data)
  check.number(name, 3, data_offset)
  check.number(name, 4, data_count)
  if not places.ready(self, "BufferFromArray") then return false end
  local count = data_count == WHOLE_ARRAY and view.count - data_offset or data_count
  if data_offset < 0 or count < 1 or data_offset + count > view.count then
    return places.fail("BufferFromArray", (buffers.part_reason(view, data_offset, count)))
  end
  return fill(self, "BufferFromArray", index, count * view.bytes, flags, function(buffer)
    return mql5.CLBufferWrite(buffer, data, 0, data_offset, count) == count
  end)
end

local function from_matrix(method)
  --- Writes all elements of a matrix or a vector, as BufferFromArray does.
  -- @function methods.FROM_MATRIX
  -- @tparam number index
  -- @tparam matrix|vector matrix
  -- @tparam number flags CL_MEM_*
  -- @treturn boolean
  return function(self, index, matrix, flags)
    if not places.has(self, method, "buffer", index) then return false end
    local elements = matrices.check("COpenCL:" .. method, 2, matrix)
    if not places.ready(self, method) then return false end
    if #elements == 0 then return places.fail(method, "the matrix or vector is empty") end
    return fill(self, method, index, elements:bytes(), flags, function(buffer)
      return (mql5.CLBufferWrite(buffer, 0, matrix))
    end)
  end
end

local function to_matrix(method)
  --- Reads a matrix or a vector from the start of the buffer, as CLBufferRead does.
  -- @function methods.TO_MATRIX
  -- @tparam number index
  -- @tparam matrix|vector matrix
  -- @tparam[opt] number rows its new size
  -- @tparam[opt] number columns
  -- @treturn boolean
  return function(self, index, matrix, rows, columns)
    local buffer = places.at(self, method, "buffer", index)
    return buffer ~= nil and places.ready(self, method, true) and (mql5.CLBufferRead(buffer, 0, matrix, rows, columns))
  end
end

methods.BufferFromMatrix, methods.BufferFromVector = from_matrix "BufferFromMatrix", from_matrix "BufferFromVector"
methods.BufferToMatrix, methods.BufferToVector = to_matrix "BufferToMatrix", to_matrix "BufferToVector"

--- Reads elements of a buffer.
-- @tparam number index
-- @tparam array data
-- @tparam number buffer_offset in bytes
-- @tparam number data_offset in elements
-- @tparam number data_count in elements
-- @treturn boolean
function methods:BufferRead(index, data, buffer_offset, data_offset, data_count)
  local buffer = places.at(self, "BufferRead", "buffer", index)
  return buffer ~= nil and places.ready(self, "BufferRead", true)
    and (mql5.CLBufferRead(buffer, data, buffer_offset, data_offset, data_count)) > 0
end

--- Writes elements into a buffer.
-- @tparam number index
-- @tparam array data
-- @tparam number buffer_offset in bytes
-- @tparam number data_offset in elements
-- @tparam number data_count in elements
-- @treturn boolean
function methods:BufferWrite(index, data, buffer_offset, data_offset, data_count)
  local buffer = places.at(self, "BufferWrite", "buffer", index)
  return buffer ~= nil and (mql5.CLBufferWrite(buffer, data, buffer_offset, data_offset, data_count)) > 0
end

return methods
