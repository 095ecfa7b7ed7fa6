--- Leaves one device or one step of a document.
-- @module clue.compare.narrow
local narrow = {}

-- ---- one device of several ----

local function is_meant(device, spec)
  return device.address == spec or (device.name or ""):lower():find(spec:lower(), 1, true) ~= nil
end

local function list_of_devices(devices)
  local there = {}
  for i, device in ipairs(devices) do there[i] = ("%s %s"):format(device.address or "?", device.name or "?") end
  return table.concat(there, ", ")
end

-- Reduces the limits of several devices to those of one.
local function narrow_limits(document, spec, path, option)
  local devices = {}
  for i, each in ipairs(document.devices) do
    devices[i] = each.device
    if spec and is_meant(each.device, spec) or not spec and #document.devices == 1 then return each end
  end
  if spec then return nil, ("%s has no device '%s'; there is: %s"):format(path, spec, list_of_devices(devices)) end
  return nil, ("%s has the limits of several devices: choose one with %s: %s"):format(path, option,
    list_of_devices(devices))
end

--- Reduces a document to what was measured on one device.
-- @tparam table document of `clue walk --json` or `clue peak --json`; it is changed
-- @tparam ?string spec the device's address in it, or a part of its name; nil: all
-- @tparam string path of the file
-- @tparam string option that chooses a device, for the message
-- @treturn[1] table
-- @treturn[2] nil
-- @treturn[2] string which devices there are
function narrow.device(document, spec, path, option)
  if not document.limits and not document.walkthroughs then return narrow_limits(document, spec, path, option) end
  if not spec or document.limits then return document end
  local address
  for _, device in ipairs(document.devices or {}) do
    if not address and is_meant(device, spec) then address = device.address end
  end
  if not address then
    return nil, ("%s has no device '%s'; there is: %s"):format(path, spec, list_of_devices(document.devices or {}))
  end
  for _, walkthrough in ipairs(document.walkthroughs or {}) do
    local runs = {}
    for _, run in ipairs(walkthrough.runs or {}) do
      if run.device == address then runs[#runs + 1] = run end
    end
    walkthrough.runs = runs
  end
  return document
end

-- ---- one step ----

local function steps_of(document)
  local numbers, seen = {}, {}
  for _, walkthrough in ipairs(document.walkthroughs) do
    for _, run in ipairs(walkthrough.runs or {}) do
      for _, row in ipairs(run.rows or {}) do
        local text = ("%s %s"):format(tostring(row.number), row.name or "")
        if not seen[text] then numbers[#numbers + 1], seen[text] = text, true end
      end
    end
  end
  return numbers
end

--- Leaves one step in a document.
-- @tparam table document of `clue walk --json`; it is changed
-- @tparam string number of the step
-- @tparam string path of the file
-- @treturn[1] table
-- @treturn[2] nil
-- @treturn[2] string which steps there are
function narrow.step(document, number, path)
  local there = steps_of(document)
  local found = false
  for _, walkthrough in ipairs(document.walkthroughs) do
    for _, run in ipairs(walkthrough.runs or {}) do
      local rows = {}
      for _, row in ipairs(run.rows or {}) do
        if tostring(row.number) == number then rows[#rows + 1], found = row, true end
      end
      run.rows = rows
    end
  end
  if found then return document end
  return nil, ("%s has no step '%s'; there are: %s"):format(path, number, table.concat(there, ", "))
end

return narrow
