-- Kernels with much private memory work in large groups, although PoCL keeps that memory on the stacks of its threads.
-- suite: quick
-- builds: luajit asan
local support = require "support"

local script = [[
local KERNEL = "kernel void f(global float *a) { float own[8000]; for (int i = 0; i < 8000; i++) own[i] = a[i]; "
  .. "barrier(CLK_LOCAL_MEM_FENCE); float sum = 0; for (int i = 0; i < 8000; i++) sum += own[i * 7 % 8000]; "
  .. "a[8000 + get_global_id(0)] = sum; }"
local context = CLContextCreate(CL_USE_ANY)
local program = CLProgramCreate(context, KERNEL)
local kernel = CLKernelCreate(program, "f")
local values = array.float(8000 + 2048)
values:fill(1, 0, 8000)
local buffer = CLBufferCreate(context, values:bytes(), CL_MEM_READ_WRITE)
CLBufferWrite(buffer, values)
CLSetKernelArgMem(kernel, 0, buffer)
CLExecute(kernel, 1, {0}, {2048}, {2048})
CLBufferRead(buffer, values)
Print(values[8000], " ", values[8000 + 2047])
CLBufferFree(buffer) CLKernelFree(kernel) CLProgramFree(program) CLContextFree(context)
]]

it("a kernel with 32 KB of private memory runs in a group of 2048 on PoCL", function()
  local out = support.ended(0, support.run_script(script))
  assert.equal("8000 8000\n", out)
end)
