--- Tells whether a step's script is still the one with which a row was measured.
-- @module clue.run.script
local lfs = require "lfs"

local script = {}

-- Two remainders of 26 bits: enough to notice an edit, not to withstand an attack.
local PRIMES, FACTOR = {67108859, 67108837}, 65599

local function digest_of(text)
  local a, b = 0, 0
  for i = 1, #text do
    local byte = text:byte(i)
    a, b = (a * FACTOR + byte) % PRIMES[1], (b * FACTOR + byte) % PRIMES[2]
  end
  return ("%07x%07x"):format(a, b)
end

local function text_of(path)
  local file = io.open(path, "rb")
  local text = file and file:read "*a"
  if file then file:close() end
  return text or ""
end

-- What all steps of a folder may read: its files, but for the steps and the walkthrough's description.
local function shared_by_steps(folder)
  local names, parts = {}, {}
  for name in lfs.dir(folder) do
    if not name:find "^%d+%l?_.*%.lua$" and name ~= "walkthrough.lua"
      and lfs.attributes(folder .. "/" .. name, "mode") == "file" then
      names[#names + 1] = name
    end
  end
  table.sort(names)
  for i, name in ipairs(names) do parts[i] = name .. "\0" .. text_of(folder .. "/" .. name) end
  return table.concat(parts, "\0")
end

local known, of_folder = {}, {}

--- The digest of a step's script and of the files beside it that it may read, as they are when it is first asked for.
-- @tparam table step of @{clue.run.catalogue}
-- @treturn string
function script.digest(step)
  local path = step.path
  if not known[path] then
    local folder = path:match "^(.*)/" or "."
    of_folder[folder] = of_folder[folder] or shared_by_steps(folder)
    known[path] = digest_of(text_of(path) .. "\0" .. of_folder[folder])
  end
  return known[path]
end

return script
