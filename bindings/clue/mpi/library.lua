--- Loads the module of C behind clue.mpi, or says how to get it.
-- @module clue.mpi.library
local error_object = require "clue.error"

local name = "clue.mpi.lua" .. rawget(_G, "_VERSION"):gsub("%D", "") -- LuaJIT has the C API of Lua 5.1

local loaded, library = pcall(require, name)
if not loaded then
  -- Else Lua 5.1 and LuaJIT would say "loop or previous error" if a script tries again.
  package.loaded["clue.mpi.library"], package.loaded["clue.mpi"] = nil, nil
  local problem = tostring(library)
  local absent = problem:find(("module '%s' not found"):format(name), 1, true)
  error(error_object.new {text = absent
    and "clue.mpi is not part of this clue, which was built without Open MPI: install it (Debian: apt install "
      .. "libopenmpi-dev openmpi-bin) and build clue again (./dev build)"
    or "clue.mpi needs Open MPI (Debian: apt install openmpi-bin): " .. problem}, 0)
end
return library
