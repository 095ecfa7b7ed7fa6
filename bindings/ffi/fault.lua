--- Where a check failed, as a table.
local ffi = require "ffi"

local fault = {}

--- Where checks write it.
fault.out = ffi.new("clue_fault")

--- The results of a check.
-- @tparam number status what it returned
-- @treturn ?boolean nil: nothing could be checked
-- @treturn ?table row, column, found, expected, sigmas
function fault.verdict(status)
  if status < 0 then return nil end
  return status == 1, {
    row = tonumber(fault.out.row),
    column = tonumber(fault.out.column),
    found = fault.out.found,
    expected = fault.out.expected,
    sigmas = fault.out.sigmas,
  }
end

return fault
