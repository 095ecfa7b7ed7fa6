local clue = require "clue"
local source = "__kernel void scale(__global float *x, const float by) {x[get_global_id(0)] *= by;}"
local to_free = {}

local function free_all()
  for i = #to_free, 1, -1 do to_free[i]() end
end

local function give_up(message)
  free_all()
  error(message, 0)
end

local function made(free, handle, ...)
  if handle == INVALID_HANDLE then give_up((select(select("#", ...), ...))) end
  to_free[#to_free + 1] = function() free(handle) end
  return handle
end

local function done(result, ...)
  if not result or result == 0 then give_up((select(select("#", ...), ...))) end
end

function OnStart()
  local context = made(CLContextFree, CLContextCreate(CL_USE_CPU_ONLY))
  local program = made(CLProgramFree, CLProgramCreate(context, source))
  local kernel = made(CLKernelFree, CLKernelCreate(program, "scale"))
  local data = array.float {1, 2, 3, 4}
  local buffer = made(CLBufferFree, CLBufferCreate(context, data:bytes(), CL_MEM_READ_WRITE))
  done(CLBufferWrite(buffer, data))
  done(CLSetKernelArgMem(kernel, 0, buffer))
  done(CLSetKernelArg(kernel, 1, float(3)))
  local size, message = CLGetInfoInteger(kernel, CL_KERNEL_WORK_GROUP_SIZE)
  if size == -1 then give_up(message) end
  done(CLGetInfoString(context, CL_PLATFORM_NAME))
  done(CLGetDeviceInfo(kernel, 0x1002, array.uchar(0)))
  done(CLExecute(kernel, 1, {0}, {4}))
  done(pcall(clue.kernel_time, kernel))
  done(CLBufferRead(buffer, data))
  free_all()
  Print(data:sum())
end
