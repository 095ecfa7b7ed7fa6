--- What users install if something is missing: on Debian here; another system has a module of its own.
-- @module clue.installing
local installing = {}

-- Debian's package does not bring the loader, libOpenCL.so.1.
local POCL = "PoCL makes the CPU a device; on Debian and Ubuntu: apt install pocl-opencl-icd ocl-icd-libopencl1"

--- Who may make a device, for a machine without one.
-- @tparam {string,...} platforms the names of those that are there, without devices: what is installed is not advised
-- @treturn {string,...} lines
function installing.devices(platforms)
  local lines = {
    "a GPU needs its driver: nvidia-opencl-icd, intel-opencl-icd, mesa-opencl-icd for AMD,",
    "and the right to open /dev/dri/render* (group render)",
    "drivers are registered by .icd files in /etc/OpenCL/vendors",
  }
  for _, name in ipairs(platforms) do
    if name == "Portable Computing Language" then return lines end
  end
  table.insert(lines, 1, POCL)
  return lines
end

--- Ends a message that a program or library is missing.
-- @tparam string package Debian's, which has it
-- @treturn string from "; " on; "" if there is nothing to say
function installing.advice(package)
  return "; on Debian and Ubuntu: apt install " .. package
end

return installing
