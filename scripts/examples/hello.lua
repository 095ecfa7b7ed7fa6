-- Squares five numbers on the device that `clue devices` marks with a star, or on the one that --device names.
local KERNEL = "kernel void square(global float *x) { int i = get_global_id(0); x[i] *= x[i]; }"
local numbers = array.float {1, 2, 3, 4, 5}
local context = CLContextCreate(CL_USE_ANY)
local program = CLProgramCreate(context, KERNEL)
local kernel = CLKernelCreate(program, "square")
local buffer = CLBufferCreate(context, numbers:bytes(), CL_MEM_READ_WRITE)
CLBufferWrite(buffer, numbers)
CLSetKernelArgMem(kernel, 0, buffer)
CLExecute(kernel, 1, {0}, {#numbers})
CLBufferRead(buffer, numbers)
Print(table.concat(numbers:table(), " "))
CLBufferFree(buffer) CLKernelFree(kernel) CLProgramFree(program) CLContextFree(context)
