-- Runs the steps of a walkthrough under `clue check` or `clue count`, at the sizes that walk_steps.lua has for it.
local json = require "clue.shared.json"
local lfs = require "lfs"
local support = require "support"
local walks = require "walk_support"

local LIMIT = 900 -- seconds, beside much other work

-- Copies of steps, in whose scripts texts are replaced: the parameters' values, as neither command takes any. Returns
-- their folder.
local function changed(name, part)
  local folder = walks.copied(name, part.steps)
  for file in lfs.dir(folder) do
    local path = folder .. "/" .. file
    for _, change in ipairs(file:find "^%d.*%.lua$" and part.changes or {}) do
      local text, times = support.read(path):gsub(change[1]:gsub("%p", "%%%0"), (change[2]:gsub("%%", "%%%%")))
      assert(times > 0, ("%s has no %s"):format(file, change[1]))
      support.write(text, path)
    end
  end
  return folder .. "/"
end

local function add_option(words, name, value)
  if not value then return end
  words[#words + 1], words[#words + 2] = name, value
end

--- Runs a command on the simulator.
-- @tparam string command check or count
-- @tparam string name of the walkthrough
-- @tparam ?string|{table,...} given a size, or several runs, each with steps, size and changes
-- @treturn {table,...} its runs of steps
return function(command, name, given)
  local runs = {}
  for _, part in ipairs(type(given) == "table" and given or {{size = given}}) do
    local file = support.temporary ".json"
    local words = {command, "--json", file, part.changes and changed(name, part) or name}
    if not part.changes then add_option(words, "--steps", part.steps) end
    add_option(words, "--size", part.size)
    if command == "check" then words[#words + 1] = "--schedules=0" end -- others take minutes: check_schedules_spec
    local status, out, err = support.run(words, nil, nil, LIMIT)
    assert(status == 0, out .. err)
    for _, run in ipairs(assert(json.read(support.read(file))).runs) do runs[#runs + 1] = run end
  end
  return runs
end
