--- Which device of several is the best: what class words (cpu, gpu, accelerator) and the default mean.
-- Used by clue.device_choice and `clue devices`. It looks at what devices tell and measures nothing.
local ranking = {}

-- Devices that class words pass over: a debugger is taken where no other device is there at all, the others where
-- none of the class is. llvmpipe stands here for its wrong results, which no script can see.
local doubtful = {
  {platform = "oclgrind", label = "Oclgrind", reason = "Oclgrind, a debugger", debugger = true},
  {
    platform = "rusticl",
    device = "llvmpipe",
    label = "llvmpipe",
    reason = "llvmpipe, whose long loops compute nonsense",
    wrong = "loops end after 65535 rounds, nested ones together, and no error tells: what longer ones compute is wrong",
  },
}

--- Why class words pass a device over.
-- @tparam table device
-- @treturn ?table label, reason, debugger (true for one), wrong (which results of it are, where they are); nil where
--   they do not
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

--- Those of a list that please a function.
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

--- One and many of each class, in words; the keys are the class words.
ranking.nouns = {
  gpu = {"GPU", "GPUs"},
  accelerator = {"accelerator", "accelerators"},
  cpu = {"CPU device", "CPU devices"},
}
local none_before = {gpu = "", accelerator = "no GPU is there: ", cpu = "no GPU or accelerator is there: "}

local function speed(device)
  return (device.max_compute_units or 0) * (device.max_clock_frequency or 0)
end

-- The best of several devices of a class, and the words for it. Speeds compare within one vendor only.
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
    return best, ("the best of %s's %d %s, %d are there"):format(first.vendor, #family, many, #devices)
  end
  if same then return best, ("the first of %d identical %s"):format(#devices, many) end
  return best, ("the best of %d %s by compute units x MHz"):format(#devices, many)
end

-- The devices in the order in which they are considered: sound ones, then doubtful ones, debuggers only if alone.
local function pools(devices)
  local sound = ranking.filter(devices, function(device) return not ranking.doubt(device) end)
  local faulty = ranking.filter(devices, function(device)
    local doubt = ranking.doubt(device)
    return doubt and not doubt.debugger
  end)
  if #sound + #faulty == 0 then return {devices} end
  return {sound, faulty}
end

-- "besides llvmpipe": what was passed over in the class.
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

--- The best device of a class; doubtful ones only for want of others.
-- @tparam table devices
-- @tparam ?string kind "gpu", "accelerator", "cpu"; nil: the first of these that is there
-- @tparam ?function accept says whether a device will do
-- @treturn ?table nil where none is there
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
        if not doubt then return best, (kind and "" or none_before[class]) .. why .. besides(devices, class) end
        return best, ("no other %s is there: %s"):format(kind and ranking.nouns[kind][1] or "device", doubt.reason)
      end
    end
  end
  return nil, kind and ("no %s is there"):format(ranking.nouns[kind][1]) or "no device is there"
end

return ranking
