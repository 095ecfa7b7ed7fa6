--- Text in arrays of char and uchar. Methods, for clue.array.
-- @module clue.array.bytes
local argument = require "clue.argument"
local binding = require "clue.binding"
local shown = require "clue.shown"
local text = require "clue.array.text"

local bytes = {methods = {}}
local methods = bytes.methods

local holds_bytes = {char = true, uchar = true}

--- Whether elements of a type can be given as a text.
-- @tparam string name of the type
-- @param given
-- @treturn boolean
function bytes.is_text(name, given)
  return holds_bytes[name] and type(given) == "string" or false
end

local function check_bytes(self)
  text.check_self(self)
  if not holds_bytes[shown.type_of(self)] then
    argument.fail("%s holds no text: array.char and array.uchar do", text.shape(self))
  end
end

--- The text in an array of char or uchar.
-- @treturn string the bytes before the first zero; all if there is none
function methods:text()
  check_bytes(self)
  local held = binding.array_bytes(self, 0, #self)
  local zero = held:find("\0", 1, true)
  return zero and held:sub(1, zero - 1) or held
end

--- Writes a text into an array of char or uchar, from its start; all elements after it become 0. So it ends in a zero
-- unless it fills the array.
-- @tparam string given any bytes; raises if the array is too short for them
-- @treturn array itself
function methods:set_text(given)
  check_bytes(self)
  argument.typed(given, "string", "text", "a text")
  if #given > #self then
    argument.fail("a text of %d bytes is too long for %s", #given, text.shape(self))
  end
  binding.array_set_bytes(self, 0, given)
  binding.array_fill(self, 0, #given, #self - #given)
  return self
end

return bytes
