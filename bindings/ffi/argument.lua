--- Checks Lua arguments before C sees them, in Lua's standard wording. Used by the files of clue.ffi. It checks only
-- what C cannot check itself: LuaJIT would turn 1.5 into 1, and 2^32 into anything. A check raises at the caller of
-- the binding's function, so that function must call it directly. With refusal_setup, the error has the words of what
-- the script called.
--
-- Parameters with one meaning everywhere: value, which is checked; position, of the argument, from 1; call, the name of
-- the function called.
local ffi = require "ffi"
local element = require "clue.ffi.element"

local floor, UNMAPPED = math.floor, element.UNMAPPED

local argument = {}

local report_refusal -- see refusal_setup

-- A problem is a text; or a table, if something else was expected than was given: text, expected, given.
local function raise(position, call, problem, level)
  local found = type(problem) == "table" and problem or {text = problem}
  local report = report_refusal and report_refusal(call, position, found.text, found.expected, found.given)
  if report ~= nil then error(report, 0) end
  error(("bad argument #%d to '%s' (%s)"):format(position, call, found.text), level + 1)
end

local function refuse(position, call, problem)
  raise(position, call, problem, 4)
end

local function mismatch(value, expected)
  local found = value == nil and "no value" or element.code_of(value) and "array" or type(value)
  return {text = ("%s expected, got %s"):format(expected, found), expected = expected, given = value}
end

local function type_problem(value, expected)
  return type(value) ~= expected and mismatch(value, expected) or nil
end

local function array_problem(value)
  if not element.code_of(value) then return mismatch(value, "array") end
  return value._mapping == UNMAPPED and {text = "the array was unmapped"} or nil
end

local function text_problem(value)
  return type_problem(value, "string") or value:find("\0", 1, true) and "string contains zeros" or nil
end

local function whole_problem(value, bits)
  if type(value) ~= "number" then return mismatch(value, "number") end
  local limit = bits == 32 and 2 ^ 31 or 2 ^ 53
  if floor(value) == value and value >= -limit and value < limit then return nil end
  local text = ("%.14g is not a whole number of %d bits"):format(value, bits)
  return {text = text, expected = "whole number", given = value}
end

--- Refuses what an int32_t cannot hold: a handle, an ordinal, a count.
-- @treturn number the value
function argument.int(value, position, call)
  local problem = whole_problem(value, 32)
  if problem then refuse(position, call, problem) end
  return value
end

--- Refuses what an int64_t or a Lua number cannot hold: a size, an offset.
-- @treturn number the value
function argument.long(value, position, call)
  local problem = whole_problem(value, 64)
  if problem then refuse(position, call, problem) end
  return value
end

--- Refuses what is not a table of numbers that an int32_t can hold.
-- @treturn cdata the numbers, as C takes them
-- @treturn number how many
function argument.ints(value, position, call)
  local problem = type_problem(value, "table")
  if problem then refuse(position, call, problem) end
  local cells = ffi.new("int32_t[?]", #value + 1)
  for i = 1, #value do
    problem = whole_problem(value[i], 32)
    if problem then refuse(position, call, problem) end
    cells[i - 1] = value[i]
  end
  return cells, #value
end

--- Refuses what is not of this Lua type.
-- @tparam string expected "number", "table", "string" (of any bytes)
-- @return the value
function argument.typed(value, expected, position, call)
  local problem = type_problem(value, expected)
  if problem then refuse(position, call, problem) end
  return value
end

--- Refuses what is not a string, and a string that C would not read to its end.
-- @treturn string the value
function argument.text(value, position, call)
  local problem = text_problem(value)
  if problem then refuse(position, call, problem) end
  return value
end

--- Refuses what is not an array, and an array whose memory was unmapped.
-- @treturn number the code of its type
function argument.array(value, position, call)
  local code = element.code_of(value)
  if not code or value._mapping == UNMAPPED then refuse(position, call, array_problem(value)) end
  return code
end

--- Refuses what is not a word of a list.
-- @tparam table list of clue.ffi.generated
-- @treturn number C's code for the word
function argument.word(value, list, position, call)
  local problem = text_problem(value) or not list.code[value] and ("no %s is called %s"):format(list.what, value)
  if problem then refuse(position, call, problem) end
  return list.code[value]
end

--- Refuses what is not a table of pairs of texts.
-- @treturn cdata the texts, as C takes them; they stay alive through the table
-- @treturn number how many pairs
function argument.pairs(value, position, call)
  local problem = type_problem(value, "table")
    or #value % 2 ~= 0 and ("names and texts in pairs expected, got %d strings"):format(#value)
  if problem then refuse(position, call, problem) end
  local cells = ffi.new("const char *[?]", #value + 1)
  for i = 1, #value do
    problem = text_problem(value[i])
    if problem then refuse(position, call, problem) end
    cells[i - 1] = value[i]
  end
  return cells, #value / 2
end

local colour = ffi.new("double[4]")

--- Refuses what is not a table of four numbers.
-- @treturn cdata the numbers, valid until the next call
function argument.colour(value, position, call)
  local problem = type_problem(value, "table")
  for i = 1, 4 do
    problem = problem or type_problem(value[i], "number")
    if problem then refuse(position, call, problem) end
    colour[i - 1] = value[i]
  end
  return colour
end

--- Whether a value is a size that C can take. It refuses nothing.
-- @treturn boolean
function argument.is_size(value)
  return type(value) == "number" and value >= 0 and value < 2 ^ 53 and floor(value) == value
end

--- Refuses elements that are not all in the array.
-- @tparam array array
-- @param first the first element, from 0
-- @param count how many elements; this argument follows first
function argument.range(array, first, count, position, call)
  local problem = whole_problem(first, 64)
  if problem then refuse(position, call, problem) end
  problem = whole_problem(count, 64)
  if problem then refuse(position + 1, call, problem) end
  if first < 0 or count < 0 or first + count > #array then
    local text = ("%.0f elements from %.0f on are not all in an array of %.0f"):format(count, first, #array)
    refuse(position, call, text)
  end
end

--- Refuses what is not the table of functions that object_setup made.
function argument.owners(value, position, call)
  local problem = type_problem(value, "table")
    or type(value.own) ~= "function" and "functions of object_setup expected" or nil
  if problem then refuse(position, call, problem) end
end

--- Refuses what is not a table with a table of a name.
-- @tparam string name
-- @treturn table that one
function argument.class(value, name, position, call)
  local problem = type_problem(value, "table")
    or type(value[name]) ~= "table" and ("a table with the table %s expected"):format(name) or nil
  if problem then refuse(position, call, problem) end
  return value[name]
end

--- Refuses in the caller's words.
-- @tparam string|table problem
-- @tparam[opt=0] number depth how many of the binding's own functions are between
function argument.refuse(position, call, problem, depth)
  raise(position, call, problem, 3 + (depth or 0))
end

--- Sets how refused arguments are reported; before that, an error names the binding's function and the position.
-- @tparam function report report(call, position, problem, expected, given): returns what to raise; nil: that error.
--   expected ("number") is nil if the problem is not that something else was given
function argument.refusal_setup(report)
  report_refusal = report
end

--- Why a value is not of a Lua type, nil if it is; for checks on behalf of others.
-- @tparam string expected
-- @treturn ?table text, expected, given
argument.type_problem = type_problem

--- Why a value is not a whole number of a number of bits, nil if it is.
-- @tparam number bits 32 or 64
-- @treturn ?table text, expected, given
argument.whole_problem = whole_problem

--- Why a value is not a usable array, nil if it is.
-- @treturn ?table text, and if it is not an array, expected and given
argument.array_problem = array_problem

return argument
