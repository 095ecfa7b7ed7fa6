--- What can follow at the cursor: globals, MQL5's names, Lua's words, fields and methods.
--
-- This calls none of the user's functions. If a table finds its fields through a function, only the metatable's
-- fields can be completed. clue's own objects have two there: methods, a table, and __completions, a table or a
-- function.
local pretty = require "clue.repl.pretty"
local trim_end = require("clue.text").trim_end

local completion = {}

local MOST_NAMES = 200

-- ---- the members of a value ----

local function add(found, names, of)
  for name, member in next, names do
    if type(name) == "string" and name:find "^[%a_][%w_]*$" and found[name] == nil then
      found[name] = of ~= nil and of or type(member)
    end
  end
end

local function add_completions(found, meta, value)
  local names = rawget(meta, "__completions")
  if type(names) == "function" then
    local called, result = pcall(names, value)
    names = called and result or nil
  end
  if type(names) == "table" then add(found, names, "property") end
end

local function members(value)
  local found, seen = {}, {}
  if pretty.is_array(value) then add(found, require("clue.array").methods(), "function") end
  while type(value) == "table" and not seen[value] do
    seen[value] = true
    add(found, value)
    local meta = getmetatable(value)
    meta = type(meta) == "table" and meta or {}
    if type(rawget(meta, "methods")) == "table" then add(found, rawget(meta, "methods")) end
    add_completions(found, meta, value)
    value = rawget(meta, "__index")
  end
  if type(value) == "string" then add(found, string) end
  if type(value) == "userdata" and io.type(value) then add(found, getmetatable(value).__index) end
  return found
end

-- A field of a value, without calling any of the user's functions.
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

-- The value before the last dot or colon; nil if that cannot be found without running something.
local function owner(path)
  local value
  for name in path:gmatch "([^.:]*)[.:]" do
    if name == "" then return nil end
    if value == nil then value = global(name) else value = field(value, name) end
    if value == nil then return nil end
  end
  return value
end

-- The members that match, and how many of their letters are typed already.
local function candidates(before)
  local path = before:match "^.*[^%w_.:](.*)$" or before
  local partial = path:match "^.*[.:](.*)$" or path
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
  local first, last = names[1], names[#names] -- sorted, so what these two share all share
  local length = 0
  while length < #first and first:sub(length + 1, length + 1) == last:sub(length + 1, length + 1) do
    length = length + 1
  end
  return first:sub(1, length)
end

-- The widths of columns with so many names each; nil if they are too wide together.
local function widths_of(names, shown, down, width)
  local widths, total = {}, -2
  for first = 1, shown, down do
    local widest = 0
    for at = first, math.min(first + down - 1, shown) do widest = math.max(widest, #names[at]) end
    widths[#widths + 1] = widest
    total = total + widest + 2
    if total > width and #widths > 1 then return nil end
  end
  return widths
end

-- Names in as few lines as possible, sorted downwards as in ls.
local function columns(names, width)
  local shown, down = math.min(#names, MOST_NAMES), 0
  local widths
  repeat
    down = down + 1
    widths = widths_of(names, shown, down, width)
  until widths
  local lines = {}
  for row = 1, down do
    local cells = {}
    for at = row, shown, down do
      cells[#cells + 1] = names[at] .. (" "):rep(widths[#cells + 1] - #names[at])
    end
    lines[row] = trim_end(table.concat(cells, "  "))
  end
  if #names > shown then lines[#lines + 1] = ("... and %d more"):format(#names - shown) end
  return table.concat(lines, "\n")
end

--- Completes a name.
-- @tparam string before the text before the cursor
-- @tparam number width of the terminal, in columns
-- @treturn ?string what to insert, nil if nothing
-- @treturn ?string what to show: the names that match
function completion.complete(before, width)
  if not before:find "%S" then return "  " end -- the Tab key indents
  local names, typed = candidates(before)
  if #names == 0 then return nil end
  local insert = common_start(names):sub(typed + 1)
  if insert ~= "" or #names == 1 then return insert end
  return nil, columns(names, width)
end

return completion
