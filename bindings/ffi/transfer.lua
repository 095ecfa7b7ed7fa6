--- What transfers have in common: they wait, or give an event.
-- Used by the files of clue.ffi.
local int_out = require("clue.ffi.result").int_out

local transfer = {}

--- Where a transfer's event goes.
-- @tparam ?boolean blocking false: the transfer is not waited for
-- @treturn ?cdata nil where it is
function transfer.event_out(blocking)
  return blocking == false and int_out or nil
end

--- What a transfer gives.
-- @tparam number code of C
-- @tparam ?cdata out what event_out gave
-- @treturn ?boolean|number true, or the event's handle; nil on failure
function transfer.result(code, out)
  if code ~= 0 then return nil end
  return out == nil or out[0]
end

return transfer
