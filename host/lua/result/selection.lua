--- Leaves one device or one step of a document.
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"

local selection = {}

-- ---- one device of several ----

local kinds = {cpu = true, gpu = true, accelerator = true}

-- As on the command line: an address, a kind or a part of the name; digits alone are the flat ordinal.
local function is_meant(device, spec)
  if device.address == spec then return true end
  if spec:find "^%d+$" then return device.ordinal == tonumber(spec) end
  if kinds[spec:lower()] and device.kind == spec:lower() then return true end
  return (device.name or ""):lower():find(spec:lower(), 1, true) ~= nil
end

local function list_of_devices(devices)
  return table.concat(lists.map(devices, function(device)
    return ("%s %s"):format(device.address or "?", device.name or "?")
  end), ", ")
end

-- The place of the device that is meant; of identical ones, the first. Or nil, and what is wrong.
local function choose(devices, spec, path)
  local found, names = {}, {}
  for i, device in ipairs(devices) do
    if is_meant(device, spec) then
      found[#found + 1] = {device = device, at = i}
      names[device.name or "?"] = true
    end
  end
  if #found == 0 then
    return nil, ("%s has no device '%s'; there is: %s"):format(path, spec, list_of_devices(devices))
  end
  if not next(names, (next(names))) then return found[1].at end
  local meant = lists.map(found, function(each) return each.device end)
  return nil, ("'%s' fits several devices of %s: %s"):format(spec, path, list_of_devices(meant))
end

-- Reduces the limits of several devices to those of one.
local function narrow_limits(document, spec, path, option)
  local devices = lists.map(document.devices, function(each) return each.device end)
  if spec then
    local at, why = choose(devices, spec, path)
    return at and document.devices[at], why
  end
  if #devices == 1 then return document.devices[1] end
  return nil, ("%s has the limits of several devices: choose one with %s: %s"):format(path, option,
    list_of_devices(devices))
end

--- Reduces a document to what was measured on one device.
-- @tparam table document of `clue walk --json` or `clue peak --json`; it is changed
-- @tparam ?string spec the device's address or ordinal in it, its kind, or a part of its name; nil: all
-- @tparam string path of the file
-- @tparam string option that chooses a device, for the message
-- @treturn[1] table
-- @treturn[2] nil
-- @treturn[2] string what is wrong, and which devices there are
function selection.device(document, spec, path, option)
  if not document.limits and not document.walkthroughs then return narrow_limits(document, spec, path, option) end
  if not spec then return document end
  local devices = document.limits and {document.device or {}} or document.devices or {}
  local at, why = choose(devices, spec, path)
  if not at then return nil, why end
  local address = devices[at].address
  for _, walkthrough in ipairs(document.walkthroughs or {}) do
    walkthrough.runs = lists.filter(walkthrough.runs or {}, function(run) return run.device == address end)
  end
  return document
end

-- ---- one step ----

local function steps_of(document)
  return lists.distinct(lists.map(row_of.all(document.walkthroughs), function(each)
    return ("%s %s"):format(tostring(each.row.number), each.row.name or "")
  end))
end

--- Leaves one step in a document.
-- @tparam table document of `clue walk --json`; it is changed
-- @tparam string number of the step
-- @tparam string path of the file
-- @treturn[1] table
-- @treturn[2] nil
-- @treturn[2] string which steps there are
function selection.step(document, number, path)
  local there = steps_of(document)
  for _, walkthrough in ipairs(document.walkthroughs) do
    for _, run in ipairs(walkthrough.runs or {}) do
      run.rows = lists.filter(run.rows or {}, function(row) return tostring(row.number) == number end)
    end
  end
  if row_of.all(document.walkthroughs)[1] then return document end
  return nil, ("%s has no step '%s'; there are: %s"):format(path, number, table.concat(there, ", "))
end

return selection
