--- Registers and spills as compilers report them in their logs: NVIDIA's assembler does with -cl-nv-verbose.
-- @module clue.build.registers
local registers = {}

-- The lines about one kernel: from its name to the next kernel's name.
local function part_about(log, kernel)
  local from = log:find("entry function '" .. kernel .. "'", 1, true)
  if not from then return nil end
  local to = log:find("entry function '", from + #"entry function '", true)
  return log:sub(from, to and to - 1)
end

--- What a log says about a kernel.
-- @tparam string log
-- @tparam string kernel its name
-- @treturn table registers (of a work-item), stack, spill_stores, spill_loads (bytes), as far as the log has them
function registers.of(log, kernel)
  local part = part_about(log, kernel)
  if not part then return {} end
  local stack, stores, loads =
    part:match "(%d+) bytes stack frame, (%d+) bytes spill stores, (%d+) bytes spill loads"
  return {registers = tonumber(part:match "Used (%d+) registers"), stack = tonumber(stack),
          spill_stores = tonumber(stores), spill_loads = tonumber(loads)}
end

return registers
