--- Files of results, as they are or compressed by gzip.
-- @module clue.result.packed
local child = require "clue.shared.child"
local read_file = require("clue.file").read

local packed = {}

local function unpacked(path)
  local text, seen = child.output_of {"/usr/bin/env", "gzip", "-dc", "--", path}
  if seen:status() == 127 then return nil, path .. ": it is compressed, and gzip is not installed" end
  if not seen:is_well() then return nil, ("%s: gzip cannot read it: %s"):format(path, seen:last_errors(1)[1] or "?") end
  return text
end

--- Reads a file, and unpacks it if gzip compressed it.
-- @tparam string path
-- @treturn[1] string its text
-- @treturn[2] nil and a message
function packed.read(path)
  local text, why = read_file(path)
  if text and text:sub(1, 2) == "\31\139" then return unpacked(path) end
  return text, why
end

return packed
