--- Arrays as NumPy's .npy files. Used by array:save and array.load.
--
-- It reads what arrays can hold: one or two dimensions (a single number becomes an array of one element) of integers,
-- booleans (as uchar) and floating-point numbers of either byte order, by rows or by columns. It writes version 1.0,
-- little-endian, by rows.
-- @module clue.npy
local binding = require "clue.binding"
local error_object = require "clue.error"
local open = require("clue.file").open
local trim_end = require("clue.text").trim_end
local unsigned = require("clue.bytes").unsigned
local write_file = require "clue.write_file"

local npy = {}

local PIECE = 2 ^ 20 -- elements to read or write at a time
local LONGEST_HEADER = 2 ^ 20 -- bytes; NumPy's have a few hundred

-- NumPy's code for each type: kind and bytes.
local codes = {
  char = "i1", uchar = "u1", short = "i2", ushort = "u2", int = "i4", uint = "u4", long = "i8", ulong = "u8",
  half = "f2", float = "f4", double = "f8",
}
local types = {b1 = "uchar"}
for name, code in pairs(codes) do types[code] = name end

local function fail(path, text, ...)
  error(error_object.new {text = ("cannot read %s: %s"):format(path, text:format(...))}, 0)
end

-- ---- writing ----------------------------------------------------------------------------------------------------

-- The text before the elements: a multiple of 64 bytes.
local function header_of(self)
  local code, rows = codes[self:type()], self:rows()
  local shape = rows and ("(%.0f, %.0f)"):format(rows, self:columns()) or ("(%.0f,)"):format(#self)
  local text = ("{'descr': '%s%s', 'fortran_order': False, 'shape': %s, }"):format(
    code:sub(2) == "1" and "|" or "<", code, shape)
  text = text .. (" "):rep(-(10 + #text + 1) % 64) .. "\n"
  return "\147NUMPY\1\0" .. string.char(#text % 256, math.floor(#text / 256)) .. text
end

--- Writes an array.
-- @tparam string path
-- @tparam array self
function npy.save(path, self)
  local function produce(put)
    put(header_of(self))
    for first = 0, #self - 1, PIECE do
      if not put(binding.array_bytes(self, first, math.min(PIECE, #self - first))) then break end
    end
  end
  write_file(path, function(_, write) return write(produce) end)
end

-- ---- reading ----------------------------------------------------------------------------------------------------

-- Up to so many bytes: fewer where the file ends.
local function next_bytes(path, file, count)
  local bytes, problem = file:read(count)
  if problem then fail(path, "%s", problem) end
  return bytes or ""
end

-- The text that describes the elements.
local function read_header(path, file)
  local start = next_bytes(path, file, 8)
  if start:sub(1, 6) ~= "\147NUMPY" then fail(path, "it is not an .npy file: it does not begin with \\x93NUMPY") end
  local version = start:byte(7) or 0
  if version < 1 or version > 3 then fail(path, "it has version %d, but only 1 to 3 can be read", version) end
  local digits = version == 1 and 2 or 4
  local length = next_bytes(path, file, digits)
  local size = unsigned(length)
  if #length == digits and size > LONGEST_HEADER then
    fail(path, "its header claims %.0f bytes; at most %.0f are allowed", size, LONGEST_HEADER)
  end
  local text = next_bytes(path, file, size)
  if #length < digits or #text < size then fail(path, "it ends in its header") end
  return text
end

-- The type's name, and whether its bytes are in reverse order.
local function read_type(path, text)
  local order, code = text:match "'descr'%s*:%s*'([<>|=]?)(%a%d+)'"
  if types[code] then return types[code], order == ">" end
  local given = text:match "'descr'%s*:%s*(%b'')" or text:match "'descr'%s*:%s*(%b[])" or "?"
  if code and code:sub(1, 1) == "c" then
    fail(path, "its elements are complex (%s): save a.view(numpy.float%d), which has pairs", given, code:sub(2) * 4)
  end
  fail(path, "its elements are %s, but arrays hold integers of 1 to 8 bytes (i, u), booleans and floating-point "
    .. "numbers of 2, 4 and 8 bytes (f)", given)
end

-- A tuple as Python writes it: "()", "(3,)", "(2, 3)".
local function read_shape(path, text)
  local list = text:match "'shape'%s*:%s*(%b())"
  if not list then fail(path, "its header has no shape") end
  local sizes, inside = {}, list:sub(2, -2)
  if inside:find "%S" and not inside:find(",", 1, true) then
    fail(path, "its shape is %s, which is not a tuple", list)
  end
  for part in (trim_end(inside):gsub(",$", "") .. ","):gmatch "([^,]*)," do
    local size = part:match "^%s*(%d+)L?%s*$"
    if not size and inside:find "%S" then fail(path, "its shape is %s, which is not a tuple of sizes", list) end
    sizes[#sizes + 1] = tonumber(size)
  end
  if #sizes > 2 then
    fail(path, "it has %d dimensions %s, but arrays have one or two: reshape it in NumPy", #sizes, list)
  end
  return sizes
end

-- Whether the elements are stored by columns.
local function read_order(path, text)
  local order = text:match "'fortran_order'%s*:%s*([^,}%s]+)"
  if order == "True" or order == "False" then return order == "True" end
  fail(path, "its fortran_order must be True or False, not %s", order or "missing")
end

-- Checked before memory is allocated, since a header may claim anything. Only files on a disk have a length to check.
local function check_length(path, file, wanted)
  local here = file:seek "cur"
  local found = here and file:seek "end"
  if not found or not file:seek("set", here) then return end
  if found - here < wanted then
    fail(path, "it ends before its last element: it has %.0f of %.0f bytes", found - here, wanted)
  end
end

local function read_elements(path, file, self)
  local size, done = binding.type_sizes[self:type()], 0
  while done < #self do
    local wanted = math.min(PIECE, #self - done)
    local bytes = next_bytes(path, file, wanted * size)
    if #bytes < wanted * size then fail(path, "it ends before its last element") end
    done = done + binding.array_set_bytes(self, done, bytes)
  end
  if next_bytes(path, file, 1) ~= "" then
    fail(path, "more bytes follow its last element: did np.save write several arrays to it?")
  end
end

local function read(path, file, make)
  local text = read_header(path, file)
  local name, swapped = read_type(path, text)
  local sizes = read_shape(path, text)
  local by_columns = read_order(path, text)
  local count = (sizes[1] or 1) * (sizes[2] or 1)
  check_length(path, file, count * binding.type_sizes[name])
  local self = make[name](count)
  read_elements(path, file, self)
  if swapped then binding.array_swap(self, 0, #self) end
  if not sizes[2] then return self end
  if not by_columns then return self:reshape(sizes[1], sizes[2]) end
  local by_rows = make[name](#self)
  binding.array_transpose(by_rows, self, sizes[2], sizes[1])
  return by_rows:reshape(sizes[1], sizes[2])
end

--- Reads an array. Raises an error object if the file cannot be read as one.
-- @tparam string path
-- @tparam table make makes an array: make.float(count)
-- @treturn array a matrix if the file has two dimensions
function npy.load(path, make)
  local file, why = open(path)
  if not file then error(error_object.new {text = "cannot read " .. why}, 0) end
  local done, result = pcall(read, path, file, make)
  file:close()
  if not done then error(result, 0) end
  return result
end

return npy
