--- Lua values as OpenCL C reads them, and blocks of #define.
-- @module clue.define
local argument = require "clue.argument"
local numbers = require "clue.number"

local define = {}

local number_type = rawget(math, "type") -- of Lua 5.4

--- A number as C reads it: whole numbers without a point, others with as many digits as a double needs.
-- @tparam number number
-- @treturn string "16", "0.1", "0.33333333333333331", "INFINITY"
function define.number(number)
  if number_type and number_type(number) == "integer" then return ("%d"):format(number) end -- all of its 64 bits
  if number ~= number then return "NAN" end
  if number == math.huge then return "INFINITY" end
  if number == -math.huge then return "-INFINITY" end
  if number % 1 == 0 and math.abs(number) < 2 ^ 64 then return ("%.0f"):format(number + 0) end -- -0 is 0, C's integer
  local text = numbers.text("%.15g", number)
  return numbers.read(text) == number and text or numbers.text("%.17g", number)
end

--- The text for a macro's value.
-- @tparam string name of the macro, for the message
-- @tparam number|string|boolean value true: 1, as after -D NAME
-- @treturn ?string nil for false, which defines no macro
function define.text(name, value)
  if value == false then return nil end
  if value == true then return "1" end
  if type(value) == "number" then return define.number(value) end
  if type(value) == "string" then return value end
  return argument.refuse("the macro " .. name, "a number, a text, true (1) or false (none)", value)
end

--- The names of macros in a fixed order. Raises if a name is not valid.
-- @tparam table macros values by name
-- @tparam string parameter the parameter's name, for the message
-- @treturn {string,...}
function define.names(macros, parameter)
  if not argument.is_plain(macros) then argument.refuse(parameter, "a table, {NAME = value}", macros) end
  local names = {}
  for name in pairs(macros) do
    if type(name) ~= "string" or not (name:find "^[%a_][%w_]*$" or name:find "^[%a_][%w_]*%([%w_,. ]*%)$") then
      argument.refuse(parameter, "a table, {NAME = value}, whose names are NAME or \"NAME(a, b)\"", name)
    end
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

--- A block of #define lines to put before a source: `cl.define {TILE = 16, T = "float4", ["SQ(x)"] = "((x) * (x))"}
-- .. source`. Values may contain spaces and several lines, which -D cannot pass. The lines after the block count from
-- 1 again, so messages give the source's own lines.
-- @tparam table macros values by name: a number, a text, true (1) or false (none)
-- @treturn string
function define.block(macros)
  local lines = {}
  for _, name in ipairs(define.names(macros, "macros")) do
    local text = define.text(name, macros[name])
    if text then lines[#lines + 1] = ("#define %s %s"):format(name, (text:gsub("\r?\n", " \\\n"))) end
  end
  lines[#lines + 1] = "#line 1\n"
  return table.concat(lines, "\n")
end

return define
