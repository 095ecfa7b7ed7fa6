--- The limits of a device, for the roofline of a report: what `clue peak` measures of arithmetic and global memory.
-- @module clue.walk.limits
local host = require "clue.options"
local json = require "dkjson"
local runner = require "clue.walk.runner"

local limits = {}

--- Measures, in a child: no driver is loaded here.
-- @tparam string address of the device
-- @tparam number seconds limit for each group of measurements
-- @treturn ?table the document of `clue peak --json`; nil where it could measure nothing
function limits.of(address, seconds)
  local path = os.tmpname()
  runner.ask({program = host.program}, {"peak", "--device", address, "--only", "compute,global", "--time-limit",
                                        ("%g"):format(seconds), "--json", path})
  local file = assert(io.open(path))
  local measured = json.decode(file:read "*a")
  file:close()
  os.remove(path)
  return measured and measured.flops and next(measured.flops) and measured or nil
end

return limits
