-- Whether the comparisons with a reference (tests/fuzz/kernels, tests/fuzz/transfers) find what is wrong: faults
-- planted in the build options and by a layer.
-- suite: whole

local support = require "support"

local fuzz = "tests/fuzz/"

local function run(tool, args, env)
  env.CLUE = support.clue
  return support.execute(support.words({fuzz .. tool}, args), env)
end

it("random kernels find an operation that is another, and print a small kernel that has it", function()
  local out = support.ended(1, run("kernels", "--driver oclgrind --binding ffi --layer objects --seed 17 --count 1",
    {CLUE_BUILD_OPTIONS = "-Dsub_sat=add_sat"}))
  assert.truthy(out:find("its result is not the reference's", 1, true))
  local shrunk = out:match "shrunk: .*"
  assert.truthy(shrunk and shrunk:find("sub_sat(", 1, true), out)
  assert.is_true(#shrunk < 2500, shrunk)
end)

it("random transfers find a byte that the driver reads wrongly, and print the one step that does it", function()
  local out = support.ended(1, run("transfers", "--driver pocl --binding ffi --seed 1 --count 1",
    {OPENCL_LAYERS = support.built "layer/misbehave.so", CLUE_MISBEHAVE = "flip"}))
  assert.truthy(out:find("byte %d+ of %w+ is %d+, but must be %d+"))
  assert.truthy(out:find("shrunk: transfers.lua 1 1 --only ''", 1, true), out) -- the comparison's own read
end)

describe("without a device", function()
  for _, tool in ipairs {"kernels", "transfers"} do
    it("random " .. tool .. " do not count as compared", function()
      local err = support.refused(1, run(tool, "--driver any --binding ffi --count 2", support.drivers "none"))
      assert.matches("^" .. tool .. ": clue ended with status 1 and no result: clue: there is no OpenCL device", err)
    end)
  end
end)
