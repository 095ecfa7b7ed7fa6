--- Picks the binding: the table of plain functions through which everything in clue reaches libclue.
-- The environment variable CLUE_BINDING names one (ffi), empty or unset: the best that the interpreter has.
local wanted = os.getenv("CLUE_BINDING") or ""

local function refuse(problem)
  error("clue: " .. problem, 0)
end

if wanted == "capi" then
  refuse("CLUE_BINDING=capi: this clue has no binding over the Lua C API; it runs on LuaJIT: unset CLUE_BINDING")
elseif wanted ~= "" and wanted ~= "ffi" then
  refuse(("CLUE_BINDING=%s: no such binding; ffi is one, or leave CLUE_BINDING unset"):format(wanted))
elseif not pcall(require, "ffi") then
  refuse(("%s has no FFI library: clue runs on LuaJIT"):format(rawget(_G, "_VERSION") or "this Lua"))
end

return require "clue.ffi"
