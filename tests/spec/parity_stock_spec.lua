-- The bindings in the interpreters of Debian's packages give the same results and messages as inside clue.
local parity = require "parity"
local support = require "support"

describe("the binding", function()
  local reference

  setup(function() reference = parity.calls(support.clue, "ffi") end)

  for _, case in ipairs {{"capi", "luajit"}, {"ffi", "luajit"}, {"", "lua5.1"}, {"", "lua5.4"}} do
    it(("of %s, %s, agrees"):format(case[2], case[1] == "" and "the only one" or case[1]), function()
      assert.is_nil(parity.difference(reference, parity.calls(case[2], case[1])))
    end)
  end
end)
