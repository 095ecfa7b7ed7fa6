--- Keeps the parameters that a run found where cl.tuned looks for them.
-- @module clue.tune.results.keep
local json = require "clue.shared.json"
local make_folder = require "clue.shared.make_folder"
local save = require "clue.save"
local tuned = require "clue.tuned"

local function size_of(script)
  local size = script.of.size or script.of.problem_size
  if type(size) == "function" then return nil end
  return type(size) == "number" and {size} or size
end

local function same_size(one, other)
  if not one or not other then return one == other end
  for i = 1, math.max(#one, #other) do
    if one[i] ~= other[i] then return false end
  end
  return true
end

--- Writes an entry; it replaces an older one for the same device, driver and size.
-- @tparam Script script
-- @tparam table device facts
-- @tparam table best of @{clue.tune.runner}'s final
-- @treturn ?string the file; nil if there is no folder for it. Raises if it cannot be written
return function(script, device, best)
  local folder = tuned.folder()
  if not folder then return nil end
  local made, reason = make_folder(folder)
  if not made then error(("the parameters: %s: %s"):format(folder, reason), 0) end
  local path, size, entries = ("%s/%s.json"):format(folder, script.name), size_of(script), json.list {}
  for _, entry in ipairs(tuned.read(path)) do
    local same = entry.device.name == device.name and entry.device.driver == device.driver
    if not (same and same_size(entry.size, size)) then entries[#entries + 1] = entry end
  end
  table.insert(entries, {
    device = {name = device.name, driver = device.driver, vendor = device.vendor, kind = device.kind,
              compute_units = device.compute_units},
    size = size and json.list(size), parameters = best.result.p, seconds = best.seconds,
  })
  local saved, why = save(path, json.text({format = tuned.format, entries = entries}, true) .. "\n")
  if not saved then error(("the parameters: %s"):format(why), 0) end
  return path
end
