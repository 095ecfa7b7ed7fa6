--- The limits of a device, for the roofline of a report: what `clue peak` measures of arithmetic and global memory.
-- @module clue.walk.limits
local binding = require "clue.binding"
local host = require "clue.options"
local json = require "dkjson"
local runner = require "clue.walk.runner"

local limits = {}

--- Measures, in a child: no driver is loaded here.
-- @tparam string address of the device
-- @tparam number seconds limit for each group of measurements
-- @treturn ?table the document of `clue peak --json`; nil where it could measure nothing
function limits.of(address, seconds)
  local folder = binding.temporary_folder() or error(binding.error().detail, 0)
  local path = folder .. "/peak.json"
  runner.ask({program = host.program}, {"peak", "--device", address, "--only", "compute,global", "--time-limit",
                                        ("%g"):format(seconds), "--json", path})
  local file = io.open(path)
  local measured = file and json.decode(file:read "*a")
  if file then file:close() end
  binding.temporary_remove(folder)
  return measured and measured.flops and next(measured.flops) and measured or nil
end

return limits
