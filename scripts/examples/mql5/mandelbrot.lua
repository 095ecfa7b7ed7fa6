-- The Mandelbrot set on a 2-D range: one work-item per pixel, the window passed as float arguments. --file writes it as
-- a plain PGM picture, which most viewers and converters can read.
--
-- The check computes some pixels again on the host, in float arithmetic, and requires the same numbers. A different
-- rounding would change them, so the kernel forbids the compiler to fuse a product and a sum.
local clue = require "clue"

input.int("_width", 640, "width in pixels", 1, 16384)
input.int("_height", 480, "height in pixels", 1, 16384)
input.int("_iterations", 256, "iterations after which a point counts as inside", 1, 65535)
input.float("_x", -0.75, "centre of the picture, real part")
input.float("_y", 0, "centre of the picture, imaginary part")
input.float("_span", 3.5, "width of the picture")
input.int("_checked", 1000, "about how many pixels the host computes again", 1)
input.string("_file", "", "write the picture to this .pgm file")
input.int("_device", CL_USE_ANY, "device")

local KERNEL = [[
#pragma OPENCL FP_CONTRACT OFF
__kernel void mandelbrot(__global int *counts, const float left, const float top, const float pixel, const int most)
{
    const int column = get_global_id(0), row = get_global_id(1);
    const float cx = left + pixel * column, cy = top - pixel * row;
    float x = 0, y = 0;
    int count = 0;
    while (count < most && x * x + y * y <= 4.0f) {
        const float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        count++;
    }
    counts[row * get_global_size(0) + column] = count;
}
]]

local function Failed(what)
  PrintFormat("FAILED: %s, error %d", what, GetLastError())
  return false
end

-- The picture's window in the kernel's terms.
local function Window()
  local pixel = _span / _width
  return _x - pixel * (_width - 1) / 2, _y + pixel * (_height - 1) / 2, pixel
end

-- ---- the same on the host ---------------------------------------------------------------------------------------

local cell = array.float(1)

-- Gives the nearest float. A double holds any sum or product of two floats precisely enough to be rounded again.
local function Rounded(x)
  cell[0] = x
  return cell[0]
end

local function HostCount(column, row)
  local left, top, pixel = Window()
  left, top, pixel = Rounded(left), Rounded(top), Rounded(pixel)
  local cx, cy = Rounded(left + Rounded(pixel * column)), Rounded(top - Rounded(pixel * row))
  local x, y, count = 0, 0, 0
  while count < _iterations do
    local xx, yy = Rounded(x * x), Rounded(y * y)
    if Rounded(xx + yy) > 4 then break end
    y = Rounded(Rounded(2 * x * y) + cy)
    x = Rounded(Rounded(xx - yy) + cx)
    count = count + 1
  end
  return count
end

local function Check(counts)
  local pixels = _width * _height
  local step = MathMax(1, MathFloor(pixels / _checked))
  local checked, inside = 0, 0
  for i = 0, pixels - 1, step do
    local column, row = i % _width, MathFloor(i / _width)
    local expected = HostCount(column, row)
    if counts[i] ~= expected then
      PrintFormat("FAILED: pixel (%d, %d) is %d, on the host it is %d", column, row, counts[i], expected)
      return false
    end
    checked = checked + 1
    inside = inside + (expected == _iterations and 1 or 0)
  end
  PrintFormat("%d of %d pixels repeated on the host: all the same, %d of them inside", checked, pixels, inside)
  return true
end

-- ---- the picture ------------------------------------------------------------------------------------------------

-- Points inside are black. Outside, a point is brighter the later it leaves.
local function Grey(count)
  return count == _iterations and 0 or MathFloor(255 * MathSqrt(count / _iterations))
end

-- A plain PGM has lines of at most 70 characters: 17 numbers of up to three digits.
local function WritePicture(counts)
  local file = FileOpen(_file, FILE_WRITE + FILE_TXT + FILE_ANSI)
  if file == INVALID_HANDLE then return Failed("FileOpen") end
  local written = FileWrite(file, "P2") > 0 and FileWrite(file, _width, " ", _height) > 0 and FileWrite(file, 255) > 0
  local line = {}
  for i = 0, #counts - 1 do
    line[#line + 1] = IntegerToString(Grey(counts[i]))
    if #line == 17 or i == #counts - 1 then
      written = written and FileWrite(file, table.concat(line, " ")) > 0
      line = {}
    end
  end
  FileClose(file)
  if not written then return Failed("FileWrite") end
  PrintFormat("%s: %d x %d pixels written", _file, _width, _height)
  return true
end

-- ---- the device -------------------------------------------------------------------------------------------------

local function SetArguments(kernel, buffer)
  local left, top, pixel = Window()
  return CLSetKernelArgMem(kernel, 0, buffer)
    and CLSetKernelArg(kernel, 1, float(left))
    and CLSetKernelArg(kernel, 2, float(top))
    and CLSetKernelArg(kernel, 3, float(pixel))
    and CLSetKernelArg(kernel, 4, int(_iterations))
end

-- The first execution is not measured, because drivers finish their preparations in it.
local function Execute(kernel, buffer, counts)
  if not SetArguments(kernel, buffer) then return Failed("CLSetKernelArg") end
  local start
  for _ = 1, 2 do
    start = GetMicrosecondCount()
    if not CLExecute(kernel, 2, {0, 0}, {_width, _height}) then return Failed("CLExecute") end
    if CLBufferRead(buffer, counts) == 0 then return Failed("CLBufferRead") end
  end
  local total = GetMicrosecondCount() - start
  local seconds, clock = clue.kernel_time(kernel)
  PrintFormat("%d x %d pixels, up to %d iterations: kernel %.0f us (the %s's clock), with enqueuing and read-back "
    .. "%.0f us; one run after one to warm up", _width, _height, _iterations, seconds * 1e6, clock, total)
  return Check(counts) and (_file == "" or WritePicture(counts))
end

local function WithProgram(context, program)
  local kernel = CLKernelCreate(program, "mandelbrot")
  if kernel == INVALID_HANDLE then return Failed("CLKernelCreate") end
  local counts = array.int(_width * _height)
  local buffer = CLBufferCreate(context, counts:bytes(), CL_MEM_WRITE_ONLY)
  local done = buffer ~= INVALID_HANDLE and Execute(kernel, buffer, counts)
  if buffer == INVALID_HANDLE then Failed("CLBufferCreate") else CLBufferFree(buffer) end
  CLKernelFree(kernel)
  return done
end

function OnStart()
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
