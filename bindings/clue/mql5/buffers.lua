--- MQL5's buffers: CLBufferCreate, CLBufferFree, CLBufferWrite, CLBufferRead. Offsets in the buffer are bytes,
-- offsets and counts in arrays are elements. A transfer is done when it returns, and CLBufferRead waits for the
-- kernels before it. Nothing is cut off silently: what does not fit as a whole is a failure.
local binding = require "clue.binding"
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local errors = require "clue.mql5.errors"
local exit = require "clue.exit"

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

--- Frees a buffer. Kernels that were enqueued with it still run; one that has it as an argument is not executed
-- again.
-- @tparam number buffer
-- @treturn ?string the message on failure
function buffers.CLBufferFree(buffer)
  local reason = check.small("CLBufferFree", 1, buffer, "handle")
  if reason then return errors.fail("CLBufferFree", codes.ERR_OPENCL_INVALID_HANDLE, reason) end
  if binding.handle_free(buffer, "buffer") then return end
  return (errors.fail_of_binding("CLBufferFree"))
end

-- ---- transfers --------------------------------------------------------------------------------------------------

-- Checks types, raising; then whether the numbers are whole. Gives a reason and its code, or nothing.
local function numbers_reason(name, buffer, offset, first, count)
  local reason = check.small(name, 1, buffer, "handle")
  local bad_offset = check.whole(name, 3, offset, "buffer_offset")
  local bad_part = check.whole(name, 4, first, "data_offset")
  bad_part = check.whole(name, 5, count, "data_count") or bad_part
  if reason then return reason, codes.ERR_OPENCL_INVALID_HANDLE end
  if bad_offset then return bad_offset, codes.ERR_OPENCL_WRONG_BUFFER_OFFSET end
  if bad_part then return bad_part, codes.ERR_INVALID_PARAMETER end
end

-- Why a part of an array is none.
local function part_reason(array, first, count)
  local reason
  if first < 0 or first > #array then
    reason = ("data_offset %.0f is outside the array of %.0f elements"):format(first, #array)
  elseif count < 1 then
    reason = ("%.0f elements: there is nothing to transfer"):format(count)
  elseif count > #array - first then
    reason = ("the array has %.0f elements from data_offset %.0f on, %.0f are asked for"):format(
      #array - first, first, count)
  end
  return reason, reason and codes.ERR_INVALID_PARAMETER
end

-- How many elements the buffer holds from offset on: what WHOLE_ARRAY means for reading. Else a reason and its
-- code; a reason of true stands for the binding's failure.
local function count_to_read(buffer, array, offset, first)
  local bytes = binding.buffer_size(buffer)
  if not bytes then return nil, true end
  local count = (bytes - offset) / (array:bytes() / #array)
  if offset < 0 or count <= 0 then
    return nil, ("buffer_offset %.0f is outside the buffer of %.0f bytes"):format(offset, bytes),
      codes.ERR_OPENCL_WRONG_BUFFER_OFFSET
  end
  if count ~= math.floor(count) or first + count > #array then
    return nil, ("the buffer holds %s elements of type %s from offset %.0f on, the array has room for %.0f: "
      .. "ArrayResize it or give data_count"):format(
      check.show(math.floor(count * 1000) / 1000), array:type(), offset, math.max(0, #array - first)),
      codes.ERR_OPENCL_WRONG_BUFFER_SIZE
  end
  return count
end

-- Both transfers; whole gives the count for WHOLE_ARRAY.
local function transfer(name, move, whole, buffer, array, offset, first, count)
  check.array(name, 2, array)
  offset, first = offset == nil and 0 or offset, first == nil and 0 or first
  count = count == nil and WHOLE_ARRAY or count
  local reason, code = numbers_reason(name, buffer, offset, first, count)
  if not reason and #array == 0 then
    reason, code = "the array is empty: ArrayResize it", codes.ERR_INVALID_PARAMETER
  end
  if not reason and count == WHOLE_ARRAY then count, reason, code = whole(buffer, array, offset, first) end
  if not reason then reason, code = part_reason(array, first, count) end
  if reason and reason ~= true then return 0, errors.fail(name, code, reason) end
  if not reason and move(buffer, offset, array, first, count) then return count end
  return 0, (errors.fail_of_binding(name))
end

local function count_to_write(_, array, _, first)
  return #array - first
end

--- Writes elements of an array into a buffer; the array may be changed as soon as this returns.
-- @tparam number buffer
-- @tparam array data
-- @tparam[opt=0] number buffer_offset in bytes
-- @tparam[opt=0] number data_offset in elements
-- @tparam[opt=WHOLE_ARRAY] number data_count in elements; WHOLE_ARRAY: all from data_offset on
-- @treturn number how many elements were written, 0 and the message on failure
function buffers.CLBufferWrite(buffer, data, buffer_offset, data_offset, data_count)
  return transfer("CLBufferWrite", binding.buffer_write, count_to_write, buffer, data, buffer_offset, data_offset,
    data_count)
end

--- Reads a buffer into an array, after the kernels that were enqueued before. The array is not resized.
-- @tparam number buffer
-- @tparam array data
-- @tparam[opt=0] number buffer_offset in bytes
-- @tparam[opt=0] number data_offset in elements
-- @tparam[opt=WHOLE_ARRAY] number data_count in elements; WHOLE_ARRAY: all that the buffer holds from
-- buffer_offset on, which fails where the array has no room for them
-- @treturn number how many elements were read, 0 and the message on failure
function buffers.CLBufferRead(buffer, data, buffer_offset, data_offset, data_count)
  return transfer("CLBufferRead", binding.buffer_read, count_to_read, buffer, data, buffer_offset, data_offset,
    data_count)
end

return { names = buffers }
