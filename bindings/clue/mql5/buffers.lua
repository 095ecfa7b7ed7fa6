--- MQL5's buffers: CLBufferCreate, CLBufferWrite, CLBufferRead. Offsets in a buffer count bytes; offsets
-- and counts in arrays count elements. A transfer is complete when the call returns, and CLBufferRead waits for the
-- kernels enqueued before it. Nothing is truncated: data that does not fit is an error.
local binding = require "clue.binding"
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local elements = require "clue.mql5.elements"
local errors = require "clue.mql5.errors"
local exit = require "clue.exit"
local matrices = require "clue.mql5.matrix.object"
local passed = require("clue.public").passed
local pointee = require "clue.pointee"
local text = require "clue.text"

local codes = constants.errors
local INVALID_HANDLE, WHOLE_ARRAY = constants.names.INVALID_HANDLE, constants.names.WHOLE_ARRAY

local buffers = {}

--- Makes a buffer.
-- @tparam number context
-- @tparam number bytes
-- @tparam number flags CL_MEM_READ_WRITE, CL_MEM_READ_ONLY or CL_MEM_WRITE_ONLY, plus CL_MEM_ALLOC_HOST_PTR
-- @treturn number the buffer, -1 and the message on failure
function buffers.CLBufferCreate(context, bytes, flags)
  local bad_handle = check.small("CLBufferCreate", 1, context, "handle")
  local reason = check.whole("CLBufferCreate", 2, bytes, "size")
  local bad_flags = check.whole("CLBufferCreate", 3, flags, "flags")
  if bad_handle then
    return INVALID_HANDLE, errors.fail("CLBufferCreate", codes.ERR_OPENCL_INVALID_HANDLE, bad_handle)
  end
  reason = reason or bad_flags
  if reason then return INVALID_HANDLE, errors.fail("CLBufferCreate", codes.ERR_OPENCL_BUFFER_CREATE, reason) end
  local buffer = binding.buffer_create(context, bytes, flags)
  if not buffer then return INVALID_HANDLE, (errors.fail_of_binding("CLBufferCreate")) end
  exit.created(buffer)
  return buffer
end

-- ---- transfers --------------------------------------------------------------------------------------------------

-- Raises for wrong types. Returns a reason and its code if a number is not whole, nothing otherwise.
local function numbers_reason(name, buffer, offset, first, count)
  local reason = check.small(name, 1, buffer, "handle")
  local bad_offset = check.whole(name, 3, offset, "buffer_offset")
  local bad_part = check.whole(name, 4, first, "data_offset")
  bad_part = check.whole(name, 5, count, "data_count") or bad_part
  if reason then return reason, codes.ERR_OPENCL_INVALID_HANDLE end
  if bad_offset then return bad_offset, codes.ERR_OPENCL_WRONG_BUFFER_OFFSET end
  if bad_part then return bad_part, codes.ERR_INVALID_PARAMETER end
end

local function view_of(name, data)
  return (elements.view(name, 2, data, true))
end

-- Why a part of an array is not valid.
local function part_reason(view, first, count)
  local reason
  if first < 0 or first >= view.count then
    reason = ("data_offset %.0f is outside the array of %s"):format(first, text.count(view.count, "element"))
  elseif count < 1 then
    reason = ("data_count must be at least 1, not %.0f"):format(count)
  elseif count > view.count - first then
    reason = ("the array has %s from data_offset %.0f on, but data_count is %.0f"):format(
      text.count(view.count - first, "element"), first, count)
  end
  return reason, reason and codes.ERR_INVALID_PARAMETER
end

local function outside_reason(offset, bytes)
  return ("buffer_offset %.0f is outside the buffer of %s"):format(offset, text.count(bytes, "byte"))
end

-- How many elements the buffer holds from offset on: what WHOLE_ARRAY means for reading. On failure nil, a reason and
-- its code; a reason of true means that the binding failed.
local function count_to_read(buffer, view, offset, first)
  local bytes = binding.memory_size(buffer)
  if not bytes then return nil, true end
  local count = (bytes - offset) / view.bytes
  if offset < 0 or count <= 0 then
    return nil, outside_reason(offset, bytes), codes.ERR_OPENCL_WRONG_BUFFER_OFFSET
  end
  if count ~= math.floor(count) then
    return nil, ("from offset %.0f on, the buffer holds %s, which is not a whole number of elements of type %s: "
      .. "give data_count"):format(offset, text.count(bytes - offset, "byte"), view.type),
      codes.ERR_OPENCL_WRONG_BUFFER_SIZE
  end
  if first + count > view.count then
    return nil, ("the buffer holds %s of type %s from offset %.0f on, but the array has room for %.0f: "
      .. "ArrayResize it or give data_count"):format(text.count(count, "element"), view.type, offset,
      view.count - first), codes.ERR_OPENCL_WRONG_BUFFER_SIZE
  end
  return count
