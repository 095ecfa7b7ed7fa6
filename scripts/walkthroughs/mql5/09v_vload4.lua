-- Step 9v, beyond the article: step 9 with vload4() for the vectors of A and of B.
--
-- Step 9 puts its vectors of B together from four scalars, in each round. vload4() says what is meant, one vector from
-- any address of its elements. A compiler that joins adjacent scalars makes the same of both: on PoCL, the loop of
-- steps 8, 9 and 9v is one. Where it does not, four loads and their arrangement become one, if the hardware loads a
-- vector from an address that need not be a multiple of its size: x86 does; NVIDIA's cards do not, so there it stays at
-- four loads (hello 5v).
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
__kernel void matr_mul_vload4(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const int row = get_global_id(0), whole = K / 4;
    __global const REALTYPE *from = a + row * K;
    REALTYPE4 own[K / 4 + 1];
    for (int i = 0; i < whole; i++)
        own[i] = vload4(i, from);
    for (int column = 0; column < N; column++) {
        __global const REALTYPE *other = b + column * K;
        REALTYPE sum = 0;
        for (int i = 0; i < whole; i++)
            sum += dot(own[i], vload4(i, other));
        for (int k = whole * 4; k < K; k++)
            sum += from[k] * other[k];
        c[row * N + column] = sum;
    }
}
]]

local row = {
  number = "9v", name = "matr_mul_vload4", beyond = true,
  change = "step 9 with vload4() instead of vectors built from scalars",
  expect = {
    cpu = {"same", "a compiler makes one load of four adjacent scalars without being told"},
    gpu = {"same", "an address that need not be a multiple of 16 bytes takes four loads either way"},
  },
  decides = {"preferred_vector_width_float", "native_vector_width_float"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = CLContextCreate(CL_USE_ANY)
  walk.need(row, context, {type = p.type, private_memory = p.a:bytes() / p.m})
  local program = CLProgramCreate(context, p.defines .. KERNEL)
  local kernel = CLKernelCreate(program, "matr_mul_vload4")

  local a = CLBufferCreate(context, p.a:bytes(), CL_MEM_READ_ONLY)
  local b = CLBufferCreate(context, p.b:bytes(), CL_MEM_READ_ONLY)
  local c = CLBufferCreate(context, p.c:bytes(), CL_MEM_READ_WRITE)
  CLSetKernelArgMem(kernel, 0, a)
  CLSetKernelArgMem(kernel, 1, b)
  CLSetKernelArgMem(kernel, 2, c)

  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() CLBufferWrite(a, p.a) CLBufferWrite(b, p.b) end,
    reset = function() p.c:fill(0) CLBufferWrite(c, p.c) end,
    execute = function() CLExecute(kernel, 1, {0}, {p.m}) end,
    read = function() CLBufferRead(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_columns"
  walk.report(p:row(row, context))

  CLBufferFree(a) CLBufferFree(b) CLBufferFree(c)
  CLKernelFree(kernel) CLProgramFree(program) CLContextFree(context)
end
