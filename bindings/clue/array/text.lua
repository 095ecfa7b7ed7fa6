--- Texts about arrays: their shape, and what is wrong with an index, a value or a length. For clue.array and its
-- parts.
-- @module clue.array.text
local argument = require "clue.argument"
local binding = require "clue.binding"
local shapes = require "clue.shape"
local shown = require "clue.shown"

local floor = math.floor
local type_of, is_unmapped = shown.type_of, shown.is_unmapped

local text = {}

local ranges = {
  char = "-128 to 127",
  uchar = "0 to 255",
  short = "-32768 to 32767",
  ushort = "0 to 65535",
  int = "-2147483648 to 2147483647",
  uint = "0 to 4294967295",
  long = "-9223372036854775808 to 9223372036854775807",
  ulong = "0 to 18446744073709551615",
}

--- @tparam array self
-- @treturn string "float[4 x 4]", "float[unmapped]"
function text.shape(self)
  return ("%s[%s]"):format(type_of(self), is_unmapped(self) and "unmapped" or shapes.text(self))
end

--- Reports that elements are not all in an array.
-- @tparam array self
-- @tparam number first
-- @tparam number count
-- @treturn string
function text.outside(self, first, count)
  return ("%s element%s from %s on are not all inside %s"):format(shown.of(count), count == 1 and "" or "s",
    shown.of(first), text.shape(self))
end

--- Reports that an array was unmapped.
-- @tparam array self
-- @treturn string
function text.unmapped(self)
  return text.shape(self) .. " has no elements: queue:unmap released its memory; map it again"
end

--- Whether a number is an integer of Lua 5.4 that a double cannot hold.
-- @tparam number value
-- @treturn boolean
function text.is_inexact(value)
  return value == value and value ~= value + 0.0
end

--- What a type holds, in words: "uchar holds whole numbers from 0 to 255".
-- @tparam string name of the type
-- @treturn string
function text.holds(name)
  if ranges[name] then return ("%s holds whole numbers from %s"):format(name, ranges[name]) end
  local most = name == "half" and " up to 65504" or name == "float" and " up to 3.4028234663852886e+38" or ""
  return ("%s holds numbers%s"):format(name, most)
end

--- Reports what is wrong with an index that is not text.
-- @tparam array self
-- @param key
-- @treturn string
function text.bad_number(self, key)
  if type(key) ~= "number" then
    return ("an index of %s must be a number, not %s"):format(text.shape(self), shown.of(key))
  end
  if is_unmapped(self) then return text.unmapped(self) end
  local number = shown.number(key)
  if floor(key) ~= key then return ("index %s of %s is not a whole number"):format(number, text.shape(self)) end
  if #self == 0 then return ("index %s is outside %s, which is empty"):format(number, text.shape(self)) end
  return ("index %s is outside %s (0 to %.0f)"):format(number, text.shape(self), #self - 1)
end

--- Reports what is wrong with an index. Text is taken for the name of a field.
-- @tparam array self
-- @param key
-- @treturn string
function text.bad_index(self, key)
  if type(key) == "string" then return ("%s has no field %s"):format(text.shape(self), shown.of(key)) end
  return (text.bad_number(self, key))
end

--- Reports that an element cannot have a value.
-- @tparam array self
-- @tparam number index
-- @tparam string value as it is shown
-- @tparam[opt] string reason what the type holds, unless given
-- @treturn string
function text.not_held(self, index, value, reason)
  return ("element %.0f of %s cannot be %s: %s"):format(index, text.shape(self), value,
    reason or text.holds(type_of(self)))
end

--- Reports that an element cannot have a value that was given.
-- @tparam array self
-- @tparam number index
-- @param value
-- @treturn string
function text.bad_value(self, index, value)
  local floating = not ranges[type_of(self)]
  local inexact = floating and type(value) == "number" and text.is_inexact(value)
  local is_list = type(value) == "table" and not getmetatable(value)
  return text.not_held(self, index, shown.of(value), inexact and "a double cannot hold it exactly"
    or is_list and "elements are numbers in one list, of which a:reshape(rows, columns) makes a matrix")
end

--- Reports that a double cannot hold an element.
-- @tparam array self
-- @tparam number index
-- @treturn string
function text.inexact(self, index)
  return ("element %.0f of %s is %s, which a double cannot hold exactly: read it with a:decimal(%.0f)"):format(
    index, text.shape(self), binding.array_print(self, index), index)
end

--- Reports that there is no memory for an array.
-- @tparam string name of its type
-- @tparam number count of elements
-- @treturn string
function text.no_memory(name, count)
  local megabytes = count * binding.type_sizes[name] / 2 ^ 20
  return ("there is no memory for %s[%.0f] (%.0f MiB)"):format(name, count, megabytes)
end

--- Whether a value is a number of elements, or an index that may still be too large.
-- @param count
-- @treturn boolean
function text.is_count(count)
  return type(count) == "number" and count >= 0 and floor(count) == count and count < 2 ^ 53
end

--- Refuses what is not an array where a method was called with a dot, and an array that was unmapped.
-- @param self
function text.check_self(self)
  if not binding.array_code(self) then argument.refuse_self("array", self) end
  if is_unmapped(self) then argument.fail("%s", text.unmapped(self)) end
end

return text
