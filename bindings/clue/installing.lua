--- What users install if something is missing: on Debian here; another system has a module of its own.
-- @module clue.installing
local installing = {}

--- Who may make a device, for a machine without one. Debian's PoCL does not bring the loader, libOpenCL.so.1.
installing.devices = {
  "PoCL makes the CPU a device; on Debian and Ubuntu: apt install pocl-opencl-icd ocl-icd-libopencl1",
  "a GPU needs its driver: nvidia-opencl-icd, intel-opencl-icd, mesa-opencl-icd for AMD,",
  "and the right to open /dev/dri/render* (group render)",
  "drivers are registered by .icd files in /etc/OpenCL/vendors",
}

--- Ends a message that a program or library is missing.
-- @tparam string package Debian's, which has it
-- @treturn string from "; " on; "" if there is nothing to say
function installing.advice(package)
  return "; on Debian and Ubuntu: apt install " .. package
end

return installing
