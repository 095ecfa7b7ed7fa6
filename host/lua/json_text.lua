--- A document as JSON text.
--
-- dkjson takes a table with a number under "n" for a list of that length, and a problem's size may well have one:
-- {n = 4096} came out as 4096 nulls. Such tables are written here.
-- @module clue.json_text
local json = require "dkjson"

local with_n = {}

function with_n.__tojson(self)
  local names, parts = {}, {}
  for name in pairs(self) do names[#names + 1] = tostring(name) end
  table.sort(names)
  for i, name in ipairs(names) do parts[i] = json.encode(name) .. ":" .. json.encode(self[name]) end
  return "{" .. table.concat(parts, ",") .. "}"
end

local function prepare(value, seen)
  if type(value) ~= "table" or seen[value] then return value end
  seen[value] = true
  if value.n ~= nil and value[1] == nil then setmetatable(value, with_n) end
  for _, entry in pairs(value) do prepare(entry, seen) end
  return value
end

--- Writes a document.
-- @tparam table document
-- @tparam[opt=false] bool indent
-- @tparam[opt] {string,...} order of names that stand first
-- @treturn string
return function(document, indent, order)
  return json.encode(prepare(document, {}), {indent = indent or false, keyorder = order})
end
