--- A document of the host's as JSON text: what could not be measured (nan) is null, what is no UTF-8 \xff.
-- @module clue.shared.json_text
local json = require "clue.json"

--- Writes a document.
-- @tparam table document
-- @tparam[opt=false] bool indent
-- @tparam[opt] {string,...} order of names that stand first
-- @treturn string
return function(document, indent, order)
  return json.encode(document, {indent = indent, order = order, null_for_nan = true, visible = true})
end
