-- pi as the integral of 4 / (1 + x^2) from 0 to 1, by the midpoint rule. Each work-item adds up every n-th strip and
-- stores one partial sum; the host adds those. It runs in float, then in double if the device has it.
--
-- The check: the distance from pi must not be larger than the errors of the rule and of the rounding of the sums.
local clue = require "clue"

input.int("_strips", 4194304, "how many strips the interval is cut into", 1)
input.int("_items", 16384, "how many work-items share them", 1)
input.int("_runs", 5, "how many runs are measured, after one that is not", 1, 1000)
input.int("_device", CL_USE_ANY, "device")

local KERNEL = [[
#ifdef WITH_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
__kernel void partial_sums(__global REAL *sums, const uint strips, const REAL width)
{
    const uint item = get_global_id(0), items = get_global_size(0);
    REAL sum = 0;
    for (uint strip = item; strip < strips; strip += items) {
        const REAL x = ((REAL)strip + (REAL)0.5) * width;
        sum += 4 / (1 + x * x);
    }
    sums[item] = sum * width;
}
]]

-- The differences between the two types: the typed value, the array, and half the distance from 1 to the next number.
local TYPES = {
  float = {value = float, array = array.float, unit = 2 ^ -24, head = "#define REAL float\n"},
  double = {value = double, array = array.double, unit = 2 ^ -53,
    head = "#define WITH_DOUBLE\n#define REAL double\n"},
}

local function Failed(what)
  PrintFormat("FAILED: %s, error %d", what, GetLastError())
  return false
end

-- The rule's error is 1 / (12 strips^2). The longest sum rounds once for each of its strips; the host sums in double.
-- Sixteen units are for the arithmetic within a strip.
local function Tolerance(type)
  local longest = MathCeil(_strips / _items)
  return 1.01 / (12 * _strips ^ 2) + M_PI * ((longest + 16) * type.unit + _items * TYPES.double.unit)
end

-- Runs once. Returns pi, the kernel's seconds, whose clock that was, and the microseconds until the sums were on the
-- host.
local function Run(kernel, buffer, sums)
  local start = GetMicrosecondCount()
  if not CLExecute(kernel, 1, {0}, {_items}) then return Failed("CLExecute") end
  if CLBufferRead(buffer, sums) == 0 then return Failed("CLBufferRead") end
  local total = GetMicrosecondCount() - start
  local seconds, clock = clue.kernel_time(kernel)
  return sums:sum(), seconds * 1e6, clock, total
end

local function Median(list)
  table.sort(list)
  return list[MathFloor((#list + 1) / 2)]
end

local function Measure(name, kernel, buffer, sums)
  if not Run(kernel, buffer, sums) then return false end
  local kernels, totals, pi, clock = {}, {}, nil, nil
  for i = 1, _runs do
    sums:fill(0)
    pi, kernels[i], clock, totals[i] = Run(kernel, buffer, sums)
    if not pi then return false end
  end
  PrintFormat("%s: pi = %.15f, off by %.2e, allowed %.2e", name, pi, MathAbs(pi - M_PI), Tolerance(TYPES[name]))
  PrintFormat("  kernel %.0f us (%.0f to %.0f, the %s's clock); with enqueuing and read-back %.0f us (%.0f to %.0f)",
    Median(kernels), kernels[1], kernels[_runs], clock, Median(totals), totals[1], totals[_runs])
  if MathAbs(pi - M_PI) <= Tolerance(TYPES[name]) then return true end
  PrintFormat("FAILED: %s: pi is off by more than rounding explains", name)
  return false
end

local function SetArguments(kernel, buffer, type)
  return CLSetKernelArgMem(kernel, 0, buffer)
    and CLSetKernelArg(kernel, 1, uint(_strips))
    and CLSetKernelArg(kernel, 2, type.value(1 / _strips))
end

local function WithKernel(name, context, program)
  local kernel = CLKernelCreate(program, "partial_sums")
  if kernel == INVALID_HANDLE then return Failed("CLKernelCreate") end
  local sums = TYPES[name].array(_items)
  local buffer = CLBufferCreate(context, sums:bytes(), CL_MEM_WRITE_ONLY)
  local done = buffer ~= INVALID_HANDLE or Failed("CLBufferCreate")
  if done then
    done = SetArguments(kernel, buffer, TYPES[name]) or Failed("CLSetKernelArg")
    done = done and Measure(name, kernel, buffer, sums)
    CLBufferFree(buffer)
  end
  CLKernelFree(kernel)
  return done
end

local function WithType(name, context)
  local program, log = CLProgramCreate(context, TYPES[name].head .. KERNEL)
  if program == INVALID_HANDLE then
    Print(log)
    return Failed("CLProgramCreate")
  end
  local done = WithKernel(name, context, program)
  CLProgramFree(program)
  return done
end

function OnStart()
  local context = CLContextCreate(_device)
  if context == INVALID_HANDLE then return Failed("CLContextCreate") end
  local done = WithType("float", context)
  local known, extensions = CLGetInfoString(context, CL_DEVICE_EXTENSIONS)
  if not known then
    done = Failed("CLGetInfoString")
  elseif extensions:find("cl_khr_fp64", 1, true) then
    done = WithType("double", context) and done
  else
    Print("double: this device does not support it")
  end
  CLContextFree(context)
  return done
end
