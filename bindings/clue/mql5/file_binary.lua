--- Numbers, arrays and structs in MQL5's binary files, those that FileOpen opened with FILE_BIN: their bytes, in the
-- order of every host that clue runs on, with nothing between them. So files come from MQL5 and go to it as they are.
local argument = require "clue.argument"
local array_class = require "clue.array"
local binding = require "clue.binding"
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local elements = require "clue.mql5.elements"
local errors = require "clue.mql5.errors"
local files = require "clue.mql5.file"
local passed = require("clue.public").passed
local place = require "clue.struct.place"
local shown = require "clue.shown"
local text = require "clue.text"
local whole = require("clue.mql5.arrays").whole

local names, codes = constants.names, constants.errors
local entry_of, place_of = files.entry_of, files.place_of
local WHOLE_ARRAY = names.WHOLE_ARRAY

local PIECE = 2 ^ 20 -- elements that become a text of Lua at a time

local file = {}

-- ---- arrays -----------------------------------------------------------------------------------------------------

-- Writes elements. Returns how many, and the message if that were not all.
local function write(name, entry, view, start, count)
  for done = 0, count - 1, PIECE do
    local bytes = elements.get(view, start + done, math.min(PIECE, count - done))
    local written, problem = entry.stream:write(bytes)
    if not written then return done, errors.fail(name, codes.ERR_FILE_WRITEERROR, problem) end
  end
  return count
end

