--- Reads a file of results, which may be compressed by gzip.
local child = require "clue.shared.child"
local read_file = require("clue.file").read

--- Reads it.
-- @tparam string path
-- @treturn ?string its bytes, unpacked; nil if it cannot be read
-- @treturn ?string why not
return function(path)
  local text, why = read_file(path)
  if not text or text:sub(1, 2) ~= "\31\139" then return text, why end
  if path == "/dev/stdin" then return nil, "standard input is compressed: give the file, or unpack it by zcat" end
  local unpacked, seen = child.output_of {"/usr/bin/env", "gzip", "-dc", "--", path}
  if seen:status() == 127 then return nil, path .. ": it is compressed, and gzip is not installed" end
  if not seen:is_well() then return nil, ("%s: gzip cannot read it: %s"):format(path, seen:last_errors(1)[1] or "?") end
  return unpacked
end
