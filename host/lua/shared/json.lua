--- JSON as clue's own programs write and read it: numbers that could not be measured (nan) are null, and what is null
-- is missing. Loads neither the core nor a driver.
local read = require "clue.json.read"
local write = require "clue.json.write"

local shared = {}

local list, object = {__jsontype = "array"}, {__jsontype = "object"}

--- Marks a list: an empty one would become an empty object.
-- @tparam table entries
-- @treturn table entries
function shared.list(entries)
  return setmetatable(entries, list)
end

--- Writes a value for another of clue's processes. Texts stay unchanged, byte for byte, UTF-8 or not.
-- @param value
-- @treturn string one line without its end
function shared.line(value)
  return write.text(value, {null_for_nan = true})
end

--- Writes a document for others: bytes that are not UTF-8 become \xff.
-- @tparam table document
-- @tparam[opt=false] bool indent
-- @tparam[opt] {string,...} order names that come first
-- @treturn string
function shared.text(document, indent, order)
  return write.text(document, {indent = indent, order = order, null_for_nan = true, visible = true})
end

--- Reads a text. Its lists and objects are marked, so that empty ones are written again as they were.
-- @tparam string text
-- @return[1] the value
-- @treturn[2] nil
-- @treturn[2] string what is wrong, and where
-- @treturn[2] number the place, in bytes
function shared.read(text)
  return read(text, nil, list, object)
end

return shared
