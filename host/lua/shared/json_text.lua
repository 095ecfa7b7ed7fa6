--- A document as JSON text for others: numbers that could not be measured (nan) become null, bytes that are not UTF-8
-- \xff.
-- @module clue.shared.json_text
local json = require "clue.json"

--- Writes a document.
-- @tparam table document
-- @tparam[opt=false] bool indent
-- @tparam[opt] {string,...} order names that come first
-- @treturn string
return function(document, indent, order)
  return json.encode(document, {indent = indent, order = order, null_for_nan = true, visible = true})
end
