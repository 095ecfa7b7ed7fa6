--- The module of C behind clue.mpi; or, if it cannot be loaded, a table with the problem: how to get it.
-- @module clue.mpi.library
local name = "clue.mpi.lua" .. rawget(_G, "_VERSION"):gsub("%D", "") -- LuaJIT has the C API of Lua 5.1

local loaded, library = pcall(require, name)
if loaded then return library end
local problem = tostring(library)
local absent = problem:find(("module '%s' not found"):format(name), 1, true)
return {problem = absent
  and "clue.mpi is not part of this clue, which was built without Open MPI: install it (Debian: apt install "
    .. "libopenmpi-dev openmpi-bin) and build clue again (./dev build)"
  or "clue.mpi needs Open MPI (Debian: apt install openmpi-bin): " .. problem}
