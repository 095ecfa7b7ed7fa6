--- What clue's own processes tell each other: JSON in one line. Texts stay as they are, byte for byte, be they UTF-8 or
-- not; a document that others read is clue.shared.json_text's.
-- @module clue.shared.json_line
local json = require "clue.json"

--- Writes a value.
-- @param value
-- @treturn string without an end of line
return function(value)
  return json.encode(value, {null_for_nan = true})
end