end

-- For clue.pointee; the memory of structs is bytes.
local function note_written(move, buffer, memory)
  if move == binding.buffer_write then pointee.wrote(buffer, binding.array_code(memory)) end
end

-- Both transfers. whole(buffer, view, offset, first) gives the count for WHOLE_ARRAY.
local function transfer(name, move, whole, buffer, view, offset, first, count)
  offset, first = offset == nil and 0 or offset, first == nil and 0 or first
  count = count == nil and WHOLE_ARRAY or count
  local reason, code = numbers_reason(name, buffer, offset, first, count)
  if not reason and view.count == 0 then
    reason, code = "the array is empty: ArrayResize it", codes.ERR_INVALID_PARAMETER
  end
  if not reason then reason, code = part_reason(view, first, count == WHOLE_ARRAY and 1 or count) end
  if not reason and count == WHOLE_ARRAY then count, reason, code = whole(buffer, view, offset, first) end
  if reason == true then
    move(buffer, 0, view.memory, 0, 0) -- let the transfer report the wrong handle, not the query for its size
  elseif reason then
    return 0, errors.fail(name, code, reason)
  elseif move(buffer, offset, view.memory, view.at + first * view.unit, count * view.unit) then
    note_written(move, buffer, view.memory)
    return count
  end
  return 0, (errors.fail_of_binding(name))
end

local function count_to_write(_, view, _, first)
  return view.count - first
end

-- ---- matrices and vectors ---------------------------------------------------------------------------------------

-- Raises for wrong types. The second argument is a number, which a script may have passed for an array.
local function elements_of(name, buffer, offset, matrix)
  check.small(name, 1, buffer, "handle")
  if matrix == nil then check.refuse(name, "data", "array", offset) end
  return matrices.check(name, "matrix", matrix, "pass an array of another type as the second argument")
end

