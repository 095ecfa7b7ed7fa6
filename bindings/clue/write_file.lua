--- Writes a file piece by piece: what is there already is never lost half-written.
-- Used by what saves arrays and pictures.
-- @module clue.write_file
local error_object = require "clue.error"

local function fail(path, why)
  local told = tostring(why)
  told = told:find(path, 1, true) and told or path .. ": " .. told
  error(error_object.new { text = "cannot write " .. told }, 0)
end

--- Makes a file beside the one that is wanted and puts it in its place; a device such as /dev/stdout is written to
-- directly. Raises an error object where that is not possible, or what the function raised; nothing is left behind.
-- @tparam string path
-- @tparam function make make(path): writes a file of this name, and returns nil and a reason where it cannot
return function(path, make)
  local to = path:find "^/dev/" and path or path .. ".part"
  local done, made, why = pcall(make, to)
  local placed, renamed = true, nil
  if done and made and to ~= path then placed, renamed = os.rename(to, path) end
  if done and made and placed then return end
  if to ~= path then os.remove(to) end
  if not done then error(made, 0) end
  fail(path, tostring(why or renamed or "the reason is not told"):gsub("%.part", ""))
end
