--- JSON: writes tables, numbers, texts and arrays as text, and reads text as tables.
--
-- Numbers are written so that they read back unchanged. A table is a list if its keys are exactly 1 to n or it is
-- empty; any other is an object with its names in order. A metatable can decide: __jsontype is "array" or "object",
-- and __jsonorder = {name, ...} gives the names that come first. Arrays are lists, matrices lists of rows. dkjson
-- reads text.
-- @module clue.json
local argument = require "clue.argument"
local array = require "clue.array"
local array_words = require "clue.array_text"
local binding = require "clue.binding"
local depths = require "clue.json_depth"
local error_object = require "clue.error"
local form = require "clue.json_form"
local numbers = require "clue.number"
local public = require "clue.public"
local visible = require("clue.text").visible
local dkjson = require "dkjson"

local json = {}

--- The value for null, in both directions.
json.null = dkjson.null

local function fail(text, ...)
  error(error_object.new {text = text:format(...)}, 0)
end

-- The fewest digits that read back as the number. If JSON does not have the number, the error names its place.
local function number_text(value, place)
  if value ~= value or value == math.huge or value == -math.huge then
    fail("json.encode: %s is %s, which JSON does not have", place, value ~= value and "nan" or tostring(value))
  end
  if math.floor(value) == value and math.abs(value) < 2 ^ 53 then return ("%.0f"):format(value) end
  for digits = 15, 17 do
    local text = numbers.text("%." .. digits .. "g", value)
    if numbers.read(text) == value then return text end
  end
  return tostring(value) -- an integer of Lua 5.4 that a double cannot hold
end

local function array_text(self, place)
  if argument.is_unmapped(self) then fail("json.encode: %s: %s", place, array_words.unmapped(self)) end
  local parts = {}
  for i = 0, #self - 1 do
    parts[i + 1] = binding.array_print(self, i)
    if not parts[i + 1]:find "^%-?%d" then
      fail("json.encode: element %.0f of %s is %s, which JSON does not have", i, place, parts[i + 1])
    end
  end
  local rows, columns = self:rows(), self:columns()
  if not rows then return "[" .. table.concat(parts, ",") .. "]" end
  local lines = {}
  for row = 0, rows - 1 do
    lines[row + 1] = "[" .. table.concat(parts, ",", row * columns + 1, (row + 1) * columns) .. "]"
  end
  return "[" .. table.concat(lines, ",") .. "]"
end

-- Whether a value is to be a list: its keys are 1 to n, or its metatable says so in dkjson's way.
local function is_list(value)
  local marked = (getmetatable(value) or {}).__jsontype
  if marked then return marked == "array" end
  local count, last = 0, 0
  for key in pairs(value) do
    if type(key) ~= "number" or key < 1 or key % 1 ~= 0 then return false end
    count, last = count + 1, math.max(last, key)
  end
  return count == last
end

local function positions_of(names)
  local positions = {}
  for i, name in ipairs(names) do positions[name] = positions[name] or i end
  return positions
end

