--- MQL5's output and text functions. Print, Alert and Comment write to standard output: there is no journal, no dialog
-- and no chart.
local characters = require "clue.characters"
local check = require "clue.mql5.check"
local dropped = require "clue.mql5.dropped"
local format = require "clue.mql5.format"
local numbers = require "clue.number"

local text = {}

local function joined(...)
  return table.concat(format.texts(...))
end

--- Writes its arguments without anything between them, as a line.
-- @param ... values of any type
function text.Print(...)
  io.write(joined(...), "\n")
end

--- Writes formatted values as a line.
-- @tparam string pattern as for StringFormat
-- @param ... a value for each conversion; one that does not fit raises
function text.PrintFormat(pattern, ...)
  io.write(format.apply("PrintFormat", pattern, ...), "\n")
end

--- The same as PrintFormat.
-- @tparam string pattern as for StringFormat
-- @param ... a value for each conversion; one that does not fit raises
function text.printf(pattern, ...)
  io.write(format.apply("printf", pattern, ...), "\n")
end

--- Writes a line that starts with "Alert: ".
-- @param ... values of any type
function text.Alert(...)
  io.write("Alert: ", joined(...), "\n")
end

--- Writes its arguments as a line.
-- @param ... values of any type
function text.Comment(...)
  io.write(joined(...), "\n")
end

--- Formats values as C's printf does.
-- @tparam string pattern conversions with MQL5's lengths (%I64d) too
-- @param ... a value for each conversion; one that does not fit raises
-- @treturn string
function text.StringFormat(pattern, ...)
  return (format.apply("StringFormat", pattern, ...))
end

--- A number as text.
-- @tparam number value
-- @tparam[opt=8] number digits after the point, 0 to 16; -1 to -16: the same in scientific notation; anything else: 8
-- @treturn string
function text.DoubleToString(value, digits)
  check.number("DoubleToString", 1, value)
  digits = digits == nil and 8 or check.number("DoubleToString", 2, digits)
  if digits ~= math.floor(digits) or digits < -16 or digits > 16 then digits = 8 end
  return numbers.text(("%%.%d%s"):format(math.abs(digits), digits < 0 and "e" or "f"), value)
end

--- A whole number as text, padded on the left.
-- @tparam number number
-- @tparam[opt=0] number length least length of the text
-- @tparam[opt=" "] string|number fill one character, or its code up to 127
-- @treturn string
function text.IntegerToString(number, length, fill)
  check.long("IntegerToString", 1, number)
  length = length == nil and 0 or check.number("IntegerToString", 2, length)
  if length % 1 ~= 0 or length >= 2 ^ 16 then
    check.refuse("IntegerToString", 2, "whole number below 65536", length)
  end
  if type(fill) == "number" and fill >= 0 and fill <= 127 then fill = string.char(fill) end
  fill = fill == nil and " " or fill
  if type(fill) ~= "string" or characters.count(fill) ~= 1 then
    check.refuse("IntegerToString", 3, "character, or its code up to 127", fill)
  end
  local digits = check.show(number)
  return fill:rep(length - #digits) .. digits
end

--- Joins all arguments as text. MQL5 returns the text by reference, in its first parameter; here that is left out, and
-- the text is the second result.
-- @param ... values of any type
-- @treturn number its length in characters
-- @treturn string
function text.StringConcatenate(...)
  dropped.find "StringConcatenate"
  if select("#", ...) > 0 and (...) == nil then
    check.refuse("StringConcatenate", "argument #1", "value", nil,
      "MQL5's first parameter is left out: n, s = StringConcatenate(a, b)")
  end
  local whole = joined(...)
  return characters.count(whole), whole
end

return {names = text}
