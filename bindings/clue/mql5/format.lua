--- StringFormat: C's printf as MQL5 has it, made from string.format, which lacks %u, * and lengths.
-- A value that does not fit its conversion raises; C would print something else.
local argument = require "clue.argument"
local characters = require "clue.characters"
local check = require "clue.mql5.check"
local numbers = require "clue.number"
local value = require "clue.value"

local format = {}

local function refuse(state, allowed, given)
  argument.refuse(("argument #%d"):format(state.used + 1), allowed, given)
end

-- Takes the call's next argument for a conversion.
local function next_argument(state, conversion)
  state.used = state.used + 1
  if state.used > state.count then
    argument.fail("there is no value for %s, which would be argument #%d", conversion, state.used + 1)
  end
  return state.values[state.used]
end

-- A number, or decimal text for a typed 64-bit value that a Lua number cannot hold.
local function numeric(state, conversion)
  local given = next_argument(state, conversion)
  if type(given) == "boolean" then return given and 1 or 0 end
  if value.is(given) then return value.number(given) end
  if type(given) ~= "number" then refuse(state, "a number for " .. conversion, given) end
  return given
end

-- A whole number of up to 64 bits, or its decimal text.
local function whole(state, conversion)
  local given = numeric(state, conversion)
  if type(given) == "string" then return given end
  if given ~= math.floor(given) or given < -2 ^ 63 or given >= 2 ^ 64 then
    refuse(state, "a whole number for " .. conversion, given)
  end
  return given
end

