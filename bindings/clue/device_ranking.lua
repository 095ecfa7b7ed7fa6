--- Which of several devices is the best: what class words (cpu, gpu, accelerator) and the default mean.
-- Used by clue.device_choice and `clue devices`. It compares what devices report and measures nothing.
local ranking = {}

-- Devices that class words avoid. A debugger is taken only if there is no other device at all, the others only if the
-- class has no other. llvmpipe is here because of wrong results that no script can detect.
local doubtful = {
  {platform = "oclgrind", label = "Oclgrind", reason = "Oclgrind, a debugger", debugger = true},
  {
    platform = "rusticl",
    device = "llvmpipe",
    label = "llvmpipe",
    reason = "llvmpipe, whose long loops compute nonsense",
    wrong = "loops, nested ones counted together, end after 65535 iterations without an error, so longer ones compute "
      .. "wrong results",
  },
}

--- Why class words avoid a device.
-- @tparam table device
-- @treturn ?table label, reason, debugger (true if it is one), wrong (which of its results are wrong, if any); nil if
--   they do not avoid it
function ranking.doubt(device)
  if device.available == false then
    return {label = device.name, reason = ("%s, which its driver calls unavailable"):format(device.name)}
  end
  local platform, name = (device.platform.name or ""):lower(), (device.name or ""):lower()
  for _, entry in ipairs(doubtful) do
    if platform:find(entry.platform, 1, true) and name:find(entry.device or "", 1, true) then return entry end
  end
  return nil
end

--- The elements of a list that a function accepts.
-- @tparam table devices a list of devices, or of anything
-- @tparam function accept called with each
-- @treturn table a list
function ranking.filter(devices, accept)
  local kept = {}
  for _, device in ipairs(devices) do
    if accept(device) then kept[#kept + 1] = device end
  end
  return kept
end

--- The singular and plural name of each class, by class word.
ranking.nouns = {
  gpu = {"GPU", "GPUs"},
  accelerator = {"accelerator", "accelerators"},
  cpu = {"CPU device", "CPU devices"},
}
local none_better = {gpu = "", accelerator = " (there is no GPU)", cpu = " (there is no GPU or accelerator)"}

local function speed(device)
  return (device.max_compute_units or 0) * (device.max_clock_frequency or 0)
end

-- The best of several devices of a class, and why. Speeds are compared within one vendor only.
local function best_of(devices, kind)
  local first, one, many = devices[1], ranking.nouns[kind][1], ranking.nouns[kind][2]
  local vendor = (first.vendor or ""):lower()
  local family = ranking.filter(devices, function(device) return (device.vendor or ""):lower() == vendor end)
  local best, same = first, true
  for _, device in ipairs(family) do
    if speed(device) > speed(best) then best = device end
    same = same and device.name == first.name and speed(device) == speed(first)
  end
  if #devices == 1 then return best, "the only " .. one end
  if #family < #devices then
    if #family == 1 then return best, ("the first of %d %s of different vendors"):format(#devices, many) end
    return best, ("the best of %s's %d %s (of %d in all)"):format(first.vendor, #family, many, #devices)
  end
  if same then return best, ("the first of %d identical %s"):format(#devices, many) end
  return best, ("the best of %d %s by compute units x MHz"):format(#devices, many)
end

-- The devices in the order in which they are considered: sound ones, then doubtful ones; debuggers only if alone.
local function pools(devices)
  local sound = ranking.filter(devices, function(device) return not ranking.doubt(device) end)
  local faulty = ranking.filter(devices, function(device)
    local doubt = ranking.doubt(device)
    return doubt and not doubt.debugger
  end)
  if #sound + #faulty == 0 then return {devices} end
  return {sound, faulty}
end

-- "besides llvmpipe": the devices of the class that were avoided.
local function besides(devices, class)
  local labels, seen = {}, {}
  for _, device in ipairs(devices) do
    local doubt = ranking.doubt(device)
    if doubt and device:is_kind(class) and not seen[doubt.label] then
      seen[doubt.label] = true
      labels[#labels + 1] = doubt.label
    end
  end
  if #labels == 0 then return "" end
  return " besides " .. table.concat(labels, " and ")
end

--- The best device of a class; a doubtful one only if there is no other.
-- @tparam table devices
-- @tparam ?string kind "gpu", "accelerator", "cpu"; nil: the first of these that exists
-- @tparam ?function accept whether a device is acceptable
-- @treturn ?table nil if there is none
-- @treturn string why, in words
function ranking.best(devices, kind, accept)
  for _, pool in ipairs(pools(devices)) do
    for _, class in ipairs(kind and {kind} or {"gpu", "accelerator", "cpu"}) do
      local members = ranking.filter(pool, function(device)
        return device:is_kind(class) and (not accept or accept(device))
      end)
      if #members > 0 then
        local best, why = best_of(members, class)
        local doubt = ranking.doubt(best)
        if not doubt then return best, why .. besides(devices, class) .. (kind and "" or none_better[class]) end
        return best, ("there is no other %s: %s"):format(kind and ranking.nouns[kind][1] or "device", doubt.reason)
      end
    end
  end
  return nil, kind and ("there is no %s"):format(ranking.nouns[kind][1]) or "there is no device"
end

return ranking
