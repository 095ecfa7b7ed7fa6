-- The operations of tests/bench/overhead by clue, at three levels: mql5 has MQL5's functions, objects the methods of
-- the object layer, binding the functions beneath both. Runs in stock luajit, in lua5.4 and inside clue; CLUE_BINDING
-- chooses the binding.
--
--   overhead_worker.lua KERNELS                         reads lines "LEVEL/OPERATION COUNT" up to "end 0", answers
--                                                       each with nanoseconds per operation
--   overhead_worker.lua KERNELS LEVEL/OPERATION COUNT   does that and ends, for callgrind
local binding = require "clue.binding"
local cl = require "clue"
local mql5 = require "clue.mql5"

-- Reads a whole file.
local function read_file(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local context = mql5.CLContextCreate(0)
local program = mql5.CLProgramCreate(context, read_file(arg[1]))
local f1, f4, f8 = mql5.CLKernelCreate(program, "f1"), mql5.CLKernelCreate(program, "f4"),
  mql5.CLKernelCreate(program, "f8")
local buffer = mql5.CLBufferCreate(context, 4096, mql5.CL_MEM_READ_WRITE)
local numbers = mql5.array.float(16)
local offset, global = {0}, {64}

-- ---- operations: each has a loop of its own, so that LuaJIT compiles it on its own --------------------------------

local mql5_level, binding_level = {}, {}

local CLSetKernelArg, CLSetKernelArgMem, CLExecute, CLExecutionStatus =
  mql5.CLSetKernelArg, mql5.CLSetKernelArgMem, mql5.CLExecute, mql5.CLExecutionStatus
local CLBufferCreate, CLBufferFree, CLBufferWrite = mql5.CLBufferCreate, mql5.CLBufferFree, mql5.CLBufferWrite

function mql5_level.set_float(count)
  for i = 1, count do CLSetKernelArg(f4, 1, i % 1024) end
end

function mql5_level.set_buffer(count)
  for _ = 1, count do CLSetKernelArgMem(f4, 0, buffer) end
end

function mql5_level.enqueue_1(count)
  for _ = 1, count do CLExecute(f1, 1, offset, global) end
end

function mql5_level.enqueue_4(count)
  for _ = 1, count do CLExecute(f4, 1, offset, global) end
end

function mql5_level.enqueue_8(count)
  for _ = 1, count do CLExecute(f8, 1, offset, global) end
end

function mql5_level.set_enqueue_1(count)
  for _ = 1, count do
    CLSetKernelArgMem(f1, 0, buffer)
    CLExecute(f1, 1, offset, global)
  end
end

function mql5_level.set_enqueue_4(count)
  for i = 1, count do
    CLSetKernelArgMem(f4, 0, buffer)
    CLSetKernelArg(f4, 1, i % 1024)
    CLSetKernelArgMem(f4, 2, buffer)
    CLSetKernelArg(f4, 3, i % 1024)
    CLExecute(f4, 1, offset, global)
  end
end

function mql5_level.set_enqueue_8(count)
  for i = 1, count do
    CLSetKernelArgMem(f8, 0, buffer)
    CLSetKernelArg(f8, 1, i % 1024)
    CLSetKernelArgMem(f8, 2, buffer)
    CLSetKernelArg(f8, 3, i % 1024)
    CLSetKernelArgMem(f8, 4, buffer)
    CLSetKernelArg(f8, 5, i % 1024)
    CLSetKernelArgMem(f8, 6, buffer)
    CLSetKernelArg(f8, 7, i % 1024)
    CLExecute(f8, 1, offset, global)
  end
end

function mql5_level.ask_1(count)
  for _ = 1, count do
    CLSetKernelArgMem(f1, 0, buffer)
    CLExecute(f1, 1, offset, global)
    CLExecutionStatus(f1)
  end
end

function mql5_level.ask_4(count)
  for i = 1, count do
    CLSetKernelArgMem(f4, 0, buffer)
    CLSetKernelArg(f4, 1, i % 1024)
    CLSetKernelArgMem(f4, 2, buffer)
    CLSetKernelArg(f4, 3, i % 1024)
    CLExecute(f4, 1, offset, global)
    CLExecutionStatus(f4)
  end
end

function mql5_level.ask_8(count)
  for i = 1, count do
    CLSetKernelArgMem(f8, 0, buffer)
    CLSetKernelArg(f8, 1, i % 1024)
    CLSetKernelArgMem(f8, 2, buffer)
    CLSetKernelArg(f8, 3, i % 1024)
    CLSetKernelArgMem(f8, 4, buffer)
    CLSetKernelArg(f8, 5, i % 1024)
    CLSetKernelArgMem(f8, 6, buffer)
    CLSetKernelArg(f8, 7, i % 1024)
    CLExecute(f8, 1, offset, global)
    CLExecutionStatus(f8)
  end
end

function mql5_level.new_buffer(count)
  for _ = 1, count do CLBufferFree(CLBufferCreate(context, 4096, mql5.CL_MEM_READ_WRITE)) end
end

function mql5_level.write_64(count)
  for _ = 1, count do CLBufferWrite(buffer, numbers) end
end

local set_number, set_object, execute, status, write = binding.kernel_set_number, binding.kernel_set_object,
  binding.kernel_execute, binding.kernel_status, binding.buffer_write
local create, free = binding.buffer_create, binding.handle_free

function binding_level.set_float(count)
  for i = 1, count do set_number(f4, 1, 0, i % 1024) end
end

function binding_level.set_buffer(count)
  for _ = 1, count do set_object(f4, 0, buffer) end
end

function binding_level.enqueue_1(count)
  for _ = 1, count do execute(f1, 1, offset, global) end
end

function binding_level.enqueue_4(count)
  for _ = 1, count do execute(f4, 1, offset, global) end
end

function binding_level.enqueue_8(count)
  for _ = 1, count do execute(f8, 1, offset, global) end
end

function binding_level.set_enqueue_1(count)
  for _ = 1, count do
    set_object(f1, 0, buffer)
    execute(f1, 1, offset, global)
  end
end

function binding_level.set_enqueue_4(count)
  for i = 1, count do
    set_object(f4, 0, buffer)
    set_number(f4, 1, 0, i % 1024)
    set_object(f4, 2, buffer)
    set_number(f4, 3, 0, i % 1024)
    execute(f4, 1, offset, global)
  end
end

function binding_level.set_enqueue_8(count)
  for i = 1, count do
    set_object(f8, 0, buffer)
    set_number(f8, 1, 0, i % 1024)
    set_object(f8, 2, buffer)
    set_number(f8, 3, 0, i % 1024)
    set_object(f8, 4, buffer)
    set_number(f8, 5, 0, i % 1024)
    set_object(f8, 6, buffer)
    set_number(f8, 7, 0, i % 1024)
    execute(f8, 1, offset, global)
  end
end

function binding_level.ask_1(count)
  for _ = 1, count do
    set_object(f1, 0, buffer)
    execute(f1, 1, offset, global)
    status(f1)
  end
end

function binding_level.ask_4(count)
  for i = 1, count do
    set_object(f4, 0, buffer)
    set_number(f4, 1, 0, i % 1024)
    set_object(f4, 2, buffer)
    set_number(f4, 3, 0, i % 1024)
    execute(f4, 1, offset, global)
    status(f4)
  end
end

function binding_level.ask_8(count)
  for i = 1, count do
    set_object(f8, 0, buffer)
    set_number(f8, 1, 0, i % 1024)
    set_object(f8, 2, buffer)
    set_number(f8, 3, 0, i % 1024)
    set_object(f8, 4, buffer)
    set_number(f8, 5, 0, i % 1024)
    set_object(f8, 6, buffer)
    set_number(f8, 7, 0, i % 1024)
    execute(f8, 1, offset, global)
    status(f8)
  end
end

function binding_level.new_buffer(count)
  for _ = 1, count do free(create(context, 4096, 1), "buffer") end
end

function binding_level.write_64(count)
  for _ = 1, count do write(buffer, 0, numbers, 0, 16) end
end

-- ---- the same by objects ------------------------------------------------------------------------------------------

local objects_level = {}

local object_context = cl.context(0)
local queue = object_context:queue()
local object_program = object_context:program(read_file(arg[1]))
local o1, o4, o8 = object_program:kernel "f1", object_program:kernel "f4", object_program:kernel "f8"
local memory = object_context:buffer(4096)

function objects_level.set_float(count)
  for i = 1, count do o4:set_arg(1, i % 1024) end
end

function objects_level.set_buffer(count)
  for _ = 1, count do o4:set_arg(0, memory) end
end

function objects_level.enqueue_1(count)
  for _ = 1, count do o1(queue, 64) end
end

function objects_level.enqueue_4(count)
  for _ = 1, count do o4(queue, 64) end
end

function objects_level.enqueue_8(count)
  for _ = 1, count do o8(queue, 64) end
end

function objects_level.set_enqueue_1(count)
  for _ = 1, count do o1(queue, 64, nil, memory) end
end

function objects_level.set_enqueue_4(count)
  for i = 1, count do o4(queue, 64, nil, memory, i % 1024, memory, i % 1024) end
end

function objects_level.set_enqueue_8(count)
  for i = 1, count do
    o8(queue, 64, nil, memory, i % 1024, memory, i % 1024, memory, i % 1024, memory, i % 1024)
  end
end

function objects_level.ask_1(count)
  for _ = 1, count do local _ = o1(queue, 64, nil, memory).status end
end

function objects_level.ask_4(count)
  for i = 1, count do local _ = o4(queue, 64, nil, memory, i % 1024, memory, i % 1024).status end
end

function objects_level.ask_8(count)
  for i = 1, count do
    local event = o8(queue, 64, nil, memory, i % 1024, memory, i % 1024, memory, i % 1024, memory, i % 1024)
    local _ = event.status
  end
end

function objects_level.new_buffer(count)
  for _ = 1, count do object_context:buffer(4096) end
end

function objects_level.write_64(count)
  for _ = 1, count do queue:write_buffer(memory, numbers) end
end

-- ---- measuring ----------------------------------------------------------------------------------------------------

local levels = {mql5 = mql5_level, objects = objects_level, binding = binding_level}

local function measure(level, operation, count)
  local run = levels[level][operation]
  local start = binding.now()
  run(count)
  local time = binding.now() - start
  if level == "objects" then queue:finish() end
  if not binding.context_finish(context) or mql5.GetLastError() ~= 0 then error("an operation failed", 0) end
  return time / count * 1e9
end

-- Sets all arguments once, so that each kernel can be enqueued.
for _, operations in pairs(levels) do
  for name, run in pairs(operations) do
    if name:find "^set_" then run(1) end
  end
end
mql5_level.set_enqueue_8(1)
objects_level.set_enqueue_8(1)

if arg[2] then
  local level, operation = arg[2]:match "^(.-)/(.*)$"
  measure(level, operation, tonumber(arg[3]))
else
  print "ready"
  io.stdout:flush()
  for line in io.lines() do
    local level, operation, count = line:match "^(.-)/(%S+)%s(%d+)$"
    if not level then break end
    count = tonumber(count)
    measure(level, operation, math.floor(count / 8) + 1) -- warms caches, clocks and device up again
    print(("%.3f"):format(measure(level, operation, count)))
    io.stdout:flush()
  end
end
