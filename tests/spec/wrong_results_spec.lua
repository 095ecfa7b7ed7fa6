-- The warning about a device that gives wrong results without an error: Mesa's llvmpipe, whose loops end too early.
-- suite: quick

local support = require "support"

describe("a device that gives wrong results", function()
  local warning = "clue: device 0 %(0:0%) llvmpipe .*: loops, nested ones counted together, end after 65535 "
    .. "iterations without an error, so longer ones compute wrong results\n"

  local function warnings(text, env, ...)
    local words = {...}
    words[#words + 1] = support.write(text)
    local status, out, err = support.run(words, env)
    assert.equal(0, status, err)
    return select(2, err:gsub("65535 iterations", "")), err, out
  end

  local makers = {
    "cl.context()", "cl.context(0)", "cl.context(cl.device.get(0))", "cl.context {0}", 'cl.context "llvmpipe"',
    "CLContextCreate()", "CLContextCreate(0)", 'COpenCL():Initialize("kernel void f() { }")',
  }

  it("gives a warning with the first context, once", function()
    for _, maker in ipairs(makers) do
      local count, err = warnings(("local cl = require 'clue' for _ = 1, 3 do %s end"):format(
        (maker:gsub("^cl", "local _ = cl"))), support.drivers "rusticl")
      assert.equal(1, count, maker)
      assert.matches(warning, err, nil, nil, maker)
    end
    assert.equal(1, (warnings("local cl = require 'clue' cl.context() CLContextCreate(0)", support.drivers "rusticl")))
  end)

  it("gives no warning with --quiet or if it is only queried, and other devices give none", function()
    local both = "local cl = require 'clue' cl.context(0) CLContextCreate(0)"
    assert.equal(0, (warnings(both, support.drivers "rusticl", "--quiet")))
    assert.equal(0, (warnings(both, support.drivers "both")))
    assert.equal(0, (warnings("print(require('clue').device.get(0).name)", support.drivers "rusticl")))
  end)

  it("behaves as the warning says", function()
    local _, _, out = warnings([[
      local cl = require "clue"
      local context = cl.context()
      local queue, rounds = context:queue(), cl.array.int(2)
      local buffer = context:buffer(rounds)
      local count = context:program [=[kernel void count(global int *rounds, const int most) {
        int alone = 0, nested = 0;
        for (volatile int i = 0; i < most; i++) alone++;
        for (volatile int i = 0; i < most / 100; i++) for (volatile int k = 0; k < 100; k++) nested++;
        rounds[0] = alone;
        rounds[1] = nested;
      }]=]:kernel "count"
      count(queue, 1, nil, buffer, 70000)
      queue:read_buffer(buffer, rounds)
      print(rounds[0] < 70000, rounds[1] < 70000)
    ]], support.drivers "rusticl")
    assert.equal("true\ttrue\n", out)
  end)
end)
