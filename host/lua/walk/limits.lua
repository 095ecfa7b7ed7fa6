--- A device's limits for the roofline of a report: arithmetic and global memory as `clue peak` measures them.
-- @module clue.walk.limits
local child = require "clue.shared.child"
local json = require "dkjson"
local temporary = require "clue.shared.temporary"

local limits = {}

--- Measures in a child: no driver is loaded here.
-- @tparam string address of the device
-- @tparam number seconds limit for each group of measurements
-- @treturn ?table the document of `clue peak --json`; nil if it could measure nothing
function limits.of(address, seconds)
  local measured = temporary(function(folder)
    local path = folder .. "/peak.json"
    child.ask {"peak", "--device", address, "--only", "compute,global", "--time-limit", ("%g"):format(seconds),
               "--json", path}
    local file = io.open(path)
    local document = file and json.decode(file:read "*a")
    if file then file:close() end
    return document
  end)
  return measured and measured.flops and next(measured.flops) and measured or nil
end

return limits