-- Places the digits of a whole number as C does: flags, precision (the least number of digits), then width.
local function place_digits(digits, sign, spec)
  if spec.precision then digits = ("0"):rep(tonumber(spec.precision) - #digits) .. digits end
  local width = tonumber(spec.width) or 0
  if spec.flags:find("-", 1, true) then
    digits = sign .. digits
    return digits .. (" "):rep(width - #digits)
  end
  if spec.flags:find("0", 1, true) and not spec.precision then
    digits = ("0"):rep(width - #sign - #digits) .. digits
  end
  digits = sign .. digits
  return (" "):rep(width - #digits) .. digits
end

-- The digits of what whole() returns, of all 64 bits: check.show shows large numbers as Lua does.
local function decimal(given)
  if type(given) == "string" or check.is_integer(given) then return tostring(given) end
  return ("%.0f"):format(given + 0) -- -0 is 0
end

local conversions = {}

function conversions.d(state, spec)
  local text = decimal(whole(state, spec.text))
  local negative = text:sub(1, 1) == "-"
  local plus = spec.flags:match("%+") or spec.flags:match(" ") or ""
  return place_digits(text:gsub("^[+-]", ""), negative and "-" or plus, spec)
end
conversions.i = conversions.d

-- A negative number is shown as its 32 bits. A Lua number cannot hold the 64 bits of one.
local function unsigned(state, spec)
  local given = whole(state, spec.text)
  if type(given) == "string" or given >= 0 then return given end
  if spec.length:find("64") or spec.length == "ll" or given < -2 ^ 31 then
    refuse(state, ("a number of 0 or more for %s"):format(spec.text), given)
  end
  return given + 2 ^ 32
end

function conversions.u(state, spec)
  return place_digits(decimal(unsigned(state, spec)), "", spec)
end

-- In two halves: above 2^63, string.format differs between Lua versions. Lua 5.4's integers have their own bits.
local function hexadecimal(number)
  if check.is_integer(number) then return ("%x"):format(number) end
  local high, low = math.floor(number / 2 ^ 32), number % 2 ^ 32
  return high > 0 and ("%x%08x"):format(high, low) or ("%x"):format(low)
end

function conversions.x(state, spec)
  local given = unsigned(state, spec)
  if type(given) == "string" then argument.fail("%s takes no 64-bit value from 2^53 on", spec.text) end
  local prefix = spec.flags:find("#", 1, true) and given ~= 0 and "0x" or ""
  return place_digits(hexadecimal(given), prefix, spec)
end

function conversions.X(state, spec)
  return conversions.x(state, spec):upper()
end

local function octal(number)
  if check.is_integer(number) then return ("%o"):format(number) end
  local digits = ""
  repeat
    digits = ("%.0f"):format(number % 8) .. digits
    number = math.floor(number / 8)
  until number == 0
  return digits
end

function conversions.o(state, spec)
  local given = unsigned(state, spec)
  if type(given) == "string" then argument.fail("%s takes no 64-bit value from 2^53 on", spec.text) end
  local digits = octal(given)
  if spec.flags:find("#", 1, true) and digits ~= "0" then digits = "0" .. digits end
  return place_digits(digits, "", spec)
end

function conversions.c(state, spec)
  local given = whole(state, spec.text)
  if type(given) == "string" or given < 0 or given > 127 then
    refuse(state, ("0 to 127 for %s (%%s takes any text)"):format(spec.text), given)
  end
  return place_digits(string.char(given), "", {flags = spec.flags:gsub("0", ""), width = spec.width})
end

function conversions.s(state, spec)
  local text = format.text(next_argument(state, spec.text))
  if spec.precision then text = characters.part(text, 0, tonumber(spec.precision)) end
  local padding = (" "):rep((tonumber(spec.width) or 0) - characters.count(text))
  return spec.flags:find("-", 1, true) and text .. padding or padding .. text
end

local function real(state, spec)
  local given = numeric(state, spec.text)
  local width, precision = tonumber(spec.width) or 0, spec.precision and "." .. spec.precision or ""
  if width > 99 or (tonumber(spec.precision) or 0) > 99 then
    argument.fail("the width and the precision of %s must not exceed 99", spec.text)
  end
  local plain = "%" .. spec.flags .. spec.width .. precision .. spec.conversion
  return numbers.text(plain, tonumber(given))
end
for letter in ("aAeEfgG"):gmatch(".") do conversions[letter] = real end

-- A width or precision: digits, or the next argument for *.
local function amount(state, text, conversion)
  if text ~= "*" then return text end
  local given = whole(state, conversion)
  return ("%.0f"):format(given)
end

local lengths = {"^I64", "^I32", "^ll", "^hh", "^[hlLwzjtI]", "^"}

local function read_length(text, position)
  for _, pattern in ipairs(lengths) do
    local found = text:sub(position, position + 2):match(pattern)
    if found then return found end
  end
end

-- Reads the conversion after a '%'. Returns it and the position after it.
local function read_spec(state, text, start)
  local flags, width, dot, precision, position = text:match("^([-+ #0]*)(%*?%d*)(%.?)(%*?%d*)()", start)
  local length = read_length(text, position)
  local conversion = text:sub(position + #length, position + #length)
  local spec = {flags = flags, length = length, conversion = conversion}
  spec.text = "%" .. text:sub(start, position + #length)
  if not conversions[conversion] then argument.fail("%s is not a conversion of MQL5", spec.text) end
  spec.width = amount(state, width, spec.text)
  if spec.width:sub(1, 1) == "-" then spec.width, spec.flags = spec.width:sub(2), spec.flags .. "-" end
  if dot == "." then spec.precision = amount(state, precision == "" and "0" or precision, spec.text) end
  if spec.precision and spec.precision:sub(1, 1) == "-" then spec.precision = nil end
  return spec, position + #length + 1
end

--- Any value as Print shows it: whole numbers without a point, others with up to 16 significant digits (float: 7).
-- @param given
-- @treturn string
function format.text(given)
  if value.is(given) then
    local number = value.number(given)
    if type(number) == "string" then return number end
    return value.type(given) == "float" and numbers.text("%.7g", number) or format.text(number)
  end
  if type(given) ~= "number" then return tostring(given) end
  local exact = check.is_integer(given) or math.abs(given) < 2 ^ 53
  return exact and given == math.floor(given) and check.show(given) or numbers.text("%.16g", given)
end

--- All values as Print shows them.
-- @param ... values of any type
-- @treturn {string,...}
function format.texts(...)
  local parts = {...}
  for i = 1, select("#", ...) do parts[i] = format.text(parts[i]) end
  return parts
end

--- Formats values.
-- @tparam string name of the MQL5 function, for errors
-- @tparam string text with conversions: %[flags][width][.precision][h|l|ll|I32|I64]{d i u x X o c s e E f g G a A
-- %}
-- @param ... a value for each
-- @treturn string
function format.apply(name, text, ...)
  check.string(name, 1, text)
  local state = {name = name, count = select("#", ...), values = {...}, used = 0}
  local parts, position = {}, 1
  while true do
    local found = text:find("%", position, true)
    if not found then break end
    parts[#parts + 1] = text:sub(position, found - 1)
    if text:sub(found + 1, found + 1) == "%" then
      parts[#parts + 1], position = "%", found + 2
    else
      local spec
      spec, position = read_spec(state, text, found + 1)
      parts[#parts + 1] = conversions[spec.conversion](state, spec)
    end
  end
  parts[#parts + 1] = text:sub(position)
  return table.concat(parts)
end

return format
