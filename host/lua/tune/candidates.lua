--- The file of `clue tune --candidates`: a JSON list of configurations, each an object with a value for every
-- parameter.
-- @module clue.tune.candidates
local json = require "clue.shared.json"
local read_file = require "clue.read_file"

local function fail(text, ...)
  error("--candidates: " .. text:format(...), 0)
end

--- Reads the file.
-- @tparam string path
-- @tparam Space space
-- @treturn {int,...} the numbers of its configurations, in its order. Raises what is wrong
return function(path, space)
  local text, why = read_file(path)
  if not text then fail("%s", why) end
  local list = json.read(text)
  if type(list) ~= "table" or not list[1] then fail("%s: not a JSON list of configurations", path) end
  local indices, seen = {}, {}
  for i, p in ipairs(list) do
    local wrong = space:why_not(p)
    if wrong then fail("%s: configuration %d: %s", path, i, wrong) end
    local index = space:index(p)
    if seen[index] then fail("%s: configuration %d is there twice", path, i) end
    indices[i], seen[index] = index, true
  end
  return indices
end
