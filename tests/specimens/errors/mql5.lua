-- Provokes failures in the MQL5 layer; --cases has the names of those to provoke. Writes "== NAME" and the
-- failed call's message for each. tests/spec/errors_best_spec.lua compares that with docs/reference/errors.md.
local SOURCE = [[
__kernel void scale(__global float *x, float by) { x[get_global_id(0)] *= by; }
__kernel void shift(__global float *x, float4 by) { x[get_global_id(0)] += by.x; }
__kernel __attribute__((reqd_work_group_size(4, 1, 1))) void fours(__global float *x) { x[get_global_id(0)] = 4; }
__kernel void keep(__local float *t) { t[get_local_id(0)] = 1; }
__kernel void out_of_bounds(__global float *x) { x[get_global_id(0)] = 1; }
]]

local context, program, x -- made when they are first needed: some failures come before them

-- The last value that a failed call gives is its message.
local function message(...)
  return select(select("#", ...), ...)
end

local function made(handle, ...)
  if handle == INVALID_HANDLE then error(message(...), 0) end
  return handle
end

local function begin()
  context = context or made(CLContextCreate(0))
  program = program or made(CLProgramCreate(context, SOURCE))
  x = x or made(CLBufferCreate(context, 64, CL_MEM_READ_WRITE))
end

local function kernel(name)
  begin()
  return made(CLKernelCreate(program, name))
end

-- A kernel whose arguments are set.
local function ready(name)
  local new = kernel(name)
  assert(CLSetKernelArgMem(new, 0, x))
  if name == "scale" then assert(CLSetKernelArg(new, 1, float(2))) end
  return new
end

local function execute(name, global, by)
  return message(CLExecute(ready(name), 1, {0}, {global}, by and {by} or nil))
end

local function build(source)
  context = context or made(CLContextCreate(0))
  return message(CLProgramCreate(context, source))
end

local provoke = {}

function provoke.no_device() return message(CLContextCreate(CL_USE_ANY)) end
function provoke.wrong_device() return message(CLContextCreate(99)) end
function provoke.source() return build "__kernel void f(__global int *x) {\n  x[0] = nonsense;\n}" end
function provoke.inner_local()
  return build("__kernel void f(__global int *x)\n{\n  for (int i = 0; i < 4; i++) {\n    __local int t[4];\n"
    .. "    t[i] = i;\n    x[i] = t[i];\n  }\n}")
end
function provoke.header() return build '#include "common.h"\n__kernel void f(__global int *x) { x[0] = ONE; }' end
function provoke.option() return build "__kernel void f(__global int *x) { x[0] = 1; }" end -- by CLUE_BUILD_OPTIONS
function provoke.no_double() return build "__kernel void f(__global double *x) { x[0] = 1; }" end
function provoke.no_body() return build "void g(__global int *x);\n__kernel void f(__global int *x) { g(x); }" end
function provoke.kernel_name() kernel "scal" end
function provoke.argument_unset()
  local scale = kernel "scale"
  assert(CLSetKernelArgMem(scale, 0, x))
  return message(CLExecute(scale, 1, {0}, {16}))
end
function provoke.argument_type() return message(CLSetKernelArg(kernel "scale", 1, require("clue").int(2))) end
function provoke.argument_kind() return message(CLSetKernelArg(kernel "scale", 0, 2)) end
function provoke.argument_vector() return message(CLSetKernelArg(kernel "shift", 1, 2)) end
function provoke.argument_index() return message(CLSetKernelArg(kernel "scale", 2, 2)) end
function provoke.freed()
  local scale, y = ready "scale", made(CLBufferCreate(context, 64, CL_MEM_READ_WRITE))
  assert(CLSetKernelArgMem(scale, 0, y))
  CLBufferFree(y)
  return message(CLExecute(scale, 1, {0}, {16}))
end
function provoke.other_context()
  local scale, other = kernel "scale", made(CLContextCreate(0))
  return message(CLSetKernelArgMem(scale, 0, made(CLBufferCreate(other, 64, CL_MEM_READ_WRITE))))
end
function provoke.uneven() return execute("scale", 1000, 24) end
function provoke.group() return execute("scale", 2 ^ 20, 2 ^ 20) end
function provoke.required() return execute("fours", 16, 8) end
function provoke.local_memory() return message(CLSetKernelArgMemLocal(kernel "keep", 0, 2 ^ 40)) end
function provoke.nothing() return execute("scale", 0) end
function provoke.large_buffer() begin() return message(CLBufferCreate(context, 2 ^ 50, CL_MEM_READ_WRITE)) end
function provoke.transfer() begin() return message(CLBufferRead(x, array.float(16), 4, 0, 16)) end
function provoke.device_memory() begin() return message(CLBufferCreate(context, 2 ^ 16, CL_MEM_READ_WRITE)) end
function provoke.host_memory() begin() end
function provoke.resources() return execute("scale", 16, 16) end
function provoke.fault()
  CLExecute(ready "scale", 1, {0}, {16})
  CLExecute(ready "out_of_bounds", 1, {0}, {16}, {8})
  local last = ready "scale"
  CLExecute(last, 1, {0}, {8})
  return select(2, pcall(require("clue").wait, last)).text
end
function provoke.dead_context() return message(CLBufferRead(x, array.float(16))) end
function provoke.no_time() return select(2, pcall(require("clue").kernel_time, kernel "scale")).text end

input.string("_cases", "", "what to provoke, words")

function OnStart()
  for name in _cases:gmatch "%S+" do
    local _, told = pcall(provoke[name])
    print(("== %s\n%s"):format(name, type(told) == "string" and told or "nothing failed"))
  end
end
