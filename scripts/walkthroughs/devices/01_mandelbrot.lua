-- Step 1: the Mandelbrot set, whose rows cost very differently, by several devices.
--
-- An item of the work is a row of the picture. Rows through the middle of the set take hundreds of times as long as
-- those at its edge. Each device gets chunks of rows, large ones first, and the next one when it has done one. Their
-- sizes follow from the rates of the chunks before, so chunks must be alike: item i is the row i times a stride, modulo
-- the height, so that each chunk has rows from everywhere.
--
-- The kernel forbids fused multiply-adds. So every device rounds alike, and each pixel is the same on all of them,
-- whoever computes it.
local cl = require "clue"
local group = require "clue.walk.group"
local problem = require "clue.walk.problem"
local several = require "clue.walk.several_devices"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

several.inputs(input, "1920", "width of the picture in pixels")
input.int("_iterations", 0, "steps after which a point counts as inside; 0: 1000 on a CPU, 50000 on other devices", 0,
  65535)

local KERNEL = [[
#pragma OPENCL FP_CONTRACT OFF
/* Row i of `steps` is row i * stride % height of the picture. */
__kernel void mandelbrot(__global ushort *steps, const uint first, const uint width, const uint height,
                         const uint stride, const float left, const float pixel, const float top, const int most)
{
    const uint x = get_global_id(0), item = first + get_global_id(1), y = item * stride % height;
    if (x >= width)
        return;
    const float cx = left + x * pixel, cy = top - y * pixel;
    float zx = 0, zy = 0, xx = 0, yy = 0;
    int n = 0;
    for (; n < most && xx + yy <= 4; n++) {
        zy = 2 * zx * zy + cy;
        zx = xx - yy + cx;
        xx = zx * zx;
        yy = zy * zy;
    }
    steps[(size_t)item * width + x] = n;
}
]]

local row = {
  number = 1, name = "mandelbrot", study = "mandelbrot", type = "float",
  change = "rows of a picture, which cost differently",
  decides = {"max_compute_units", "max_clock_frequency"},
}

-- A number as float has it.
local cell = cl.array.float(1)
local function float(x)
  cell[0] = x
  return cell[0]
end

-- The steps of one pixel. Products and sums of two floats are exact in double, or nearly so, and are then rounded once.
local function expected(cx, cy, most)
  local zx, zy, xx, yy, n = 0, 0, 0, 0, 0
  while n < most and float(xx + yy) <= 4 do
    zy = float(float(float(2 * zx) * zy) + cy)
    zx = float(float(xx - yy) + cx)
    xx, yy, n = float(zx * zx), float(zy * zy), n + 1
  end
  return n
end

-- A stride near the golden part of the height, without a common divisor: it reaches every row once.
local function stride_of(height)
  local function divisor(a, b) return b == 0 and a or divisor(b, a % b) end
  local stride = math.max(1, math.floor(height * 0.618))
  while divisor(stride, height) > 1 do stride = stride + 1 end
  return stride
end

local function check(steps, width, height, view)
  for place = 0, #steps - 1, math.max(1, math.floor(#steps / 997)) do
    local x, y = place % width, math.floor(place / width) * view.stride % height
    local cx = float(view.left + float(x * view.pixel))
    local right = expected(cx, float(view.top - float(y * view.pixel)), view.most)
    if steps[place] ~= right then
      return false, ("pixel (%d, %d) of %d x %d took %d steps, should take %d"):format(x, y, width, height,
        steps[place], right)
    end
  end
  return true
end

function OnStart()
  local width = math.min(problem.passed(sizes.count(sizes.of_study(_size, "mandelbrot", "1920"))), 2 ^ 15)
  local height = math.max(1, math.floor(width * 3 / 4))
  local devices = several.devices(row, _with)
  local most = _iterations > 0 and _iterations or devices[1].kind == "cpu" and 1000 or 50000
  local view = {left = -2.25, pixel = float(3 / width), top = 1.125, most = most, stride = stride_of(height)}
  local job = {
    alone = _alone,
    total = height, width = width, type = "ushort", bytes = 2, results = cl.array.ushort(width * height), flops = 1,
    repeats = problem.runs(_repeat),
    forget = function(steps) steps:fill(65535) end,
    setup = function(worker, steps)
      local kernel = worker.context:program(KERNEL):kernel "mandelbrot"
      local size = group.size(kernel, 64)
      return function(first, count)
        kernel(worker.queue, {group.round_up(width, size), count}, {size, 1}, steps, first, width, height, view.stride,
          view.left, view.pixel, view.top, view.most)
      end
    end,
  }
  local variants = several.variants(devices, job)
  row.check = several.verify(variants, {{
    name = "997 pixels, bit for bit", prepare = function() end,
    check = function() return check(job.results, width, height, view) end,
  }})
  for _, each in ipairs(variants) do each.flops = 7 * job.results:sum() * each.flops end -- 1, or the part of the rows
  several.measure(row, devices, variants)
  row.problem = ("%d x %d pixels, up to %d iterations"):format(width, height, view.most)
  row.size, row.context = {width = width, height = height}, cl.context(devices[1])
  walk.report(row)
end
