--- The devices of a file of `clue peak --json`, for `clue count --peak`.
local bounds = require "clue.result.bounds"
local filter = require("clue.shared.list").filter
local read = require "clue.result.read"

-- Whether something measured bounds a kernel.
local function has_rates(peak)
  for _, name in ipairs {"flops", "bandwidth"} do
    if type(peak[name]) ~= "table" then peak[name] = nil end
  end
  for kind in pairs(peak.flops or {}) do
    if bounds.of(peak, {type = kind, operations = 1})[1] then return true end
  end
  return bounds.of(peak, {bytes = 1, passes = 1})[1] ~= nil
end

--- Reads the file.
-- @tparam string path
-- @treturn[1] {table,...} for each device with limits that bound a kernel: device, flops, bandwidth, local_bandwidth
-- @treturn[2] nil
-- @treturn[2] string what is wrong, and what to do
return function(path)
  local document, kind = read.document(path)
  if not document then return nil, "--peak: " .. kind end
  if kind ~= "clue peak" then return nil, ("--peak: %s is from %s, not from clue peak"):format(path, kind) end
  local list = filter(document.limits and {document} or document.devices, has_rates)
  if list[1] then return list end
  return nil, ("--peak: %s has no rate of arithmetic or memory: measure them, clue peak --only compute,global,local "
    .. "--json FILE"):format(path)
end
