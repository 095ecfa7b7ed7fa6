--- Runs one configuration of a space once, in the process that `clue check` starts, and looks at its result.
local candidate = require "clue.tune.measure.candidate"
local contexts = require "clue.context"
local output = require "clue.output"
local refuse = require("clue.shared.parent").refuse
local script = require "clue.tune.space_script"

local once = {}

-- The value of a parameter that a word means.
local function meant(values, name, word)
  local known = {}
  for i, value in ipairs(values) do
    if tostring(value) == word then return value end
    known[i] = tostring(value)
  end
  refuse("--set %s=%s: its values are %s", name, word, table.concat(known, ", "))
end

local function value_of(space, name, word)
  for i, its in ipairs(space.names) do
    if its == name then return meant(space.values[i], name, word) end
  end
  refuse("--set %s: the space's parameters are %s", name, table.concat(space.names, ", "))
end

local function configuration(description, space, words)
  local p = space:configuration(description:first(space)[1] or 1)
  for _, word in ipairs(words) do
    local name, value = word:match "^([^=]*)=(.*)$"
    p[name] = value_of(space, name, value)
  end
  local why = space:why_not(p)
  if why then refuse("--set: %s", why) end
  return p
end

--- Runs a configuration. Ends the process with status 1 if it fails.
-- @tparam table spec path, words and capture, as for @{clue.tune.space_script.load}; set: "NAME=VALUE", ... for
--   parameters that differ from the first configuration
function once.run(spec)
  local description = script.load(spec.path, spec)
  local p = configuration(description, description:space(), spec.set)
  local done, problem = pcall(function()
    local made = candidate.new(description, p, contexts.new():queue(), {unguarded = true})
    made:verify(description:answer())
  end)
  if done then return end
  if type(problem) ~= "table" or not problem.failed then error(problem, 0) end
  output.say(problem.text)
  os.exit(1, true)
end

return once
