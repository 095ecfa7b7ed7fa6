-- Extensions, step 21: a list. A program checks CL_DEVICE_EXTENSIONS before it uses one; a pragma enables it.
--
-- The name shows the origin of an extension: the Khronos group has approved those with cl_khr_, and has tests for them;
-- several vendors share those with cl_ext_; the others belong to one vendor (cl_nv_, cl_amd_, cl_intel_, cl_arm_,
-- cl_pocl_, ...). Some extensions of early versions became part of later ones: 32-bit atomics and byte stores of OpenCL
-- 1.1, fp64 of 1.2 (if the device has it), 3-D image writes of 2.0. Here each extension is enabled in a separate
-- kernel, which must build.
--
-- Some do not concern kernels. cl_khr_gl_sharing, which the course names, lets OpenCL and OpenGL use the same buffers
-- and textures, so that results are drawn where they are. It needs a window with a context of OpenGL, so no step uses
-- it. Vendors' own extensions are listed with the others; `clue devices --json` has what they report of a device.
local amd = require "clue.walk.amd"
local cl = require "clue"
local walk = require "clue.walk"

amd.inputs(input)

local KERNEL = [[
__kernel void enabled(__global int *out)
{
    out[0] = 21;
}
]]

local row = {
  number = 21, name = "extensions", study = "extensions", change = "a list by kind; each enabled in a kernel",
  decides = {"version", "opencl_c_version", "extensions"},
}

local KINDS = {{"cl_khr_", "of Khronos"}, {"cl_ext_", "of several vendors"}, {"cl_", "of one vendor"},
               {"", "not named as the specification says"}}

local function kind_of(name)
  for _, kind in ipairs(KINDS) do
    if name:find(kind[1], 1, true) == 1 then return kind[2] end
  end
end

-- Returns whether a kernel that enables it builds and runs; a compiler that does not know the name only warns.
local function works(context, queue, name)
  local out = cl.array.int(1)
  local buffer = context:buffer(out)
  local built, program = pcall(context.program, context, amd.pragma(name) .. KERNEL)
  if not built then return false, tostring(program) end
  program:kernel "enabled"(queue, 1, nil, buffer)
  queue:read_buffer(buffer, out)
  return out[0] == 21, ("the kernel wrote %d, should be 21"):format(out[0])
end

function OnStart()
  local context = cl.context()
  local queue = context:queue()
  local names, by_kind, refused = amd.names(context.device), {}, {}
  row.check = {verified = true, text = "each enabled in a kernel"}
  for _, name in ipairs(names) do
    local kind = kind_of(name)
    by_kind[kind] = by_kind[kind] or {}
    table.insert(by_kind[kind], name)
    local right, why = works(context, queue, name)
    if not right and why:find("CL_BUILD_PROGRAM_FAILURE", 1, true) then
      refused[#refused + 1] = name
    elseif not right then
      row.check = {verified = false, text = name .. ": " .. why}
    end
  end
  row.notes = {("%s, %s: %d extensions"):format(context.device.version, context.device.opencl_c_version, #names)}
  for _, kind in ipairs(KINDS) do
    local list = by_kind[kind[2]]
    if list then row.notes[#row.notes + 1] = ("%s (%d): %s"):format(kind[2], #list, table.concat(list, ", ")) end
  end
  if #refused > 0 then
    row.notes[#row.notes + 1] = "the compiler refuses the pragma of: " .. table.concat(refused, ", ")
  end
  row.problem, row.context = "extensions of the device", context
  walk.report(row)
end
