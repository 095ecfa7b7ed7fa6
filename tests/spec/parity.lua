--- Calls all functions of a binding with right and wrong arguments, for the specs that compare bindings.
local support = require "support"

local lua = support.clue:match("^(.*)/") .. "/lua/"
local variables = {
  -- Some of the arguments are sizes beyond any memory: calloc must refuse them, not end the process.
  ASAN_OPTIONS = (os.getenv("ASAN_OPTIONS") or "") .. ":allocator_may_return_null=1",
  LUA_PATH = lua .. "?.lua;" .. lua .. "?/init.lua;;",
  LUA_CPATH = lua .. "?.so;;",
}

local parity = {}

--- Calls everything, without a driver: other specs compare the results of devices.
-- @tparam string interpreter its path
-- @tparam string binding "ffi", "capi" or "" for the interpreter's own choice
-- @tparam[opt=200] number count the calls of each function
-- @treturn string a line for each result and each error
function parity.calls(interpreter, binding, count)
  local more = support.drivers("none", {CLUE_BINDING = binding})
  for name, value in pairs(variables) do more[name] = value end
  local status, out, err = support.execute({interpreter, "tests/specimens/parity/calls.lua", count or 200}, more)
  assert(status == 0, err)
  return out
end

--- The first line in which two texts differ.
-- @treturn string|nil nil if they are equal
function parity.difference(left, right)
  local left_lines, number = left:gmatch "[^\n]*", 0
  for line in right:gmatch "[^\n]*" do
    number = number + 1
    local other = left_lines()
    if other ~= line then return ("line %d:\n  %s\n  %s"):format(number, tostring(other), line) end
  end
  return left_lines() and "the second ends early" or nil
end

return parity
