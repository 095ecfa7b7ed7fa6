--- The format between clue's own processes: JSON in one line. Texts stay unchanged, byte for byte, UTF-8 or not. For
-- documents for others, see clue.shared.json_text.
-- @module clue.shared.json_line
local json = require "clue.json"

--- Writes a value.
-- @param value
-- @treturn string without an end of line
return function(value)
  return json.encode(value, {null_for_nan = true})
end
