-- The bindings are one: the same names, the same results and the same words, whatever they are called with. A
-- specimen calls all of them with right and wrong arguments; what it prints must not depend on the binding.

local support = require "support"

local lua = support.clue:match("^(.*)/") .. "/lua/"
local variables = {
  -- Sizes that no memory holds are among the arguments: calloc shall refuse them, not end the process.
  ASAN_OPTIONS = (os.getenv("ASAN_OPTIONS") or "") .. ":allocator_may_return_null=1",
  LUA_PATH = lua .. "?.lua;" .. lua .. "?/init.lua;;",
  LUA_CPATH = lua .. "?.so;;",
}

-- What the specimen prints. No driver is there: what a device says is for other specs.
local function calls(words, env)
  local more = support.drivers("none", env)
  for name, given in pairs(variables) do more[name] = given end
  words[#words + 1] = "tests/specimens/parity/calls.lua"
  local status, out, err = support.execute(words, more)
  assert.equal(0, status, err)
  return out
end

local function first_difference(left, right)
  local left_lines, number = left:gmatch("[^\n]*"), 0
  for line in right:gmatch("[^\n]*") do
    number = number + 1
    local other = left_lines()
    if other ~= line then return ("line %d:\n  %s\n  %s"):format(number, tostring(other), line) end
  end
  return left_lines() and "the second ends early" or nil
end

describe("the bindings", function()
  local reference

  setup(function() reference = calls({ support.clue }, { CLUE_BINDING = "ffi" }) end)

  it("are called with what succeeds, what fails and what raises", function()
    local _, raised = reference:gsub("raises", "")
    local _, failed = reference:gsub("%[cl", "")
    local _, lines = reference:gsub("\n", "")
    assert.is_true(lines > 10000 and raised > 1000 and failed > 100, ("%d %d %d"):format(lines, raised, failed))
    assert.is_true(lines - raised > 1000)
  end)

  local others = {
    { "capi inside clue", { support.clue }, "capi" },
    { "capi in a stock LuaJIT", { "luajit" }, "capi" },
    { "ffi in a stock LuaJIT", { "luajit" }, "ffi" },
    { "capi in Lua 5.1", { "lua5.1" }, "" },
    { "capi in Lua 5.4", { "lua5.4" }, "" },
  }
  for _, other in ipairs(others) do
    it("agree: " .. other[1], function()
      if support.sanitized and other[2][1] ~= support.clue then
        pending "a stock interpreter does not load what the sanitizers were compiled into"
      end
      assert.is_nil(first_difference(reference, calls(other[2], { CLUE_BINDING = other[3] })))
    end)
  end
end)
