--- Writes values as JSON. What is no plain table, such as an array, loads the core; nothing else does.
-- @module clue.json.write
local code_of = require("clue.characters").code
local numbers = require "clue.number"

local PLAIN = {}
local MOST = 1000 -- tables in each other, as the reader allows

local write = {}

--- The value for null.
write.null = setmetatable({}, {__tostring = function() return "null" end})

local function fail(text, ...)
  error(require("clue.error").new {text = text:format(...)}, 0)
end

-- Where a value of this depth is, for errors: layout.keys has the way there.
local function place_of(layout, depth)
  local parts = {"the value"}
  for i = 1, depth do
    local key = layout.keys[i]
    parts[i + 1] = type(key) == "number" and ("[%d]"):format(key) or "." .. key
  end
  return table.concat(parts)
end

-- The fewest digits that read back as the number. If JSON does not have the number, the error names its place.
local function number_text(value, layout, depth)
  if value ~= value or value == math.huge or value == -math.huge then
    fail("json.encode: %s is %s, which JSON does not have", place_of(layout, depth),
      value ~= value and "nan" or tostring(value))
  end
  if math.floor(value) == value and math.abs(value) < 2 ^ 53 then return ("%.0f"):format(value) end
  for digits = 15, 17 do
    local text = numbers.text("%." .. digits .. "g", value)
    if numbers.read(text) == value then return text end
  end
  return tostring(value) -- an integer of Lua 5.4 that a double cannot hold
end

-- Whether a value is to be a list: its keys are 1 to n, or its metatable says so.
local function is_list(value)
  local marked = (getmetatable(value) or PLAIN).__jsontype
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
local function ordered_names(value, layout, depth)
  local names = {}
  for name in pairs(value) do
    if type(name) ~= "string" then
      fail("json.encode: %s has the key %s: give texts for an object, or 1 to n without holes for a list",
        place_of(layout, depth), tostring(name))
    end
    names[#names + 1] = name
  end
  local own = (getmetatable(value) or PLAIN).__jsonorder
  local positions = own and positions_of(own) or layout.positions
  if not next(positions) then
    table.sort(names)
    return names
  end
  table.sort(names, function(a, b)
    local first, second = positions[a] or math.huge, positions[b] or math.huge
    if first ~= second then return first < second end
    return a < b
  end)
  return names
end

local SHORT = {['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n",
  ["\r"] = "\\r", ["\t"] = "\\t"}

local function escape(character)
  return SHORT[character] or ("\\u%04x"):format(code_of(character))
end

-- Characters that nobody sees, or that some readers take for the end of a line.
local HIDDEN = {"\194[\128-\159\173]", "\216[\128-\132]", "\220\143", "\225\158[\180\181]",
  "\226\128[\140-\143\168-\175]", "\226\129[\160-\175]", "\239\187\191", "\239\191[\176-\191]"}

--- Writes a text. Bytes that are not UTF-8 have no form in JSON; they stay.
-- @tparam string value
-- @treturn string
function write.quoted(value)
  if value:find '[%z\1-\31"\\\127-\255]' then
    value = value:gsub('[%z\1-\31"\\\127]', escape)
    for _, pattern in ipairs(HIDDEN) do value = value:gsub(pattern, escape) end
  end
  return '"' .. value .. '"'
end

local function quoted(value, layout)
  return write.quoted(layout.visible and value:gsub("[^%c]+", require("clue.text").visible) or value)
end

local text_of

local function joined(parts, marks, layout, depth)
  if not layout.indent or #parts == 0 then return marks[1] .. table.concat(parts, ",") .. marks[2] end
  local line = "\n" .. ("  "):rep(depth)
  return marks[1] .. line .. "  " .. table.concat(parts, "," .. line .. "  ") .. line .. marks[2]
end

local function table_text(value, layout, depth)
  if layout.open[value] then fail("json.encode: %s contains itself", place_of(layout, depth)) end
  if depth >= MOST then
    fail("json.encode: %s... is nested in more than %d tables", place_of(layout, depth):sub(1, 60), MOST)
  end
  layout.open[value] = true
  local parts, keys, names, list = {}, layout.keys, layout.names, is_list(value)
  if list then
    for i, each in ipairs(value) do
      keys[depth + 1] = i
      parts[i] = text_of(each, layout, depth + 1)
    end
  else
    for i, name in ipairs(ordered_names(value, layout, depth)) do
      keys[depth + 1] = name
      names[name] = names[name] or quoted(name, layout) .. ":"
      parts[i] = names[name] .. text_of(value[name], layout, depth + 1)
    end
  end
  layout.open[value] = nil
  return joined(parts, list and {"[", "]"} or {"{", "}"}, layout, depth)
end

local function is_finite(number)
  return number == number and number ~= math.huge and number ~= -math.huge
end

-- An array as a list, a matrix as a list of rows.
local function array_text(self, layout, depth, print)
  local parts, rows, columns = {}, self:rows(), self:columns()
  for i = 0, #self - 1 do
    parts[i + 1] = print(self, i)
    if not parts[i + 1]:find "^%-?%d" then
      fail("json.encode: element %.0f of %s is %s, which JSON does not have", i, place_of(layout, depth), parts[i + 1])
    end
  end
  if not rows then return "[" .. table.concat(parts, ",") .. "]" end
  local lines = {}
  for row = 0, rows - 1 do
    lines[row + 1] = "[" .. table.concat(parts, ",", row * columns + 1, (row + 1) * columns) .. "]"
  end
  return "[" .. table.concat(lines, ",") .. "]"
end

-- What is of clue's: only an array can be written.
local function object_text(value, layout, depth)
  local binding, shown = require "clue.binding", require "clue.shown"
  local place = place_of(layout, depth)
  if binding.array_code(value) then
    if shown.is_unmapped(value) then fail("json.encode: %s: %s", place, require("clue.array.text").unmapped(value)) end
    return array_text(value, layout, depth, binding.array_print)
  elseif getmetatable(value) == "typed value" then
    fail("json.encode: %s is %s, which JSON does not have: give its numbers", place, tostring(value))
  end
  local object = shown.kind_of(value)
  if type(value) == "table" and not object then return table_text(value, layout, depth) end
  fail("json.encode: %s is %s, which JSON does not have", place, shown.with_article(object or type(value)))
end

function text_of(value, layout, depth)
  local kind = type(value)
  if kind == "number" then
    return layout.null_for_nan and not is_finite(value) and "null" or number_text(value, layout, depth)
  end
  if kind == "string" then return quoted(value, layout) end
  if kind == "boolean" then return tostring(value) end
  if value == write.null then return "null" end
  local meta = kind == "table" and (getmetatable(value) or PLAIN)
  if meta and (meta == PLAIN or meta.__jsontype or meta.__jsonorder) then
    return table_text(value, layout, depth)
  end
  return object_text(value, layout, depth)
end

--- Writes a value. Raises an error object that names the place of what cannot be written.
-- @param value
-- @tparam table layout as for @{clue.json.encode}
-- @treturn string
function write.text(value, layout)
  return (text_of(value, {indent = layout.indent, null_for_nan = layout.null_for_nan, open = {}, keys = {},
    names = {}, visible = layout.visible, positions = positions_of(layout.order or {})}, 0))
end

return write