-- Transfers all elements of a matrix. Returns true, or false and the message.
local function transfer_matrix(name, move, buffer, offset, numbers)
  local reason = check.small(name, 1, buffer, "handle")
  if reason then return false, errors.fail(name, codes.ERR_OPENCL_INVALID_HANDLE, reason) end
  reason = check.whole(name, "buffer_offset", offset, "buffer_offset")
  if reason then return false, errors.fail(name, codes.ERR_OPENCL_WRONG_BUFFER_OFFSET, reason) end
  if #numbers == 0 then
    return false, errors.fail(name, codes.ERR_INVALID_PARAMETER, "the matrix or vector is empty")
  end
  if move(buffer, offset, numbers, 0, #numbers) then
    note_written(move, buffer, numbers)
    return true
  end
  return false, (errors.fail_of_binding(name))
end

local function extent_reason(rows, columns)
  for name, given in pairs {rows = rows, cols = columns} do
    local reason = check.whole("CLBufferRead", name, given, name)
    if reason then return reason end
    if given < 1 then return ("%s must be at least 1, not %.0f"):format(name, given) end
  end
end

-- Gives a matrix (or, without columns, a vector) the size asked for. Returns the message if the buffer holds less.
local function resize_matrix(buffer, offset, matrix, rows, columns)
  local reason, code = extent_reason(rows, columns), codes.ERR_INVALID_PARAMETER
  local bytes = binding.memory_size(buffer)
  if not bytes then return nil end -- the transfer itself reports the wrong handle
  local count, held = rows * (columns or 1), math.floor((bytes - offset) / matrices.element_bytes(matrix))
  if not reason and (offset < 0 or offset >= bytes) then
    reason, code = outside_reason(offset, bytes), codes.ERR_OPENCL_WRONG_BUFFER_OFFSET
  elseif not reason and count > held then
    reason = ("%.0f elements of type %s are asked for, but the buffer holds %.0f from offset %.0f on"):format(count,
      matrix:type(), held, offset)
    code = codes.ERR_OPENCL_WRONG_BUFFER_SIZE
  end
  if reason then return errors.fail("CLBufferRead", code, reason) end
  matrices.reshape(matrix, rows, columns)
end

local function write_matrix(buffer, offset, matrix, ...)
  local numbers = elements_of("CLBufferWrite", buffer, offset, matrix)
  for i = 1, select("#", ...) do
    local size = select(i, ...)
    if size ~= nil then
      check.refuse("CLBufferWrite", 3 + i, "nothing", size, "a matrix or vector is written as a whole")
    end
  end
  return transfer_matrix("CLBufferWrite", binding.buffer_write, buffer, offset, numbers)
end

-- The extents, those of the matrix for -1; nothing if it is empty, which the transfer reports.
local function as_it_is(matrix, rows, columns)
  if rows ~= WHOLE_ARRAY and columns ~= WHOLE_ARRAY then return rows, columns end
  if #matrix == 0 then return nil end
  if rows == WHOLE_ARRAY then rows = columns == nil and #matrix or matrix:rows() end
  return rows, columns == WHOLE_ARRAY and matrix:columns() or columns
end

local function read_matrix(buffer, offset, matrix, rows, columns)
  elements_of("CLBufferRead", buffer, offset, matrix)
  local usable = not check.small("CLBufferRead", 1, buffer, "handle")
    and not check.whole("CLBufferRead", "buffer_offset", offset, "buffer_offset")
  if columns ~= nil and rows == nil then check.refuse("CLBufferRead", "rows", "number", rows) end
  rows, columns = as_it_is(matrix, rows, columns)
  if rows ~= nil and usable then
    local message = resize_matrix(buffer, offset, matrix, rows, columns)
    if message then return false, message end
  end
  return transfer_matrix("CLBufferRead", binding.buffer_read, buffer, offset,
    elements_of("CLBufferRead", buffer, offset, matrix))
end

-- ---- what scripts call ------------------------------------------------------------------------------------------

local buffer_write, buffer_read = binding.buffer_write, binding.buffer_read

local function write_all(buffer, data)
  local count = #data
  return buffer_write(buffer, 0, data, 0, count), count
end

--- Writes elements of an array into a buffer. The array may be changed as soon as this returns.
-- If the second argument is a number, `CLBufferWrite(buffer, buffer_offset, matrix)`, it writes all of a matrix or
-- vector and returns true or false.
-- @tparam number buffer
-- @tparam array|struct_array data an array, or an array of structs (clue.struct)
-- @tparam[opt=0] number buffer_offset in bytes
-- @tparam[opt=0] number data_offset in elements
-- @tparam[opt=WHOLE_ARRAY] number data_count in elements; WHOLE_ARRAY: all from data_offset on
-- @overload (number buffer, number buffer_offset, matrix|vector matrix): boolean
-- @treturn number how many elements were written, 0 and the message on failure
function buffers.CLBufferWrite(buffer, data, buffer_offset, data_offset, data_count)
  if type(data) == "number" then return passed(write_matrix(buffer, data, buffer_offset, data_offset, data_count)) end
  if buffer_offset == nil and data_offset == nil and data_count == nil then
    -- The common case. The binding checks the handle and the array; only if it raises is everything checked here.
    local sound, done, count = pcall(write_all, buffer, data)
    if sound and count > 0 then
      if done then
        pointee.wrote(buffer, binding.array_code(data))
        return count
      end
      return 0, (errors.fail_of_binding("CLBufferWrite"))
    end
  end
  local view = view_of("CLBufferWrite", data)
  return passed(transfer("CLBufferWrite", buffer_write, count_to_write, buffer, view, buffer_offset, data_offset,
    data_count))
end

--- Reads a buffer into an array, after the kernels that were enqueued before. It does not resize the array.
-- If the second argument is a number, it reads a matrix, `CLBufferRead(buffer, buffer_offset, matrix, rows, cols)`, or
-- a vector, whose size is the fourth argument. The matrix or vector gets that size; without one (or with -1) it keeps
-- its own. The result is true or false.
-- @tparam number buffer
-- @tparam array|struct_array data an array, or an array of structs (clue.struct)
-- @tparam[opt=0] number buffer_offset in bytes
-- @tparam[opt=0] number data_offset in elements
-- @tparam[opt=WHOLE_ARRAY] number data_count in elements; WHOLE_ARRAY: all that the buffer holds from
-- buffer_offset on, which fails if the array has no room for them
-- @overload (number buffer, number buffer_offset, matrix matrix, ?number rows, ?number cols): boolean
-- @overload (number buffer, number buffer_offset, vector vector, ?number size): boolean
-- @treturn number how many elements were read, 0 and the message on failure
function buffers.CLBufferRead(buffer, data, buffer_offset, data_offset, data_count)
  if type(data) == "number" then
    return passed(read_matrix(buffer, data, buffer_offset, data_offset, data_count))
  end
  local view = view_of("CLBufferRead", data)
  return passed(transfer("CLBufferRead", buffer_read, count_to_read, buffer, view, buffer_offset, data_offset,
    data_count))
end

return {names = buffers, view_of = view_of, part_reason = part_reason}
