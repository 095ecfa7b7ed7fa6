--- Finds libclue and declares clue.h to LuaJIT; returns the library's namespace.
-- Inside the `clue` executable the library is already loaded, and that image must be used: two images would have two
-- handle tables. Elsewhere it is searched for beside the modules, as built and as installed, then where the loader
-- looks.
local ffi = require "ffi"

-- Test runners load modules again, but a C declaration exists once per process.
if not pcall(ffi.typeof, "clue_child_options") then
  ffi.cdef(require "clue.ffi.cdef")
end

local function is_libclue(library)
  return (pcall(function() return library.clue_abi end))
end

local function load_near_modules()
  local folder = debug.getinfo(1, "S").source:match("^@(.*)clue/ffi/library%.lua$")
  if not folder then return nil end
  for _, place in ipairs(require "clue.ffi.places") do
    local found, library = pcall(ffi.load, folder .. place)
    if found then return library end
  end
  return nil
end

local function find()
  if is_libclue(ffi.C) then return ffi.C end
  local near = load_near_modules()
  if near then return near end
  local found, library = pcall(ffi.load, "clue")
  if found then return library end
  error("cannot find libclue, neither beside clue's Lua modules nor with the loader: " .. tostring(library), 0)
end

local C = find()
local abi = C.clue_abi()
if abi ~= C.CLUE_ABI then
  error(("libclue has ABI %d, but these Lua modules need %d: they come from different versions of clue; "
    .. "install both from the same one"):format(abi, C.CLUE_ABI), 0)
end

-- Under a host that is not clue, the end of the Lua state is the last chance to wait for running commands. Each state
-- has one sentinel, however often this is loaded: collecting an earlier one would give up user events.
local registry, key = debug.getregistry(), "clue.ffi.sentinel"
if not registry[key] then
  registry[key] = newproxy(true)
  getmetatable(registry[key]).__gc = function() C.clue_finish() end
end

return C
