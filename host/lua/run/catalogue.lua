--- The walkthroughs and their steps: folders and files under scripts/walkthroughs.
-- Parameters with one meaning everywhere: step, one of a walkthrough; kind, of the device.
local lfs = require "lfs"
local lists = require "clue.shared.list"
local names_in = require("clue.shared.paths").names_in
local paths = require "clue.paths"
local read = require("clue.file").read
local script = require "clue.shared.script"
local shape = require "clue.result.shape"

local catalogue = {}

local NOT_THERE, NO_FOLDER = 2, 20 -- ENOENT, ENOTDIR

local root = paths.scripts .. "/walkthroughs"

-- Names in order. Raises if the folder cannot be read.
local function entries(folder)
  local names, why = names_in(folder)
  return names or error(why, 0)
end

-- Whether there is such a file. Raises if it exists but cannot be read.
local function is_there(path)
  local file, why, code = io.open(path)
  if file then
    file:close()
  elseif code ~= NOT_THERE and code ~= NO_FOLDER then
    error(why, 0)
  end
  return file ~= nil
end

--- The names of all walkthroughs.
-- @treturn {string,...}
function catalogue.names()
  return lists.filter(entries(root), function(name) return is_there(root .. "/" .. name .. "/walkthrough.lua") end)
end

--- A step's place in the order: 4 for step 4 and for the step "4t" beside it.
-- @treturn number
function catalogue.place(step)
  return tonumber(step.number) or tonumber(step.number:match "^%d+")
end

--- The folder of a walkthrough.
-- @tparam string name one of @{names}, or a path with a slash
-- @treturn string
function catalogue.folder(name)
  return name:find "/" and name:gsub("/+$", "") or root .. "/" .. name
end

