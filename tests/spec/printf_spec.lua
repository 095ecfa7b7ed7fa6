-- The output of kernels reaches the script's standard output in the right order with what Lua prints, on every driver,
-- and also in files and pipes.
-- suite: quick
-- builds: luajit asan lua54

local support = require "support"

local script = [[
local cl = require "clue"
require("clue.options").quiet = true
local context = cl.context()
local queue, out = context:queue(), context:buffer(4)
local say = context:program [=[
  kernel void say(int n) { printf("kernel %d\n", n); }
  kernel void spin(global uint *out, int n) {
    uint value = n;
    for (uint round = 0; round < 60000; round++)
      for (uint i = 0; i < 3000; i++) value = value * 1664525u + 1013904223u;
    out[0] = value;
    printf("kernel %d, %d\n", n, (int)(value & 0));
  }]=]
local kernel, spin = say:kernel "say", say:kernel "spin"
io.write "first\n"
kernel(queue, 1, nil, 1):wait()
io.write "between\n"
kernel(queue, 1, nil, 2)
queue:finish()
io.write "half a line, "
kernel(queue, 1, nil, 3)
queue:read_buffer(out, cl.array.int(1))
io.write "the other half\n"
if arg[1] then
  spin(queue, 1, nil, out, 4)
  io.write "while it runs\n"
  queue:finish()
end
io.write "last\n"
]]

local MQL5 = [[
local kernel = CLKernelCreate(CLProgramCreate(CLContextCreate(CL_USE_ANY),
  'kernel void say(int n) { printf("kernel %d\\n", n); }'), "say")
for n = 1, 2 do
  Print("before ", n)
  CLSetKernelArg(kernel, 0, int(n))
  CLExecute(kernel, 1, { 0 }, { 1 })
  require("clue").wait(kernel)
end
Print("last")
]]

local EXPECTED = "first\nkernel 1\nbetween\nkernel 2\nhalf a line, kernel 3\nthe other half\n"

describe("the output of a kernel", function()
  for _, driver in ipairs {"pocl", "oclgrind", "rusticl"} do
    it("is in the right place, on " .. driver, function()
      local out = support.ended(0, support.run_script(script, nil, support.drivers(driver)))
      assert.equal(EXPECTED .. "last\n", out)
    end)

    it("is in the right place with MQL5's functions, on " .. driver, function()
      local out = support.ended(0, support.run_script(MQL5, nil, support.drivers(driver)))
      assert.equal("before 1\nkernel 1\nbefore 2\nkernel 2\nlast\n", out)
    end)
  end

  -- Oclgrind and rusticl run a kernel inside the call that waits or flushes, so Lua cannot print meanwhile.
  it("comes after what Lua prints while the kernel is running", function()
    local out = support.ended(0, support.run_script(script, {"long"}, support.drivers "pocl"))
    assert.equal(EXPECTED .. "while it runs\nkernel 4, 0\nlast\n", out)
  end)
end)
