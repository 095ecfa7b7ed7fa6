-- Provokes failures in the object layer; the names of those to provoke are the arguments. Writes "== NAME" and the
-- error's text for each. tests/spec/errors_best_spec.lua compares that with docs/reference/errors.md.
local cl = require "clue"

local SOURCE = [[
kernel void scale(global float *x, float by) { x[get_global_id(0)] *= by; }
kernel void shift(global float *x, float4 by) { x[get_global_id(0)] += by.x; }
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void fours(global float *x) { x[get_global_id(0)] = 4; }
kernel void keep(local float *t) { t[get_local_id(0)] = 1; }
kernel void out_of_bounds(global float *x) { x[get_global_id(0)] = 1; }
]]

local context, queue, program, x -- made when they are first needed: some failures come before them

local function begin()
  context = context or cl.context(0)
  queue = queue or context:queue()
  program = program or context:program(SOURCE)
  x = x or context:buffer(cl.array.float(16))
end

local function kernel(name)
  begin()
  return program:kernel(name)
end

local function build(source, ...)
  context = context or cl.context(0)
  return context:program(source, ...)
end

local provoke = {}

function provoke.no_device() cl.context() end
function provoke.wrong_device() cl.context(99) end
function provoke.source() build "kernel void f(global int *x) {\n  x[0] = nonsense;\n}" end
function provoke.inner_local()
  build("kernel void f(global int *x)\n{\n  for (int i = 0; i < 4; i++) {\n    __local int t[4];\n    t[i] = i;\n"
    .. "    x[i] = t[i];\n  }\n}")
end
function provoke.header() build '#include "common.h"\nkernel void f(global int *x) { x[0] = ONE; }' end
function provoke.option() build("kernel void f(global int *x) { x[0] = 1; }") end -- by CLUE_BUILD_OPTIONS
function provoke.no_double() build "kernel void f(global double *x) { x[0] = 1; }" end
function provoke.no_body() build "void g(global int *x);\nkernel void f(global int *x) { g(x); }" end
function provoke.kernel_name() kernel "scal" end
function provoke.argument_unset() kernel "scale":set_arg(0, x)(queue, 16) end
function provoke.argument_type() kernel "scale":set_arg(1, cl.int(2)) end
function provoke.argument_kind() kernel "scale":set_arg(0, 2) end
function provoke.argument_vector() kernel "shift":set_arg(1, 2) end
function provoke.argument_index() kernel "scale":set_arg(2, 2) end
function provoke.freed() local scale, y = kernel "scale", context:buffer(64)
  scale:set_args(y, 2)
  y:close()
  scale(queue, 16)
end
function provoke.other_context() kernel "scale":set_arg(0, cl.context(0):buffer(64)) end
function provoke.uneven() kernel "scale"(queue, 1000, 24, x, 2) end
function provoke.group() kernel "scale"(queue, 2 ^ 20, 2 ^ 20, x, 2) end
function provoke.required() kernel "fours"(queue, 16, 8, x) end
function provoke.local_memory() kernel "keep"(queue, 16, nil, cl.local_memory(2 ^ 40)) end
function provoke.nothing() kernel "scale"(queue, 0, nil, x, 2) end
function provoke.large_buffer() begin() context:buffer(2 ^ 50) end
function provoke.transfer() begin() queue:read_buffer(x, cl.array.float(16), {offset = 4}) end
function provoke.device_memory() begin() context:buffer(2 ^ 16) end
function provoke.host_memory() begin() end
function provoke.resources() kernel "scale"(queue, 16, 16, x, 2) end
function provoke.fault()
  local scale = kernel "scale"
  scale(queue, 16, nil, x, 2)
  kernel "out_of_bounds"(queue, 16, 8, x)
  scale(queue, 8, nil, x, 2)
  queue:finish()
end
function provoke.dead_context() queue:read_buffer(x, cl.array.float(16)) end
function provoke.no_time() kernel "scale":time() end
function provoke.overlap() begin() queue:copy_buffer(x, x, {to_offset = 4, size = 8}) end
function provoke.mapped() begin()
  local mapped = queue:map_buffer(x, "float")
  local done, problem = pcall(queue.read_buffer, queue, x, cl.array.float(16))
  queue:unmap(mapped)
  if not done then error(problem, 0) end
end
function provoke.sub_buffer() begin() context:buffer(4096):sub_buffer {offset = 4, size = 8} end
function provoke.image_format() begin() context:image {width = 4, height = 4, order = "rgb", channel = "float"} end
function provoke.binary() begin() context:program_from_binary "what another driver made" end

for _, name in ipairs(arg) do
  local done, problem = pcall(provoke[name])
  print(("== %s\n%s"):format(name, done and "nothing failed" or cl.error.is(problem) and problem.text or problem))
end
