--- What users install if something is missing, on Windows.
-- @module clue.installing
local installing = {}

--- Who may make a device, for a machine without one.
-- @treturn {string,...} lines
function installing.devices()
  return {
    "a GPU's comes with its driver from NVIDIA, AMD or Intel; Intel's \"CPU Runtime for",
    "OpenCL Applications\" has one for processors",
  }
end

local from = {
  binutils = "; objdump.exe is in MinGW-w64, whose folder must be in PATH",
  ["gnuplot-nox"] = "; it is at gnuplot.info, and its folder must be in PATH",
}

--- Ends a message that a program or library is missing.
-- @tparam string package Debian's, which has it
-- @treturn string from "; " on; "" if there is nothing to say
function installing.advice(package)
  return from[package] or ""
end

return installing
