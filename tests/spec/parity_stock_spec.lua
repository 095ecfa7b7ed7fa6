-- The bindings in the interpreters of Debian's packages give the same results and messages as inside clue, and say
-- what they lack.
-- suite: whole
-- cost: 10
-- tools: luajit lua5.4
local parity = require "parity"
local support = require "support"

describe("the binding", function()
  local reference
  -- parity_spec makes twice as many of both bindings: here only the interpreter is another one.
  local CALLS = 100

  setup(function() reference = parity.calls(support.clue, "ffi", CALLS) end)

  for _, case in ipairs {{"ffi", "luajit"}, {"", "lua5.1"}, {"", "lua5.4"}} do
    it(("of %s, %s, agrees"):format(case[2], case[1] == "" and "the only one" or case[1]), function()
      assert.is_nil(parity.difference(reference, parity.calls(case[2], case[1], CALLS)))
    end)
  end

  -- What an interpreter says if it loads clue from a folder.
  local function said(interpreter, folder, binding)
    local _, err = support.ended(1, support.execute({interpreter, "-e", "require 'clue'"}, {CLUE_BINDING = binding,
      LUA_PATH = folder .. "/?.lua;" .. folder .. "/?/init.lua;;", LUA_CPATH = folder .. "/?.so;;"}))
    return err
  end

  it("over FFI needs LuaJIT", function()
    for interpreter, name in pairs {["lua5.1"] = "Lua 5.1", ["lua5.4"] = "Lua 5.4"} do
      assert.matches(("CLUE_BINDING=ffi: %s has no FFI library; unset CLUE_BINDING, or use LuaJIT"):format(name),
        said(interpreter, support.clue:match "^(.*)/" .. "/lua", "ffi"), 1, true)
    end
  end)

  it("names the library that is missing beside the modules", function()
    if support.execute {"luajit", "-e", "require('ffi').load 'clue'"} == 0 then pending "libclue is installed" end
    local folder = support.folder()
    support.execute {"cp", "-r", support.clue:match "^(.*)/" .. "/lua", folder}
    assert.matches("cannot find libclue, neither beside clue's Lua modules nor with the loader: libclue.so: ",
      said("luajit", folder .. "/lua", "ffi"), 1, true)
    assert.matches("needs the binding clue.capi.lua51, which does not load", said("luajit", folder .. "/lua", "capi"),
      1, true)
  end)

  it("finds Oclgrind for raw calls before any of clue's", function()
    local lua = support.clue:match "^(.*)/" .. "/lua/?"
    local out = support.ended(0, support.execute({"luajit", "-e", [[
      local raw, ffi = require "clue.raw", require "ffi"
      local count = ffi.new "cl_uint[1]"
      raw.check(raw.clGetPlatformIDs(0, nil, count), "clGetPlatformIDs")
      print(count[0], #require("clue.device").machine().devices)]]}, support.drivers("pocl", {CLUE_DEVICE = "oclgrind",
      LUA_PATH = lua .. ".lua;" .. lua .. "/init.lua;;", LUA_CPATH = lua .. ".so;;"})))
    assert.equal("2\t2\n", out)
  end)
end)
