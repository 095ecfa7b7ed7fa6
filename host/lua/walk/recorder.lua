--- Keeps what a step builds: the source of every program as the compiler got it, and what the device says of its
-- kernels. For --source, --diff and the report.
-- @module clue.walk.recorder
local binding = require "clue.binding"

local recorder = {}

local group_properties = {
  work_group_size = 0x11B0, local_mem_size = 0x11B2, preferred_work_group_size_multiple = 0x11B3,
  private_mem_size = 0x11B4,
}

-- An unsigned integer of the host's, lowest byte first.
local function number_of(bytes)
  local number = 0
  for i = #(bytes or ""), 1, -1 do number = number * 256 + bytes:byte(i) end
  return number
end

local function facts_of(kernel, name)
  local facts = {name = name}
  for property, code in pairs(group_properties) do
    facts[property] = number_of(binding.kernel_group_bytes(kernel, code))
  end
  return facts
end

--- From now on, keeps what is built.
-- @treturn {table,...} a list that grows: source, options, kernels (a list of name and what clGetKernelWorkGroupInfo
--   tells of it, bytes or work-items)
function recorder.start()
  local programs, by_handle = {}, {}
  local program_create, kernel_create = binding.program_create, binding.kernel_create
  function binding.program_create(context, source, options)
    local handle = program_create(context, source, options)
    if handle then
      by_handle[handle] = {source = source, options = options or "", kernels = {}}
      programs[#programs + 1] = by_handle[handle]
    end
    return handle
  end
  function binding.kernel_create(program, name)
    local handle = kernel_create(program, name)
    local of = handle and by_handle[program]
    if of then of.kernels[#of.kernels + 1] = facts_of(handle, name) end
    return handle
  end
  return programs
end

return recorder
