--- PNG files, through clue.h.
-- Plain functions. Results are Lua values; a failure is nil (see binding.error()).
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"

local binding = {}

--- Reads a picture.
-- @tparam array array of uchar, as long as the picture has samples
-- @tparam string path
-- @treturn ?boolean true; nil on failure
function binding.png_read(array, path)
  local code = argument.array(array, 1, "png_read")
  argument.text(path, 2, "png_read")
  if code ~= C.CLUE_UCHAR then argument.refuse(1, "png_read", "array of uchar expected") end
  if C.clue_png_read(array._data, #array, path) ~= 0 then return nil end
  return true
end

--- Writes a picture.
-- @tparam string path
-- @tparam array array of uchar: its samples, rows from the top
-- @tparam number channels samples per pixel, 1 to 4
-- @tparam number width in pixels
-- @tparam number height in pixels
-- @treturn ?boolean true; nil on failure
function binding.png_write(path, array, channels, width, height)
  argument.text(path, 1, "png_write")
  local code = argument.array(array, 2, "png_write")
  if code ~= C.CLUE_UCHAR then argument.refuse(2, "png_write", "array of uchar expected") end
  argument.int(channels, 3, "png_write")
  argument.int(width, 4, "png_write")
  argument.int(height, 5, "png_write")
  if channels * width * height ~= #array then
    argument.refuse(3, "png_write", ("%d x %d pixels of %d samples are not the size of an array of %.0f"):format(width,
      height, channels, #array))
  end
  if C.clue_png_write(path, array._data, channels, width, height) ~= 0 then return nil end
  return true
end

return binding