-- Reads elements for which there is room. Returns how many, and the message if they could not be read.
local function read(name, entry, view, start, count)
  for done = 0, count - 1, PIECE do
    local wanted = math.min(PIECE, count - done)
    local bytes, problem = entry.stream:read(wanted * view.bytes)
    if not bytes and problem then return done, errors.fail(name, codes.ERR_FILE_READERROR, problem) end
    local found = math.floor(#(bytes or "") / view.bytes)
    if found > 0 then elements.put(view, start + done, bytes:sub(1, found * view.bytes)) end
    if found < wanted then return done + found end
  end
  return count
end

-- Whether start and count are a part of an array of so many elements; reports one that is not.
local function is_part(name, start, count, total)
  local reason
  if start < 0 or start > total then
    reason = ("start %s is outside the array of %s"):format(check.show(start), text.count(total, "element"))
  elseif count ~= WHOLE_ARRAY and count < 0 then
    reason = ("count %s is below 0"):format(check.show(count))
  end
  if reason then return nil, errors.fail(name, codes.ERR_INVALID_PARAMETER, reason) end
  return true
end

--- Writes the bytes of elements.
-- @tparam number handle of a file opened with FILE_BIN
-- @tparam array|struct_array array
-- @tparam[opt=0] number start the first element
-- @tparam[opt=WHOLE_ARRAY] number count how many; WHOLE_ARRAY: all from start on
-- @treturn number how many were written, fewer and the message on failure
function file.FileWriteArray(handle, array, start, count)
  local view = elements.view("FileWriteArray", 2, array)
  start, count = whole("FileWriteArray", 3, start, 0), whole("FileWriteArray", 4, count, WHOLE_ARRAY)
  local entry, message = entry_of("FileWriteArray", handle, "write", true)
  if not entry then return 0, message end
  local is_valid, problem = is_part("FileWriteArray", start, count, view.count)
  if not is_valid then return 0, problem end
  local rest = view.count - start
  if count > rest then
    return 0, errors.fail("FileWriteArray", codes.ERR_INVALID_PARAMETER,
      ("the array has %s from start %s on, but count is %s"):format(text.count(rest, "element"), check.show(start),
        check.show(count)))
  end
  return passed(write("FileWriteArray", entry, view, start, count == WHOLE_ARRAY and rest or count))
end

--- Reads elements. The array grows if they need more room, by whole rows; one in a struct keeps its length.
-- @tparam number handle of a file opened with FILE_BIN
-- @tparam array|struct_array array
-- @tparam[opt=0] number start where the first goes
-- @tparam[opt=WHOLE_ARRAY] number count the most to read; WHOLE_ARRAY: to the end of the file
-- @treturn number how many were read, fewer if the file ends; the message, too, if it ends in the middle of one, or
-- cannot be read
function file.FileReadArray(handle, array, start, count)
  local name = "FileReadArray"
  local view = elements.view(name, 2, array)
  start, count = whole(name, 3, start, 0), whole(name, 4, count, WHOLE_ARRAY)
  local entry, message = entry_of(name, handle, "read", true)
  if not entry then return 0, message end
  local is_valid, problem = is_part(name, start, count, view.count)
  if not is_valid then return 0, problem end
  local _, unreadable = entry.stream:read(0) -- a folder
  local here, last = place_of(entry)
  if unreadable or not here then return 0, errors.fail(name, codes.ERR_FILE_READERROR, unreadable or last) end
  local held = math.max(0, last - here) / view.bytes
  local most = count == WHOLE_ARRAY and elements.is_fixed(array) and view.count - start or count
  count = math.floor(most == WHOLE_ARRAY and held or math.min(most, held))
  elements.grow(array, start + count)
  local found, failed = read(name, entry, view, start, count)
  if not failed and (most == WHOLE_ARRAY or most > held) and held % 1 ~= 0 then
    failed = errors.fail(name, codes.ERR_FILE_READERROR, ("the file ends in the middle of an element: it has %s, and "
      .. "each %s %d"):format(text.count(last - here, "byte"), view.type, view.bytes))
  end
  return found, failed
end

-- ---- single values ----------------------------------------------------------------------------------------------

local function write_one(name, handle, view)
  local entry, message = entry_of(name, handle, "write", true)
  if not entry then return 0, message end
  local done, problem = write(name, entry, view, 0, 1)
  return done * view.bytes, problem
end

local function read_one(name, handle, view)
  local entry, message = entry_of(name, handle, "read", true)
  if not entry then return nil, message end
  local found, problem = read(name, entry, view, 0, 1)
  if found == 1 then return view end
  return nil, problem or errors.fail(name, codes.ERR_FILE_READERROR, ("the file has no %s more for %s"):format(
    text.count(view.bytes, "byte"), shown.with_article(view.type)))
end

local function write_number(name, handle, type, value)
  check.number(name, 2, value)
  return write_one(name, handle, elements.view(name, 2, array_class[type](1, value)))
end

local function read_number(name, handle, type)
  local view, message = read_one(name, handle, elements.view(name, 1, array_class[type](1)))
  if not view then return 0, message end
  local held, value = pcall(function() return view.memory[0] end)
  if held then return value end
  argument.fail("a Lua number does not hold %s exactly: FileReadArray reads it into an array.long",
    view.memory:decimal(0))
end

for _, type in ipairs {"Double", "Float", "Long"} do
  local of, writer, reader = type:lower(), "FileWrite" .. type, "FileRead" .. type
  --- Writes a number: eight bytes of a double or a long, four of a float.
  -- @function file.WRITE_NUMBER
  -- @tparam number handle of a file opened with FILE_BIN
  -- @tparam number value raises if the type does not hold it
  -- @treturn number how many bytes were written, 0 and the message on failure
  file[writer] = function(handle, value)
    return passed(write_number(writer, handle, of, value))
  end
  --- Reads a number.
  -- @function file.READ_NUMBER
  -- @tparam number handle of a file opened with FILE_BIN
  -- @treturn number 0 and the message on failure; raises for a long that a Lua number does not hold
  file[reader] = function(handle)
    return passed(read_number(reader, handle, of))
  end
end

local by_size = {[names.CHAR_VALUE] = "char", [names.SHORT_VALUE] = "short", [names.INT_VALUE] = "int"}

-- The type of a whole number of a size; unsigned for what only that holds.
local function integer_type(name, position, size, value)
  local type = by_size[size == nil and names.INT_VALUE or size]
  if not type then check.refuse(name, position, "size of CHAR_VALUE, SHORT_VALUE or INT_VALUE", size) end
  return value and value >= 2 ^ (8 * binding.type_sizes[type] - 1) and "u" .. type or type
end

--- Writes a whole number.
-- @tparam number handle of a file opened with FILE_BIN
-- @tparam number value raises if so many bytes do not hold it, with or without a sign
-- @tparam[opt=INT_VALUE] number size CHAR_VALUE, SHORT_VALUE or INT_VALUE: 1, 2 or 4 bytes
-- @treturn number how many bytes were written, 0 and the message on failure
function file.FileWriteInteger(handle, value, size)
  check.number("FileWriteInteger", 2, value)
  return passed(write_number("FileWriteInteger", handle, integer_type("FileWriteInteger", 3, size, value), value))
end

--- Reads a whole number with a sign.
-- @tparam number handle of a file opened with FILE_BIN
-- @tparam[opt=INT_VALUE] number size CHAR_VALUE, SHORT_VALUE or INT_VALUE: 1, 2 or 4 bytes
-- @treturn number 0 and the message on failure
function file.FileReadInteger(handle, size)
  return passed(read_number("FileReadInteger", handle, integer_type("FileReadInteger", 2, size)))
end

-- A struct (clue.structs), of which size, if given, is the number of bytes.
local function struct_view(name, given, size)
  if not place.of(given) then
    check.refuse(name, 2, "struct", given, "clue.structs declares one; FileWriteArray and FileReadArray take arrays")
  end
  local view = elements.view(name, 2, given, true)
  if size ~= nil and size ~= -1 and size ~= view.bytes then
    check.refuse(name, 3, ("size of %d bytes, which %s has, or -1"):format(view.bytes, view.type), size)
  end
  return view
end

--- Writes a struct.
-- @tparam number handle of a file opened with FILE_BIN
-- @tparam struct struct_object
-- @tparam[opt=-1] number size its bytes
-- @treturn number how many bytes were written, 0 and the message on failure
function file.FileWriteStruct(handle, struct_object, size)
  return passed(write_one("FileWriteStruct", handle, struct_view("FileWriteStruct", struct_object, size)))
end

--- Reads a struct.
-- @tparam number handle of a file opened with FILE_BIN
-- @tparam struct struct_object is set
-- @tparam[opt=-1] number size its bytes
-- @treturn number how many bytes were read, 0 and the message on failure
function file.FileReadStruct(handle, struct_object, size)
  local view, message = read_one("FileReadStruct", handle, struct_view("FileReadStruct", struct_object, size))
  if not view then return 0, message end
  return view.bytes
end

return {names = file}
