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

local load, unpack = rawget(_G, "loadstring") or load, table.unpack or unpack -- luacheck: ignore

-- Reads a whole file.
local function read_file(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

-- ---- what operations use --------------------------------------------------------------------------------------------

local context = mql5.CLContextCreate(0)
local program = mql5.CLProgramCreate(context, read_file(arg[1]))
local object_context = cl.context(0)
local object_program = object_context:program(read_file(arg[1]))
local queue = object_context:queue()

-- All that the texts below name: MQL5's functions, the binding's, kernels f and o, and their arguments.
local names = {
  CLSetKernelArg = mql5.CLSetKernelArg, CLSetKernelArgMem = mql5.CLSetKernelArgMem, CLExecute = mql5.CLExecute,
  CLExecutionStatus = mql5.CLExecutionStatus, CLBufferCreate = mql5.CLBufferCreate, CLBufferFree = mql5.CLBufferFree,
  CLBufferWrite = mql5.CLBufferWrite, CL_MEM_READ_WRITE = mql5.CL_MEM_READ_WRITE,
  set_number = binding.kernel_set_number, set_object = binding.kernel_set_object, execute = binding.kernel_execute,
  status = binding.kernel_status, write = binding.buffer_write, create = binding.buffer_create,
  free = binding.handle_free,
  context = context, buffer = mql5.CLBufferCreate(context, 4096, mql5.CL_MEM_READ_WRITE),
  numbers = mql5.array.float(16), offset = {0}, global = {64},
  object_context = object_context, queue = queue, memory = object_context:buffer(4096),
}
for _, count in ipairs {1, 4, 8} do
  names["f" .. count] = mql5.CLKernelCreate(program, "f" .. count)
  names["o" .. count] = object_program:kernel("f" .. count)
end

-- ---- operations -----------------------------------------------------------------------------------------------------

-- What each level does: set a kernel's argument I to an object or a number, run the kernel K, ask for its state.
local set_by_set = {
  mql5 = {object = "CLSetKernelArgMem(K, I, buffer) ", number = "CLSetKernelArg(K, I, i % 1024) ",
          run = "CLExecute(K, 1, offset, global) ", ask = "CLExecutionStatus(K)",
          new_buffer = "CLBufferFree(CLBufferCreate(context, 4096, CL_MEM_READ_WRITE))",
          write_64 = "CLBufferWrite(buffer, numbers)"},
  binding = {object = "set_object(K, I, buffer) ", number = "set_number(K, I, 0, i % 1024) ",
             run = "execute(K, 1, offset, global) ", ask = "status(K)",
             new_buffer = 'free(create(context, 4096, 1), "buffer")', write_64 = "write(buffer, 0, numbers, 0, 16)"},
}

-- The texts of a level's operations, by name. A kernel's arguments are objects and numbers in turns.
local function texts_of(level)
  local function set(kind, kernel, index)
    return (level[kind]:gsub("%f[%w]%u%f[%W]", {K = kernel, I = index}))
  end
  local texts = {set_float = set("number", "f4", 1), set_buffer = set("object", "f4", 0),
                 new_buffer = level.new_buffer, write_64 = level.write_64}
  for _, count in ipairs {1, 4, 8} do
    local kernel, all = "f" .. count, ""
    for index = 0, count - 1 do all = all .. set(index % 2 == 0 and "object" or "number", kernel, index) end
    texts["enqueue_" .. count] = set("run", kernel, 0)
    texts["set_enqueue_" .. count] = all .. set("run", kernel, 0)
    texts["ask_" .. count] = all .. set("run", kernel, 0) .. set("ask", kernel, 0)
  end
  return texts
end

-- The object layer sets the arguments where it runs a kernel.
local function object_texts()
  local texts = {set_float = "o4:set_arg(1, i % 1024)", set_buffer = "o4:set_arg(0, memory)",
                 new_buffer = "object_context:buffer(4096)", write_64 = "queue:write_buffer(memory, numbers)"}
  for _, count in ipairs {1, 4, 8} do
    local all = ("o%d(queue, 64, nil%s)"):format(count, (", memory, i % 1024"):rep(math.floor(count / 2)) .. (
      count == 1 and ", memory" or ""))
    texts["enqueue_" .. count] = ("o%d(queue, 64)"):format(count)
    texts["set_enqueue_" .. count] = all
    texts["ask_" .. count] = ("local _ = %s.status"):format(all)
  end
  return texts
end

-- Each operation has a loop of its own, so that LuaJIT compiles it on its own.
local function compiled(texts)
  local list, values, operations = {}, {}, {}
  for name, value in pairs(names) do list[#list + 1], values[#values + 1] = name, value end
  for name, text in pairs(texts) do
    operations[name] = assert(load(("local %s = ... return function(count) for i = 1, count do %s end end"):format(
      table.concat(list, ", "), text)))(unpack(values))
  end
  return operations
end

local levels = {mql5 = compiled(texts_of(set_by_set.mql5)), binding = compiled(texts_of(set_by_set.binding)),
                objects = compiled(object_texts())}

-- ---- measuring ----------------------------------------------------------------------------------------------------

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
levels.mql5.set_enqueue_8(1)
levels.objects.set_enqueue_8(1)

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
