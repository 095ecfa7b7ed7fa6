--- Picks the binding: the table of plain functions through which all of clue reaches libclue.
-- It is ffi if LuaJIT compiles, else the C API's: FFI calls that are not compiled are slow. The environment variable
-- CLUE_BINDING can name one (ffi, capi); if it is empty or unset, the interpreter's best is taken.
local wanted = os.getenv("CLUE_BINDING") or ""

local jit = rawget(_G, "jit")
local interpreter = jit and jit.version or rawget(_G, "_VERSION")

local function refuse(problem, ...)
  error(problem:format(...), 0)
end

-- The C API's modules are named after the Lua for which they were compiled. LuaJIT has the API of Lua 5.1.
local function load_capi()
  local name = "clue.capi.lua" .. rawget(_G, "_VERSION"):gsub("%D", "")
  local loaded, binding = pcall(require, name)
  if loaded then return binding end
  refuse("%s needs the binding %s, which does not load (clue is built with one for each Lua whose headers are there; "
    .. "package.cpath must reach it): %s", interpreter, name, tostring(binding))
end

if wanted ~= "" and wanted ~= "ffi" and wanted ~= "capi" then
  refuse("CLUE_BINDING=%s: there is no such binding: set ffi or capi, or unset CLUE_BINDING", wanted)
end
-- Not by loading it: that may fail for lack of memory, which is another message, and which LuaJIT does not survive.
local has_ffi = package.loaded.ffi or package.preload.ffi
if wanted == "ffi" and not has_ffi then
  refuse("CLUE_BINDING=ffi: %s has no FFI library; unset CLUE_BINDING, or use LuaJIT", interpreter)
end

if wanted == "ffi" or wanted == "" and jit and jit.status() and has_ffi then
  return require "clue.ffi"
end
return load_capi()
