-- Both bindings have the same functions, which give the same results and messages for all arguments.
-- suite: quick
-- builds: luajit asan
local parity = require "parity"
local support = require "support"

describe("the bindings inside clue", function()
  local reference

  -- The sanitizers see nothing of the FFI's own, and the library below both bindings is the same.
  setup(function() reference = parity.calls(support.clue, support.sanitized and "capi" or "ffi") end)

  it("are called with arguments that succeed, that fail and that raise errors", function()
    local _, raised = reference:gsub("raises", "")
    local _, failed = reference:gsub("%[cl", "")
    local _, lines = reference:gsub("\n", "")
    assert.is_true(lines > 10000 and raised > 1000 and failed > 100, ("%d %d %d"):format(lines, raised, failed))
    assert.is_true(lines - raised > 1000)
  end)

  it("agree #once", function()
    assert.is_nil(parity.difference(reference, parity.calls(support.clue, "capi")))
  end)
end)
