--- Registers and spills of kernels, as compilers report them in their logs. NVIDIA's compiler does if it is asked to.
--
--     local program = context:program(source, {registers = true})
--     print(program:kernel("saxpy"):registers().registers)
--
-- @module clue.kernel.registers
local binding = require "clue.binding"
local object = require "clue.object"
local wrap = require "clue.wrap"

local registers = {methods = {}}

-- NVIDIA's driver caches builds, by source and again by PTX, and a cached build has no log. A kernel with a new name
-- each time makes it build again.
local FRESH = "clue_built_at_"

--- What to build for a log that reports registers.
-- @tparam context context
-- @tparam string source
-- @tparam string options
-- @treturn ?string the source, with one more kernel; nil: the compiler cannot report them
-- @treturn ?string its options
function registers.ask(context, source, options)
  local devices = (type(context) == "table" and context or wrap(context)).devices
  for _, each in ipairs(devices) do
    if not each:has_extension "cl_nv_compiler_options" then return nil end
  end
  local name = ("%s%.0f_%.0f"):format(FRESH, os.time(), binding.now() * 1e9 % 1e9)
  return ("%s\nkernel void %s(void) { }\n"):format(source, name), "-cl-nv-verbose " .. options
end

--- Whether a source is one that only reports registers.
-- @tparam string source of @{ask}
-- @treturn boolean
function registers.is_asked(source)
  return source:find(FRESH, 1, true) ~= nil
end

--- A log without the lines about the kernel that @{ask} adds.
-- @tparam string log
-- @treturn string
function registers.without_lines(log)
  if not log:find(FRESH, 1, true) then return log end
  local lines, ours = {}, true
  for line in log:gmatch "[^\n]*\n?" do
    local entry = line:match "Compiling entry function '([^']*)'"
    if entry then ours = entry:sub(1, #FRESH) ~= FRESH end
    if ours and not line:find(FRESH, 1, true) then lines[#lines + 1] = line end
  end
  return table.concat(lines)
end

-- The part of a log about one kernel: from its name to the next kernel's name.
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

--- The kernel's registers and spills. Only NVIDIA's compiler reports them, for a program with the option registers =
-- true; it compiles such a program anew in each run.
-- @function registers
-- @treturn table registers of a work-item; stack, spill_stores, spill_loads (bytes of a work-item); without those that
--   the compiler did not report
function registers.methods:registers()
  object.handle(self, "kernel")
  return registers.of(self.program and self.program.log or "", self.name)
end

return registers