local function steps_in(folder)
  local steps = {}
  for _, file in ipairs(entries(folder)) do
    local number, letter, name = file:match("^(%d+)(%l?)_(.*)%.lua$")
    if number then
      local path = folder .. "/" .. file
      number = letter == "" and tonumber(number) or ("%d%s"):format(number, letter)
      steps[#steps + 1] = {number = number, name = name, path = path, text = script.head_comment(path)}
    end
  end
  table.sort(steps, function(a, b)
    local first, second = catalogue.place(a), catalogue.place(b)
    if first ~= second then return first < second end
    return tostring(a.number) < tostring(b.number)
  end)
  return steps
end

-- The step that another one is compared with, on CPU devices and on others, or what is wrong.
local function base_of(number, base, places)
  if type(base) ~= "table" then base = {cpu = base, gpu = base} end
  for _, kind in ipairs {"cpu", "gpu"} do
    local place, its = places[number], places[base[kind]]
    if not (place and its and its < place) then
      return nil, ("over[%s]: step %s is no step before it"):format(tostring(number), tostring(base[kind]))
    end
  end
  return base
end

-- Whether one of the steps that an entry of `over` names is missing.
local function lacks(number, base, places)
  if type(base) ~= "table" then base = {base} end
  local missing = not places[number]
  for _, each in pairs(base) do missing = missing or not places[each] end
  return missing
end

-- Adds to the steps what they are compared with. Returns what is wrong. A copy may have fewer steps than its original.
local function add_bases(steps, over, is_copy)
  local places = {}
  for i, step in ipairs(steps) do places[step.number] = i end
  for _, number in ipairs(lists.keys(over)) do
    local base = over[number]
    if not (is_copy and lacks(number, base, places)) then
      local found, why = base_of(number, base, places)
      if not found then return why end
      steps[places[number]].over = found
    end
  end
end

--- The step that a step is compared with, if that is not the last verified one before it.
-- @treturn ?number|string its number
function catalogue.base(step, kind)
  return step.over and step.over[kind == "cpu" and "cpu" or "gpu"]
end

-- Adds to the steps for which kind of device they are. Returns what is wrong.
local function add_forms(steps, forms, is_copy)
  local by_number = lists.by(steps, "number")
  for _, kind in ipairs(lists.keys(forms)) do
    for _, number in ipairs(forms[kind]) do
      if by_number[number] then
        by_number[number].form = kind
      elseif not is_copy then
        return ("forms: there is no step %s"):format(tostring(number))
      end
    end
  end
end

--- Whether a step is a form for devices of another kind.
function catalogue.is_for_others(step, kind)
  return step.form ~= nil and step.form ~= (kind == "cpu" and "cpu" or "gpu")
end

--- The step that a step changes, which its text and what it expects are about. For a step of a copy that is the one
-- that it changes in the original, which the copy may lack.
-- @treturn ?number|string its number; nil for a first step
function catalogue.changes(step, kind)
  step = step.original or step
  return catalogue.base(step, kind) or step.above
end

-- The steps of the walkthrough that another one is a copy of, by number and name.
local function originals(from)
  local found = {}
  for _, name in ipairs(from and catalogue.names() or {}) do
    local original = name == from and catalogue.get(name) or {steps = {}}
    for _, step in ipairs(original.steps) do found[step.number .. "_" .. step.name] = step end
  end
  return found
end

-- Adds to the steps what they change.
local function add_changes(steps, from)
  local known = originals(from)
  for i, step in ipairs(steps) do
    step.above = i > 1 and steps[i - 1].number or nil
    step.original = known[step.number .. "_" .. step.name]
  end
end

--- The description of a walkthrough, with its steps.
--
-- `over` in walkthrough.lua says which steps are compared with another step than the last verified one before them, for
-- their gain and for the difference of their kernels: {[8] = 6}, or {[20] = {cpu = 19, gpu = 16}} if that depends on
-- the device. It is not in the steps' scripts, because step 6 must keep running until step 8 has been compared with it.
--
-- `from` in walkthrough.lua is the name of the walkthrough of which this is a copy (`clue new walkthrough`).
--
-- `forms` names the steps that are for CPUs or for other devices only, {cpu = {17}, gpu = {"16b"}}. On another device
-- they run if they are named.
--
-- `libraries` names the steps that let other projects' libraries compute: speed against size is shown beside theirs.
-- @tparam string name one of @{names}, or the path of a folder (with a slash) that contains your own walkthrough
-- @treturn[1] table the fields of its walkthrough.lua, name, and steps: {number, name, path, text} in order, text being
--   the head comment of the script, over: {cpu, gpu}, numbers of the steps to compare with (see @{base}), above: the
--   number of the step before, form: "cpu" or "gpu" if it is for these only, and original: the same step of the
--   walkthrough that this is a copy of (see @{changes})
-- @treturn[2] nil
-- @treturn[2] ?string what is wrong with its walkthrough.lua; nil if there is none
function catalogue.get(name)
  local folder = catalogue.folder(name)
  if not is_there(folder .. "/walkthrough.lua") then return nil end
  local loaded, walkthrough = pcall(dofile, folder .. "/walkthrough.lua")
  if not loaded then return nil, walkthrough end
  if type(walkthrough) ~= "table" or type(walkthrough.title) ~= "string" then
    return nil, folder .. "/walkthrough.lua does not return a table with a title"
  end
  local wrong = shape.walkthrough(walkthrough, "walkthrough")
  if wrong then return nil, ("%s/walkthrough.lua: %s"):format(folder, wrong) end
  walkthrough.name, walkthrough.steps = folder:match("[^/]*$"), steps_in(folder)
  local is_copy = walkthrough.from ~= nil
  wrong = add_bases(walkthrough.steps, walkthrough.over, is_copy)
    or add_forms(walkthrough.steps, walkthrough.forms, is_copy)
  if wrong then return nil, ("%s/walkthrough.lua: %s"):format(folder, wrong) end
  add_changes(walkthrough.steps, walkthrough.from)
  return walkthrough
end

-- ---- whether a script is still the same ----

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

-- What all steps of a folder may read: its files, but for the steps and the walkthrough's description.
local function shared_by_steps(folder)
  return table.concat(lists.map(entries(folder), function(name)
    local is_shared = not name:find "^%d+%l?_.*%.lua$" and name ~= "walkthrough.lua"
      and lfs.attributes(folder .. "/" .. name, "mode") == "file"
    return is_shared and name .. "\0" .. (read(folder .. "/" .. name) or "") or nil
  end), "\0")
end

local known, of_folder = {}, {}

--- The digest of a step's script and of the files beside it that it may read, as they are when it is first asked for.
-- @treturn string
function catalogue.digest(step)
  local path = step.path
  if not known[path] then
    local folder = path:match "^(.*)/" or "."
    of_folder[folder] = of_folder[folder] or shared_by_steps(folder)
    known[path] = digest_of((read(path) or "") .. "\0" .. of_folder[folder])
  end
  return known[path]
end

return catalogue
