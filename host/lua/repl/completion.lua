--- What may stand where the cursor is: globals, MQL5's names, Lua's words, fields and methods.
--
-- Nothing of the user's is called: where a table finds its fields by a function, only clue's own objects tell them,
-- whose metatables name their methods and properties.
-- @module clue.repl.completion
local pretty = require "clue.repl.pretty"

local completion = {}

local MOST_NAMES = 200

-- ---- what a value has ----

local function is_array(value)
  local arrays = package.loaded["clue.array"]
  return type(arrays) == "table" and arrays.is(value)
end

local function add(found, names, of)
  for name, member in next, names do
    if type(name) == "string" and name:find "^[%a_][%w_]*$" and found[name] == nil then
      found[name] = of ~= nil and of or type(member)
    end
  end
end

-- Device properties by their names in lower case.
local function add_properties(found, meta)
  local properties = rawget(meta, "properties")
  if type(properties) == "function" then properties = properties() end
  if type(properties) == "table" then add(found, properties, "property") end
end

local function members(value)
  local found, seen = {}, {}
  if is_array(value) then add(found, require("clue.array").methods(), "function") end
  while type(value) == "table" and not seen[value] do
    seen[value] = true
    add(found, value)
    local meta = getmetatable(value)
    meta = type(meta) == "table" and meta or {}
    if type(rawget(meta, "methods")) == "table" then add(found, rawget(meta, "methods")) end
    add_properties(found, meta)
    value = rawget(meta, "__index")
  end
  if type(value) == "string" then add(found, string) end
  if type(value) == "userdata" and io.type(value) then add(found, getmetatable(value).__index) end
  return found
end

-- A field without calling anything of the user's.
local function field(value, name)
  local seen = {}
  if type(value) == "string" then return string[name] end
  while type(value) == "table" and not seen[value] do
    seen[value] = true
    local found = rawget(value, name)
    if found ~= nil then return found end
    local meta = getmetatable(value)
    if type(meta) ~= "table" then return nil end
    local methods = rawget(meta, "methods")
    if type(methods) == "table" then return methods[name] end
    value = rawget(meta, "__index")
  end
  return nil
end

-- ---- globals ----

local function mql5_names()
  local loaded, names = pcall(require, "clue.mql5")
  return loaded and names or {}
end

local function global(name)
  local found = rawget(_G, name)
  if found == nil then found = mql5_names()[name] end
  return found
end

local function globals()
  local found = {}
  add(found, _G)
  add(found, mql5_names())
  add(found, pretty.keywords, "keyword")
  return found
end

-- ---- the text before the cursor ----

-- The value that stands before the last dot or colon; nil where it cannot be told without running something.
local function owner(path)
  local value
  for name in path:gmatch "([^.:]*)[.:]" do
    if name == "" then return nil end
    if value == nil then value = global(name) else value = field(value, name) end
    if value == nil then return nil end
  end
  return value
end

-- Members that fit, and how many letters of them are there already.
local function candidates(before)
  local path = before:match "[%w_.:]*$"
  local partial = path:match "[%w_]*$"
  local separator = path:sub(-#partial - 1, -#partial - 1)
  local found
  if path == partial then
    if partial == "" or partial:find "^%d" then return {}, 0 end
    found = globals()
  elseif #path > #before - 1 or not before:sub(-#path - 1, -#path - 1):find "[%]%)}\"']" then
    local value = owner(path)
    found = value ~= nil and members(value) or {}
  elseif path:find "^:" and before:sub(-#path - 1, -#path - 1):find "[\"']" then
    found = members ""
  end
  local names = {}
  for name, kind in pairs(found or {}) do
    if name:sub(1, #partial) == partial and (separator ~= ":" or kind == "function") then names[#names + 1] = name end
  end
  table.sort(names)
  return names, #partial
end

local function common_start(names)
  local first, last = names[1], names[#names] -- sorted: what these two share all share
  local length = 0
  while length < #first and first:sub(length + 1, length + 1) == last:sub(length + 1, length + 1) do
    length = length + 1
  end
  return first:sub(1, length)
end

-- Names in columns, as ls has them.
local function columns(names, width)
  local longest = 0
  for _, name in ipairs(names) do longest = math.max(longest, #name) end
  local across = math.max(1, math.floor((width + 2) / (longest + 2)))
  local shown = math.min(#names, MOST_NAMES)
  local down = math.ceil(shown / across)
  local lines = {}
  for row = 1, down do
    local cells = {}
    for at = row, shown, down do cells[#cells + 1] = names[at] .. (" "):rep(longest - #names[at]) end
    lines[row] = (table.concat(cells, "  "):gsub("%s+$", ""))
  end
  if #names > shown then lines[#lines + 1] = ("... and %d more"):format(#names - shown) end
  return table.concat(lines, "\n")
end

--- Completes a name.
-- @tparam string before what stands before the cursor
-- @tparam number width of the terminal, in columns
-- @treturn ?string what is to be inserted; nil: nothing
-- @treturn ?string what is to be shown: the names that fit
function completion.complete(before, width)
  if not before:find "%S" then return "  " end -- the tabulator indents
  local names, typed = candidates(before)
  if #names == 0 then return nil end
  local insert = common_start(names):sub(typed + 1)
  if insert ~= "" or #names == 1 then return insert end
  return nil, columns(names, width)
end

return completion
