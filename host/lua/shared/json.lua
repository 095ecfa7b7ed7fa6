--- JSON as clue's own programs write it; numbers that could not be measured (nan) become null.
-- @module clue.shared.json
local json = require "clue.json"

local shared = {}

--- Marks a list: an empty one would become an empty object.
-- @tparam table entries
-- @treturn table entries
function shared.list(entries)
  return setmetatable(entries, {__jsontype = "array"})
end

--- Writes a value for another of clue's processes. Texts stay unchanged, byte for byte, UTF-8 or not.
-- @param value
-- @treturn string one line without its end
function shared.line(value)
  return json.encode(value, {null_for_nan = true})
end

--- Writes a document for others: bytes that are not UTF-8 become \xff.
-- @tparam table document
-- @tparam[opt=false] bool indent
-- @tparam[opt] {string,...} order names that come first
-- @treturn string
function shared.text(document, indent, order)
  return json.encode(document, {indent = indent, order = order, null_for_nan = true, visible = true})
end

return shared
