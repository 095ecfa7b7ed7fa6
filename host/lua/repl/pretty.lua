--- Values as the prompt shows them: tables with their contents, arrays with type, shape, some elements, the least and
-- the greatest.
local visible = require("clue.text").visible

local pretty = {}

local MOST_ENTRIES, DEEPEST, MOST_ROWS, MOST_COLUMNS = 50, 4, 6, 8

local escapes = {["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ['"'] = '\\"', ["\\"] = "\\\\"}

local function quoted(text)
  local escaped = text:gsub('[%c"\\\127]', function(char)
    return escapes[char] or ("\\%03d"):format(char:byte())
  end)
  return '"' .. visible(escaped) .. '"'
end

-- ---- arrays ----

-- The indexes to show of `count`, from 0: all, or the first and the last; false stands for those left out.
local function shown_indexes(count, most)
  local indexes = {}
  for i = 0, math.min(count, most) - 1 do indexes[#indexes + 1] = i end
  if count > most then
    indexes[most - 1], indexes[most] = false, count - 1
  end
  return indexes
end

local function elements(array, first, count)
  local texts = {}
  for _, index in ipairs(shown_indexes(count, MOST_COLUMNS)) do
    texts[#texts + 1] = index and array:decimal(first + index) or "..."
  end
  return "{" .. table.concat(texts, ", ") .. "}"
end

local function extent(array)
  local least, greatest, unordered = array:extreme_indices()
  local parts = {}
  if least then
    parts[1], parts[2] = "min " .. array:decimal(least), "max " .. array:decimal(greatest)
  end
  if unordered > 0 then parts[#parts + 1] = ("%.0f NaN"):format(unordered) end
  return table.concat(parts, ", ")
end

local function array_text(array, indent)
  if require("clue.shown").is_unmapped(array) then return tostring(array) end
  local rows, columns = array:rows(), array:columns()
  local size = rows and ("%.0f x %.0f"):format(rows, columns) or ("%.0f"):format(#array)
  local head = ("%s[%s]"):format(array:type(), size)
  local range = extent(array)
  if range ~= "" then range = ", " .. range end
  if not rows or rows * columns == 0 then return ("%s %s%s"):format(head, elements(array, 0, #array), range) end
  local lines = {head .. range}
  for _, row in ipairs(shown_indexes(rows, MOST_ROWS)) do
    lines[#lines + 1] = indent .. "  " .. (row and elements(array, row * columns, columns) or "...")
  end
  return table.concat(lines, "\n")
end

--- Whether a value is an array. Does not load clue.
-- @param value
function pretty.is_array(value)
  local arrays = package.loaded["clue.array"]
  return type(arrays) == "table" and arrays.is(value)
end

-- ---- tables ----

local rank = {number = 1, string = 2, boolean = 3}

local function key_before(left, right)
  local one, other = rank[type(left)] or 4, rank[type(right)] or 4
  if one ~= other then return one < other end
  if one <= 2 then return left < right end
  return tostring(left) < tostring(right)
end

local keywords = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return then true until
  while]]):gmatch "%a+" do
  keywords[word] = true
end

--- Lua's words, as keys of a table.
pretty.keywords = keywords

local function key_text(key)
  if type(key) == "string" and key:find "^[%a_][%w_]*$" and not keywords[key] then return key end
  return "[" .. (type(key) == "string" and quoted(key) or tostring(key)) .. "]"
end

local text_of

local length = rawget(_G, "rawlen") or function(value) return #value end -- without rawlen, # ignores metatables

-- The entries between the braces.
local function entries_of(value, state, indent)
  local entries, count = {}, length(value)
  local keys = {}
  for key in next, value do
    local in_list = type(key) == "number" and key >= 1 and key <= count and key % 1 == 0
    if not in_list then keys[#keys + 1] = key end
  end
  table.sort(keys, key_before)
  local total = count + #keys
  for i = 1, math.min(count, MOST_ENTRIES) do entries[i] = text_of(rawget(value, i), state, indent) end
  for i = 1, math.min(#keys, MOST_ENTRIES - #entries) do
    entries[#entries + 1] = ("%s = %s"):format(key_text(keys[i]), text_of(rawget(value, keys[i]), state, indent))
  end
  if total > #entries then entries[#entries + 1] = ("... (%d more)"):format(total - #entries) end
  return entries
end

-- On one line if it fits.
local function braced(entries, state, indent)
  local line = "{" .. table.concat(entries, ", ") .. "}"
  if #indent + #line <= state.width and not line:find "\n" then return line end
  local inner = indent .. "  "
  return "{\n" .. inner .. table.concat(entries, ",\n" .. inner) .. "\n" .. indent .. "}"
end

local function table_text(value, state, indent)
  if state.open[value] then return "{...} (the table itself)" end
  if next(value) == nil then return "{}" end
  if #indent >= 2 * DEEPEST then return "{...}" end
  state.open[value] = true
  local text = braced(entries_of(value, state, indent .. "  "), state, indent)
  state.open[value] = nil
  return text
end

local function has_own_text(value)
  local meta = getmetatable(value)
  return type(meta) == "table" and rawget(meta, "__tostring") ~= nil
end

function text_of(value, state, indent)
  if type(value) == "string" then return quoted(value) end
  if pretty.is_array(value) then return array_text(value, indent) end
  if type(value) == "table" and not has_own_text(value) then return table_text(value, state, indent) end
  return tostring(value)
end

--- The text of a value.
-- @param value anything; a text of several lines stays as it is
-- @tparam number width columns; wider tables have one entry per line
function pretty.text(value, width)
  if type(value) == "string" and value:find "\n" then return visible(value) end
  return visible(text_of(value, {width = width, open = {}}, ""))
end

return pretty
