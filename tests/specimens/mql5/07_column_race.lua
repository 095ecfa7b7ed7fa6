-- Step 7's kernel as published, without the barrier after the column was used, and as the walkthrough mends it: both
-- with a local size of 8, so that Oclgrind's check for data races has work-items to compare.
input.choice("_kernel", {"published", "mended"}, "published", "which of the two")
input.string("_step", "", "path of the walkthrough's step, whose kernel is the mended one")

local SIZE = 16

local function source()
  local file = assert(io.open(_step))
  local kernel = file:read("*a"):match("local KERNEL = %[%[\n(.-)%]%]")
  file:close()
  if _kernel == "mended" then return kernel end
  local published, removed = kernel:gsub("[^\n]*barrier[^\n]*missing in the published listing[^\n]*\n", "")
  assert(removed == 1, "the step's second barrier is not where it was")
  return published
end

function OnStart()
  local context = CLContextCreate(CL_USE_ANY)
  local defines = ("#define M %d\n#define K %d\n#define N %d\n#define REALTYPE float\n"):format(SIZE, SIZE, SIZE)
  local program = CLProgramCreate(context, defines .. source())
  local kernel = CLKernelCreate(program, "matr_mul_col_local")
  local ones = array.float(SIZE * SIZE)
  ones:fill(1)
  local buffers = {}
  for i = 1, 3 do
    buffers[i] = CLBufferCreate(context, ones:bytes(), CL_MEM_READ_WRITE)
    CLBufferWrite(buffers[i], ones)
    CLSetKernelArgMem(kernel, i - 1, buffers[i])
  end
  CLExecute(kernel, 1, {0}, {SIZE}, {8})
  CLBufferRead(buffers[3], ones)
  for _, buffer in ipairs(buffers) do CLBufferFree(buffer) end
  CLKernelFree(kernel) CLProgramFree(program) CLContextFree(context)
end