-- First the names that the table's metatable or the layout lists, then the others in alphabetical order.
local function ordered_names(value, place, layout)
  local names = {}
  for name in pairs(value) do
    if type(name) ~= "string" then
      fail("json.encode: %s has the key %s: give texts for an object, or 1 to n without holes for a list",
        place, tostring(name))
    end
    names[#names + 1] = name
  end
  local own = (getmetatable(value) or {}).__jsonorder
  local positions = own and positions_of(own) or layout.positions
  table.sort(names, function(a, b)
    local first, second = positions[a] or math.huge, positions[b] or math.huge
    if first ~= second then return first < second end
    return a < b
  end)
  return names
end

-- Control characters have a form in JSON; bytes that are not UTF-8 do not.
local function quoted(value, layout)
  return dkjson.quotestring(layout.visible and value:gsub("[^%c]+", visible) or value)
end

local text_of

local function joined(parts, marks, layout, depth)
  if not layout.indent or #parts == 0 then return marks[1] .. table.concat(parts, ",") .. marks[2] end
  local line = "\n" .. ("  "):rep(depth)
  return marks[1] .. line .. "  " .. table.concat(parts, "," .. line .. "  ") .. line .. marks[2]
end

local function table_text(value, place, layout, depth)
  if layout.open[value] then fail("json.encode: %s contains itself", place) end
  if depth >= depths.most then
    fail("json.encode: %s... is nested in more than %d tables", place:sub(1, 60), depths.most)
  end
  layout.open[value] = true
  local parts, list = {}, is_list(value)
  if list then
    for i, each in ipairs(value) do parts[i] = text_of(each, ("%s[%d]"):format(place, i), layout, depth + 1) end
  else
    for i, name in ipairs(ordered_names(value, place, layout)) do
      parts[i] = quoted(name, layout) .. ":" .. text_of(value[name], place .. "." .. name, layout, depth + 1)
    end
  end
  layout.open[value] = nil
  return joined(parts, list and {"[", "]"} or {"{", "}"}, layout, depth)
end

local function is_finite(number)
  return number == number and number ~= math.huge and number ~= -math.huge
end

function text_of(value, place, layout, depth)
  if value == json.null then return "null" end
  if array.is(value) then return array_text(value, place) end
  local kind = type(value)
  if kind == "number" then
    return layout.null_for_nan and not is_finite(value) and "null" or number_text(value, place)
  end
  if kind == "string" then return quoted(value, layout) end
  if kind == "boolean" then return tostring(value) end
  if getmetatable(value) == "typed value" then
    fail("json.encode: %s is %s, which JSON does not have: give its numbers", place, tostring(value))
  end
  local object = argument.kind_of(value)
  if kind == "table" and not object then return table_text(value, place, layout, depth) end
  fail("json.encode: %s is %s, which JSON does not have", place, argument.with_article(object or kind))
end

--- Writes a value as JSON. Raises an error object that names the place of what cannot be written.
-- @param value a table, an array, a number, a text, a boolean or json.null
-- @tparam[opt] table layout indent: a line for each entry (default: one line for all); order: a list of names that
-- come
--   first in objects; null_for_nan: null for nan and the infinities, which JSON does not have (default: raise);
--   visible: bytes that are not UTF-8 as \xff
-- @treturn string
function json.encode(value, layout)
  layout = argument.options(layout, "layout", {indent = "boolean", order = "list", null_for_nan = "boolean",
    visible = "boolean"})
  return (text_of(value, "the value", {indent = layout.indent, null_for_nan = layout.null_for_nan, open = {},
    visible = layout.visible, positions = positions_of(layout.order or {})}, 0))
end

-- Whether the Lua number is the one in the text. Fractions are rounded to the nearest number, as everywhere.
local function holds(text)
  local value = numbers.read(text)
  if text:find "^%-?%d+$" then return text == "-0" or tostring(value) == text or ("%.0f"):format(value) == text end
  return is_finite(value) and (value ~= 0 or not text:match "^[^eE]*":find "[1-9]")
end

local function refused_number(number, at)
  if holds(number) then return nil end
  return ('a Lua number cannot hold %s, at byte %d: write it as a text, "%s"'):format(number, at, number)
end

--- The value of a JSON text. Numbers become Lua's numbers, null becomes json.null. Raises an error object that says
-- where the text is not JSON (RFC 8259, to the letter: no comments) or has a number that Lua would change: a whole
-- number past 2^53 that a double cannot hold (Lua 5.4 takes those of 64 bits), or one out of the range of doubles.
-- @tparam string text
-- @return a table, a number, a text, a boolean or json.null
function json.decode(text)
  argument.typed(text, "string", "text", "a text")
  local deep = depths.too_deep(text)
  if deep then fail("json.decode: %s", deep) end
  local fault = form.fault(text, refused_number)
  if fault then fail("json.decode: %s", fault) end
  local value, _, problem = dkjson.decode(text, 1, json.null, nil, nil)
  if problem then fail("json.decode: %s", problem) end
  return value
end

public.add("json.", json)

return json
