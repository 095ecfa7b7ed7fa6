-- Runs the steps of a walkthrough under `clue check` or `clue count`, at the sizes that walk_steps.lua has for it.
local json = require "clue.shared.json"
local support = require "support"
local walks = require "walk_support"

local LIMIT = 900 -- seconds, beside much other work

-- A copy of hello's step 7 that tries three of its eight forms. tile: the elements of their tiles.
local function with_three_forms(tile)
  local folder = walks.copied("hello", "7")
  local path = folder .. "/07_register_block.lua"
  for _, form in ipairs {"parts = 4, block = 16", "parts = 4, block = 24", "parts = 4, block = 40",
                         "parts = 4, block = 32, lanes = 1, tile = 1024",
                         "parts = 4, block = 32, lanes = 1, tile = 2048"} do
    walks.change(path, "{columns = 32, " .. form, "--{columns = 32, " .. form)
  end
  if tile then
    local text, changed = support.read(path):gsub("tile = 1024}", "tile = " .. tile .. "}")
    assert(changed > 0, "hello's step 7 has no tile of 1024")
    support.write(text, path)
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
-- @tparam ?string|{table,...} given a size, or several runs, each with steps and size
-- @treturn {table,...} its runs of steps
return function(command, name, given)
  local runs = {}
  for _, part in ipairs(type(given) == "table" and given or {{size = given}}) do
    local file = support.temporary ".json"
    local words = {command, "--json", file, part.forms and with_three_forms(part.tile) or name}
    add_option(words, "--steps", part.steps)
    add_option(words, "--size", part.size)
    if command == "check" then words[#words + 1] = "--schedules=0" end -- others take minutes: check_schedules_spec
    local status, out, err = support.run(words, nil, nil, LIMIT)
    assert(status == 0, out .. err)
    for _, run in ipairs(assert(json.read(support.read(file))).runs) do runs[#runs + 1] = run end
  end
  return runs
end
