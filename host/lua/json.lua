--- dkjson, kept from LuaJIT's compiler.
--
-- The LuaJIT of Debian 12 (2.1.0~beta3+git20220320) compiles a loop over pairs() so that it may crash: it takes an
-- address, 64 bits, out of lj_vm_next's result by an xchg of 32. dkjson has the loops that run most often here, and
-- nothing that needs the compiler; `clue walk --json` crashed about once in ten times.
-- @module clue.json
local json = require "dkjson"

local jit = rawget(_G, "jit")
local seen = {}

-- A function, and those that it calls as upvalues.
local function keep_from_compiler(f)
  if seen[f] then return end
  seen[f] = true
  jit.off(f, true)
  local i = 1
  local name, value = debug.getupvalue(f, i)
  while name do
    if type(value) == "function" and pcall(string.dump, value) then keep_from_compiler(value) end -- no C function
    i = i + 1
    name, value = debug.getupvalue(f, i)
  end
end

if jit then
  keep_from_compiler(json.encode)
  keep_from_compiler(json.decode)
end

return json
