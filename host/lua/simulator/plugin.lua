--- Where Oclgrind and clue's plugin for it are.
-- @module clue.simulator.plugin
local known = require "clue.doctor.known"
local lfs = require "lfs"
local paths = require "clue.paths"

local plugin = {}

local function first_of(folders, name)
  for _, folder in ipairs(folders) do
    local path = folder .. "/" .. name
    if lfs.attributes(path, "mode") == "file" then return path end
  end
end

--- Finds both.
-- @treturn[1] string path of Oclgrind's OpenCL library
-- @treturn[1] string path of the plugin
-- @treturn[2] nil
-- @treturn[2] string what is missing, and how to get it
function plugin.find()
  local oclgrind = known.driver "liboclgrind-rt-icd.so"
  local driver = first_of(oclgrind.places, oclgrind.file)
  if not driver then
    return nil, "it needs Oclgrind, on which kernels run (Debian: apt install oclgrind)"
  end
  local its = first_of({paths.plugins}, "libclue_simulator.so")
  if its then return driver, its end
  return nil, "this clue was built without its plugin for Oclgrind; the build makes it where a C++ compiler, "
    .. "Oclgrind's headers and LLVM's are installed (Debian: apt install g++ liboclgrind-dev llvm-14-dev)"
end

return plugin
