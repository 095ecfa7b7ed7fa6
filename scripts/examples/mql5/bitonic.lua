-- Bitonic sort: every step compares pairs of elements at a fixed distance and swaps those that are in the wrong order.
-- The steps depend on each other, so each is a separate launch; the queue keeps their order, and nothing waits between
-- them. 2^n elements take n (n + 1) / 2 launches.
--
-- The check requires that no element is less than the previous one, and that the elements are those of the host's sort.
local clue = require "clue"

input.int("_count", 65536, "how many elements: a power of two", 2, 2 ^ 28)
input.int("_seed", 1, "random numbers", 0)
input.int("_device", CL_USE_ANY, "device")

local KERNEL = [[
// One pair per work-item. Blocks of `block` elements are sorted upwards and downwards in turn.
__kernel void compare_pairs(__global uint *data, const uint block, const uint distance)
{
    const uint pair = get_global_id(0);
    const uint low = 2 * distance * (pair / distance) + pair % distance, high = low + distance;
    const uint a = data[low], b = data[high];
    const bool upwards = (low & block) == 0;
    if ((a > b) == upwards) {
        data[low] = b;
        data[high] = a;
    }
}
]]

local function Failed(what)
  PrintFormat("FAILED: %s, error %d", what, GetLastError())
  return false
end

local function IsPowerOfTwo(n)
  while n % 2 == 0 do n = MathFloor(n / 2) end
  return n == 1
end

-- Enqueues one launch, and then calls `each`.
local function Launch(kernel, block, distance, each)
  if not CLSetKernelArg(kernel, 1, uint(block)) then return Failed("CLSetKernelArg") end
  if not CLSetKernelArg(kernel, 2, uint(distance)) then return Failed("CLSetKernelArg") end
  if not CLExecute(kernel, 1, {0}, {_count / 2}) then return Failed("CLExecute") end
  if each then each(kernel) end
  return true
end

-- Enqueues all launches and returns their number.
local function Sort(kernel, each)
  local launches, block = 0, 2
  while block <= _count do
    local distance = MathFloor(block / 2)
    while distance >= 1 do
      if not Launch(kernel, block, distance, each) then return false end
      launches = launches + 1
      distance = MathFloor(distance / 2)
    end
    block = block * 2
  end
  return launches
end

-- CLExecute only enqueues: the time until it returns is the host's time, not the kernels'.
local function TimedSort(kernel, buffer, data)
  local start = GetMicrosecondCount()
  local launches = Sort(kernel)
  if not launches then return false end
  local enqueued = GetMicrosecondCount() - start
  clue.finish(kernel)
  local finished = GetMicrosecondCount() - start
  if CLBufferRead(buffer, data) == 0 then return Failed("CLBufferRead") end
  local total = GetMicrosecondCount() - start
  PrintFormat("%d elements, %d launches: enqueued after %d us, done after %d us, read back after %d us; one run",
    _count, launches, enqueued, finished, total)
  return true
end

-- Measures the kernels alone. To get a launch's time, the script must wait for it, so this is a separate run.
local function TellKernelTime(kernel, buffer, data)
  if CLBufferWrite(buffer, data) == 0 then return Failed("CLBufferWrite") end
  local sum, clock = 0, "device"
  local function Add(of)
    local seconds, whose = clue.kernel_time(of)
    sum = sum + seconds
    if whose == "host" then clock = whose end
  end
  local launches = Sort(kernel, Add)
  if launches then
    PrintFormat("kernels alone %.0f us (the %s's clock), %.2f us per launch; a run that waits after each", sum * 1e6,
      clock, sum * 1e6 / launches)
  end
  return launches ~= false
end

local function Check(data, unsorted)
  for i = 1, #data - 1 do
    if data[i] < data[i - 1] then
      PrintFormat("FAILED: not in order: element %d is %u, the previous one is %u", i, data[i], data[i - 1])
      return false
    end
  end
  local start = GetMicrosecondCount()
  local sorted = unsorted:table()
  table.sort(sorted)
  local elapsed = GetMicrosecondCount() - start
  local at = data:compare(array.uint(sorted))
  if at then
    PrintFormat("FAILED: not the same elements: element %d is %u, sorted %u", at, data[at], sorted[at + 1])
    return false
  end
  PrintFormat("in order, and the same elements as before; the host's table.sort took %d us", elapsed)
  return true
end

-- The run that waits comes first, as a warm-up for the other one.
local function WithBuffer(kernel, buffer)
  local unsorted = array.uint(_count):random(0, 4294967295, _seed)
  local data = array.uint(_count)
  if not CLSetKernelArgMem(kernel, 0, buffer) then return Failed("CLSetKernelArgMem") end
  if not TellKernelTime(kernel, buffer, unsorted) then return false end
  if CLBufferWrite(buffer, unsorted) == 0 then return Failed("CLBufferWrite") end
  return TimedSort(kernel, buffer, data) and Check(data, unsorted)
end

local function WithProgram(context, program)
  local kernel = CLKernelCreate(program, "compare_pairs")
  if kernel == INVALID_HANDLE then return Failed("CLKernelCreate") end
  local buffer = CLBufferCreate(context, 4 * _count, CL_MEM_READ_WRITE)
  local done = buffer ~= INVALID_HANDLE and WithBuffer(kernel, buffer)
  if buffer == INVALID_HANDLE then Failed("CLBufferCreate") else CLBufferFree(buffer) end
  CLKernelFree(kernel)
  return done
end

function OnStart()
  if not IsPowerOfTwo(_count) then
    PrintFormat("FAILED: %d elements: a bitonic sort needs a power of two", _count)
    return false
  end
  local context = CLContextCreate(_device)
  if context == INVALID_HANDLE then return Failed("CLContextCreate") end
  local program, log = CLProgramCreate(context, KERNEL)
  local done = program ~= INVALID_HANDLE and WithProgram(context, program)
  if program == INVALID_HANDLE then
    Print(log)
    Failed("CLProgramCreate")
  else
    CLProgramFree(program)
  end
  CLContextFree(context)
  return done
end
